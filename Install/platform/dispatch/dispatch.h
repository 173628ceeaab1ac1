// SPDX-License-Identifier: Apache-2.0

#ifndef DISPATCH_NOT_FOUND_H
#define DISPATCH_NOT_FOUND_H

// This folder is searched last: if libdispatch is installed, the compiler finds its header first.
// Foundation of GNUstep includes it if it finds one, and works without.
#ifndef __OBJC__
#error "<dispatch/dispatch.h> belongs to libdispatch, which is not installed (Debian: libdispatch-dev)"
#endif

#endif
