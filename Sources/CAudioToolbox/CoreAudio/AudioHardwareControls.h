// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_HARDWARE_CONTROLS_H
#define CAUDIOTOOLBOX_AUDIO_HARDWARE_CONTROLS_H

#include "AudioHardwareBase.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The controls of devices (volumes, mute switches, data sources) as separate objects, which a
// device lists in kAudioObjectPropertyControlList; and the plug-in that creates aggregate devices.

/// Kinds of controls, and of other objects.
CF_ENUM(AudioClassID) {
  /// The base class of all controls.
  kAudioControlClassID = 0x6163746c,  // 'actl'
  /// The base class of controls with a level.
  kAudioLevelControlClassID = 0x6c65766c,  // 'levl'
  /// The volume of an endpoint or of a channel.
  kAudioVolumeControlClassID = 0x766c6d65,  // 'vlme'
  /// The base class of switches.
  kAudioBooleanControlClassID = 0x746f676c,  // 'togl'
  /// The mute switch of an endpoint.
  kAudioMuteControlClassID = 0x6d757465,  // 'mute'
  /// The base class of controls that choose an item.
  kAudioSelectorControlClassID = 0x736c6374,  // 'slct'
  /// The data source of an endpoint.
  kAudioDataSourceControlClassID = 0x64737263,  // 'dsrc'
  /// The plug-in that creates aggregate devices.
  kAudioPlugInClassID = 0x61706c67  // 'aplg'
};
CF_ENUM(AudioClassID) {
  /// No object here has these classes; the names are for programs that compare classes.
  kAudioSliderControlClassID = 0x736c6472,  // 'sldr'
  /// The volume of low frequencies.
  kAudioLFEVolumeControlClassID = 0x73756276,  // 'subv'
  /// A switch that silences all other channels.
  kAudioSoloControlClassID = 0x736f6c6f,  // 'solo'
  /// Whether something is plugged in.
  kAudioJackControlClassID = 0x6a61636b,  // 'jack'
  /// The mute switch of low frequencies.
  kAudioLFEMuteControlClassID = 0x7375626d,  // 'subm'
  /// The power of a condenser microphone.
  kAudioPhantomPowerControlClassID = 0x7068616e,  // 'phan'
  /// A switch that inverts the polarity.
  kAudioPhaseInvertControlClassID = 0x70687369,  // 'phsi'
  /// Whether the signal has been clipped.
  kAudioClipLightControlClassID = 0x636c6970,  // 'clip'
  /// A switch for speech from the control room to the studio.
  kAudioTalkbackControlClassID = 0x74616c62,  // 'talb'
  /// A switch for speech from the studio to the control room.
  kAudioListenbackControlClassID = 0x6c736e62,  // 'lsnb'
  /// The data destination of an endpoint.
  kAudioDataDestinationControlClassID = 0x64657374,  // 'dest'
  /// The clock of a device.
  kAudioClockSourceControlClassID = 0x636c636b,  // 'clck'
  /// The nominal level of a line.
  kAudioLineLevelControlClassID = 0x6e6c766c,  // 'nlvl'
  /// A filter against low frequencies.
  kAudioHighPassFilterControlClassID = 0x68697066,  // 'hipf'
  /// The place of a channel between left and right.
  kAudioStereoPanControlClassID = 0x7370616e,  // 'span'
  /// What finds devices of a network.
  kAudioTransportManagerClassID = 0x7472706d,  // 'trpm'
  /// The housing of several devices.
  kAudioBoxClassID = 0x61626f78,  // 'abox'
  /// A clock without sound.
  kAudioClockDeviceClassID = 0x61636c6b,  // 'aclk'
  /// A device that consists of devices of a network.
  kAudioEndPointDeviceClassID = 0x65646576,  // 'edev'
  /// One of these devices.
  kAudioEndPointClassID = 0x656e6470  // 'endp'
};

/// Properties of controls; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// AudioObjectPropertyScope: the endpoint of the device.
  kAudioControlPropertyScope = 0x63736370,  // 'cscp'
  /// AudioObjectPropertyElement: 0 is the whole endpoint, others are channels.
  kAudioControlPropertyElement = 0x63656c6d,  // 'celm'
  /// Float32, RW: as kAudioDevicePropertyVolumeScalar.
  kAudioLevelControlPropertyScalarValue = 0x6c637376,  // 'lcsv'
  /// Float32, RW: as kAudioDevicePropertyVolumeDecibels.
  kAudioLevelControlPropertyDecibelValue = 0x6c636476,  // 'lcdv'
  /// AudioValueRange: the lowest and the highest level in decibels.
  kAudioLevelControlPropertyDecibelRange = 0x6c636472,  // 'lcdr'
  /// Float32: the level from 0 to 1 in, decibels out.
  kAudioLevelControlPropertyConvertScalarToDecibels = 0x6c637364,  // 'lcsd'
  /// Float32: decibels in, the level from 0 to 1 out.
  kAudioLevelControlPropertyConvertDecibelsToScalar = 0x6c636473,  // 'lcds'
  /// UInt32, RW: as kAudioDevicePropertyMute.
  kAudioBooleanControlPropertyValue = 0x6263766c,  // 'bcvl'
  /// UInt32, RW: as kAudioDevicePropertyDataSource.
  kAudioSelectorControlPropertyCurrentItem = 0x73636369,  // 'scci'
  /// UInt32[]: the numbers of the items.
  kAudioSelectorControlPropertyAvailableItems = 0x73636169,  // 'scai'
  /// CFStringRef: the name of the item in the qualifier (UInt32); without a qualifier, of the first
  /// item.
  kAudioSelectorControlPropertyItemName = 0x7363696e  // 'scin'
};

/// Properties of the plug-in; global scope.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFStringRef: "com.apple.audio.CoreAudio", which programs search for.
  kAudioPlugInPropertyBundleID = 0x70696964,  // 'piid'
  /// AudioObjectID[]: every device.
  kAudioPlugInPropertyDeviceList = 0x64657623,  // 'dev#'
  /// As kAudioHardwarePropertyTranslateUIDToDevice.
  kAudioPlugInPropertyTranslateUIDToDevice = 0x75696464,  // 'uidd'
  /// AudioObjectID[]: empty, because there are only devices.
  kAudioPlugInPropertyBoxList = 0x626f7823,  // 'box#'
  /// AudioObjectID[]: empty, as well.
  kAudioPlugInPropertyClockDeviceList = 0x636c6b23,  // 'clk#'
  /// AudioObjectID of the object in the qualifier (CFStringRef): always kAudioObjectUnknown.
  kAudioPlugInPropertyTranslateUIDToBox = 0x75696462,  // 'uidb'
  /// As kAudioPlugInPropertyTranslateUIDToBox, of a clock: always kAudioObjectUnknown.
  kAudioPlugInPropertyTranslateUIDToClockDevice = 0x75696463  // 'uidc'
};

/// Properties of clocks. Each device is its own clock, and also has these properties.
CF_ENUM(AudioObjectPropertySelector) {
  /// CFStringRef: kAudioDevicePropertyDeviceUID.
  kAudioClockDevicePropertyDeviceUID = kAudioDevicePropertyDeviceUID,
  /// UInt32: kAudioDevicePropertyTransportType.
  kAudioClockDevicePropertyTransportType = kAudioDevicePropertyTransportType,
  /// UInt32: kAudioDevicePropertyDeviceIsAlive.
  kAudioClockDevicePropertyDeviceIsAlive = kAudioDevicePropertyDeviceIsAlive,
  /// UInt32: kAudioDevicePropertyDeviceIsRunning.
  kAudioClockDevicePropertyDeviceIsRunning = kAudioDevicePropertyDeviceIsRunning,
  /// UInt32: kAudioDevicePropertyLatency.
  kAudioClockDevicePropertyLatency = kAudioDevicePropertyLatency,
  /// AudioObjectID[]: kAudioObjectPropertyControlList.
  kAudioClockDevicePropertyControlList = kAudioObjectPropertyControlList,
  /// Float64, RW: kAudioDevicePropertyNominalSampleRate.
  kAudioClockDevicePropertyNominalSampleRate = kAudioDevicePropertyNominalSampleRate,
  /// AudioValueRange[]: kAudioDevicePropertyAvailableNominalSampleRates.
  kAudioClockDevicePropertyAvailableNominalSampleRates =
      kAudioDevicePropertyAvailableNominalSampleRates
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
