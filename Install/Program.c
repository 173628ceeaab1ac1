// SPDX-License-Identifier: Apache-2.0
// The installed program. Its code is in the library, whose Swift runtime it shares; ENTRY is the
// name of its main function there.

int ENTRY(int argument_count, char **arguments);

int main(int argument_count, char **arguments) { return ENTRY(argument_count, arguments); }
