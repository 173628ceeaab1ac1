// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_FORMAT_H
#define CAUDIOTOOLBOX_AUDIO_FORMAT_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

// What is known of formats, codecs and layouts of channels without a converter.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// The identifier of a property of formats and layouts.
typedef UInt32 AudioFormatPropertyID;

/// The algorithm of a panning matrix.
typedef CF_ENUM(UInt32, AudioPanningMode) {
  /// A first-order sound field, decoded for all speakers.
  kPanningMode_SoundField = 3,
  /// The two speakers next to the direction of the sound.
  kPanningMode_VectorBasedPanning = 4
};

/// A sound to be placed among speakers.
struct AudioPanningInfo {
  /// The law of the gains.
  AudioPanningMode mPanningMode;
  /// Rectangular coordinates (right, front, up) or spherical ones (azimuth to the right and
  /// elevation in degrees, distance).
  AudioChannelFlags mCoordinateFlags;
  /// The position; the flags select its coordinates.
  Float32 mCoordinates[3];
  /// A factor for all gains.
  Float32 mGainScale;
  /// The speakers.
  const AudioChannelLayout *mOutputChannelMap;
};
typedef struct AudioPanningInfo AudioPanningInfo;

/// The rule for the gains of the two sides of a balance.
typedef CF_ENUM(UInt32, AudioBalanceFadeType) {
  /// The louder side has a gain of one.
  kAudioBalanceFadeType_MaxUnityGain = 0,
  /// Constant power at every position.
  kAudioBalanceFadeType_EqualPower = 1
};

/// A balance between left and right, and a fade between back and front.
struct AudioBalanceFade {
  /// -1 left to 1 right.
  Float32 mLeftRightBalance;
  /// -1 back to 1 front.
  Float32 mBackFrontFade;
  /// The law of the gains.
  AudioBalanceFadeType mType;
  /// The speakers.
  const AudioChannelLayout *mChannelLayout;
};
typedef struct AudioBalanceFade AudioBalanceFade;

/// A format with its magic cookie.
struct AudioFormatInfo {
  AudioStreamBasicDescription mASBD;   ///< The format.
  const void *_Nullable mMagicCookie;  ///< What a decoder must know besides the format.
  UInt32 mMagicCookieSize;             ///< The size of the cookie in bytes.
};
typedef struct AudioFormatInfo AudioFormatInfo;

/// A format with its magic cookie and its codec.
struct ExtendedAudioFormatInfo {
  AudioStreamBasicDescription mASBD;        ///< The format.
  const void *_Nullable mMagicCookie;       ///< What a decoder must know besides the format.
  UInt32 mMagicCookieSize;                  ///< The size of the cookie in bytes.
  AudioClassDescription mClassDescription;  ///< The codec.
};
typedef struct ExtendedAudioFormatInfo ExtendedAudioFormatInfo;

/// Types of codecs in an AudioClassDescription.
CF_ENUM(UInt32) {
  kAudioDecoderComponentType = 0x61646563,  ///< Makes linear samples of packets ('adec').
  kAudioEncoderComponentType = 0x61656e63   ///< Makes packets of linear samples ('aenc').
};

/// Manufacturers of codecs in an AudioClassDescription.
CF_ENUM(UInt32) {
  /// All codecs of this library.
  kAppleSoftwareAudioCodecManufacturerCode = 0x6170706c,  // 'appl'
  /// Codecs in hardware, which do not exist here.
  kAppleHardwareAudioCodecManufacturerCode = 0x61706877  // 'aphw'
};

// MARK: Properties

/// Properties of formats: the type of the specifier, then that of the result. The caller releases a
/// CFString.
CF_ENUM(AudioFormatPropertyID) {
  /// AudioStreamBasicDescription in and out: fills in the other fields for an identifier, rate and
  /// channels; the specifier may be a magic cookie.
  kAudioFormatProperty_FormatInfo = 0x666d7469,  // 'fmti'
  /// AudioStreamBasicDescription: CFString.
  kAudioFormatProperty_FormatName = 0x666e616d,  // 'fnam'
  /// Nothing: UInt32 array, the formats that can be encoded.
  kAudioFormatProperty_EncodeFormatIDs = 0x61636f66,  // 'acof'
  /// Nothing: UInt32 array, the formats that can be decoded.
  kAudioFormatProperty_DecodeFormatIDs = 0x61636966,  // 'acif'
  /// AudioFormatInfo: AudioFormatListItem array, the formats as which the stream can be decoded,
  /// the best first.
  kAudioFormatProperty_FormatList = 0x666c7374,  // 'flst'
  /// An MPEG-4 elementary stream descriptor: AudioStreamBasicDescription.
  kAudioFormatProperty_ASBDFromESDS = 0x65737364,  // 'essd'
  /// An MPEG-4 elementary stream descriptor: AudioChannelLayout.
  kAudioFormatProperty_ChannelLayoutFromESDS = 0x6573636c,  // 'escl'
  /// AudioFormatInfo: AudioFormatListItem array, the formats as which an encoder's output can be
  /// decoded.
  kAudioFormatProperty_OutputFormatList = 0x6f666c73,  // 'ofls'
  /// AudioFormatListItem array: UInt32, the index of the first that can be decoded.
  kAudioFormatProperty_FirstPlayableFormatFromList = 0x6670666c,  // 'fpfl'
  /// AudioStreamBasicDescription: UInt32, whether packets differ in size.
  kAudioFormatProperty_FormatIsVBR = 0x66766272,  // 'fvbr'
  /// AudioStreamBasicDescription: UInt32, whether packets need descriptions.
  kAudioFormatProperty_FormatIsExternallyFramed = 0x66657866,  // 'fexf'
  /// AudioStreamBasicDescription: UInt32, whether packets need earlier ones.
  kAudioFormatProperty_FormatEmploysDependentPackets = 0x66646570,  // 'fdep'
  /// UInt32 format identifier: UInt32, whether it is encrypted.
  kAudioFormatProperty_FormatIsEncrypted = 0x63727970,  // 'cryp'
  /// UInt32 format identifier: AudioClassDescription array.
  kAudioFormatProperty_Encoders = 0x6176656e,  // 'aven'
  /// UInt32 format identifier: AudioClassDescription array.
  kAudioFormatProperty_Decoders = 0x61766465,  // 'avde'
  /// UInt32 format identifier: AudioValueRange array.
  kAudioFormatProperty_AvailableEncodeBitRates = 0x61656272,  // 'aebr'
  /// UInt32 format identifier: AudioValueRange array.
  kAudioFormatProperty_AvailableEncodeSampleRates = 0x61657372,  // 'aesr'
  /// AudioStreamBasicDescription: AudioChannelLayoutTag array.
  kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 0x6165636c,  // 'aecl'
  /// AudioStreamBasicDescription: UInt32 array, 0xffffffff for any number.
  kAudioFormatProperty_AvailableEncodeNumberChannels = 0x61766e63,  // 'avnc'
  /// AudioStreamBasicDescription: UInt32 array, 0xffffffff for any number.
  kAudioFormatProperty_AvailableDecodeNumberChannels = 0x61646e63,  // 'adnc'
  /// The bytes of an MPEG audio packet: AudioStreamBasicDescription.
  kAudioFormatProperty_ASBDFromMPEGPacket = 0x61646d70  // 'admp'
};

/// Properties of layouts.
CF_ENUM(AudioFormatPropertyID) {
  /// AudioChannelLayoutTag: UInt32.
  kAudioFormatProperty_BitmapForLayoutTag = 0x626d7467,  // 'bmtg'
  /// Two pointers to AudioChannelLayout, of input and output: Float32 array, one row per input.
  kAudioFormatProperty_MatrixMixMap = 0x6d6d6170,  // 'mmap'
  /// Two pointers to AudioChannelLayout, of input and output: SInt32 for each output, -1 for none.
  kAudioFormatProperty_ChannelMap = 0x63686d70,  // 'chmp'
  /// AudioChannelLayout: UInt32.
  kAudioFormatProperty_NumberOfChannelsForLayout = 0x6e63686d,  // 'nchm'
  /// Two pointers to AudioChannelLayout: UInt32, whether they have the same channels in the same
  /// order.
  kAudioFormatProperty_AreChannelLayoutsEquivalent = 0x63686571,  // 'cheq'
  /// AudioChannelLayout: UInt32, equal for equivalent layouts.
  kAudioFormatProperty_ChannelLayoutHash = 0x63686861,  // 'chha'
  /// AudioChannelLayout: no value; the status shows whether the layout is consistent.
  kAudioFormatProperty_ValidateChannelLayout = 0x7661636c,  // 'vacl'
  /// AudioChannelLayoutTag: AudioChannelLayout with descriptions.
  kAudioFormatProperty_ChannelLayoutForTag = 0x636d706c,  // 'cmpl'
  /// AudioChannelLayout: AudioChannelLayoutTag.
  kAudioFormatProperty_TagForChannelLayout = 0x636d7074,  // 'cmpt'
  /// AudioChannelLayout: CFString.
  kAudioFormatProperty_ChannelLayoutName = 0x6c6f6e6d,  // 'lonm'
  /// AudioChannelLayout: CFString.
  kAudioFormatProperty_ChannelLayoutSimpleName = 0x6c736e6d,  // 'lsnm'
  /// UInt32 bitmap: AudioChannelLayout with descriptions.
  kAudioFormatProperty_ChannelLayoutForBitmap = 0x636d7062,  // 'cmpb'
  /// AudioChannelDescription: CFString.
  kAudioFormatProperty_ChannelName = 0x636e616d,  // 'cnam'
  /// AudioChannelDescription: CFString.
  kAudioFormatProperty_ChannelShortName = 0x63736e6d,  // 'csnm'
  /// UInt32 number of channels: AudioChannelLayoutTag array.
  kAudioFormatProperty_TagsForNumberOfChannels = 0x74616763,  // 'tagc'
  /// AudioPanningInfo: Float32 for each channel.
  kAudioFormatProperty_PanningMatrix = 0x70616e6d,  // 'panm'
  /// AudioBalanceFade: Float32 for each channel.
  kAudioFormatProperty_BalanceFade = 0x62616c66,  // 'balf'
  /// The first ten bytes of an ID3 tag: UInt32, the size of the whole tag in bytes.
  kAudioFormatProperty_ID3TagSize = 0x69643373  // 'id3s'
};

CF_ENUM(OSStatus) {
  /// The property cannot be read.
  kAudioFormatUnspecifiedError = 0x77686174,  // 'what'
  /// There is no such property.
  kAudioFormatUnsupportedPropertyError = 0x70726f70,  // 'prop'
  /// The memory is too small for the value.
  kAudioFormatBadPropertySizeError = 0x2173697a,  // '!siz'
  /// The specifier does not have the size of its type.
  kAudioFormatBadSpecifierSizeError = 0x21737063,  // '!spc'
  /// The format or layout is unknown, or has no codec.
  kAudioFormatUnsupportedDataFormatError = 0x666d743f,  // 'fmt?'
  /// The layout is not consistent.
  kAudioFormatUnknownFormatError = 0x21666d74  // '!fmt'
};

/// The size of a property's value. [control thread]
///
/// - Parameters:
///   - inPropertyID: the property, such as kAudioFormatProperty_FormatInfo.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: what the property is asked about; null if it needs nothing.
///   - outPropertyDataSize: the size of the value in bytes; 0 after an error.
/// - Returns: noErr; `kAudioFormatUnsupportedPropertyError` if there is no such property;
///   `kAudioFormatBadSpecifierSizeError` for a specifier of a wrong size; `kAudio_ParamError` if
///   the pointer is null or the specifier is wrong.
OSStatus AudioFormatGetPropertyInfo(AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize,
                                    const void *_Nullable inSpecifier,
                                    UInt32 *outPropertyDataSize);

/// Reads a property; the size is that of the memory, and on return that of the value. [control
/// thread]
///
/// - Parameters:
///   - inPropertyID: the property, such as kAudioFormatProperty_FormatInfo.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: what the property is asked about; null if it needs nothing.
///   - ioPropertyDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value.
/// - Returns: noErr; `kAudioFormatUnsupportedPropertyError` if there is no such property;
///   `kAudioFormatBadSpecifierSizeError` for a specifier of a wrong size;
///   `kAudioFormatBadPropertySizeError` if there is too little room; `kAudio_ParamError` if a
///   pointer is null or the specifier is wrong.
OSStatus AudioFormatGetProperty(AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize,
                                const void *_Nullable inSpecifier,
                                UInt32 *_Nullable ioPropertyDataSize,
                                void *_Nullable outPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
