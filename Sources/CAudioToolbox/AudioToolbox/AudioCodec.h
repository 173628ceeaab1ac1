// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_CODEC_H
#define CAUDIOTOOLBOX_AUDIO_CODEC_H

#include "../CoreAudioTypes/CoreAudioTypes.h"

// The properties of encoders and decoders, which are read and set through their converter.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// The identifier of a property of a codec.
typedef UInt32 AudioCodecPropertyID;

/// The numbers of frames before and after the sound.
typedef struct AudioCodecPrimeInfo {
  UInt32 leadingFrames;   ///< Frames before the sound.
  UInt32 trailingFrames;  ///< Frames after the sound.
} AudioCodecPrimeInfo;

/// Properties of codecs. A converter has the properties of its encoder, or without one of its
/// decoder; read and set them with AudioConverterGetProperty and AudioConverterSetProperty.
CF_ENUM(AudioCodecPropertyID) {
  /// AudioStreamBasicDescription array, R: the input formats, with the converter's rate and
  /// channels.
  kAudioCodecPropertySupportedInputFormats = 0x69666d23,  // 'ifm#'
  /// AudioStreamBasicDescription array, R: the output formats.
  kAudioCodecPropertySupportedOutputFormats = 0x6f666d23,  // 'ofm#'
  /// AudioValueRange array, R: the possible input rates.
  kAudioCodecPropertyAvailableInputSampleRates = 0x61697372,  // 'aisr'
  /// AudioValueRange array, R: the possible output rates.
  kAudioCodecPropertyAvailableOutputSampleRates = 0x616f7372,  // 'aosr'
  /// AudioValueRange array, R: the possible bit rates; empty for lossless codecs.
  kAudioCodecPropertyAvailableBitRateRange = 0x61627274,  // 'abrt'
  /// UInt32, R: the input packets needed for one output packet: 1.
  kAudioCodecPropertyMinimumNumberInputPackets = 0x6d6e6970,  // 'mnip'
  /// UInt32, R: the smallest number of output packets: 1.
  kAudioCodecPropertyMinimumNumberOutputPackets = 0x6d6e6f70,  // 'mnop'
  /// UInt32 array, R: the possible numbers of channels; 0xffffffff: any.
  kAudioCodecPropertyAvailableNumberChannels = 0x636d6e63,  // 'cmnc'
  /// UInt32, R: 1 for a codec with a fixed rate (Opus decodes at 48 kHz), else 0.
  kAudioCodecPropertyDoesSampleRateConversion = 0x6c6d7263,  // 'lmrc'
  /// AudioChannelLayoutTag array, R: the input layouts.
  kAudioCodecPropertyAvailableInputChannelLayoutTags = 0x6169636c,  // 'aicl'
  /// AudioChannelLayoutTag array, R: the output layouts.
  kAudioCodecPropertyAvailableOutputChannelLayoutTags = 0x616f636c,  // 'aocl'
  /// AudioStreamBasicDescription array, R: the input formats for the output format.
  kAudioCodecPropertyInputFormatsForOutputFormat = 0x6966346f,  // 'if4o'
  /// AudioStreamBasicDescription array, R: the output formats for the input format.
  kAudioCodecPropertyOutputFormatsForInputFormat = 0x6f663469,  // 'of4i'
  /// AudioFormatInfo, R: the compressed format, as its magic cookie describes it.
  kAudioCodecPropertyFormatInfo = 0x61636669,  // 'acfi'
  /// UInt32, R: the most bytes of input at a time.
  kAudioCodecPropertyInputBufferSize = 0x74627566,  // 'tbuf'
  /// UInt32, R: the frames of a packet; 0 if packets differ.
  kAudioCodecPropertyPacketFrameSize = 0x70616b66,  // 'pakf'
  /// UInt32, R: 1 if packets differ in size.
  kAudioCodecPropertyHasVariablePacketByteSizes = 0x76706b3f,  // 'vpk?'
  /// UInt32, R: 0, because every packet can be decoded without earlier ones.
  kAudioCodecPropertyEmploysDependentPackets = 0x64706b3f,  // 'dpk?'
  /// UInt32, R: the size of the largest packet in bytes.
  kAudioCodecPropertyMaximumPacketByteSize = 0x70616b62,  // 'pakb'
  /// AudioStreamBasicDescription, R: the input format.
  kAudioCodecPropertyCurrentInputFormat = 0x69666d74,  // 'ifmt'
  /// AudioStreamBasicDescription, R: the output format.
  kAudioCodecPropertyCurrentOutputFormat = 0x6f666d74,  // 'ofmt'
  /// Bytes, RW for decoders: the data that a decoder needs in addition to the packets.
  kAudioCodecPropertyMagicCookie = 0x6b756b69,  // 'kuki'
  /// UInt32, R: the bytes of input that the codec still holds.
  kAudioCodecPropertyUsedInputBufferSize = 0x75627566,  // 'ubuf'
  /// UInt32, R: 1, because a converter's codec is always initialized.
  kAudioCodecPropertyIsInitialized = 0x696e6974,  // 'init'
  /// UInt32, RW for encoders: bits per second; the same as kAudioConverterEncodeBitRate.
  kAudioCodecPropertyCurrentTargetBitRate = 0x62726174,  // 'brat'
  /// Float64, R: the input rate in frames per second.
  kAudioCodecPropertyCurrentInputSampleRate = 0x63697372,  // 'cisr'
  /// Float64, R: the output rate in frames per second.
  kAudioCodecPropertyCurrentOutputSampleRate = 0x636f7372,  // 'cosr'
  /// UInt32: has the code of kAudioConverterSampleRateConverterQuality, and a converter treats it
  /// so; the codec's quality is kAudioConverterCodecQuality.
  kAudioCodecPropertyQualitySetting = 0x73726371,  // 'srcq'
  /// AudioValueRange array, R: the bit rates that are possible now.
  kAudioCodecPropertyApplicableBitRateRange = 0x62727461,  // 'brta'
  /// AudioValueRange array, R: the input rates that are possible now.
  kAudioCodecPropertyApplicableInputSampleRates = 0x69737261,  // 'isra'
  /// AudioValueRange array, R: the output rates that are possible now.
  kAudioCodecPropertyApplicableOutputSampleRates = 0x6f737261,  // 'osra'
  /// UInt32, R: the frames of silence after the sound, once an encoder has finished.
  kAudioCodecPropertyPaddedZeros = 0x70616430,  // 'pad0'
  /// UInt32: the same as kAudioConverterPrimeMethod.
  kAudioCodecPropertyPrimeMethod = 0x70726d6d,  // 'prmm'
  /// AudioCodecPrimeInfo: the same as kAudioConverterPrimeInfo.
  kAudioCodecPropertyPrimeInfo = 0x7072696d,  // 'prim'
  /// AudioChannelLayout: the same as kAudioConverterInputChannelLayout.
  kAudioCodecPropertyCurrentInputChannelLayout = 0x69636c20,  // 'icl '
  /// AudioChannelLayout: the same as kAudioConverterOutputChannelLayout.
  kAudioCodecPropertyCurrentOutputChannelLayout = 0x6f636c20,  // 'ocl '
  /// CFDictionary, RW for encoders: the settings, described by the keys kAudioSettings_...; the
  /// caller releases it. To change a setting, set the dictionary with another current value.
  kAudioCodecPropertySettings = 0x61637320,  // 'acs '
  /// AudioFormatListItem array, R: the formats as which the compressed format can be decoded.
  kAudioCodecPropertyFormatList = 0x6163666c,  // 'acfl'
  /// UInt32, RW for encoders: how the rate varies, kAudioCodecBitRateControlMode_...
  kAudioCodecPropertyBitRateControlMode = 0x61636266,  // 'acbf'
  /// UInt32, RW for encoders: the quality of a variable bit rate, 0 to 127.
  kAudioCodecPropertySoundQualityForVBR = 0x76627271,  // 'vbrq'
  /// UInt32, RW for encoders: 1 for the shortest delay (Opus), else 0.
  kAudioCodecPropertyMinimumDelayMode = 0x6d64656c,  // 'mdel'
  /// CFString, R: the name of the codec; the caller releases it.
  kAudioCodecPropertyNameCFString = 0x6c6e616d,  // 'lnam'
  /// CFString, R: the manufacturer; the caller releases it.
  kAudioCodecPropertyManufacturerCFString = 0x6c6d616b,  // 'lmak'
  /// CFString, R: the name of its format; the caller releases it.
  kAudioCodecPropertyFormatCFString = 0x6c666f72  // 'lfor'
};

/// Values of kAudioCodecPropertyBitRateControlMode. Each encoder supports some of them.
CF_ENUM(UInt32) {
  /// A constant rate, within the format's bit reservoir.
  kAudioCodecBitRateControlMode_Constant = 0,
  /// An average rate.
  kAudioCodecBitRateControlMode_LongTermAverage = 1,
  /// A variable rate within limits.
  kAudioCodecBitRateControlMode_VariableConstrained = 2,
  /// A constant quality, with a variable rate.
  kAudioCodecBitRateControlMode_Variable = 3
};

/// Values of kAudioCodecPropertySoundQualityForVBR.
CF_ENUM(UInt32) {
  kAudioCodecQuality_Max = 0x7f,     ///< The best sound, at the most bits and CPU time.
  kAudioCodecQuality_High = 0x60,    ///< Better sound than medium.
  kAudioCodecQuality_Medium = 0x40,  ///< The usual compromise of sound and bits.
  kAudioCodecQuality_Low = 0x20,     ///< Fewer bits than medium.
  kAudioCodecQuality_Min = 0         ///< The fewest bits.
};

/// Values of kAudioCodecPropertyPrimeMethod, as of kAudioConverterPrimeMethod.
CF_ENUM(UInt32) {
  /// Leading and trailing frames are read before the first output.
  kAudioCodecPrimeMethod_Pre = 0,
  /// Trailing frames are read; silence precedes the sound.
  kAudioCodecPrimeMethod_Normal = 1,
  /// Nothing is read ahead: the output is delayed by the trailing frames.
  kAudioCodecPrimeMethod_None = 2
};

// Keys of the dictionaries of kAudioCodecPropertySettings and kAudioConverterPropertySettings.

/// CFString: the object that has the settings.
#define kAudioSettings_TopLevelKey "name"
/// CFNumber: the version of the dictionary's form.
#define kAudioSettings_Version "version"
/// CFArray of dictionaries, one for each setting.
#define kAudioSettings_Parameters "parameters"
/// CFString: the four-character code of the setting's property.
#define kAudioSettings_SettingKey "key"
/// CFString: the text for display.
#define kAudioSettings_SettingName "name"
/// CFArray: the allowed values of the setting; absent if any value is allowed.
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
