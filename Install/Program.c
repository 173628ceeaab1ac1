// SPDX-License-Identifier: Apache-2.0
// What is installed as a program: the program itself is in the library, whose Swift runtime it
// shares. ENTRY is its name there.

int ENTRY(int argument_count, char **arguments);

int main(int argument_count, char **arguments) { return ENTRY(argument_count, arguments); }
