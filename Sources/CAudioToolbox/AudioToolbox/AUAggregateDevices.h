// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_AGGREGATE_DEVICES_H
#define CAUDIOTOOLBOX_AU_AGGREGATE_DEVICES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudio/CoreAudio.h"

// Aggregate devices of the process, without the plug-in that creates them on Apple's systems.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it. An aggregate device
// none of whose parts is available has no AudioObjectID, so the functions of
// AudioHardwareAggregate.h do not reach it; these do.
// For Swift, module AudioToolbox declares functions with the same names.
#ifndef __swift__

/// Describes the aggregate devices of the user and of this process, whether their parts are
/// available or not. [control thread]
///
/// - Returns: an array that the caller releases. Each entry is a dictionary as
///   AudioHardwareCreateAggregateDevice takes it.
CFArrayRef AUAggregateDevicesCopyDescriptions(void);

/// Destroys an aggregate device, whether its parts are available or not. [control thread]
///
/// - Parameter inUID: the UID in its description.
/// - Returns: kAudioHardwareIllegalOperationError if there is no such device.
OSStatus AUAggregateDevicesDestroy(CFStringRef inUID);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
