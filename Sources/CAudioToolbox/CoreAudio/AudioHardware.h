// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_H

#include "AudioHardwareBase.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The devices that there are, as objects with properties. To play or to capture, give the number of a
// device to an output unit: kAudioOutputUnitProperty_CurrentDevice.

/// Properties of the system; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectID[]: every device that can be opened now.
  kAudioHardwarePropertyDevices = 0x64657623,  // 'dev#'
  /// AudioObjectID, RW: the device of programs that choose none; kAudioObjectUnknown when it gets
  /// none. Written, the server makes it the default of all programs (PipeWire, PulseAudio); it can
  /// only be read where no server has such a choice or AUDIOTOOLBOX_DEVICE names a device.
  kAudioHardwarePropertyDefaultInputDevice = 0x64496e20,  // 'dIn '
  kAudioHardwarePropertyDefaultOutputDevice = 0x644f7574,  // 'dOut'
  /// AudioObjectID: the default output device.
  kAudioHardwarePropertyDefaultSystemOutputDevice = 0x734f7574,  // 'sOut'
  /// AudioObjectID of the device whose UID the qualifier (CFStringRef) has; kAudioObjectUnknown
  /// when there is none.
  kAudioHardwarePropertyTranslateUIDToDevice = 0x75696464,  // 'uidd'
  /// AudioValueTranslation from CFStringRef to AudioDeviceID: the older form of the same question.
  kAudioHardwarePropertyDeviceForUID = 0x64756964,  // 'duid'
  /// UInt32: how often a sound server has come back. Listen to it to reopen your devices.
  kAudioHardwarePropertyServiceRestarted = 0x73727374,  // 'srst'
  /// CFRunLoopRef, RW: NULL, as listeners are called on a thread of the library's; another run
  /// loop is refused.
  kAudioHardwarePropertyRunLoop = 0x726e6c70,  // 'rnlp'
  /// UInt32: 1.
  kAudioHardwarePropertyProcessIsMain = 0x6d61696e,  // 'main'
  /// UInt32: 0.
  kAudioHardwarePropertyIsInitingOrExiting = 0x696e6f74,  // 'inot'
  /// UInt32: 1.
  kAudioHardwarePropertyUserSessionIsActiveOrHeadless = 0x75736572,  // 'user'
  /// UInt32, RW: 0 silences this process on every device.
  kAudioHardwarePropertyProcessIsAudible = 0x706d7574,  // 'pmut'
  /// UInt32: 1; see kAudioDevicePropertyHogMode.
  kAudioHardwarePropertyHogModeIsAllowed = 0x686f6772,  // 'hogr'
  /// UInt32: 1, as nothing here keeps a machine awake.
  kAudioHardwarePropertySleepingIsAllowed = 0x736c6570,  // 'slep'
  /// UInt32: 1; see AudioHardwareUnload.
  kAudioHardwarePropertyUnloadingIsAllowed = 0x756e6c64,  // 'unld'
  /// UInt32: 0, as the server decides how often it wakes.
  kAudioHardwarePropertyPowerHint = 0x706f7768,  // 'powh'
  /// AudioObjectID of the process whose pid_t the qualifier has: kAudioObjectUnknown, as processes are no
  /// objects.
  kAudioHardwarePropertyTranslatePIDToProcessObject = 0x69643270,  // 'id2p'
  /// UInt32: 0, as channels are played as they are.
  kAudioHardwarePropertyMixStereoToMono = 0x73746d6f,  // 'stmo'
  /// AudioObjectID[]: the plug-in that makes aggregate devices.
  kAudioHardwarePropertyPlugInList = 0x706c6723,  // 'plg#'
  /// AudioObjectID[]: empty, as there are devices and nothing else.
  kAudioHardwarePropertyTransportManagerList = 0x746d6723,  // 'tmg#'
  kAudioHardwarePropertyBoxList = 0x626f7823,  // 'box#'
  kAudioHardwarePropertyClockDeviceList = 0x636c6b23,  // 'clk#'
  /// AudioObjectID of the plug-in whose bundle the qualifier (CFStringRef) names.
  kAudioHardwarePropertyTranslateBundleIDToPlugIn = 0x62696470,  // 'bidp'
  /// AudioObjectID of what the qualifier (CFStringRef) names: kAudioObjectUnknown.
  kAudioHardwarePropertyTranslateBundleIDToTransportManager = 0x746d6269,  // 'tmbi'
  kAudioHardwarePropertyTranslateUIDToBox = 0x75696462,  // 'uidb'
  kAudioHardwarePropertyTranslateUIDToClockDevice = 0x75696463,  // 'uidc'
  /// AudioValueTranslation from CFStringRef to AudioObjectID: the plug-in of
  /// "com.apple.audio.CoreAudio", which makes aggregate devices.
  kAudioHardwarePropertyPlugInForBundleID = 0x70696269  // 'pibi'
};

/// Properties of devices beside those of AudioHardwareBase.h.
CF_ENUM(AudioObjectPropertySelector) {
  /// UInt32: 1. Listen to it to be notified of any change of the device.
  kAudioDevicePropertyDeviceHasChanged = 0x64696666,  // 'diff'
  /// UInt32: 1 while any process plays to it or captures from it, if the server reports it; else as
  /// kAudioDevicePropertyDeviceIsRunning.
  kAudioDevicePropertyDeviceIsRunningSomewhere = 0x676f6e65,  // 'gone'
  /// UInt32: cycles that this process has missed on it. Listen to it to be told of more.
  kAudioDeviceProcessorOverload = 0x6f766572,  // 'over'
  /// pid_t, RW: the process that has the device to itself; -1 when none has. Written with the process's own,
  /// it keeps the device to itself until it writes -1 (hardware that ALSA opens, "alsa:hw:…"); what
  /// servers have is for all programs, and stays -1 (kAudioHardwareUnsupportedOperationError).
  kAudioDevicePropertyHogMode = 0x6f696e6b,  // 'oink'
  /// UInt32, RW: frames of a cycle, as granted while the device runs. Writing it is a wish of this
  /// process, for what starts from then on; a JACK server takes it for all its clients.
  kAudioDevicePropertyBufferFrameSize = 0x6673697a,  // 'fsiz'
  /// AudioValueRange.
  kAudioDevicePropertyBufferFrameSizeRange = 0x66737a23,  // 'fsz#'
  /// UInt32: the maximum number of frames of a cycle, whatever was requested.
  kAudioDevicePropertyUsesVariableBufferFrameSizes = 0x7666737a,  // 'vfsz'
  /// AudioBufferList, of a side: a buffer for each stream with its channels; none when there is no
  /// stream.
  kAudioDevicePropertyStreamConfiguration = 0x736c6179,  // 'slay'
  /// Float64: frames per second.
  kAudioDevicePropertyActualSampleRate = 0x61737274,  // 'asrt'
  /// Float32, RW, of a side and of each of its channels: 0 to 1 as mixers show it, an amplitude is its
  /// cube. It affects all programs. If no server manages volumes (JACK, ALSA, null, file), it
  /// scales what this process plays to the device, for its output as a whole.
  kAudioDevicePropertyVolumeScalar = 0x766f6c6d,  // 'volm'
  /// Float32, RW, in the same places: decibels, -96 to 0; -96 is silence.
  kAudioDevicePropertyVolumeDecibels = 0x766f6c64,  // 'vold'
  /// AudioValueRange.
  kAudioDevicePropertyVolumeRangeDecibels = 0x76646223,  // 'vdb#'
  /// Float32 in and out.
  kAudioDevicePropertyVolumeScalarToDecibels = 0x76326462,  // 'v2db'
  kAudioDevicePropertyVolumeDecibelsToScalar = 0x64623276,  // 'db2v'
  /// UInt32, RW, of a side: 1 silences it: for all programs if a server manages volumes, otherwise
  /// for this process.
  kAudioDevicePropertyMute = 0x6d757465,  // 'mute'
  /// Float32, RW, of a side: volume and decibels of the channel of low frequencies, where the server keeps
  /// one.
  kAudioDevicePropertySubVolumeScalar = 0x73766c6d,  // 'svlm'
  kAudioDevicePropertySubVolumeDecibels = 0x73766c64,  // 'svld'
  /// UInt32: how often a stream of this process was lost. Listen to it to be told of more.
  kAudioDevicePropertyIOStoppedAbnormally = 0x73747064,  // 'stpd'
  /// UInt32, RW, of a side: where its sound comes from or goes to. PulseAudio's are the ports of a card;
  /// elsewhere a side has one.
  kAudioDevicePropertyDataSource = 0x73737263,  // 'ssrc'
  /// UInt32[], of a side: the data sources to choose from.
  kAudioDevicePropertyDataSources = 0x73736323,  // 'ssc#'
  /// AudioValueTranslation from the UInt32 of a data source to a CFStringRef, of a side.
  kAudioDevicePropertyDataSourceNameForIDCFString = 0x6c73636e,  // 'lscn'
  /// UInt32, of a side: 1 when something is plugged into the data source, where the server tells.
  kAudioDevicePropertyJackIsConnected = 0x6a61636b,  // 'jack'
  /// CFURLRef of a picture from the icon themes of the desktop, where there is one.
  kAudioDevicePropertyIcon = 0x69636f6e,  // 'icon'
  /// UInt32[], RW: the source of its clock. A device has one, its own.
  kAudioDevicePropertyClockSource = 0x63737263,  // 'csrc'
  /// UInt32[]: the clock sources to choose from.
  kAudioDevicePropertyClockSources = 0x63736323,  // 'csc#'
  /// AudioValueTranslation from the UInt32 of a clock source to a CFStringRef.
  kAudioDevicePropertyClockSourceNameForIDCFString = 0x6c63736e  // 'lcsn'
};

/// Prints an object with its properties on standard output, for whoever looks for a fault.
/// [control thread]
void AudioObjectShow(AudioObjectID inObjectID);

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

/// Removes it; a call that is under way is waited for, unless it is this one. [control thread]
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
