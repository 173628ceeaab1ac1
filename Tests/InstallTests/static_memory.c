// SPDX-License-Identifier: Apache-2.0

// A library that needs some of the static thread-local memory that a process has for the libraries it loads.

#ifndef BYTES
#define BYTES 220
#endif

_Thread_local __attribute__((tls_model("initial-exec"))) char bytes[BYTES];

char *first_byte(void) { return bytes; }
