// SPDX-License-Identifier: Apache-2.0
// Where the library's thread-local memory is. It is not initial-exec memory, of which a process has little left
// once it runs: a library that needs some may not open, as a plug-in of a host with many others. But memory of
// the general model is allocated at a thread's first use, which may be in a render. Therefore there is one
// reference by a descriptor: where it finds one, the loader puts all thread-local memory of the library into the
// rest that a process has for this (512 bytes of glibc), and into the general model's otherwise. Only this
// reference is a descriptor, because before glibc 2.40 its first use changes vector registers.

static _Thread_local char mark;

// Also allocates the memory of the thread that loads the library, if it is of the general model.
__attribute__((constructor)) static void touch(void) {
  char *volatile address = &mark;
  *address = 0;
}
