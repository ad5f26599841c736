/* tests/sanitized.h: is this compiled with AddressSanitizer? 1 or 0. Tests then try fewer seeds:
 * what they look for is the same, and each case takes many times as long. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
