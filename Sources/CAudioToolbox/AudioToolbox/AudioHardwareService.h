// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_SERVICE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_SERVICE_H

#include "../CoreAudio/AudioHardware.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The volume of a whole device. Each function calls the function of AudioHardware.h for the same
// object.

/// Properties in addition to those of AudioHardware.h.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32, of the system: the number of times that a sound server has returned.
  kAudioHardwareServiceProperty_ServiceRestarted = kAudioHardwarePropertyServiceRestarted,
  /// Float32, RW, of a device, output scope: like kAudioDevicePropertyVolumeScalar.
  kAudioHardwareServiceDeviceProperty_VirtualMainVolume = 0x766d7663,  // 'vmvc'
  /// The older name of kAudioHardwareServiceDeviceProperty_VirtualMainVolume.
  kAudioHardwareServiceDeviceProperty_VirtualMasterVolume =
      kAudioHardwareServiceDeviceProperty_VirtualMainVolume
};

/// As AudioObjectHasProperty. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
/// - Returns: as AudioObjectHasProperty.
Boolean AudioHardwareServiceHasProperty(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);

/// As AudioObjectIsPropertySettable. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - outIsSettable: whether it can be written now.
/// - Returns: as AudioObjectIsPropertySettable.
OSStatus AudioHardwareServiceIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    Boolean *outIsSettable);

/// As AudioObjectGetPropertyDataSize. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: the size of the qualifier in bytes.
///   - inQualifierData: what the property is asked about; null if it needs nothing.
///   - outDataSize: the size in bytes.
/// - Returns: as AudioObjectGetPropertyDataSize.
OSStatus AudioHardwareServiceGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *outDataSize);

/// As AudioObjectGetPropertyData. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: the size of the qualifier in bytes.
///   - inQualifierData: what the property is asked about; null if it needs nothing.
///   - ioDataSize: the room in bytes; on return the size of the data.
///   - outData: memory for the value.
/// - Returns: as AudioObjectGetPropertyData.
OSStatus AudioHardwareServiceGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *ioDataSize,
    void *outData);

/// As AudioObjectSetPropertyData. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: the size of the qualifier in bytes.
///   - inQualifierData: what the property is asked about; null if it needs nothing.
///   - inDataSize: the size of the value in bytes.
///   - inData: the value.
/// - Returns: as AudioObjectSetPropertyData.
OSStatus AudioHardwareServiceSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 inDataSize,
    const void *inData);

/// As AudioObjectAddPropertyListener. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inListener: the function.
///   - inClientData: passed to the function.
/// - Returns: as AudioObjectAddPropertyListener.
OSStatus AudioHardwareServiceAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

/// As AudioObjectRemovePropertyListener. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inListener: the function.
///   - inClientData: passed to the function.
/// - Returns: as AudioObjectRemovePropertyListener.
OSStatus AudioHardwareServiceRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
