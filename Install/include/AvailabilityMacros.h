// SPDX-License-Identifier: Apache-2.0

#ifndef AVAILABILITY_MACROS_H
#define AVAILABILITY_MACROS_H

#include "AvailabilityVersions.h"

// Programs compare these to choose between an interface and its replacement. This library has the
// modern ones: both limits are the newest version, unless the program sets the lower one.

/// The number of version 10.0 of the system.
#define MAC_OS_X_VERSION_10_0 __MAC_10_0
/// The number of version 10.1 of the system.
#define MAC_OS_X_VERSION_10_1 __MAC_10_1
/// The number of version 10.2 of the system.
#define MAC_OS_X_VERSION_10_2 __MAC_10_2
/// The number of version 10.3 of the system.
#define MAC_OS_X_VERSION_10_3 __MAC_10_3
/// The number of version 10.4 of the system.
#define MAC_OS_X_VERSION_10_4 __MAC_10_4
/// The number of version 10.5 of the system.
#define MAC_OS_X_VERSION_10_5 __MAC_10_5
/// The number of version 10.6 of the system.
#define MAC_OS_X_VERSION_10_6 __MAC_10_6
/// The number of version 10.7 of the system.
#define MAC_OS_X_VERSION_10_7 __MAC_10_7
/// The number of version 10.8 of the system.
#define MAC_OS_X_VERSION_10_8 __MAC_10_8
/// The number of version 10.9 of the system.
#define MAC_OS_X_VERSION_10_9 __MAC_10_9
/// The number of version 10.10 of the system.
#define MAC_OS_X_VERSION_10_10 __MAC_10_10
/// The number of version 10.11 of the system.
#define MAC_OS_X_VERSION_10_11 __MAC_10_11
/// The number of version 10.12 of the system.
#define MAC_OS_X_VERSION_10_12 __MAC_10_12
/// The number of version 10.13 of the system.
#define MAC_OS_X_VERSION_10_13 __MAC_10_13
/// The number of version 10.14 of the system.
#define MAC_OS_X_VERSION_10_14 __MAC_10_14
/// The number of version 10.15 of the system.
#define MAC_OS_X_VERSION_10_15 __MAC_10_15
/// The number of version 10.16 of the system.
#define MAC_OS_X_VERSION_10_16 __MAC_10_16
/// The number of version 11 of the system.
#define MAC_OS_VERSION_11_0 __MAC_11_0
/// The number of version 12 of the system.
#define MAC_OS_VERSION_12_0 __MAC_12_0
/// The number of version 13 of the system.
#define MAC_OS_VERSION_13_0 __MAC_13_0
/// The number of version 14 of the system.
#define MAC_OS_VERSION_14_0 __MAC_14_0
/// The number of version 15 of the system.
#define MAC_OS_VERSION_15_0 __MAC_15_0
/// The number of version 26 of the system.
#define MAC_OS_VERSION_26_0 __MAC_26_0

#ifndef MAC_OS_X_VERSION_MIN_REQUIRED
/// The oldest version that a program supports; the program may set it.
#define MAC_OS_X_VERSION_MIN_REQUIRED MAC_OS_VERSION_26_0
#endif
#ifndef MAC_OS_X_VERSION_MAX_ALLOWED
/// The newest version whose interface a program uses; the program may set it.
#define MAC_OS_X_VERSION_MAX_ALLOWED MAC_OS_VERSION_26_0
#endif

// Everything in the library is available in every version.
/// The compiler warns of uses of a declaration.
#define DEPRECATED_ATTRIBUTE __attribute__((deprecated))
/// The compiler refuses uses of a declaration.
#define UNAVAILABLE_ATTRIBUTE __attribute__((unavailable))
/// A declaration may be missing at run time; no effect, because none is.
#define WEAK_IMPORT_ATTRIBUTE
/// A declaration of version 10.0 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_0_AND_LATER
/// A declaration that version 10.0 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_0_AND_LATER
/// A declaration of version 10.1 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_1_AND_LATER
/// A declaration that version 10.1 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_1_AND_LATER
/// A declaration of version 10.2 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_2_AND_LATER
/// A declaration that version 10.2 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_2_AND_LATER
/// A declaration of version 10.3 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_3_AND_LATER
/// A declaration that version 10.3 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_3_AND_LATER
/// A declaration of version 10.4 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_4_AND_LATER
/// A declaration that version 10.4 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_4_AND_LATER
/// A declaration of version 10.5 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_5_AND_LATER
/// A declaration that version 10.5 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_5_AND_LATER
/// A declaration of version 10.6 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_6_AND_LATER
/// A declaration that version 10.6 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_6_AND_LATER
/// A declaration of version 10.7 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_7_AND_LATER
/// A declaration that version 10.7 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_7_AND_LATER
/// A declaration of version 10.8 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_8_AND_LATER
/// A declaration that version 10.8 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_8_AND_LATER
/// A declaration of version 10.9 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_9_AND_LATER
/// A declaration that version 10.9 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_9_AND_LATER
/// A declaration of version 10.10 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_10_AND_LATER
/// A declaration that version 10.10 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_10_AND_LATER
/// A declaration of version 10.11 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_11_AND_LATER
/// A declaration that version 10.11 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_11_AND_LATER
/// A declaration of version 10.12 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_12_AND_LATER
/// A declaration that version 10.12 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_12_AND_LATER
/// A declaration of version 10.13 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_13_AND_LATER
/// A declaration that version 10.13 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_13_AND_LATER
/// A declaration of version 10.14 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_14_AND_LATER
/// A declaration that version 10.14 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_14_AND_LATER
/// A declaration of version 10.15 and later; no effect, because it is available.
#define AVAILABLE_MAC_OS_X_VERSION_10_15_AND_LATER
/// A declaration that version 10.15 deprecated; no effect.
#define DEPRECATED_IN_MAC_OS_X_VERSION_10_15_AND_LATER

#endif
