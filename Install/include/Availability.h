// SPDX-License-Identifier: Apache-2.0

#ifndef AVAILABILITY_H
#define AVAILABILITY_H

#include "AvailabilityVersions.h"

// The system versions for which a program is built: the newest, unless the program sets them.
#ifndef __MAC_OS_X_VERSION_MIN_REQUIRED
#define __MAC_OS_X_VERSION_MIN_REQUIRED __MAC_26_0
#endif
#ifndef __MAC_OS_X_VERSION_MAX_ALLOWED
#define __MAC_OS_X_VERSION_MAX_ALLOWED __MAC_26_0
#endif

// Availability of declarations: everything that is declared is available.
#ifndef API_AVAILABLE
/// The versions that have a declaration; no effect, because all of them do.
#define API_AVAILABLE(...)
#endif
#ifndef API_DEPRECATED
/// The versions in which a declaration is deprecated; no effect.
#define API_DEPRECATED(...)
#endif
#ifndef API_DEPRECATED_WITH_REPLACEMENT
/// As API_DEPRECATED, with what replaces the declaration; no effect.
#define API_DEPRECATED_WITH_REPLACEMENT(...)
#endif
#ifndef API_UNAVAILABLE
/// The systems that lack a declaration; no effect.
#define API_UNAVAILABLE(...)
#endif
#ifndef SPI_AVAILABLE
/// As API_AVAILABLE, for declarations that are not public; no effect.
#define SPI_AVAILABLE(...)
#endif
#ifndef SPI_DEPRECATED
/// As API_DEPRECATED, for declarations that are not public; no effect.
#define SPI_DEPRECATED(...)
#endif
#ifndef API_AVAILABLE_BEGIN
/// The versions that have the following declarations; no effect.
#define API_AVAILABLE_BEGIN(...)
#endif
#ifndef API_AVAILABLE_END
/// The end of the declarations after API_AVAILABLE_BEGIN; no effect.
#define API_AVAILABLE_END
#endif
#ifndef API_DEPRECATED_BEGIN
/// The versions in which the following declarations are deprecated; no effect.
#define API_DEPRECATED_BEGIN(...)
#endif
#ifndef API_DEPRECATED_END
/// The end of the declarations after API_DEPRECATED_BEGIN; no effect.
#define API_DEPRECATED_END
#endif
#ifndef API_UNAVAILABLE_BEGIN
/// The systems that lack the following declarations; no effect.
#define API_UNAVAILABLE_BEGIN(...)
#endif
#ifndef API_UNAVAILABLE_END
/// The end of the declarations after API_UNAVAILABLE_BEGIN; no effect.
#define API_UNAVAILABLE_END
#endif
#ifndef __API_AVAILABLE
#define __API_AVAILABLE(...)
#endif
#ifndef __API_DEPRECATED
#define __API_DEPRECATED(...)
#endif
#ifndef __API_DEPRECATED_WITH_REPLACEMENT
#define __API_DEPRECATED_WITH_REPLACEMENT(...)
#endif
#ifndef __API_UNAVAILABLE
#define __API_UNAVAILABLE(...)
#endif
#ifndef __OSX_AVAILABLE
#define __OSX_AVAILABLE(...)
#endif
#ifndef __OSX_DEPRECATED
#define __OSX_DEPRECATED(...)
#endif
#ifndef __OSX_UNAVAILABLE
#define __OSX_UNAVAILABLE
#endif
#ifndef __OSX_AVAILABLE_STARTING
#define __OSX_AVAILABLE_STARTING(...)
#endif
#ifndef __OSX_AVAILABLE_BUT_DEPRECATED
#define __OSX_AVAILABLE_BUT_DEPRECATED(...)
#endif
#ifndef __OSX_AVAILABLE_BUT_DEPRECATED_MSG
#define __OSX_AVAILABLE_BUT_DEPRECATED_MSG(...)
#endif
#ifndef __IOS_AVAILABLE
#define __IOS_AVAILABLE(...)
#endif
#ifndef __IOS_DEPRECATED
#define __IOS_DEPRECATED(...)
#endif
#ifndef __IOS_PROHIBITED
#define __IOS_PROHIBITED
#endif
#ifndef __TVOS_AVAILABLE
#define __TVOS_AVAILABLE(...)
#endif
#ifndef __TVOS_PROHIBITED
#define __TVOS_PROHIBITED
#endif
#ifndef __WATCHOS_AVAILABLE
#define __WATCHOS_AVAILABLE(...)
#endif
#ifndef __WATCHOS_PROHIBITED
#define __WATCHOS_PROHIBITED
#endif

// Clang evaluates such checks to true by itself; gcc does not know them.
#if !defined(__clang__) && !defined(__builtin_available)
#define __builtin_available(...) 1
#endif

#endif
