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
  kAudioLevelControlClassID = 0x6c65766c,  // 'levl'
  /// The volume of an endpoint or of a channel.
  kAudioVolumeControlClassID = 0x766c6d65,  // 'vlme'
  kAudioBooleanControlClassID = 0x746f676c,  // 'togl'
  /// The mute switch of an endpoint.
  kAudioMuteControlClassID = 0x6d757465,  // 'mute'
  kAudioSelectorControlClassID = 0x736c6374,  // 'slct'
  /// The data source of an endpoint.
  kAudioDataSourceControlClassID = 0x64737263,  // 'dsrc'
  /// The plug-in that creates aggregate devices.
  kAudioPlugInClassID = 0x61706c67  // 'aplg'
};
CF_ENUM(AudioClassID) {
  /// No object here has these classes; the names are for programs that compare classes.
  kAudioSliderControlClassID = 0x736c6472,  // 'sldr'
  kAudioLFEVolumeControlClassID = 0x73756276,  // 'subv'
  kAudioSoloControlClassID = 0x736f6c6f,  // 'solo'
  kAudioJackControlClassID = 0x6a61636b,  // 'jack'
  kAudioLFEMuteControlClassID = 0x7375626d,  // 'subm'
  kAudioPhantomPowerControlClassID = 0x7068616e,  // 'phan'
  kAudioPhaseInvertControlClassID = 0x70687369,  // 'phsi'
  kAudioClipLightControlClassID = 0x636c6970,  // 'clip'
  kAudioTalkbackControlClassID = 0x74616c62,  // 'talb'
  kAudioListenbackControlClassID = 0x6c736e62,  // 'lsnb'
  kAudioDataDestinationControlClassID = 0x64657374,  // 'dest'
  kAudioClockSourceControlClassID = 0x636c636b,  // 'clck'
  kAudioLineLevelControlClassID = 0x6e6c766c,  // 'nlvl'
  kAudioHighPassFilterControlClassID = 0x68697066,  // 'hipf'
  kAudioStereoPanControlClassID = 0x7370616e,  // 'span'
  kAudioTransportManagerClassID = 0x7472706d,  // 'trpm'
  kAudioBoxClassID = 0x61626f78,  // 'abox'
  kAudioClockDeviceClassID = 0x61636c6b,  // 'aclk'
  kAudioEndPointDeviceClassID = 0x65646576,  // 'edev'
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
  /// AudioValueRange.
  kAudioLevelControlPropertyDecibelRange = 0x6c636472,  // 'lcdr'
  /// Float32 in and out.
  kAudioLevelControlPropertyConvertScalarToDecibels = 0x6c637364,  // 'lcsd'
  kAudioLevelControlPropertyConvertDecibelsToScalar = 0x6c636473,  // 'lcds'
  /// UInt32, RW: as kAudioDevicePropertyMute.
  kAudioBooleanControlPropertyValue = 0x6263766c,  // 'bcvl'
  /// UInt32, RW: as kAudioDevicePropertyDataSource.
  kAudioSelectorControlPropertyCurrentItem = 0x73636369,  // 'scci'
  /// UInt32[].
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
  kAudioPlugInPropertyClockDeviceList = 0x636c6b23,  // 'clk#'
  /// AudioObjectID of the object in the qualifier (CFStringRef): always kAudioObjectUnknown.
  kAudioPlugInPropertyTranslateUIDToBox = 0x75696462,  // 'uidb'
  kAudioPlugInPropertyTranslateUIDToClockDevice = 0x75696463  // 'uidc'
};

/// Properties of clocks. Each device is its own clock, and also has these properties.
CF_ENUM(AudioObjectPropertySelector) {
  kAudioClockDevicePropertyDeviceUID = kAudioDevicePropertyDeviceUID,
  kAudioClockDevicePropertyTransportType = kAudioDevicePropertyTransportType,
  kAudioClockDevicePropertyDeviceIsAlive = kAudioDevicePropertyDeviceIsAlive,
  kAudioClockDevicePropertyDeviceIsRunning = kAudioDevicePropertyDeviceIsRunning,
  kAudioClockDevicePropertyLatency = kAudioDevicePropertyLatency,
  kAudioClockDevicePropertyControlList = kAudioObjectPropertyControlList,
  kAudioClockDevicePropertyNominalSampleRate = kAudioDevicePropertyNominalSampleRate,
  kAudioClockDevicePropertyAvailableNominalSampleRates =
      kAudioDevicePropertyAvailableNominalSampleRates
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
