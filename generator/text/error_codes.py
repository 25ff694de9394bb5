"""The table of error codes. `bespoke explain BSPnnnn` prints an entry, and docs/errors.md all of them."""

# code -> (title, explanation, what to do). `bespoke explain BSPnnnn` prints these.
#   BSP00xx files and YAML (loader)        BSP01xx keys and values
#   BSP02xx combinations (rules)           BSP03xx names, expressions, types, headers
#   BSP04xx output and check               BSP05xx environment
CODES = {
    # -- BSP00xx: files and YAML -------------------------------------------------------------------------
    'BSP0001': (
        'file cannot be read',
        'The file does not exist, is a folder, or cannot be opened.',
        'Check the path and the permissions. Paths are relative to the working folder.'),
    'BSP0002': (
        'file is not UTF-8',
        'Specs are UTF-8 text. The file holds bytes that are not, at the place shown.',
        'Save the file as UTF-8; a byte order mark is accepted.'),
    'BSP0003': (
        'file is too large',
        'A spec may hold at most 1 MiB. A larger file is hardly a spec and would take very long to read.',
        'Check that the right file was given, or spread the containers over several files.'),
    'BSP0004': (
        'file is empty',
        'The file holds nothing, or nothing but comments.',
        'Write a spec, or let `bespoke new` write one to start from.'),
    'BSP0005': (
        'not valid YAML',
        'The text at the place shown breaks the rules of YAML, and the rest cannot be read.',
        'Usually a value needs quotes, a bracket or quote is not closed, or a line has the wrong indentation.'),
    'BSP0006': (
        'tab used as white space',
        'YAML does not allow tabs for indentation, since their width differs from editor to editor.',
        'Use spaces, and set the editor to insert spaces in YAML files.'),
    'BSP0007': (
        'key given twice',
        'YAML readers silently keep one of two equal keys, and which one is not defined.',
        'Remove one of the two.'),
    'BSP0008': (
        'anchors and aliases are not supported',
        'YAML anchors (&name) and aliases (*name) can make a small file expand without bounds, and hide the source of a value. '
        'Specs do not use them.',
        "Write the value out. If '&' or '*' belongs to C code, put the whole value in quotes."),
    'BSP0009': (
        'tags are not supported',
        'A YAML tag (!name or !!name) builds a special object. Specs hold plain text, numbers, lists and mappings only.',
        "Remove the tag. If '!' belongs to C code, put the whole value in quotes."),
    'BSP0010': (
        'nested too deep',
        'Lists and mappings may be nested 32 levels deep. No spec needs more.',
        'Check the brackets and the indentation.'),
    'BSP0011': (
        'several documents in one file',
        "A line '---' begins another YAML document. A spec is a single document.",
        "Put the second document into a file of its own, or remove the '---'."),
    'BSP0012': (
        'merge keys are not supported',
        "The YAML 1.1 merge key '<<' copies the keys of another mapping, and hides the source of a value.",
        'Write the keys out, or use a preset or an include.'),
    'BSP0013': (
        'key is not text',
        'The keys of a mapping must be plain text. A list, a mapping or nothing at all cannot be a key.',
        "Write the key as a word. A value that begins with '{' or '[' needs quotes."),
    'BSP0014': (
        'too many values',
        'A spec may hold at most 20,000 keys and values.',
        'Spread the containers over several files.'),
    'BSP0015': (
        'control character',
        'The text holds a character that is invisible or changes the direction of the text, so that it can look different from '
        'what it is.',
        'Remove the character.'),
    # -- BSP01xx: keys and values ------------------------------------------------------------------------
    'BSP0101': (
        'unknown key',
        'The language has no such key at this place.',
        'Check its spelling and its group; the help lists the keys.'),
    'BSP0102': (
        'value missing',
        'A key has no value, or a required key is missing.',
        'Give a value, or leave the key out if it is optional. Every container needs an `element`.'),
    'BSP0103': (
        'invalid value',
        'The key does not take this value: it is none of its words, out of range, or of another kind.',
        'Use one of the values that the help lists.'),
    'BSP0104': (
        'wrong shape',
        'A mapping stands where one value is expected, a value where a mapping is expected, or a list where neither is.',
        'Write it as the help shows. `{a: b}` and indented lines with `a: b` mean the same.'),
    'BSP0105': (
        'no containers',
        'A spec declares containers, and this one has none. Only a file that others include needs none.',
        'Add `containers:` with at least one container.'),
    'BSP0106': (
        'file includes itself',
        'A file includes itself, directly or through others.',
        'Move what both need into a third file that includes neither.'),
    'BSP0107': (
        'file cannot be included',
        'A file named under `include` cannot be read. Paths are relative to the including file.',
        'Check the path.'),
    'BSP0108': (
        'version of the language',
        '`bespoke: 1` is the version of the language that a spec is written in, so that later versions can read it.',
        'Write `bespoke: 1` at the top, or update Bespoke if the spec is newer.'),
    'BSP0109': (
        'containers in an included file',
        'Several specs share an included file; its containers would be emitted several times.',
        'Keep `defaults` and `presets` in the included file and containers in files of their own.'),
    'BSP0110': (
        'preset defined twice',
        'The name of a preset is already used, by another one or by a preset of Bespoke.',
        'Choose another name. A preset can build on another with `preset: NAME`.'),
    'BSP0111': (
        'containers disagree about their files',
        'All containers of a spec are written to the same files, so keys about the files have one value for all.',
        'Give it once, under `defaults`, or spread the containers over several specs.'),
    'BSP0112': (
        'spec cannot name a header',
        'The emitted files are named after the spec: `fleet.yaml` generates `fleet.h`. The name must be valid on every system, '
        'and must not be that of a system header.',
        'Rename the spec.'),
    'BSP0113': (
        'unknown preset',
        'There is no preset of that name, neither in Bespoke nor under `presets`.',
        'Check its spelling; the help lists the presets. Or `include` the file that defines it.'),
    'BSP0114': (
        'preset builds on itself',
        'Presets build on each other in a circle.',
        'Remove `preset` from one of them.'),
    # -- BSP02xx: combinations ---------------------------------------------------------------------------
    'BSP0201': (
        'key means nothing here',
        'The key has no effect with the values of other keys.',
        'Leave it out, or change the other value.'),
    'BSP0202': (
        'removal cannot keep the contract',
        'The removal policy cannot keep what another key promises to callers.',
        'Change one of the two; the help lists what would work. `removal: auto` selects a policy that works.'),
    'BSP0203': (
        'predicate missing',
        'This removal policy removes expired elements, so it needs a predicate.',
        'Give `removal: {expired: ...}`: a C expression over `element`, or the name of a function.'),
    'BSP0204': (
        'duplicates cannot be compared by address',
        'An add copies an element that is held by value. Before the add it has no address in the container to compare.',
        'Give an `identity`, or hold the elements by pointer.'),
    'BSP0205': (
        'key missing',
        'Elements are identified by a key, but no key is given.',
        'Give `identity: {key: element->id}`.'),
    'BSP0206': (
        'pointers have no value to compare',
        'Elements held by pointer are compared by address or by key.',
        'Leave `identity` out, or give a key.'),
    'BSP0207': (
        'values cannot be compared',
        'C has no `==` for structs and unions, and `==` of floating-point values is not exact. A key is an integer of at most 64 '
        'bits, unless `identity.kind` names another kind of key. A sort key is a number unless `sort.kind` does: C would sort '
        'pointers and arrays by their addresses.',
        'Give an `identity: {key: ...}` that is an integer, or its `kind`: string, slice, bytes or object; a `sort` by a '
        'number, its `kind`: string or bytes, or a comparator.'),
    'BSP0208': (
        'index member in a value',
        'An intrusive index is a member of the element that stores its slot index. An element held by value is found by its '
        'address.',
        'Use `index: none`, or hold the elements by pointer.'),
    'BSP0209': (
        'member of the index missing',
        'An intrusive index needs a member of the element that stores the slot index.',
        'Give `index: {kind: intrusive, field: NAME}`; the member is a `uint32_t`.'),
    'BSP0210': (
        'index and duplicates',
        'An index has one entry for each element, so it cannot find duplicates.',
        'Use `duplicates: reject`, or `index: none`.'),
    'BSP0211': (
        'index by address of values',
        'Elements held by value are found by their address without an index.',
        'Use `index: none`, or give an `identity: {key: ...}`.'),
    'BSP0212': (
        'one journal for all changes',
        'Deferred changes are queued in one journal, in order. If only adds or only removes were queued, the order would be '
        'lost.',
        'Defer both or neither.'),
    'BSP0213': (
        'inline storage without a maximum',
        'Inline storage is an array in the struct of the container, and C must know its size.',
        'Give `capacity: {inline: true, max: 64}`.'),
    'BSP0214': (
        'removal in inline storage',
        'This removal policy needs more slots than there are elements, which inline storage cannot have.',
        'Use another removal policy, or let the container allocate.'),
    'BSP0215': (
        'storage that never grows',
        'The storage has its full size from the start, so keys about growing, shrinking or allocating have no effect.',
        'Leave the key out.'),
    'BSP0216': (
        'start above the maximum',
        'The first allocation would be larger than the maximum.',
        'Lower `capacity.initial`, or raise `capacity.max`.'),
    'BSP0217': (
        'stable addresses in storage that grows',
        'Growing an array moves its elements.',
        'Use `storage: chunked`, or give a `capacity.max`: then the first add allocates the full capacity.'),
    'BSP0218': (
        'stable addresses in storage that shrinks',
        'Shrinking an array moves its elements.',
        'Use `storage: chunked`, leave out `capacity.shrink`, or use `addresses: moving`.'),
    'BSP0219': (
        'too few bits in handles',
        'The index of a handle has too few bits for the slots that the container may have.',
        'Lower `capacity.max`, or raise `handles.index_bits`.'),
    'BSP0220': (
        'shrinking without a share',
        '`capacity.shrink.after` is how long the used share must stay low; `capacity.shrink.below` is the share.',
        'Give `capacity: {shrink: {below: 25%, after: 2 s}}`.'),
    'BSP0221': (
        'move hook of elements that do not move',
        'The move hook is called when an element gets another address. Stable addresses never change.',
        'Leave the hook out.'),
    'BSP0222': (
        'one function for two purposes',
        'The emitted code declares each function that a spec names. One name can have one list of parameters only.',
        'Use a function for each purpose; both can call a third.'),
    'BSP0223': (
        'incomplete allocator',
        'An allocator has at least two functions: `alloc` and `free`; `realloc` may be left out. With `kind: plain` some of '
        'them may be malloc, realloc and free, which take neither a context nor sizes nor an alignment.',
        'Name the function that is missing, or one of yours.'),
    'BSP0224': (
        'test of a predicate that is a function',
        '`test.expire` makes an element expire in the generated test. Where the predicate is a function, the test defines the '
        'function.',
        'Leave `test.expire` out.'),
    'BSP0225': (
        'preset needs a key',
        'A preset does not set what depends on the element: the predicate, the member, the maximum.',
        'Give the key that the message names.'),
    'BSP0226': (
        'inline storage too large',
        'A container with inline storage is often a variable on the stack or in another struct, so its size is limited.',
        'Lower `capacity.max`, or let the container allocate.'),
    'BSP0227': (
        'no removal policy keeps the contract',
        'The removal policy was left to Bespoke, but none keeps everything that the other keys promise.',
        'Change one of the keys that the message names.'),
    'BSP0228': (
        'member of a type without members',
        'A key names a member of the element, but the element is a number or a pointer.',
        'Leave the key out, or hold structs.'),
    'BSP0229': (
        'key with an intrusive index',
        'An intrusive index finds the element whose member it is, and no other element with the same key.',
        'Use `index: hash` to find elements by key, or leave out `identity`.'),
    'BSP0230': (
        'no library to allocate from',
        'With `emit.freestanding` no function of a C library is called, and malloc is one.',
        'Name an allocator, or use `capacity.inline`, or links in the elements.'),
    'BSP0231': (
        'not a size type',
        'With `emit.size_type` counts, indices and rows have that type instead of size_t. It is unsigned, at least as wide as '
        'int, and at most as wide as size_t; or a signed type of C itself, of which the unsigned one is known, with which the '
        'emitted code computes. The rows of columns, the numbers of layers and the parts for workers cannot be signed.',
        'Use `uint32_t` or `int32_t`, or leave `emit.size_type` out.'),
    'BSP0232': (
        'name of the engine that no header declares',
        'What `emit.export`, `emit.assert` and `emit.size_type` name must be declared by `emit.header`, which the emitted files '
        'include first, or by the header of an element. Neither these headers nor those that they include mention the name. It is'
        ' a warning, since a compiler option may define it.',
        'Name the header that declares it as `emit.header`.'),
    'BSP0233': (
        'no such operation',
        '`emit.operations` names operations as the table in the header does, without the name of the container: `add`, '
        '`remove_current`; `each` is the loop. The contract decides which there are.',
        'Name an operation of the container: the message lists them, and so does `bespoke explain`.'),
    'BSP0234': (
        'a key makes sorted elements a linked list',
        'No arrangement of an array keeps the value of this key in sorted order, so the elements are linked, and an add searches '
        'its position from one end. It is a warning, since it may be what is wanted.',
        'Leave the key out, or give `removal: unlink`.'),
    'BSP0235': (
        'not a string',
        'A string or slice is characters: a `char *` or an array of `char`. The key is of another type.',
        'Leave out the `kind` for a number; use `kind: bytes` for a struct or array of fixed size.'),
    'BSP0236': (
        'incomplete kind of key',
        'A slice needs a length, and an object a function that compares two; a hash index of such objects needs one that hashes '
        'them. The size of what a function points to follows from its type only.',
        'Give `identity.length`, `identity.equal`, `identity.hash` or `identity.type`; for an order `sort.less`.'),
    'BSP0237': (
        'equal keys may differ in their bytes',
        'Keys of `kind: bytes` are compared and hashed by all of their bytes. Padding between members, and bits beside '
        'bit-fields, have any value; a floating-point zero has two; a pointer is compared, not what it points to.',
        'Fill gaps with members that are always 0, or use `kind: object` with functions that compare and hash.'),
    'BSP0238': (
        'a key in columns that is not an integer',
        'A key that is not an integer is read where it lies. With `layout: soa` the members of an element lie apart.',
        'Use `layout: aos`, or an integer as key.'),
    'BSP0239': (
        'a seed for an inline table',
        'A container with `capacity.inline` is valid when all of its bytes are 0, and so is its table. So no call comes before '
        'the first hash.',
        'Leave out `index.seed`, and call T_set_hash_key.'),
    'BSP0240': (
        'nothing to put into columns',
        'With `layout: soa` the container stores each member of its elements in an array. Elements that live elsewhere store '
        'their members themselves.',
        'Hold the elements by value, or leave the layout out.'),
    'BSP0241': (
        'members missing',
        'With `layout: soa` the container must know the members of its elements, and their types.',
        'Run `bespoke type import SPEC`, or give `element: {fields: {x: float, y: float}}`.'),
    'BSP0242': (
        'element has no members',
        'With `layout: soa` the element is a struct, and each member has a column. A number, a pointer, a union or an enum has no'
        ' such members.',
        'Leave `element.type` out, or name a struct.'),
    'BSP0243': (
        'unknown member',
        'An expression reads a member of the element that is not among `element.fields`.',
        'Check its spelling, or add it to the fields.'),
    'BSP0244': (
        'unknown hot member',
        '`element.hot` lists the members that have a column each. One of them is no member of the element.',
        'Check its spelling, or add it to `element.fields`.'),
    'BSP0245': (
        'all members are hot',
        'With `element.hot` some members have a column each, and the others share one. Here there are no others.',
        'Leave out `element.hot`, or name fewer members.'),
    'BSP0246': (
        'member without a column',
        'A column is an array of one member, whose cells are assigned when elements move. C does not assign arrays, and a bit-'
        'field or an unnamed member cannot be in an array.',
        'List in `element.hot` the members that loops read; the others share a column, and may be of any kind.'),
    'BSP0247': (
        'other members than those of the type',
        '`element.fields` lists the members of an element, and the type lock has the members that the header declares. They '
        'differ, so that a member would be lost, or does not exist.',
        'Leave out `element.fields`.'),
    'BSP0248': (
        'a saved key without a fixed size',
        'T_load finds elements by their keys while it reads them. Any bytes may be in a file, so the end of a string or slice '
        'may be missing there, or its length wrong.',
        'Give an integer or `kind: bytes`, or leave out `emit.persist`.'),
    'BSP0250': (
        'replaced by itself',
        'Elements held by pointer and identified by address are equal only to themselves, so there is nothing to replace.',
        'Use `duplicates: reject`, or give an `identity.key`.'),
    'BSP0251': (
        'replacing is not deferred',
        'With `duplicates: replace` an element takes the slot of an equal one immediately. Pending changes have no slot until '
        'they are applied.',
        'Use `duplicates: reject`, or `removal: {when: immediate}`.'),
    'BSP0252': (
        'dense index without small keys',
        'A dense index is a table with an entry for every key from 0 on. It takes small integers only.',
        'Give an `identity.key` that is a small integer, or use `index: hash`.'),
    'BSP0253': (
        'dense index that would grow in inline storage',
        'Without `index.keys` the table of a dense index grows with the largest key. Inline storage never grows.',
        'Give `index: {kind: dense, keys: ...}`.'),
    'BSP0254': (
        'too many keys for a table',
        'A dense index has four bytes for each key up to `index.keys`, used or not.',
        'Lower `index.keys`, or use `index: hash`.'),
    'BSP0255': (
        'layers without names',
        'A layered container is a fixed number of containers, one for each name in `layers`.',
        'Name them: `layers: [ground, units, air]`.'),
    'BSP0256': (
        'a test whose elements have equal keys',
        'The generated test numbers its elements, in the member that `test.id` names. If the key does not depend on that '
        'member, all elements have the same key, and nothing can be tested.',
        'Leave `test.id` out: the number is then written into the key. Or name a member that the key depends on.'),
    'BSP0257': (
        'element that the test would not know again',
        'The generated test knows an element that is held by value by its number. `test.element` writes what it likes into an '
        'element, so the number needs a member that nothing else depends on.',
        'Name the member in `test.id`: the number is written after `test.element` has made the element.'),
    'BSP0258': (
        'a context that cannot be kept',
        'With `hooks.kept_context` a container keeps a pointer of yours and passes it to your functions. There is one context, '
        'and it is for functions that the spec names.',
        'Name the functions that take it, or leave it out; T_update alone is given a context by `hooks.context`.'),
    'BSP0259': (
        'a container that does not record its changes',
        'With `changes: recorded` T_EACH_CHANGE goes over what was added, removed or marked since a version of one container. '
        'Layers are several.',
        'Use a container for each layer, or leave out `changes`.'),
    'BSP0260': (
        'intrusive elements without links',
        'An intrusive element has the links as members, and the container must know which members they are.',
        'Name them: `element: {type: struct ship, header: ship.h, link: {next: team_next, prev: team_prev, owner: team}}`.'),
    'BSP0261': (
        'intrusive element twice in one container',
        'An element has one set of links for a container, so it can be in it once.',
        'Leave `duplicates` out, or hold the elements by pointer.'),
    'BSP0262': (
        'key with intrusive elements',
        'The owner of an element with links is the container that it is in; the container is not searched for an equal element.',
        'Leave `identity` out, or hold the elements by pointer, with `index: hash`.'),
    'BSP0263': (
        'one member for two purposes',
        'A member that is the link to the next element in two containers would be overwritten by each of them.',
        'Give the element a member for each.'),
    'BSP0264': (
        'no way back',
        'A singly linked list has a link from each element to the next one only, so no pass can go backward.',
        'Use `storage.links: double`, or let passes go forward.'),
    'BSP0265': (
        'a tree with single links',
        'Removing an element of a tree removes its subtree, the last element first. Single links do not lead back.',
        'Use `storage.links: double`.'),
    'BSP0266': (
        'more than a bit',
        'With `element: {by: bit}` an element is an unsigned integer, and the container keeps one bit for it: whether it is in. '
        'So it has no other key, no state, no hooks, and no second place. Its type is that of counts: `size_t`, or '
        '`emit.size_type`.',
        'Leave out what needs more than that, or hold integers by value.'),
    'BSP0267': (
        'an element that does not know where it is',
        'With `element.link.owned: false` elements have no link to their container. Layers and named indexes look at it.',
        'Name an owner member, or use a container for each layer.'),
    'BSP0268': (
        'values beside elements that cannot be there',
        'With `side` a container keeps values that only some elements have, in memory of their own, by the handle of the '
        'element. A value is assigned, so its type is no array.',
        'Put an array into a struct; let each layer have handles of its own.'),
    'BSP0269': (
        'a key that is no slot',
        'With `index: direct` the slot of an element is its key: a small integer that no other element has, and that does not '
        'change. The elements are in ascending order of their keys, and a new one needs the slots of all keys below its own.',
        'Leave out what needs another slot, or use `index: dense` with `ordering: unordered`, or `index: hash`.'),
    'BSP0270': (
        'membership of no container',
        'A membership names containers of the same file, each once.',
        'Write the names as they stand below `containers`.'),
    'BSP0271': (
        'containers of different elements',
        'An element that is removed from all its containers in one call has one type, so they must hold elements of that type.',
        'Name containers of the same `element.type`.'),
    'BSP0272': (
        'an element cannot be found',
        'To be removed in constant time an element must be identified by its address: by links in it, by an index in it, or by a '
        'hash table of addresses.',
        'Use `element: {link: ...}`, `index: {field: ...}` or `index: hash` with `identity: address`.'),
    'BSP0273': (
        'a removal that may be deferred',
        'Removing an element from all containers is one call, which must always succeed.',
        'Use `removal: {when: immediate}` and `iteration: {removes: any}`.'),
    'BSP0274': (
        'destroyed too early',
        'A destroy hook may free the element, and then it cannot be removed from the containers after it.',
        'Name the container with the hook last.'),
    'BSP0275': (
        'an owner of two types',
        'Two containers share the owner member of the element, so its type is not known.',
        'Give the element an owner member for each.'),
    'BSP0276': (
        'handles that layers cannot share',
        'With `layers: {handles: shared}` an element keeps its handle when it is moved to another layer: it is taken out of one '
        'container and put into another, and its handle leads there.',
        'Leave out layers.handles, or what the message names.'),
    'BSP0280': (
        'no sort key',
        '`ordering: sorted` needs a sort key or a comparator.',
        'Give `sort.key` or `sort.less`.'),
    'BSP0281': (
        'a key and a comparator',
        '`sort.key` and `sort.less` are two ways to define the order.',
        'Leave one out.'),
    'BSP0282': (
        'an insertion ahead of a pass',
        'An element that is inserted between others may be ahead of a live pass. A pass stores indices only, so it cannot skip '
        'the element and leave it for the next pass.',
        'Use `iteration.adds: visited`, or append: `sort.when: begin`, `ordering: insertion`.'),
    'BSP0283': (
        'a replaced element and its order',
        'With `duplicates: replace` a new element takes the slot of an equal one. If adds insert at the sorted position, its '
        'position may be another.',
        'Use `sort.when: begin`, or `duplicates: reject`, and remove the old element first.'),
    'BSP0284': (
        'overwriting without a maximum',
        'With `when_full: overwrite` an add to a full container removes the element at the other end. Without a maximum the '
        'container grows instead.',
        'Give `capacity.max`.'),
    'BSP0285': (
        'a heap of one element',
        'A heap finds the first of several elements. With `capacity: {max: 1}` there are never several.',
        'Use `ordering: unordered`, or a greater maximum.'),
    'BSP0286': (
        'what fail-fast passes do not allow',
        'With `iteration: {removes: none}` the container keeps no record of a pass, only a counter of changes. So nothing can '
        'wait until the last pass ends, and no call can change the container in a pass of its own and go on.',
        'Use `iteration: {removes: any}`, or leave the other key out.'),
    'BSP0287': (
        'what overwriting does not go with',
        'An add to a full container that overwrites removes an element first and must not fail after that.',
        'Use another value, or `when_full: reject`.'),
    'BSP0288': (
        'sorting over tombstones',
        'With `ordering: insertion` and `explicit`, `sort` adds T_sort to the container. Tombstones leave each element in its '
        'slot, and the slots are in insertion order, so nothing can be sorted.',
        'Use a removal that moves elements or links them, or leave `sort` out.'),
    'BSP0289': (
        'an index of what a heap is sorted by',
        'In a heap the key of an element may change: T_rekey and T_heapify then put it in order, and they do not know the key '
        'that it had. An index by the same key would go on to lead from that.',
        'Leave out the index, sort by another member, or use `ordering: sorted`.'),
    'BSP0290': (
        'what threads do not go with',
        'Workers are given parts of the container, stretches of its storage that no other worker touches. Their changes, and '
        'the elements in the inbox, are applied by T_settle, which reserves all memory first.',
        'Change the other key, or leave out the key of `threads`.'),
    'BSP0291': (
        'a named index does not go with this',
        'A named index leads from a key to a slot, and a unique one refuses an element whose key is taken when it is added. '
        'That is not possible for elements without slots, nor, if it is unique, for adds that take effect later.',
        'Follow the help: change the other key, or find the elements of this container by one key.'),
    'BSP0292': (
        'an order that cannot be promised',
        'With `iteration: {order: deterministic}` the same calls give the same order in every version and on every machine. It '
        'follows from the removal policy, so the spec must name that, and it cannot depend on which thread was faster, nor on '
        'the capacity.',
        'Name the removal policy, leave out the inbox, or use `order: free`.'),
    'BSP0293': (
        'sources of a program',
        '`used` in `emit.operations` stands for the operations that the files of `emit.sources` call. None are named, one is not '
        'there, or they are named without it.',
        'Name the sources beside it: `emit: {operations: [used], sources: [main.c, src/*.c]}`.'),
    'BSP0294': (
        'what weights do not go with',
        'With `capacity.weight` the container adds up what its elements weigh, and `capacity.max` limits the sum, not the number '
        'of elements. It needs that limit, and each element must be weighed when it is added.',
        'Give `capacity.max`, use another value, or leave out `capacity.weight`.'),
    'BSP0295': (
        'an element, or a value beside it, that cannot be saved',
        'T_save writes each member so that any machine can read it, for which the members must be known. What a pointer leads '
        'to, and what a union holds, the type does not say. The functions `persist.save` and `persist.load` write elements, not '
        'what is beside them.',
        'Import the type: `bespoke type import`; for pointers and unions in elements give the two functions.'),
    'BSP0296': (
        'a container that cannot be saved',
        'With `emit: {persist: true}` T_save writes the elements, and T_load makes them again. Both need elements that lie in '
        'the container, one behind the other.',
        'Use another value, or leave out `emit.persist`.'),
    'BSP0297': (
        'one function of two for saving',
        'What `persist.save` writes only `persist.load` can read.',
        'Give both, or none.'),
    'BSP0298': (
        'a container that cannot be rolled back',
        'With `emit: {snapshot: true}` T_snapshot copies the bytes of the container and of its elements, and T_rollback brings '
        'these back. What lies elsewhere stays as it is.',
        'Use another value, or leave out `emit.snapshot`.'),
    'BSP0299': (
        'a container without contracts',
        'With `emit: {contracts: acsl}` each function has a contract, and all of them are proven. There are contracts for few '
        'containers, and there for the operations that the message lists.',
        'Use another value, or leave out `emit.contracts`.'),
    # -- BSP03xx: names, expressions, types, headers -----------------------------------------------------
    'BSP0301': (
        'unusable name',
        'A name in the spec becomes a name in C, and in C++ where the header is included there. Keywords, reserved names and '
        'names of the standard library cannot be used.',
        'Choose another name, or set a prefix with `emit: {prefix: ...}`.'),
    'BSP0302': (
        'not an expression',
        'The text must be exactly one C expression without side effects: no statements, no assignments, no comments, no second '
        'expression.',
        'Put longer code into a function and give its name.'),
    'BSP0303': (
        'not a type',
        'The text must be one C type whose values can be copied: `struct ship`, `uint32_t`, `cpBody *`.',
        'For arrays, functions and anonymous structs, write a typedef or a struct in a header and name it here.'),
    'BSP0304': (
        'not the name of a header',
        'The text is written after #include in the emitted code: `ship.h` or `<chipmunk/chipmunk.h>`.',
        'Write it without quotes, relative to the spec or to a folder given with -I.'),
    'BSP0305': (
        'type named like a container',
        'The emitted code declares the names of its containers; a type cannot have the same name.',
        'Rename the container.'),
    'BSP0306': (
        'two containers of one name',
        'Two containers of a spec would declare the same name in C, sometimes only as a macro: `fleetList` and `fleet_list` both '
        'give FLEET_LIST_EACH.',
        'Rename one, or give it an `emit: {prefix: ...}`.'),
    'BSP0307': (
        'header not found',
        'The header is neither beside the spec nor in the folders given with -I, or what is there is a folder, a FIFO or a '
        'device. Bespoke reads it only for type locks, but a wrong name would otherwise only fail when the files are compiled.',
        'Check the name, give the folder with -I, or write `<name>` to leave it to the compiler.'),
    'BSP0308': (
        'header missing',
        'The emitted code uses a type that is not built in, so it must include the header that declares it.',
        'Give `element: {type: ..., header: ...}`.'),
    'BSP0309': (
        'spec named like the header of its element',
        '`ship.yaml` generates `ship.h`, which would have to include the other `ship.h`.',
        'Rename the spec.'),
    'BSP0310': (
        'function named like one of the container',
        'The container declares that name, as one of its operations, or the generated test does.',
        'Rename the function.'),
    'BSP0311': (
        'member named like a function of the container',
        'With `layout: soa` every member of the element has two functions, T_member and T_const_member. One of them has the name '
        'of something else that the container declares, such as T_count.',
        'Rename the member.'),
    'BSP0312': (
        'a journal that it cannot have',
        'With `removal: {when: locked}` changes of a locked container are applied by the last T_unlock, also while passes are '
        'live.',
        'Use `removal: {when: immediate}`, or what the message names.'),
    'BSP0320': (
        'damaged type lock',
        'A type lock holds what `bespoke type import` read from a header. This one is empty, truncated, or holds something that '
        'no lock has, such as the marks of a merge.',
        'Run `bespoke type import SPEC`, which writes it again from the header; or restore the one that was checked in.'),
    'BSP0321': (
        'version of a type lock',
        'This Bespoke does not know the version of the type lock.',
        'Update Bespoke, or run `bespoke type import SPEC`, which writes the lock again.'),
    'BSP0322': (
        'type lock was edited',
        'The fingerprint at the end of a type lock covers everything above it, and does not match. The generator relies on the '
        'lock, so it must match the header.',
        'Run `bespoke type import SPEC`, which writes it again.'),
    'BSP0323': (
        'type lock of another type',
        'The file for the lock of a type holds the lock of another type: two types whose names differ in punctuation only, as '
        '`struct ship` and `struct_ship`, share a file name.',
        'Rename one of the types, or put the specs into two folders.'),
    'BSP0324': (
        'header cannot be read',
        'libclang found an error in the header, or in one that it includes. What is read from a header with errors may be wrong: '
        'a struct whose members have unknown types still has a size.',
        'Correct the header, name the folders with -I and the definitions with -D as in the build, or give --compile-commands.'),
    'BSP0325': (
        'no such type in the header',
        'The header of the container declares no type of that name, nor do the headers that it includes.',
        'Check the spelling; the help names a similar type. `struct ship` and `ship` are two names in C.'),
    'BSP0326': (
        'not a type of values',
        'The name stands for a function, or for void. No container can hold it.',
        'Name a struct, a union, an enum, a number or a pointer.'),
    'BSP0327': (
        'type that cannot be described',
        'A lock holds a declaration that C can repeat with the same layout. Types that need unnamed attributes, blocks, and '
        'structs laid out by compiler options have no such declaration.',
        'Give the type of the member a name with a typedef, or hold the elements by pointer.'),
    'BSP0328': (
        'type differs from its lock',
        'The header has changed since the type was imported, so generated code may no longer match.',
        'Run `bespoke type import SPEC` and `bespoke generate SPEC`, and check in what they write; in a CMake build, build the '
        'target bespoke-regen.'),
    'BSP0330': (
        'type that cannot be copied',
        'A container that holds elements by value copies them. A type that is only declared, an array, a struct that ends in an '
        'array without a length, and a struct with const members cannot be copied.',
        'Use `element: {by: pointer}`.'),
    'BSP0331': (
        'no such member in the type',
        'A key names a member of the element that its type lock does not have.',
        'Check the spelling. If the header has changed, run `bespoke type import SPEC`.'),
    'BSP0332': (
        'member that no header mentions',
        'An expression names a member of a type that has no lock, so its members are not known. The name does not occur in its '
        'header, nor in what that includes. It is a warning, since a header may be read in another way by the compiler.',
        'Check the spelling. `bespoke type import SPEC` reads the type; then a wrong name is an error.'),
    'BSP0333': (
        'name of a member where a function is named',
        'A name alone is a function of yours. The element has a member of that name, or its header declares one. It is a '
        'warning, since there may be a function of that name, too.',
        'Write `element->name` for the member.'),
    'BSP0334': (
        'a link of another type',
        'The links of intrusive elements are pointers to elements, and the owner is a pointer to the container, or a `void *`. '
        'The header declares the member as something else.',
        'Change the declaration of the member, or name another one.'),
    'BSP0335': (
        'a name of the system',
        'A header of POSIX or of Windows declares a function, type or macro of the name of a container: a file that includes '
        'both headers does not compile. Or the spec has the name of such a header. It is a warning, since a program may do '
        'without that header.',
        'Call the container or the spec something else, or give the container a prefix: `emit: {prefix: eng_}`.'),
    'BSP0336': (
        'an update that cannot be in the header',
        'With `removal: {update: inline}` the loop of T_update is in the header. A step over links is a few lines; in a row it '
        'looks for what has moved meanwhile, and in a tree it tests the parents of an element.',
        'Leave `removal.update` out.'),
    # -- BSP04xx: output and check -----------------------------------------------------------------------
    'BSP0402': (
        'a file that Bespoke did not write is in the way',
        'A file with the name of an output exists, and has no banner of Bespoke. It may be hand-written, so nothing was written.',
        'Move the file away, or generate into another folder with -o.'),
    'BSP0403': (
        'generated file was edited',
        'The banner of a generated file holds a seal over its tokens and comments. It no longer matches, so the file was edited. '
        'Formatting it in another style does not break the seal.',
        'Make the change in the spec, then run `bespoke generate --force`, which overwrites the file.'),
    'BSP0404': (
        'output would leave its folder',
        'An output file is a link that leads out of the output folder, or its name holds a path.',
        'Remove the link.'),
    'BSP0405': (
        'file cannot be written',
        'The system refused to write a file. No output file was changed.',
        'Check the path, the permissions and the space left.'),
    'BSP0406': (
        'two specs give the same file',
        'Output files are named after the spec. Two specs of one call would write the same file.',
        'Rename one of the specs, or generate them into different folders.'),
    'BSP0407': (
        'two specs give the same C name',
        'Containers of the same name cannot be linked into one program, even if their specs are in different folders.',
        'Rename one of them, or give it an `emit.prefix`.'),
    'BSP0408': (
        'generated file is stale',
        'A generated file is not what its spec now generates: the spec, something it includes, or Bespoke has changed since the '
        'file was generated.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0409': (
        'generated file is missing',
        'A spec generates a file that is not in the output folder.',
        'Run `bespoke generate` and check in what it writes.'),
    'BSP0410': (
        'file without a spec',
        'A file with a banner of Bespoke is in the output folder, but no spec generates it; or no spec beside a type lock has '
        'elements of its type.',
        'Remove it, or restore its spec. `bespoke type import SPEC` removes such locks.'),
    'BSP0411': (
        'nothing to work on',
        'There is no spec, or no folder to compare with. A check that could not run is a failure.',
        'Name the specs on the command line, or put them into specs/; name the output folder with -o.'),
    'BSP0412': (
        'a file changed while it was read',
        'A spec, a lock or a header was written by something else during the run, so it may be that half of it was read. It is '
        'noticed before files are written, and once more before the stamp is.',
        'Run the command again.'),
    'BSP0413': (
        'no trace that can be read',
        'A file that is no trace, one in a format of another version of Bespoke, or one that is damaged. A trace that ends too '
        'early, because the program was stopped or the disk was full, is read as far as it goes.',
        'Record it with the containers that this version generated, in a program that was compiled with -DBESPOKE_TRACE=1.'),
    'BSP0414': (
        'what cannot be replayed or tuned',
        'A trace that lacks what a replay needs, or the container that is named; a spec that is not of the program that was '
        'recorded, or whose callers could rely on something else; no compiler; containers of which a replay knows too little.',
        'Record the trace with -DBESPOKE_TRACE=2; give a spec of the same program. docs/tracing.md states what can be replayed.'),
    # -- BSP05xx: environment ----------------------------------------------------------------------------
    'BSP0501': (
        'a Python module is missing',
        'The generator needs Jinja2 and PyYAML. Without them the checked-in files can still be compiled.',
        'Run `apt-get install python3-jinja2 python3-yaml` or `python3 -m pip install jinja2 pyyaml`.'),
    'BSP0502': (
        'files are not formatted',
        'clang-format was not found, is of a version whose layout differs, or failed. The files are valid, and only their layout '
        'is plain. `bespoke check` ignores layout.',
        'Install clang-format 14 to 19, or a newer one that lays out the same; or name one in the environment variable '
        'BESPOKE_CLANG_FORMAT.'),
    'BSP0503': (
        'Bespoke is not complete',
        'The templates are not beside the generator, or cannot be read.',
        'Install Bespoke again.'),
    'BSP0504': (
        'libclang is missing',
        'Types are read from headers with libclang and its Python module. Generating and building do not need it: they use the '
        'type locks that are checked in.',
        'Run `apt-get install python3-clang`, or `python3 -m pip install libclang`. BESPOKE_LIBCLANG names a library that is '
        'somewhere else.'),
    'BSP0505': (
        'uPlot is missing',
        'The plots of a report are drawn by uPlot, a package of npm, which goes into the file with its licence. `bespoke report '
        '--json` does without it.',
        'Run `npm install uplot` in the folder, or `npm install -g uplot`. BESPOKE_UPLOT names the folder of the package if it '
        'is somewhere else.'),
    'BSP0590': (
        'internal error',
        'A template or the generator has a bug. No spec should cause this, and no file was written.',
        'Please report it, with the spec and the message; BESPOKE_DEBUG=1 shows where it happened.'),
}
