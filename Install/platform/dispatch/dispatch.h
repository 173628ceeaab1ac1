// SPDX-License-Identifier: Apache-2.0

#ifndef DISPATCH_NOT_FOUND_H
#define DISPATCH_NOT_FOUND_H

// This folder is searched last: with libdispatch installed the compiler finds that one's header.
#error "<dispatch/dispatch.h> belongs to libdispatch, which is not installed (Debian: libdispatch-dev)"

#endif
