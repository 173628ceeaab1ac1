// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_AGGREGATE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_AGGREGATE_H

#include "AudioHardwareControls.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Devices that are made of others. An aggregate has the streams of all its parts, runs on the clock
// of its main part, and resamples the other parts to that clock. One that is not private is kept
// for all programs of the user.

/// Keys of the description of an aggregate device, a CFDictionary.
/// CFString, needed: its persistent identifier.
#define kAudioAggregateDeviceUIDKey "uid"
/// CFString: its name for display; else its UID.
#define kAudioAggregateDeviceNameKey "name"
/// CFArray of CFDictionary, needed: its parts.
#define kAudioAggregateDeviceSubDeviceListKey "subdevices"
/// CFString: the UID of the part whose clock all follow; else the first.
#define kAudioAggregateDeviceMainSubDeviceKey "master"
#define kAudioAggregateDeviceMasterSubDeviceKey "master"
/// CFNumber: 1 where only this process is to know it, for as long as it lives.
#define kAudioAggregateDeviceIsPrivateKey "private"
/// CFNumber: 1 where every part is to play the same.
#define kAudioAggregateDeviceIsStackedKey "stacked"

/// Keys of a part.
/// CFString, needed: the UID of a device.
#define kAudioSubDeviceUIDKey "uid"
/// CFNumber: 0 where its clock is known to be that of the main part; 1 otherwise, as when nothing
/// is said.
#define kAudioSubDeviceDriftCompensationKey "drift"

/// Kinds of devices and of their parts.
CF_ENUM(AudioClassID) {
  kAudioAggregateDeviceClassID = 0x61616767,  // 'aagg'
  /// A part of an aggregate, which that owns (kAudioObjectPropertyOwnedObjects).
  kAudioSubDeviceClassID = 0x61737562  // 'asub'
};

/// Properties of aggregate devices; global scope. Writing one reopens everything that runs on the
/// device.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFArrayRef of CFStringRef, RW: the UIDs of all parts.
  kAudioAggregateDevicePropertyFullSubDeviceList = 0x67727570,  // 'grup'
  /// AudioObjectID[]: the devices that are its parts and are there.
  kAudioAggregateDevicePropertyActiveSubDeviceList = 0x61677270,  // 'agrp'
  /// CFDictionaryRef, RW: its description.
  kAudioAggregateDevicePropertyComposition = 0x61636f6d,  // 'acom'
  /// CFStringRef, RW: the UID of the main part.
  kAudioAggregateDevicePropertyMainSubDevice = 0x616d7374,  // 'amst'
  kAudioAggregateDevicePropertyMasterSubDevice = kAudioAggregateDevicePropertyMainSubDevice,
  /// The same for devices that are made of end points, which are aggregates here.
  kAudioEndPointDevicePropertyComposition = kAudioAggregateDevicePropertyComposition,
  kAudioEndPointDevicePropertyEndPointList = kAudioAggregateDevicePropertyActiveSubDeviceList,
  /// UInt32: whether only this process knows it.
  kAudioEndPointDevicePropertyIsPrivate = 0x70726976  // 'priv'
};

/// Properties of parts; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32, RW: whether it is fitted to the clock of the main part.
  kAudioSubDevicePropertyDriftCompensation = 0x64726674  // 'drft'
};

/// Properties of the plug-in kAudioHardwarePropertyPlugInForBundleID finds: reading one does it.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectID: makes the device that the qualifier (CFDictionaryRef) describes.
  kAudioPlugInCreateAggregateDevice = 0x63616767,  // 'cagg'
  /// AudioObjectID, in: the device to end.
  kAudioPlugInDestroyAggregateDevice = 0x64616767  // 'dagg'
};

/// Makes a device of others. A description that names no part, one that is not there or a UID that is taken
/// is kAudioHardwareIllegalOperationError. [control thread]
OSStatus AudioHardwareCreateAggregateDevice(CFDictionaryRef inDescription, AudioObjectID *outDeviceID);

/// Destroys a device, and stops everything that runs on it. [control thread]
OSStatus AudioHardwareDestroyAggregateDevice(AudioObjectID inDeviceID);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
