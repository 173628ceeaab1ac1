// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_H

#include "AudioHardwareBase.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The available devices, as objects with properties. To play or capture, pass the number of a
// device to an output unit: kAudioOutputUnitProperty_CurrentDevice.

/// Properties of the system; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectID[]: every device that can be opened now.
  kAudioHardwarePropertyDevices = 0x64657623,  // 'dev#'
  /// AudioObjectID, RW: the default device; kAudioObjectUnknown when there is none. Setting it
  /// makes the device the server's default for all programs (PipeWire, PulseAudio). It is read only
  /// if no server has such a setting, or if AUDIOTOOLBOX_DEVICE names a device.
  kAudioHardwarePropertyDefaultInputDevice = 0x64496e20,  // 'dIn '
  /// AudioObjectID, RW: the default output device.
  kAudioHardwarePropertyDefaultOutputDevice = 0x644f7574,  // 'dOut'
  /// AudioObjectID: the default output device.
  kAudioHardwarePropertyDefaultSystemOutputDevice = 0x734f7574,  // 'sOut'
  /// AudioObjectID of the device with the UID in the qualifier (CFStringRef); kAudioObjectUnknown
  /// when there is none.
  kAudioHardwarePropertyTranslateUIDToDevice = 0x75696464,  // 'uidd'
  /// AudioValueTranslation from CFStringRef to AudioDeviceID: the older form of that property.
  kAudioHardwarePropertyDeviceForUID = 0x64756964,  // 'duid'
  /// UInt32: the number of times that a sound server has returned. Listen to it to reopen your
  /// devices.
  kAudioHardwarePropertyServiceRestarted = 0x73727374,  // 'srst'
  /// CFRunLoopRef, RW: NULL, because listeners are called on a thread of the library; a run loop is
  /// refused.
  kAudioHardwarePropertyRunLoop = 0x726e6c70,  // 'rnlp'
  /// UInt32: 1, because each process has the interface for itself.
  kAudioHardwarePropertyProcessIsMain = 0x6d61696e,  // 'main'
  /// UInt32: 0, because the system is always ready.
  kAudioHardwarePropertyIsInitingOrExiting = 0x696e6f74,  // 'inot'
  /// UInt32: 1, because sound does not depend on who uses the screen.
  kAudioHardwarePropertyUserSessionIsActiveOrHeadless = 0x75736572,  // 'user'
  /// UInt32, RW: 0 silences this process on every device.
  kAudioHardwarePropertyProcessIsAudible = 0x706d7574,  // 'pmut'
  /// UInt32: 1; see kAudioDevicePropertyHogMode.
  kAudioHardwarePropertyHogModeIsAllowed = 0x686f6772,  // 'hogr'
  /// UInt32: 1, because this library never keeps the machine awake.
  kAudioHardwarePropertySleepingIsAllowed = 0x736c6570,  // 'slep'
  /// UInt32: 1; see AudioHardwareUnload.
  kAudioHardwarePropertyUnloadingIsAllowed = 0x756e6c64,  // 'unld'
  /// UInt32: 0, because the server decides how often it wakes.
  kAudioHardwarePropertyPowerHint = 0x706f7768,  // 'powh'
  /// AudioObjectID of the process with the pid_t in the qualifier: kAudioObjectUnknown, because
  /// there are no process objects.
  kAudioHardwarePropertyTranslatePIDToProcessObject = 0x69643270,  // 'id2p'
  /// UInt32: 0, because channels are played unmixed.
  kAudioHardwarePropertyMixStereoToMono = 0x73746d6f,  // 'stmo'
  /// AudioObjectID[]: the plug-in that creates aggregate devices.
  kAudioHardwarePropertyPlugInList = 0x706c6723,  // 'plg#'
  /// AudioObjectID[]: empty, because there are only devices.
  kAudioHardwarePropertyTransportManagerList = 0x746d6723,  // 'tmg#'
  /// AudioObjectID[]: empty, because there are only devices.
  kAudioHardwarePropertyBoxList = 0x626f7823,  // 'box#'
  /// AudioObjectID[]: empty, as well.
  kAudioHardwarePropertyClockDeviceList = 0x636c6b23,  // 'clk#'
  /// AudioObjectID of the plug-in with the bundle identifier in the qualifier (CFStringRef).
  kAudioHardwarePropertyTranslateBundleIDToPlugIn = 0x62696470,  // 'bidp'
  /// AudioObjectID of the object in the qualifier (CFStringRef): always kAudioObjectUnknown.
  kAudioHardwarePropertyTranslateBundleIDToTransportManager = 0x746d6269,  // 'tmbi'
  /// AudioObjectID of the box in the qualifier (CFStringRef): always kAudioObjectUnknown.
  kAudioHardwarePropertyTranslateUIDToBox = 0x75696462,  // 'uidb'
  /// AudioObjectID of the clock in the qualifier (CFStringRef): always kAudioObjectUnknown.
  kAudioHardwarePropertyTranslateUIDToClockDevice = 0x75696463,  // 'uidc'
  /// AudioValueTranslation from CFStringRef to AudioObjectID: the plug-in with the bundle
  /// identifier "com.apple.audio.CoreAudio", which creates aggregate devices.
  kAudioHardwarePropertyPlugInForBundleID = 0x70696269  // 'pibi'
};

/// Properties of devices in addition to those of AudioHardwareBase.h.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32: 1. Listen to it to be notified of any change of the device.
  kAudioDevicePropertyDeviceHasChanged = 0x64696666,  // 'diff'
  /// UInt32: 1 while any process plays to it or captures from it, if the server reports this;
  /// otherwise like kAudioDevicePropertyDeviceIsRunning.
  kAudioDevicePropertyDeviceIsRunningSomewhere = 0x676f6e65,  // 'gone'
  /// UInt32: the cycles that this process has missed on it. Listen to it to be notified of more.
  kAudioDeviceProcessorOverload = 0x6f766572,  // 'over'
  /// pid_t, RW: the process with exclusive access to the device; -1 when there is none. Setting it
  /// to the own process claims the device until -1 is set (hardware opened by ALSA, "alsa:hw:…").
  /// Devices of servers are shared: the value stays -1 (kAudioHardwareUnsupportedOperationError).
  kAudioDevicePropertyHogMode = 0x6f696e6b,  // 'oink'
  /// UInt32, RW: the frames of a cycle; while the device runs, the granted number. Setting it is a
  /// request of this process for streams that start later; a JACK server applies it to all its
  /// clients.
  kAudioDevicePropertyBufferFrameSize = 0x6673697a,  // 'fsiz'
  /// AudioValueRange: the shortest and the longest cycle in frames.
  kAudioDevicePropertyBufferFrameSizeRange = 0x66737a23,  // 'fsz#'
  /// UInt32: the maximum number of frames of a cycle, regardless of requests.
  kAudioDevicePropertyUsesVariableBufferFrameSizes = 0x7666737a,  // 'vfsz'
  /// AudioBufferList, of an endpoint: a buffer for each stream with its channels; none when there is no
  /// stream.
  kAudioDevicePropertyStreamConfiguration = 0x736c6179,  // 'slay'
  /// Float64: frames per second.
  kAudioDevicePropertyActualSampleRate = 0x61737274,  // 'asrt'
  /// Float32, RW, of an endpoint and of each of its channels: 0 to 1, as mixers show it; the amplitude
  /// is its cube. It affects all programs. If no server manages volumes (JACK, ALSA, null, file),
  /// it scales the sound that this process plays to the device, for the whole output.
  kAudioDevicePropertyVolumeScalar = 0x766f6c6d,  // 'volm'
  /// Float32, RW, in the same scopes and elements: decibels, -96 to 0; -96 is silence.
  kAudioDevicePropertyVolumeDecibels = 0x766f6c64,  // 'vold'
  /// AudioValueRange: the lowest and the highest volume in decibels.
  kAudioDevicePropertyVolumeRangeDecibels = 0x76646223,  // 'vdb#'
  /// Float32: the volume from 0 to 1 in, decibels out.
  kAudioDevicePropertyVolumeScalarToDecibels = 0x76326462,  // 'v2db'
  /// Float32: decibels in, the volume from 0 to 1 out.
  kAudioDevicePropertyVolumeDecibelsToScalar = 0x64623276,  // 'db2v'
  /// UInt32, RW, of an endpoint: 1 mutes it: for all programs if a server manages volumes, otherwise for
  /// this process.
  kAudioDevicePropertyMute = 0x6d757465,  // 'mute'
  /// Float32, RW, of an endpoint: volume and decibels of the low-frequency channel, if the server has
  /// one.
  kAudioDevicePropertySubVolumeScalar = 0x73766c6d,  // 'svlm'
  /// Float32: the volume of low frequencies in decibels.
  kAudioDevicePropertySubVolumeDecibels = 0x73766c64,  // 'svld'
  /// UInt32: the number of times that a stream of this process was lost. Listen to it to be
  /// notified of more.
  kAudioDevicePropertyIOStoppedAbnormally = 0x73747064,  // 'stpd'
  /// UInt32, RW, of an endpoint: its data source or destination. With PulseAudio, these are the ports of
  /// a card; with other back ends, an endpoint has one.
  kAudioDevicePropertyDataSource = 0x73737263,  // 'ssrc'
  /// UInt32[], of an endpoint: the available data sources.
  kAudioDevicePropertyDataSources = 0x73736323,  // 'ssc#'
  /// AudioValueTranslation from the UInt32 of a data source to a CFStringRef, of an endpoint.
  kAudioDevicePropertyDataSourceNameForIDCFString = 0x6c73636e,  // 'lscn'
  /// UInt32, of an endpoint: 1 when the data source's jack is connected, if the server reports it.
  kAudioDevicePropertyJackIsConnected = 0x6a61636b,  // 'jack'
  /// CFURLRef of a picture from the desktop's icon themes, if there is one.
  kAudioDevicePropertyIcon = 0x69636f6e,  // 'icon'
  /// UInt32[], RW: its clock source. A device has only its own clock.
  kAudioDevicePropertyClockSource = 0x63737263,  // 'csrc'
  /// UInt32[]: the available clock sources.
  kAudioDevicePropertyClockSources = 0x63736323,  // 'csc#'
  /// AudioValueTranslation from the UInt32 of a clock source to a CFStringRef.
  kAudioDevicePropertyClockSourceNameForIDCFString = 0x6c63736e  // 'lcsn'
};

/// Prints an object with its properties to standard output, for debugging. [control thread]
///
/// - Parameter inObjectID: the object, such as kAudioObjectSystemObject.
void AudioObjectShow(AudioObjectID inObjectID);

/// Whether an object has a property. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
/// - Returns: whether it has it; false also if there is no such object, or the address is null.
Boolean AudioObjectHasProperty(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);

/// Whether a property can be written. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - outIsSettable: whether it can be written now.
/// - Returns: noErr; `kAudioHardwareBadObjectError` if there is no such object;
///   `kAudioHardwareUnknownPropertyError` if it does not have the property in this scope and
///   element; `kAudio_ParamError` if a pointer is null.
OSStatus AudioObjectIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    Boolean *outIsSettable);

/// The size of a property's value in bytes. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: the size of the qualifier in bytes.
///   - inQualifierData: what the property is asked about; null if it needs nothing.
///   - outDataSize: the size in bytes.
/// - Returns: noErr; `kAudioHardwareBadObjectError` if there is no such object;
///   `kAudioHardwareUnknownPropertyError` if it does not have the property in this scope and
///   element; `kAudioHardwareBadPropertySizeError` for a qualifier of a wrong size;
///   `kAudio_ParamError` if a pointer is null.
OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *outDataSize);

/// Reads a property. A list is truncated to the memory; on return, the size is that of the data.
/// The caller releases objects. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: the size of the qualifier in bytes.
///   - inQualifierData: what the property is asked about; null if it needs nothing.
///   - ioDataSize: the room in bytes; on return the size of the data.
///   - outData: memory for the value.
/// - Returns: noErr; `kAudioHardwareBadObjectError` if there is no such object;
///   `kAudioHardwareUnknownPropertyError` if it does not have the property in this scope and
///   element; `kAudioHardwareBadPropertySizeError` if there is too little room, or for a qualifier
///   of a wrong size; `kAudio_ParamError` if a pointer is null.
OSStatus AudioObjectGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 *ioDataSize,
    void *outData);

/// Writes a property. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inQualifierDataSize: not used.
///   - inQualifierData: not used.
///   - inDataSize: the size of the value in bytes.
///   - inData: the value.
/// - Returns: noErr; `kAudioHardwareBadObjectError` if there is no such object;
///   `kAudioHardwareUnknownPropertyError` if it does not have the property in this scope and
///   element; `kAudioHardwareUnsupportedOperationError` if it cannot be written;
///   `kAudioHardwareBadPropertySizeError` for a wrong size; `kAudioHardwareIllegalOperationError`
///   for a wrong value; `kAudio_ParamError` if a pointer is null; or the error of the device's back
///   end.
OSStatus AudioObjectSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    UInt32 inQualifierDataSize, const void *_Nullable inQualifierData, UInt32 inDataSize,
    const void *inData);

/// Adds a function that is called when a property has changed, on a thread of the library. [control
/// thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element; each may be a wildcard.
///   - inListener: the function.
///   - inClientData: passed to the function.
/// - Returns: noErr; `kAudioHardwareUnknownPropertyError` if the object does not have the property;
///   `kAudio_ParamError` if a pointer or the function is null.
OSStatus AudioObjectAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

/// Removes the function, and waits for a call in progress, except one that has called this
/// function. [control thread]
///
/// - Parameters:
///   - inObjectID: the object.
///   - inAddress: the property with which it was added.
///   - inListener: the function.
///   - inClientData: the pointer with which it was added.
/// - Returns: noErr, or `kAudio_ParamError` if it was not added with these arguments, or one is
///   null.
OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#include "AudioHardwareAggregate.h"
#include "AudioHardwareControls.h"
#include "AudioHardwareIO.h"
#include "AudioHardwareDeprecated.h"

#endif
