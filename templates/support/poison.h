#ifndef BESPOKE_POISON
/* Is it compiled with AddressSanitizer? Memory without an element is poisoned then: a pointer that is kept too long is found. */
#if defined(__SANITIZE_ADDRESS__)
#define BESPOKE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BESPOKE_ASAN 1
#endif
#endif
#ifdef BESPOKE_ASAN
#include <sanitizer/asan_interface.h>
#define BESPOKE_POISON(address, bytes) ASAN_POISON_MEMORY_REGION(address, bytes)
#define BESPOKE_UNPOISON(address, bytes) ASAN_UNPOISON_MEMORY_REGION(address, bytes)
#else
#define BESPOKE_ASAN 0
#define BESPOKE_POISON(address, bytes) ((void)0)
#define BESPOKE_UNPOISON(address, bytes) ((void)0)
#endif
#endif
