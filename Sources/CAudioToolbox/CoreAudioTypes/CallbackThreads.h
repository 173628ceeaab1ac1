// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CALLBACK_THREADS_H
#define CAUDIOTOOLBOX_CALLBACK_THREADS_H

// Marks callbacks that the library calls on its own threads, for readers. They are not Sendable to
// Swift: code that keeps one in a variable would not compile any more in language mode 6.
#define CA_ANY_THREAD

#endif
