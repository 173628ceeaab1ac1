// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_CONVERTER_H
#define CAUDIOTOOLBOX_AUDIO_CONVERTER_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// Makes one format of another: sample formats, rates, channels, and compressed formats. One thread at
/// a time uses a converter; a second gets kAudioConverterErr_OperationNotSupported.
typedef struct OpaqueAudioConverter *AudioConverterRef;

typedef UInt32 AudioConverterPropertyID;

/// How AudioConverterNewWithOptions makes a converter.
typedef CF_OPTIONS(UInt32, AudioConverterOptions) {
  /// For AudioConverterConvertBuffer and -ConvertComplexBuffer alone: formats of one rate whose packets
  /// all have one size.
  kAudioConverterOption_Unbuffered = 1U << 16
};

/// Frames that a converter reads before the first one that it gives, and after the last one.
typedef struct AudioConverterPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioConverterPrimeInfo;

/// Properties of converters.
CF_ENUM(AudioConverterPropertyID) {
  /// UInt32, R: bytes of input that a packet of output takes at least.
  kAudioConverterPropertyMinimumInputBufferSize = 0x6d696273,  // 'mibs'
  /// UInt32, R: bytes of the smallest piece of output.
  kAudioConverterPropertyMinimumOutputBufferSize = 0x6d6f6273,  // 'mobs'
  /// UInt32, R: bytes of the largest piece of input that is read at once.
  kAudioConverterPropertyMaximumInputBufferSize = 0x78696273,  // 'xibs'
  /// UInt32, R: bytes of the largest packet of the input format.
  kAudioConverterPropertyMaximumInputPacketSize = 0x78697073,  // 'xips'
  /// UInt32, R: bytes of the largest packet that can come out.
  kAudioConverterPropertyMaximumOutputPacketSize = 0x786f7073,  // 'xops'
  /// UInt32: bytes of output in, bytes of input that they take out.
  kAudioConverterPropertyCalculateInputBufferSize = 0x63696273,  // 'cibs'
  /// UInt32: bytes of input in, bytes of output that they may become out.
  kAudioConverterPropertyCalculateOutputBufferSize = 0x636f6273,  // 'cobs'
  /// UInt32, RW: kAudioConverterSampleRateConverterComplexity_...
  kAudioConverterSampleRateConverterComplexity = 0x73726361,  // 'srca'
  /// UInt32, RW: an older name of kAudioConverterSampleRateConverterComplexity.
  kAudioConverterSampleRateConverterAlgorithm = 0x73726369,  // 'srci'
  /// Float64, RW: the position of the first output frame after the first input frame, 0 to below 1
  /// input frame; where the rates have few common places, the nearest of these.
  kAudioConverterSampleRateConverterInitialPhase = 0x73726370,  // 'srcp'
  /// UInt32, RW: 0 to 127, kAudioConverterQuality_...
  kAudioConverterSampleRateConverterQuality = 0x73726371,  // 'srcq'
  /// UInt32, RW: 0 to 127, how much work an encoder does.
  kAudioConverterCodecQuality = 0x63647175,  // 'cdqu'
  /// UInt32, RW: kConverterPrimeMethod_...
  kAudioConverterPrimeMethod = 0x70726d6d,  // 'prmm'
  /// AudioConverterPrimeInfo, RW.
  kAudioConverterPrimeInfo = 0x7072696d,  // 'prim'
  /// SInt32 for each output channel, RW: the input channel that it carries, -1 for silence.
  kAudioConverterChannelMap = 0x63686d70,  // 'chmp'
  /// Bytes, RW: the magic cookie of the input, for its decoder.
  kAudioConverterDecompressionMagicCookie = 0x646d6763,  // 'dmgc'
  /// Bytes, R: the magic cookie for a decoder of the output.
  kAudioConverterCompressionMagicCookie = 0x636d6763,  // 'cmgc'
  /// UInt32, RW: bits per second that an encoder gives.
  kAudioConverterEncodeBitRate = 0x62726174,  // 'brat'
  /// Float64, R: the bit rate of the encoder.
  kAudioConverterEncodeAdjustableSampleRate = 0x616a7372,  // 'ajsr'
  /// AudioChannelLayout, RW.
  kAudioConverterInputChannelLayout = 0x69636c20,  // 'icl '
  /// AudioChannelLayout, RW.
  kAudioConverterOutputChannelLayout = 0x6f636c20,  // 'ocl '
  /// AudioValueRange array, R: the bit rates that are possible with the current formats.
  kAudioConverterApplicableEncodeBitRates = 0x61656272,  // 'aebr'
  /// AudioValueRange array, R: all bit rates of the encoder.
  kAudioConverterAvailableEncodeBitRates = 0x76656272,  // 'vebr'
  /// AudioValueRange array, R: the rates that are possible with the current formats.
  kAudioConverterApplicableEncodeSampleRates = 0x61657372,  // 'aesr'
  /// AudioValueRange array, R: all rates of the encoder.
  kAudioConverterAvailableEncodeSampleRates = 0x76657372,  // 'vesr'
  /// AudioChannelLayoutTag array, R: the layouts that the encoder takes.
  kAudioConverterAvailableEncodeChannelLayoutTags = 0x6165636c,  // 'aecl'
  /// AudioStreamBasicDescription, R: the output format, every field filled in.
  kAudioConverterCurrentOutputStreamDescription = 0x61636f64,  // 'acod'
  /// AudioStreamBasicDescription, R: the input format, every field filled in.
  kAudioConverterCurrentInputStreamDescription = 0x61636964,  // 'acid'
  /// SInt32, RW: bits of the source before it was decoded; negative for floating point.
  kAudioConverterPropertyBitDepthHint = 0x61636264,  // 'acbd'
  /// AudioFormatListItem array, R: the formats that the output can be taken for, the best one first.
  kAudioConverterPropertyFormatList = 0x666c7374,  // 'flst'
  /// UInt32, RW: 1 mixes the input channels down to fewer output channels, by their layouts.
  kAudioConverterPropertyPerformDownmix = 0x646d6978,  // 'dmix'
  /// Float32 array, RW: a gain from each input channel to each output channel, a row for each input.
  kAudioConverterPropertyChannelMixMap = 0x6d6d6170,  // 'mmap'
  /// UInt32, RW: kDitherAlgorithm_..., where samples lose bits.
  kAudioConverterPropertyDithering = 0x64697468,  // 'dith'
  /// UInt32, RW: bits that samples are rounded to with a dither, where the output has more; 0: those of
  /// the output.
  kAudioConverterPropertyDitherBitDepth = 0x64626974,  // 'dbit'
  /// CFArray, RW: dictionaries of settings, described by the keys kAudioSettings_...: of the rate
  /// conversion, of the dither and of the encoder. The caller releases it. To change a setting, set the
  /// array with another current value.
  kAudioConverterPropertySettings = 0x61637073  // 'acps'
};

/// Values of kAudioConverterPropertyDithering.
CF_ENUM(UInt32) {
  kDitherAlgorithm_None = 0,
  /// Triangular noise of two steps.
  kDitherAlgorithm_TPDF = 1,
  /// The same, with its noise moved to where ears are less keen.
  kDitherAlgorithm_NoiseShaping = 2
};

/// Values of kAudioConverterSampleRateConverterQuality and kAudioConverterCodecQuality.
CF_ENUM(UInt32) {
  kAudioConverterQuality_Max = 0x7f,
  kAudioConverterQuality_High = 0x60,
  kAudioConverterQuality_Medium = 0x40,
  kAudioConverterQuality_Low = 0x20,
  kAudioConverterQuality_Min = 0
};

/// Values of kAudioConverterSampleRateConverterComplexity.
CF_ENUM(UInt32) {
  /// The shortest filter, which costs as little as a straight line between two frames.
  kAudioConverterSampleRateConverterComplexity_Linear = 0x6c696e65,  // 'line'
  kAudioConverterSampleRateConverterComplexity_Normal = 0x6e6f726d,  // 'norm'
  /// The finest filter.
  kAudioConverterSampleRateConverterComplexity_Mastering = 0x62617473,  // 'bats'
  /// A filter without a sound before its time; low frequencies are hardly delayed.
  kAudioConverterSampleRateConverterComplexity_MinimumPhase = 0x6d696e70  // 'minp'
};

/// Values of kAudioConverterPrimeMethod.
CF_ENUM(UInt32) {
  /// Reads leading and trailing frames before it gives the first.
  kConverterPrimeMethod_Pre = 0,
  /// Reads trailing frames; before the first frame of input is silence.
  kConverterPrimeMethod_Normal = 1,
  /// Reads nothing ahead: the output is delayed by the trailing frames.
  kConverterPrimeMethod_None = 2
};

CF_ENUM(OSStatus) {
  kAudioConverterErr_FormatNotSupported = 0x666d743f,  // 'fmt?'
  kAudioConverterErr_OperationNotSupported = 0x6f703f3f,  // 'op??'
  kAudioConverterErr_PropertyNotSupported = 0x70726f70,  // 'prop'
  kAudioConverterErr_InvalidInputSize = 0x696e737a,  // 'insz'
  kAudioConverterErr_InvalidOutputSize = 0x6f74737a,  // 'otsz'
  kAudioConverterErr_UnspecifiedError = 0x77686174,  // 'what'
  kAudioConverterErr_BadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioConverterErr_RequiresPacketDescriptionsError = 0x21706b64,  // '!pkd'
  kAudioConverterErr_InputSampleRateOutOfRange = 0x21697372,  // '!isr'
  kAudioConverterErr_OutputSampleRateOutOfRange = 0x216f7372  // '!osr'
};

/// Brings input packets. [the thread that converts]
///
/// - ioNumberDataPackets: how many are wanted; then how many there are. Fewer or more may be given.
///   0 without an error is the end of the input. With an error, the conversion returns that error
///   and the output so far, and may continue later.
/// - ioData: a buffer list to point at the packets, with the bytes of each buffer. They must stay as
///   they are until the next call of this function or of AudioConverterReset or -Dispose.
/// - outDataPacketDescription: where packets differ in size, to be set to a description of each; they
///   must stay as long as the packets. Else what it is set to is ignored.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription,
    void *_Nullable inUserData);

/// The same, of a function that a render thread may call.
typedef AudioConverterComplexInputDataProc AudioConverterComplexInputDataProcRealtimeSafe;

/// Brings bytes of a format without packet descriptions, in the way of old. [the thread that converts]
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioDataSize, void *_Nonnull *_Nonnull outData,
    void *_Nullable inUserData);

// MARK: Life

/// Makes a converter. [control thread]
///
/// At least one of the formats is linear PCM, or both are the same. Of a compressed format only rate,
/// identifier and channels need to be given; rate and channels that are 0 are those of the other format.
OSStatus AudioConverterNew(const AudioStreamBasicDescription *inSourceFormat,
                           const AudioStreamBasicDescription *inDestinationFormat,
                           AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// As AudioConverterNew, with one of the codecs that are named, the first that there is. [control thread]
OSStatus AudioConverterNewSpecific(const AudioStreamBasicDescription *inSourceFormat,
                                   const AudioStreamBasicDescription *inDestinationFormat,
                                   UInt32 inNumberClassDescriptions,
                                   const AudioClassDescription *inClassDescriptions,
                                   AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// As AudioConverterNew, with options. [control thread]
OSStatus AudioConverterNewWithOptions(const AudioStreamBasicDescription *inSourceFormat,
                                      const AudioStreamBasicDescription *inDestinationFormat,
                                      AudioConverterOptions inOptions,
                                      AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// Ends a converter. [control thread]
OSStatus AudioConverterDispose(AudioConverterRef inAudioConverter);

/// Forgets the signal: before input that does not continue the previous input. [any thread]
OSStatus AudioConverterReset(AudioConverterRef inAudioConverter);

// MARK: Properties

/// Size of a property and whether it can be set. [control thread]
OSStatus AudioConverterGetPropertyInfo(AudioConverterRef inAudioConverter,
                                       AudioConverterPropertyID inPropertyID,
                                       UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

/// Reads a property: the size of the memory in, the size of the value out. [control thread]
OSStatus AudioConverterGetProperty(AudioConverterRef inAudioConverter,
                                   AudioConverterPropertyID inPropertyID,
                                   UInt32 *ioPropertyDataSize, void *outPropertyData);

/// Sets a property. Properties that change filtering, mixing or coding also reset the signal, like
/// AudioConverterReset. [control thread]
OSStatus AudioConverterSetProperty(AudioConverterRef inAudioConverter,
                                   AudioConverterPropertyID inPropertyID,
                                   UInt32 inPropertyDataSize, const void *inPropertyData);

// MARK: Converting

/// Converts the whole of one buffer into another: formats of one rate whose packets all have one size.
/// [any thread; allocates nothing]
OSStatus AudioConverterConvertBuffer(AudioConverterRef inAudioConverter, UInt32 inInputDataSize,
                                     const void *inInputData, UInt32 *ioOutputDataSize,
                                     void *outOutputData);

/// Converts frames of linear PCM to linear PCM of the same rate; buffers may be as many as the formats
/// ask for. [any thread; allocates nothing]
OSStatus AudioConverterConvertComplexBuffer(AudioConverterRef inAudioConverter,
                                            UInt32 inNumberPCMFrames,
                                            const AudioBufferList *inInputData,
                                            AudioBufferList *outOutputData);

/// Makes packets of output, and asks a function for the input that they take. [any thread; allocates
/// nothing where both formats are linear PCM]
///
/// - ioOutputDataPacketSize: packets that there is room for; then how many were made. Fewer, without an
///   error, is the end of the output; after it there is none until AudioConverterReset.
/// - outOutputData: memory, with its size in bytes; then the bytes that were written.
/// - outPacketDescription: room for as many descriptions, where the output format needs them.
OSStatus AudioConverterFillComplexBuffer(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescription);

/// As AudioConverterFillComplexBuffer, from linear PCM to linear PCM only. [render thread]
OSStatus AudioConverterFillComplexBufferRealtimeSafe(
    AudioConverterRef inAudioConverter,
    AudioConverterComplexInputDataProcRealtimeSafe inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescription);

/// As AudioConverterFillComplexBuffer, and returns the dependencies of each packet. [any thread]
OSStatus AudioConverterFillComplexBufferWithPacketDependencies(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescriptions,
    AudioStreamPacketDependencyDescription *outPacketDependencies);

/// As AudioConverterFillComplexBuffer, in bytes of formats without packet descriptions that lie in one
/// buffer. [any thread]
OSStatus AudioConverterFillBuffer(AudioConverterRef inAudioConverter,
                                  AudioConverterInputDataProc inInputDataProc,
                                  void *_Nullable inInputDataProcUserData,
                                  UInt32 *ioOutputDataSize, void *outOutputData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
