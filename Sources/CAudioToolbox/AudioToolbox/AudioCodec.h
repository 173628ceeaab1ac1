// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_CODEC_H
#define CAUDIOTOOLBOX_AUDIO_CODEC_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

typedef UInt32 AudioCodecPropertyID;

/// Frames before the first one that is sound, and after the last one.
typedef struct AudioCodecPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioCodecPrimeInfo;

/// Properties of codecs. A converter has those of its encoder, or else of its decoder:
/// AudioConverterGetProperty and AudioConverterSetProperty take them.
CF_ENUM(AudioCodecPropertyID) {
  /// AudioStreamBasicDescription array, R: what goes in; of rates and channels, those of the
  /// converter.
  kAudioCodecPropertySupportedInputFormats = 0x69666d23,  // 'ifm#'
  /// AudioStreamBasicDescription array, R: what comes out.
  kAudioCodecPropertySupportedOutputFormats = 0x6f666d23,  // 'ofm#'
  /// AudioValueRange array, R: rates that can go in.
  kAudioCodecPropertyAvailableInputSampleRates = 0x61697372,  // 'aisr'
  /// AudioValueRange array, R: rates that can come out.
  kAudioCodecPropertyAvailableOutputSampleRates = 0x616f7372,  // 'aosr'
  /// AudioValueRange array, R: bits per second that can be chosen; none where nothing is lost.
  kAudioCodecPropertyAvailableBitRateRange = 0x61627274,  // 'abrt'
  /// UInt32, R: packets that go in before one comes out: 1.
  kAudioCodecPropertyMinimumNumberInputPackets = 0x6d6e6970,  // 'mnip'
  /// UInt32, R: packets that come out at least: 1.
  kAudioCodecPropertyMinimumNumberOutputPackets = 0x6d6e6f70,  // 'mnop'
  /// UInt32 array, R: numbers of channels; 0xffffffff: any.
  kAudioCodecPropertyAvailableNumberChannels = 0x636d6e63,  // 'cmnc'
  /// UInt32, R: 1 for a codec that has one rate for all streams (Opus decodes at 48 kHz), else 0.
  kAudioCodecPropertyDoesSampleRateConversion = 0x6c6d7263,  // 'lmrc'
  /// AudioChannelLayoutTag array, R: layouts of what goes in.
  kAudioCodecPropertyAvailableInputChannelLayoutTags = 0x6169636c,  // 'aicl'
  /// AudioChannelLayoutTag array, R: layouts of what comes out.
  kAudioCodecPropertyAvailableOutputChannelLayoutTags = 0x616f636c,  // 'aocl'
  /// AudioStreamBasicDescription array, R: what goes in for the format that comes out.
  kAudioCodecPropertyInputFormatsForOutputFormat = 0x6966346f,  // 'if4o'
  /// AudioStreamBasicDescription array, R: what comes out of the format that goes in.
  kAudioCodecPropertyOutputFormatsForInputFormat = 0x6f663469,  // 'of4i'
  /// AudioFormatInfo, R: the compressed format, as the magic cookie in it describes it.
  kAudioCodecPropertyFormatInfo = 0x61636669,  // 'acfi'
  /// UInt32, R: bytes that go in at a time at most.
  kAudioCodecPropertyInputBufferSize = 0x74627566,  // 'tbuf'
  /// UInt32, R: frames of a packet; 0: they differ.
  kAudioCodecPropertyPacketFrameSize = 0x70616b66,  // 'pakf'
  /// UInt32, R: 1 where packets differ in size.
  kAudioCodecPropertyHasVariablePacketByteSizes = 0x76706b3f,  // 'vpk?'
  /// UInt32, R: 1 where a packet cannot be decoded without those before it: 0.
  kAudioCodecPropertyEmploysDependentPackets = 0x64706b3f,  // 'dpk?'
  /// UInt32, R: bytes of the largest packet.
  kAudioCodecPropertyMaximumPacketByteSize = 0x70616b62,  // 'pakb'
  /// AudioStreamBasicDescription, R: what goes into the codec.
  kAudioCodecPropertyCurrentInputFormat = 0x69666d74,  // 'ifmt'
  /// AudioStreamBasicDescription, R: what comes out of it.
  kAudioCodecPropertyCurrentOutputFormat = 0x6f666d74,  // 'ofmt'
  /// bytes, of a decoder RW: extra data that it needs in addition to the packets.
  kAudioCodecPropertyMagicCookie = 0x6b756b69,  // 'kuki'
  /// UInt32, R: bytes that have gone in and not come out.
  kAudioCodecPropertyUsedInputBufferSize = 0x75627566,  // 'ubuf'
  /// UInt32, R: 1; a converter's codec is ready.
  kAudioCodecPropertyIsInitialized = 0x696e6974,  // 'init'
  /// UInt32, of an encoder RW: bits per second; the same as kAudioConverterEncodeBitRate.
  kAudioCodecPropertyCurrentTargetBitRate = 0x62726174,  // 'brat'
  /// Float64, R: frames per second of what goes in.
  kAudioCodecPropertyCurrentInputSampleRate = 0x63697372,  // 'cisr'
  /// Float64, R: frames per second of what comes out.
  kAudioCodecPropertyCurrentOutputSampleRate = 0x636f7372,  // 'cosr'
  /// UInt32: the code of kAudioConverterSampleRateConverterQuality, which a converter
  /// takes it for; kAudioConverterCodecQuality is the codec's.
  kAudioCodecPropertyQualitySetting = 0x73726371,  // 'srcq'
  /// AudioValueRange array, R: bits per second that can be chosen now.
  kAudioCodecPropertyApplicableBitRateRange = 0x62727461,  // 'brta'
  /// AudioValueRange array, R: rates that can go in now.
  kAudioCodecPropertyApplicableInputSampleRates = 0x69737261,  // 'isra'
  /// AudioValueRange array, R: rates that can come out now.
  kAudioCodecPropertyApplicableOutputSampleRates = 0x6f737261,  // 'osra'
  /// UInt32, R: frames of silence behind the last one, once an encoder has ended.
  kAudioCodecPropertyPaddedZeros = 0x70616430,  // 'pad0'
  /// UInt32: the same as kAudioConverterPrimeMethod.
  kAudioCodecPropertyPrimeMethod = 0x70726d6d,  // 'prmm'
  /// AudioCodecPrimeInfo: the same as kAudioConverterPrimeInfo.
  kAudioCodecPropertyPrimeInfo = 0x7072696d,  // 'prim'
  /// AudioChannelLayout: the same as kAudioConverterInputChannelLayout.
  kAudioCodecPropertyCurrentInputChannelLayout = 0x69636c20,  // 'icl '
  /// AudioChannelLayout: the same as kAudioConverterOutputChannelLayout.
  kAudioCodecPropertyCurrentOutputChannelLayout = 0x6f636c20,  // 'ocl '
  /// CFDictionary, of an encoder RW: its settings, described by the keys kAudioSettings_...; the
  /// caller releases it. To change one, set the dictionary with another current value.
  kAudioCodecPropertySettings = 0x61637320,  // 'acs '
  /// AudioFormatListItem array, R: the formats as which the compressed format can be decoded.
  kAudioCodecPropertyFormatList = 0x6163666c,  // 'acfl'
  /// UInt32, of an encoder RW: kAudioCodecBitRateControlMode_...
  kAudioCodecPropertyBitRateControlMode = 0x61636266,  // 'acbf'
  /// UInt32, of an encoder RW: 0 to 127, how much is kept while the bit rate is variable.
  kAudioCodecPropertySoundQualityForVBR = 0x76627271,  // 'vbrq'
  /// UInt32, of an encoder RW: 1 for the smallest delay that it has (Opus), else 0.
  kAudioCodecPropertyMinimumDelayMode = 0x6d64656c,  // 'mdel'
  /// CFString, R: the name of the codec; the caller releases it.
  kAudioCodecPropertyNameCFString = 0x6c6e616d,  // 'lnam'
  /// CFString, R: whose it is; the caller releases it.
  kAudioCodecPropertyManufacturerCFString = 0x6c6d616b,  // 'lmak'
  /// CFString, R: the name of its format; the caller releases it.
  kAudioCodecPropertyFormatCFString = 0x6c666f72  // 'lfor'
};

/// Values of kAudioCodecPropertyBitRateControlMode. Encoders have some of them.
CF_ENUM(UInt32) {
  /// The same rate at all times, as far as the format's reservoir of bits allows.
  kAudioCodecBitRateControlMode_Constant = 0,
  /// The rate as a mean.
  kAudioCodecBitRateControlMode_LongTermAverage = 1,
  /// A rate that differs, within limits.
  kAudioCodecBitRateControlMode_VariableConstrained = 2,
  /// A quality, with the rate that it needs.
  kAudioCodecBitRateControlMode_Variable = 3
};

/// Values of kAudioCodecPropertySoundQualityForVBR.
CF_ENUM(UInt32) {
  kAudioCodecQuality_Max = 0x7f,
  kAudioCodecQuality_High = 0x60,
  kAudioCodecQuality_Medium = 0x40,
  kAudioCodecQuality_Low = 0x20,
  kAudioCodecQuality_Min = 0
};

/// Values of kAudioCodecPropertyPrimeMethod, as of kAudioConverterPrimeMethod.
CF_ENUM(UInt32) {
  kAudioCodecPrimeMethod_Pre = 0,
  kAudioCodecPrimeMethod_Normal = 1,
  kAudioCodecPrimeMethod_None = 2
};

// Keys of the dictionaries of kAudioCodecPropertySettings and kAudioConverterPropertySettings.

/// CFString: what has the settings.
#define kAudioSettings_TopLevelKey "name"
/// CFNumber: of the form of the dictionary.
#define kAudioSettings_Version "version"
/// CFArray of dictionaries, one for each setting.
#define kAudioSettings_Parameters "parameters"
/// CFString: the four characters of the property that the setting is.
#define kAudioSettings_SettingKey "key"
/// CFString: the text for display.
#define kAudioSettings_SettingName "name"
/// CFArray: the values that the setting can have; absent for any.
#define kAudioSettings_AvailableValues "available values"
/// CFNumber: the value.
#define kAudioSettings_CurrentValue "current value"
/// CFString: the unit of a number.
#define kAudioSettings_Unit "unit"

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
