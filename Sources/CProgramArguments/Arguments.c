// SPDX-License-Identifier: Apache-2.0
// Without /proc, the Swift runtime finds no arguments: a program would do what it does without any. The C library
// also gives them to functions that it calls at the start.
#include "Arguments.h"

#include <unistd.h>

void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int argument_count);

__attribute__((constructor)) static void read_arguments(int argument_count, char **arguments) {
  if (access("/proc/self/cmdline", R_OK)) {
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, argument_count);
  }
}
