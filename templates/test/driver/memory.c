/* -- chance: the same numbers everywhere, from a seed -------------------------------------------------------------- */

static uint64_t bt_chance;

static uint32_t bt_random(void)
{
    uint64_t mixed = bt_chance += 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(mixed >> 32);
}

static unsigned bt_below(unsigned limit)
{
    return limit == 0 ? 0 : (unsigned)((uint64_t)bt_random() * limit >> 32);
}

/* -- memory: counted, moved by every realloc, filled with garbage, failing on demand ------------------------- */

enum { BT_GUARD = BT_SANITIZED ? 0 : 16 }; /* bytes behind each block that nothing may write */

typedef struct bt_block {
    void *address;
    void *whole; /* as malloc gave it */
    size_t bytes;
    const void *context;
} bt_block;

static bt_block bt_blocks[BT_BLOCKS];
static size_t bt_block_count;
static unsigned long bt_requests;      /* for memory, ever */
static unsigned long bt_refusals;      /* of them */
static unsigned long bt_refuse_at;     /* refuse the request with this number; 0: none */
static bool bt_refuse_on;              /* and all after it */
static bool bt_never_refuses;          /* the allocator of this container never returns NULL */

/* `alignment`: what the address is a multiple of, and not of twice that; 0: as malloc returns it. */
static void *bt_alloc_aligned(const void *context, size_t bytes, size_t alignment)
{
    char *address;
    void *whole;

    bt_requests++;
    if (bt_refuse_at != 0 && !bt_never_refuses && (bt_requests == bt_refuse_at || (bt_refuse_on && bt_requests > bt_refuse_at))) {
        bt_refusals++;
        return NULL;
    }
    if (bt_block_count == BT_BLOCKS) {
        bt_scarce = true;
        bt_fail("more than %d blocks are allocated: a leak", (int)BT_BLOCKS);
    }
    if (bytes == 0) {
        bt_fail("0 bytes of memory were requested");
    }
    whole = malloc(bytes + BT_GUARD + 2 * alignment);
    if (whole == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    address = (char *)whole;
    if (alignment != 0) {
        if ((alignment & (alignment - 1)) != 0) {
            bt_fail("memory was requested with an alignment of %lu, which is no power of 2", (unsigned long)alignment);
        }
        address += (3 * alignment - (uintptr_t)whole % (2 * alignment)) % (2 * alignment);
    }
    memset(address, 0xA5, bytes + BT_GUARD);
    bt_blocks[bt_block_count].address = address;
    bt_blocks[bt_block_count].whole = whole;
    bt_blocks[bt_block_count].bytes = bytes;
    bt_blocks[bt_block_count].context = context;
    bt_block_count++;
    return address;
}

BT_SPARE static void *bt_alloc(const void *context, size_t bytes)
{
    return bt_alloc_aligned(context, bytes, 0);
}

static bt_block *bt_block_at(const void *context, const void *address)
{
    for (size_t i = 0; i < bt_block_count; i++) {
        if (bt_blocks[i].address == address) {
            if (bt_blocks[i].context != context) {
                bt_scarce = true;
                bt_fail("memory was freed by an allocator that did not allocate it");
            }
            return &bt_blocks[i];
        }
    }
    bt_scarce = true;
    bt_fail("memory was freed that is not allocated: freed twice, or never allocated");
    return NULL;
}

static void bt_need_guard(const bt_block *block)
{
    const unsigned char *end = (const unsigned char *)block->address + block->bytes;

    for (const unsigned char *at = end; at != end + BT_GUARD; at++) {
        if (*at != 0xA5) {
            bt_scarce = true;
            bt_fail("the memory behind a block of %lu bytes was written", (unsigned long)block->bytes);
        }
    }
}

static void bt_free(const void *context, void *address)
{
    if (address != NULL) {
        bt_block *block = bt_block_at(context, address);
        void *whole = block->whole;

        bt_need_guard(block);
        memset(address, 0xDD, block->bytes);
        *block = bt_blocks[bt_block_count - 1];
        bt_block_count--;
        free(whole);
    }
}

BT_SPARE static void *bt_realloc_aligned(const void *context, void *address, size_t bytes, size_t alignment)
{
    size_t kept_bytes = address == NULL ? 0 : bt_block_at(context, address)->bytes;
    void *moved = bt_alloc_aligned(context, bytes, alignment);

    if (moved != NULL && address != NULL) {
        memcpy(moved, address, kept_bytes < bytes ? kept_bytes : bytes);
        bt_free(context, address);
    }
    return moved;
}

BT_SPARE static void *bt_realloc(const void *context, void *address, size_t bytes)
{
    return bt_realloc_aligned(context, address, bytes, 0);
}

/* An allocator of the spec may receive the size of the block that it frees. */
BT_SPARE static void bt_need_bytes(const void *context, const void *address, size_t bytes)
{
    if (address == NULL ? bytes != 0 : bt_block_at(context, address)->bytes != bytes) {
        bt_fail("a block of memory is said to have another number of bytes than it has");
    }
}

static bool bt_out_of_slots(void);

/* An operation returned NO_MEMORY: a request must have been refused. */
static void bt_need_refusal(unsigned long before, const char *operation)
{
    if (bt_refusals == before && !bt_out_of_slots()) {
        bt_fail("%s returned NO_MEMORY, but no request for memory was refused", operation);
    }
}
