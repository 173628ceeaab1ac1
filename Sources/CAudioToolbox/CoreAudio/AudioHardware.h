// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_H

#include "../CoreAudioTypes/CoreAudioBaseTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The devices that there are, as objects with properties. To play or to capture, give the number of a
// device to an output unit: kAudioOutputUnitProperty_CurrentDevice.

/// Names an audio object: the system, a device, or one direction of a device. It holds for the process.
typedef UInt32 AudioObjectID;
typedef AudioObjectID AudioDeviceID;
typedef AudioObjectID AudioStreamID;

/// Which property, of which side, of which channel.
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;
struct AudioObjectPropertyAddress {
  AudioObjectPropertySelector mSelector;
  AudioObjectPropertyScope mScope;
  AudioObjectPropertyElement mElement;
};
typedef struct AudioObjectPropertyAddress AudioObjectPropertyAddress;

/// Told of properties that have changed, on a thread of the library's.
typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID inObjectID, UInt32 inNumberAddresses,
    const AudioObjectPropertyAddress *inAddresses, void *_Nullable inClientData);

/// Numbers of objects that are not devices.
CF_ENUM(AudioObjectID) {
  kAudioObjectUnknown = 0,
  kAudioDeviceUnknown = kAudioObjectUnknown
};
CF_ENUM(int) {
  /// The one object that is always there.
  kAudioObjectSystemObject = 1
};

/// Sides of an object.
CF_ENUM(AudioObjectPropertyScope) {
  kAudioObjectPropertyScopeGlobal = 0x676c6f62,  // 'glob'
  kAudioObjectPropertyScopeInput = 0x696e7074,  // 'inpt'
  kAudioObjectPropertyScopeOutput = 0x6f757470,  // 'outp'
  kAudioDevicePropertyScopeInput = kAudioObjectPropertyScopeInput,
  kAudioDevicePropertyScopeOutput = kAudioObjectPropertyScopeOutput
};
CF_ENUM(AudioObjectPropertyElement) {
  /// The object as a whole.
  kAudioObjectPropertyElementMain = 0,
  kAudioObjectPropertyElementMaster = kAudioObjectPropertyElementMain
};

/// Takes the place of any selector, scope or element when a listener is added or taken back.
CF_ENUM(UInt32) {
  kAudioObjectPropertySelectorWildcard = 0x2a2a2a2a,  // '****'
  kAudioObjectPropertyScopeWildcard = 0x2a2a2a2a,  // '****'
  kAudioObjectPropertyElementWildcard = 0xFFFFFFFF
};

/// What the functions return beside the codes of AUComponent.h.
CF_ENUM(OSStatus) {
  kAudioHardwareNoError = 0,
  /// The object does not have this property.
  kAudioHardwareUnknownPropertyError = 0x77686f3f,  // 'who?'
  /// The memory is too small, or not of the value's size.
  kAudioHardwareBadPropertySizeError = 0x2173697a,  // '!siz'
  /// The value is not one that the object can take.
  kAudioHardwareIllegalOperationError = 0x6e6f7065,  // 'nope'
  /// There is no object of this number.
  kAudioHardwareBadObjectError = 0x216f626a,  // '!obj'
  /// The property can only be read.
  kAudioHardwareUnsupportedOperationError = 0x756e6f70  // 'unop'
};

/// Properties of the system; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectID[]: every device that can be opened now.
  kAudioHardwarePropertyDevices = 0x64657623,  // 'dev#'
  /// AudioObjectID: what a program gets that asks for no device; kAudioObjectUnknown when it gets none.
  kAudioHardwarePropertyDefaultInputDevice = 0x64496e20,  // 'dIn '
  kAudioHardwarePropertyDefaultOutputDevice = 0x644f7574,  // 'dOut'
  kAudioHardwarePropertyDefaultSystemOutputDevice = 0x734f7574,  // 'sOut'
  /// AudioObjectID of the device whose UID the qualifier (CFStringRef) has; kAudioObjectUnknown when
  /// there is none.
  kAudioHardwarePropertyTranslateUIDToDevice = 0x75696464  // 'uidd'
};

/// Properties of any object; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFStringRef: what people call it.
  kAudioObjectPropertyName = 0x6c6e616d,  // 'lnam'
  /// CFStringRef: of a device the back end that reaches it, such as "pipewire".
  kAudioObjectPropertyManufacturer = 0x6c6d616b  // 'lmak'
};

/// Properties of devices; those of one side have its scope, the others the global one.
CF_ENUM(AudioObjectPropertySelector) {
  kAudioDevicePropertyDeviceNameCFString = kAudioObjectPropertyName,
  kAudioDevicePropertyDeviceManufacturerCFString = kAudioObjectPropertyManufacturer,
  /// char[]: the name as UTF-8, with a zero at its end.
  kAudioDevicePropertyDeviceName = 0x6e616d65,  // 'name'
  /// CFStringRef: names the device for ever; what AUDIOTOOLBOX_DEVICE takes.
  kAudioDevicePropertyDeviceUID = 0x75696420,  // 'uid '
  /// UInt32: 1 as long as it can be opened.
  kAudioDevicePropertyDeviceIsAlive = 0x6c69766e,  // 'livn'
  /// Float64, RW: frames per second. Writing it is a wish for the units that start from then on.
  kAudioDevicePropertyNominalSampleRate = 0x6e737274,  // 'nsrt'
  /// AudioValueRange[].
  kAudioDevicePropertyAvailableNominalSampleRates = 0x6e737223,  // 'nsr#'
  /// UInt32, RW: frames of a cycle. Writing it is a wish for the units that start from then on. An
  /// output unit has it as well, to read.
  kAudioDevicePropertyBufferFrameSize = 0x6673697a,  // 'fsiz'
  /// AudioValueRange.
  kAudioDevicePropertyBufferFrameSizeRange = 0x66737a23,  // 'fsz#'
  /// AudioBufferList, of a side: one buffer with all of its channels; none when it has none.
  kAudioDevicePropertyStreamConfiguration = 0x736c6179,  // 'slay'
  /// AudioStreamID[], of a side (both in the global scope).
  kAudioDevicePropertyStreams = 0x73746d23,  // 'stm#'
  /// AudioStreamBasicDescription, of a side: Float32, interleaved.
  kAudioDevicePropertyStreamFormat = 0x73666d74,  // 'sfmt'
  /// UInt32[2]: the channels that are left and right, counted from 1.
  kAudioDevicePropertyPreferredChannelsForStereo = 0x64636832  // 'dch2'
};

/// Properties of one direction of a device; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32: 1 for input, 0 for output.
  kAudioStreamPropertyDirection = 0x73646972,  // 'sdir'
  /// UInt32: the device's number of its first channel, counted from 1.
  kAudioStreamPropertyStartingChannel = 0x7363686e,  // 'schn'
  /// AudioStreamBasicDescription: Float32, interleaved.
  kAudioStreamPropertyVirtualFormat = 0x73666d74,  // 'sfmt'
  kAudioStreamPropertyPhysicalFormat = 0x70667420  // 'pft '
};

/// Whether an object has a property. [control thread]
Boolean AudioObjectHasProperty(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);

/// Whether a property can be written. [control thread]
OSStatus AudioObjectIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    Boolean *outIsSettable);

/// The size of a property's value in bytes. [control thread]
OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *outDataSize);

/// Reads a property. Of a list as much as there is room for; the size then says how much. An object is
/// the caller's to release. [control thread]
OSStatus AudioObjectGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *ioDataSize,
    void *outData);

/// Writes a property. [control thread]
OSStatus AudioObjectSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 inDataSize,
    const void *inData);

/// Has a function called when a property has changed, on a thread of the library's. [control thread]
OSStatus AudioObjectAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

/// Takes that back; a call that is under way is waited for, unless it is this one. [control thread]
OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
