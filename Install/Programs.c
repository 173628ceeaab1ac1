// SPDX-License-Identifier: Apache-2.0
// The entry points of the programs in the library; PROGRAMS names them. They give the Swift runtime the
// arguments, which it would otherwise read from /proc, a file system that a container need not have.

void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int argument_count);

#define PROGRAM(name)                                                         \
  int name##_main(int argument_count, char **arguments);                      \
  int audiotoolbox_program_##name(int argument_count, char **arguments);      \
  int audiotoolbox_program_##name(int argument_count, char **arguments) {     \
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, argument_count);          \
    return name##_main(argument_count, arguments);                            \
  }

PROGRAMS
