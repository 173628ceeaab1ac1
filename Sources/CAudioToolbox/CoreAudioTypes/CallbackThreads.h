// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CALLBACK_THREADS_H
#define CAUDIOTOOLBOX_CALLBACK_THREADS_H

// Marks callbacks that the library calls on its own threads. To Swift they are Sendable, so that a
// callback that is written in a class of the main actor does not belong to the main actor.
#if defined(__has_attribute)
#if __has_attribute(swift_attr)
#define CA_ANY_THREAD __attribute__((swift_attr("@Sendable")))
#endif
#endif
#ifndef CA_ANY_THREAD
#define CA_ANY_THREAD
#endif

#endif
