// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_AGGREGATE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_AGGREGATE_H

#include "AudioHardwareControls.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Devices that combine others. An aggregate has the streams of all its parts, runs on the clock of
// its main part, and resamples the other parts to that clock. Unless it is private, it is stored
// for all programs of the user.

/// Keys of the description of an aggregate device, a CFDictionary.
/// CFString, required: its persistent identifier.
#define kAudioAggregateDeviceUIDKey "uid"
/// CFString: its display name; by default its UID.
#define kAudioAggregateDeviceNameKey "name"
/// CFArray of CFDictionary, required: its parts.
#define kAudioAggregateDeviceSubDeviceListKey "subdevices"
/// CFString: the UID of the part whose clock all others follow; by default the first.
#define kAudioAggregateDeviceMainSubDeviceKey "master"
/// The older name of kAudioAggregateDeviceMainSubDeviceKey.
#define kAudioAggregateDeviceMasterSubDeviceKey "master"
/// CFNumber: 1 if only this process sees it, as long as the process lives.
#define kAudioAggregateDeviceIsPrivateKey "private"
/// CFNumber: 1 if every part plays the same sound.
#define kAudioAggregateDeviceIsStackedKey "stacked"

/// Keys of a part.
/// CFString, required: the UID of a device.
#define kAudioSubDeviceUIDKey "uid"
/// CFNumber: 0 if the part runs on the main part's clock, else 1; default 1.
#define kAudioSubDeviceDriftCompensationKey "drift"

/// Kinds of devices and of their parts.
CF_ENUM(AudioClassID) {
  /// A device that consists of several.
  kAudioAggregateDeviceClassID = 0x61616767,  // 'aagg'
  /// A part of an aggregate, which owns it (kAudioObjectPropertyOwnedObjects).
  kAudioSubDeviceClassID = 0x61737562  // 'asub'
};

/// Properties of aggregate devices; global scope. Setting one reopens all streams of the device.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFArrayRef of CFStringRef, RW: the UIDs of all parts.
  kAudioAggregateDevicePropertyFullSubDeviceList = 0x67727570,  // 'grup'
  /// AudioObjectID[]: the parts that are present.
  kAudioAggregateDevicePropertyActiveSubDeviceList = 0x61677270,  // 'agrp'
  /// CFDictionaryRef, RW: its description.
  kAudioAggregateDevicePropertyComposition = 0x61636f6d,  // 'acom'
  /// CFStringRef, RW: the UID of the main part.
  kAudioAggregateDevicePropertyMainSubDevice = 0x616d7374,  // 'amst'
  /// The older name of kAudioAggregateDevicePropertyMainSubDevice.
  kAudioAggregateDevicePropertyMasterSubDevice = kAudioAggregateDevicePropertyMainSubDevice,
  /// The same for devices made of end points, which are aggregates here.
  kAudioEndPointDevicePropertyComposition = kAudioAggregateDevicePropertyComposition,
  /// AudioObjectID[]: kAudioAggregateDevicePropertyActiveSubDeviceList.
  kAudioEndPointDevicePropertyEndPointList = kAudioAggregateDevicePropertyActiveSubDeviceList,
  /// UInt32: whether only this process sees it.
  kAudioEndPointDevicePropertyIsPrivate = 0x70726976  // 'priv'
};

/// Properties of parts; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32, RW: whether the part is resampled to the clock of the main part.
  kAudioSubDevicePropertyDriftCompensation = 0x64726674  // 'drft'
};

/// Properties of the plug-in that kAudioHardwarePropertyPlugInForBundleID returns; reading one
/// performs the action.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectID: creates the device that the qualifier (CFDictionaryRef) describes.
  kAudioPlugInCreateAggregateDevice = 0x63616767,  // 'cagg'
  /// AudioObjectID, in: the device to destroy.
  kAudioPlugInDestroyAggregateDevice = 0x64616767  // 'dagg'
};

/// Creates an aggregate device. Returns kAudioHardwareIllegalOperationError if the description has
/// no parts, a missing part, or a UID that is in use. [control thread]
///
/// - Parameters:
///   - inDescription: its description, with the keys above.
///   - outDeviceID: the device.
/// - Returns: noErr; kAudioHardwareIllegalOperationError if the description has no parts, a missing
///   part, or a UID that is in use; `kAudioHardwareNotReadyError` if none of its parts is
///   available; `kAudioHardwareUnspecifiedError` if it cannot be stored; `kAudio_ParamError` if a
///   pointer is null.
OSStatus AudioHardwareCreateAggregateDevice(CFDictionaryRef inDescription, AudioObjectID *outDeviceID);

/// Destroys an aggregate device, and stops all its streams. [control thread]
///
/// - Parameter inDeviceID: an aggregate device.
/// - Returns: noErr; `kAudioHardwareIllegalOperationError` if it is not an aggregate device;
///   `kAudioHardwareBadObjectError` if there is no such device.
OSStatus AudioHardwareDestroyAggregateDevice(AudioObjectID inDeviceID);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
