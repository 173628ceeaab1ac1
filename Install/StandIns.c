// SPDX-License-Identifier: Apache-2.0
// What the Swift runtime refers to and nothing here uses. These take its place, and large tables stay
// out of what is installed. Scripts/link wraps each of the functions.

#include <stddef.h>
#include <stdint.h>

// The names of all characters of Unicode, half a megabyte, behind `Unicode.Scalar.Properties.name`.
// Without them that property is nil.
ptrdiff_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, ptrdiff_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}

// The start and end of std::cout and its like, which bring every locale facet of the C++ library.
// ICU's calendars include <iostream> and print nothing.
void __wrap__ZNSt8ios_base4InitC1Ev(void *init) { (void)init; }
void __wrap__ZNSt8ios_base4InitD1Ev(void *init) { (void)init; }
