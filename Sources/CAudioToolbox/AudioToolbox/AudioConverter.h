// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_CONVERTER_H
#define CAUDIOTOOLBOX_AUDIO_CONVERTER_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

// Converters between formats: sample rates, bit depths, channels, and codecs.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// Converts between formats: sample formats, rates, channels, and compressed formats. One thread at
/// a time may use a converter; a second one receives kAudioConverterErr_OperationNotSupported.
typedef struct OpaqueAudioConverter *AudioConverterRef;

/// The identifier of a property of a converter.
typedef UInt32 AudioConverterPropertyID;

/// Options of AudioConverterNewWithOptions.
typedef CF_OPTIONS(UInt32, AudioConverterOptions) {
  /// Only for AudioConverterConvertBuffer and -ConvertComplexBuffer: formats with the same rate
  /// whose packets have a fixed size.
  kAudioConverterOption_Unbuffered = 1U << 16
};

/// The frames that a converter reads before its first output frame and after its last one.
typedef struct AudioConverterPrimeInfo {
  UInt32 leadingFrames;   ///< Input frames before the first output frame.
  UInt32 trailingFrames;  ///< Input frames after the last output frame.
} AudioConverterPrimeInfo;

/// Properties of converters.
CF_ENUM(AudioConverterPropertyID) {
  /// UInt32, R: the fewest bytes of input for a packet of output.
  kAudioConverterPropertyMinimumInputBufferSize = 0x6d696273,  // 'mibs'
  /// UInt32, R: the fewest bytes of output.
  kAudioConverterPropertyMinimumOutputBufferSize = 0x6d6f6273,  // 'mobs'
  /// UInt32, R: the most bytes of input that are read at a time.
  kAudioConverterPropertyMaximumInputBufferSize = 0x78696273,  // 'xibs'
  /// UInt32, R: the size of the largest input packet in bytes.
  kAudioConverterPropertyMaximumInputPacketSize = 0x78697073,  // 'xips'
  /// UInt32, R: the size of the largest output packet in bytes.
  kAudioConverterPropertyMaximumOutputPacketSize = 0x786f7073,  // 'xops'
  /// UInt32: the number of output bytes in, the input bytes that they need out.
  kAudioConverterPropertyCalculateInputBufferSize = 0x63696273,  // 'cibs'
  /// UInt32: the number of input bytes in, the most output bytes that they produce out.
  kAudioConverterPropertyCalculateOutputBufferSize = 0x636f6273,  // 'cobs'
  /// UInt32, RW: the kind of filter, kAudioConverterSampleRateConverterComplexity_...
  kAudioConverterSampleRateConverterComplexity = 0x73726361,  // 'srca'
  /// UInt32, RW: an older name of kAudioConverterSampleRateConverterComplexity.
  kAudioConverterSampleRateConverterAlgorithm = 0x73726369,  // 'srci'
  /// Float64, RW: the position of the first output frame relative to the first input frame, 0 to
  /// below 1 input frame. If the rates allow only some positions, the nearest one is used.
  kAudioConverterSampleRateConverterInitialPhase = 0x73726370,  // 'srcp'
  /// UInt32, RW: the quality of the filter, 0 to 127, kAudioConverterQuality_...
  kAudioConverterSampleRateConverterQuality = 0x73726371,  // 'srcq'
  /// UInt32, RW: the quality of an encoder, 0 to 127, at the cost of CPU time.
  kAudioConverterCodecQuality = 0x63647175,  // 'cdqu'
  /// UInt32, RW: what is read before the first output frame, kConverterPrimeMethod_...
  kAudioConverterPrimeMethod = 0x70726d6d,  // 'prmm'
  /// AudioConverterPrimeInfo, RW: the frames before and after the sound.
  kAudioConverterPrimeInfo = 0x7072696d,  // 'prim'
  /// SInt32 for each output channel, RW: its input channel, -1 for silence.
  kAudioConverterChannelMap = 0x63686d70,  // 'chmp'
  /// Bytes, RW: the magic cookie of the input, for its decoder.
  kAudioConverterDecompressionMagicCookie = 0x646d6763,  // 'dmgc'
  /// Bytes, R: the magic cookie for a decoder of the output.
  kAudioConverterCompressionMagicCookie = 0x636d6763,  // 'cmgc'
  /// UInt32, RW: the encoder's output in bits per second.
  kAudioConverterEncodeBitRate = 0x62726174,  // 'brat'
  /// Float64, R: the bit rate of the encoder.
  kAudioConverterEncodeAdjustableSampleRate = 0x616a7372,  // 'ajsr'
  /// AudioChannelLayout, RW: the channels of the input.
  kAudioConverterInputChannelLayout = 0x69636c20,  // 'icl '
  /// AudioChannelLayout, RW: the channels of the output.
  kAudioConverterOutputChannelLayout = 0x6f636c20,  // 'ocl '
  /// AudioValueRange array, R: the bit rates that are possible with the current formats.
  kAudioConverterApplicableEncodeBitRates = 0x61656272,  // 'aebr'
  /// AudioValueRange array, R: all bit rates of the encoder.
  kAudioConverterAvailableEncodeBitRates = 0x76656272,  // 'vebr'
  /// AudioValueRange array, R: the rates that are possible with the current formats.
  kAudioConverterApplicableEncodeSampleRates = 0x61657372,  // 'aesr'
  /// AudioValueRange array, R: all rates of the encoder.
  kAudioConverterAvailableEncodeSampleRates = 0x76657372,  // 'vesr'
  /// AudioChannelLayoutTag array, R: the layouts that the encoder supports.
  kAudioConverterAvailableEncodeChannelLayoutTags = 0x6165636c,  // 'aecl'
  /// AudioStreamBasicDescription, R: the output format, every field filled in.
  kAudioConverterCurrentOutputStreamDescription = 0x61636f64,  // 'acod'
  /// AudioStreamBasicDescription, R: the input format, every field filled in.
  kAudioConverterCurrentInputStreamDescription = 0x61636964,  // 'acid'
  /// SInt32, RW: the bit depth of the source before it was encoded; negative for floating point.
  kAudioConverterPropertyBitDepthHint = 0x61636264,  // 'acbd'
  /// AudioFormatListItem array, R: the formats as which the output can be decoded, the best one
  /// first.
  kAudioConverterPropertyFormatList = 0x666c7374,  // 'flst'
  /// UInt32, RW: 1 mixes the input channels down to fewer output channels, by their layouts.
  kAudioConverterPropertyPerformDownmix = 0x646d6978,  // 'dmix'
  /// Float32 array, RW: the gain from each input channel to each output channel, one row per input.
  kAudioConverterPropertyChannelMixMap = 0x6d6d6170,  // 'mmap'
  /// UInt32, RW: kDitherAlgorithm_..., applied when the bit depth is reduced.
  kAudioConverterPropertyDithering = 0x64697468,  // 'dith'
  /// UInt32, RW: the bit depth to which samples are dithered, if the output has more bits; 0: the
  /// output's bit depth.
  kAudioConverterPropertyDitherBitDepth = 0x64626974,  // 'dbit'
  /// CFArray, RW: dictionaries with the settings of the rate conversion, the dither and the
  /// encoder, described by the keys kAudioSettings_.... The caller releases it. To change a
  /// setting, set the array with another current value.
  kAudioConverterPropertySettings = 0x61637073  // 'acps'
};

/// Values of kAudioConverterPropertyDithering.
CF_ENUM(UInt32) {
  /// Samples are rounded.
  kDitherAlgorithm_None = 0,
  /// Noise with a triangular distribution, two steps wide.
  kDitherAlgorithm_TPDF = 1,
  /// Triangular noise, shaped towards frequencies at which hearing is less sensitive.
  kDitherAlgorithm_NoiseShaping = 2
};

/// Values of kAudioConverterSampleRateConverterQuality and kAudioConverterCodecQuality.
CF_ENUM(UInt32) {
  /// The flattest response and the least aliasing, at the most CPU time.
  kAudioConverterQuality_Max = 0x7f,
  /// Inaudible errors.
  kAudioConverterQuality_High = 0x60,
  /// The usual compromise.
  kAudioConverterQuality_Medium = 0x40,
  /// Audible only beside a better one.
  kAudioConverterQuality_Low = 0x20,
  /// The fastest conversion.
  kAudioConverterQuality_Min = 0
};

/// Values of kAudioConverterSampleRateConverterComplexity.
CF_ENUM(UInt32) {
  /// The shortest filter, as cheap as linear interpolation.
  kAudioConverterSampleRateConverterComplexity_Linear = 0x6c696e65,  // 'line'
  /// The filters of the chosen quality.
  kAudioConverterSampleRateConverterComplexity_Normal = 0x6e6f726d,  // 'norm'
  /// The best filter.
  kAudioConverterSampleRateConverterComplexity_Mastering = 0x62617473,  // 'bats'
  /// A minimum-phase filter: no pre-ringing, and little delay at low frequencies.
  kAudioConverterSampleRateConverterComplexity_MinimumPhase = 0x6d696e70  // 'minp'
};

/// Values of kAudioConverterPrimeMethod.
CF_ENUM(UInt32) {
  /// Reads leading and trailing frames before the first output frame.
  kConverterPrimeMethod_Pre = 0,
  /// Reads trailing frames; silence precedes the first input frame.
  kConverterPrimeMethod_Normal = 1,
  /// Reads no frames ahead: the output is delayed by the trailing frames.
  kConverterPrimeMethod_None = 2
};

CF_ENUM(OSStatus) {
  /// A format is not supported, or cannot be converted to the other.
  kAudioConverterErr_FormatNotSupported = 0x666d743f,  // 'fmt?'
  /// Impossible with these formats, or at this moment.
  kAudioConverterErr_OperationNotSupported = 0x6f703f3f,  // 'op??'
  /// The converter does not have this property.
  kAudioConverterErr_PropertyNotSupported = 0x70726f70,  // 'prop'
  /// The input does not consist of whole packets.
  kAudioConverterErr_InvalidInputSize = 0x696e737a,  // 'insz'
  /// The output has no room for a packet, or lacks a buffer.
  kAudioConverterErr_InvalidOutputSize = 0x6f74737a,  // 'otsz'
  /// A codec has failed.
  kAudioConverterErr_UnspecifiedError = 0x77686174,  // 'what'
  /// The size is not that of the value.
  kAudioConverterErr_BadPropertySizeError = 0x2173697a,  // '!siz'
  /// Packets differ in size, and descriptions are missing.
  kAudioConverterErr_RequiresPacketDescriptionsError = 0x21706b64,  // '!pkd'
  /// The input rate is not supported.
  kAudioConverterErr_InputSampleRateOutOfRange = 0x21697372,  // '!isr'
  /// The output rate is not supported.
  kAudioConverterErr_OutputSampleRateOutOfRange = 0x216f7372  // '!osr'
};

/// Supplies input packets. [the thread that converts]
///
/// - ioNumberDataPackets: the requested number; on return, the supplied number, which may be
///   smaller or larger. 0 without an error is the end of the input. With an error, the conversion
///   returns that error and the output so far, and may continue later.
/// - ioData: a buffer list to point at the packets, with the size of each buffer in bytes. The
///   packets must not change until the next call of this function or of AudioConverterReset or
///   -Dispose.
/// - outDataPacketDescription: if packets differ in size, to be set to their descriptions, which
///   must stay valid as long as the packets. Ignored otherwise.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription,
    void *_Nullable inUserData);

/// As above, for a function that a render thread may call.
typedef AudioConverterComplexInputDataProc AudioConverterComplexInputDataProcRealtimeSafe;

/// Supplies bytes of a format without packet descriptions; the deprecated form. [the thread that
/// converts]
typedef OSStatus (*AudioConverterInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioDataSize, void *_Nonnull *_Nonnull outData,
    void *_Nullable inUserData);

// MARK: Life

/// Creates a converter. [control thread]
///
/// At least one format must be linear PCM, or both must be the same. A compressed format needs only
/// its rate, identifier and channels; if rate or channels are 0, those of the other format are
/// used.
///
/// - Parameters:
///   - inSourceFormat: the format of the input.
///   - inDestinationFormat: the format of the output.
///   - outAudioConverter: the converter, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioConverterErr_FormatNotSupported` if one of the formats is invalid, has
///   no codec, or cannot be converted to the other; `kAudio_ParamError` if a pointer is null.
OSStatus AudioConverterNew(const AudioStreamBasicDescription *inSourceFormat,
                           const AudioStreamBasicDescription *inDestinationFormat,
                           AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// Like AudioConverterNew, with the first available codec of a list. [control thread]
///
/// - Parameters:
///   - inSourceFormat: the format of the input.
///   - inDestinationFormat: the format of the output.
///   - inNumberClassDescriptions: the length of the list; 0 takes any codec.
///   - inClassDescriptions: the codecs, by preference; may be null if the length is 0.
///   - outAudioConverter: the converter, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioConverterErr_FormatNotSupported` if one of the formats is invalid, has
///   no codec, or cannot be converted to the other; `kAudio_ParamError` if a pointer is null.
OSStatus AudioConverterNewSpecific(const AudioStreamBasicDescription *inSourceFormat,
                                   const AudioStreamBasicDescription *inDestinationFormat,
                                   UInt32 inNumberClassDescriptions,
                                   const AudioClassDescription *inClassDescriptions,
                                   AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// As AudioConverterNew, with options. [control thread]
///
/// - Parameters:
///   - inSourceFormat: the format of the input.
///   - inDestinationFormat: the format of the output.
///   - inOptions: options of AudioConverterOptions, or 0.
///   - outAudioConverter: the converter, which the caller disposes of; null after an error.
/// - Returns: noErr; `kAudioConverterErr_FormatNotSupported` if one of the formats is invalid, has
///   no codec, or cannot be converted to the other; `kAudio_ParamError` if a pointer is null.
OSStatus AudioConverterNewWithOptions(const AudioStreamBasicDescription *inSourceFormat,
                                      const AudioStreamBasicDescription *inDestinationFormat,
                                      AudioConverterOptions inOptions,
                                      AudioConverterRef _Nullable *_Nonnull outAudioConverter);

/// Disposes of a converter. [control thread]
///
/// - Parameter inAudioConverter: the converter; invalid from now on. In its input function, it is
///   disposed of when the conversion returns.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such converter.
OSStatus AudioConverterDispose(AudioConverterRef inAudioConverter);

/// Clears the signal history, before input that does not continue the previous input. [any thread]
///
/// - Parameter inAudioConverter: the converter.
/// - Returns: noErr; `kAudioConverterErr_OperationNotSupported` if another thread uses it, or in
///   its input function; `kAudio_ParamError` if there is no such converter.
OSStatus AudioConverterReset(AudioConverterRef inAudioConverter);

// MARK: Properties

/// Size of a property and whether it can be set. [control thread]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inPropertyID: the property, such as kAudioConverterSampleRateConverterQuality.
///   - outSize: the size in bytes. May be null.
///   - outWritable: whether it can be set. May be null.
/// - Returns: noErr; `kAudioConverterErr_PropertyNotSupported` if this converter has no such
///   property; `kAudioConverterErr_OperationNotSupported` if another thread uses it, or in its
///   input function; `kAudio_ParamError` if there is no such converter.
OSStatus AudioConverterGetPropertyInfo(AudioConverterRef inAudioConverter,
                                       AudioConverterPropertyID inPropertyID,
                                       UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

/// Reads a property; the size is that of the memory, and on return that of the value. [control
/// thread]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value. The caller releases Core Foundation objects.
/// - Returns: noErr; `kAudioConverterErr_PropertyNotSupported` if this converter has no such
///   property, or it has no value; `kAudioConverterErr_BadPropertySizeError` if there is too little
///   room; `kAudioConverterErr_OperationNotSupported` if another thread uses it, or in its input
///   function; `kAudio_ParamError` if there is no such converter or a pointer is null.
OSStatus AudioConverterGetProperty(AudioConverterRef inAudioConverter,
                                   AudioConverterPropertyID inPropertyID,
                                   UInt32 *ioPropertyDataSize, void *outPropertyData);

/// Sets a property. Properties of filtering, mixing and coding also clear the signal history, like
/// AudioConverterReset. [control thread]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: noErr; `kAudioConverterErr_PropertyNotSupported` if this converter has no such
///   property; `kAudioConverterErr_BadPropertySizeError` for a wrong size;
///   `kAudioConverterErr_OperationNotSupported` if it can only be read, for a wrong value, if
///   another thread uses the converter, or in its input function; `kAudio_ParamError` if there is
///   no such converter or a pointer is null.
OSStatus AudioConverterSetProperty(AudioConverterRef inAudioConverter,
                                   AudioConverterPropertyID inPropertyID,
                                   UInt32 inPropertyDataSize, const void *inPropertyData);

// MARK: Converting

/// Converts a whole buffer; for formats with the same rate whose packets have a fixed size. [any
/// thread; allocates nothing]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inInputDataSize: the size of the input in bytes: whole frames.
///   - inInputData: the input.
///   - ioOutputDataSize: the room in bytes; on return the number that was written.
///   - outOutputData: memory for the output.
/// - Returns: noErr; `kAudioConverterErr_OperationNotSupported` if the rates differ, a format has
///   several buffers or is compressed, another thread uses the converter, or in its input function;
///   `kAudioConverterErr_InvalidInputSize` if the input is not whole frames;
///   `kAudioConverterErr_InvalidOutputSize` if there is too little room; `kAudio_ParamError` if
///   there is no such converter or a pointer is null.
OSStatus AudioConverterConvertBuffer(AudioConverterRef inAudioConverter, UInt32 inInputDataSize,
                                     const void *inInputData, UInt32 *ioOutputDataSize,
                                     void *outOutputData);

/// Converts frames of linear PCM to linear PCM of the same rate, with as many buffers as the
/// formats need. [any thread; allocates nothing]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inNumberPCMFrames: how many frames.
///   - inInputData: the input, with the size of each buffer in bytes.
///   - outOutputData: memory for the output, with its size in bytes; on return the bytes that were
///     written.
/// - Returns: noErr; `kAudioConverterErr_OperationNotSupported` if the rates differ, a format is
///   compressed, another thread uses the converter, or in its input function;
///   `kAudioConverterErr_InvalidInputSize` or `kAudioConverterErr_InvalidOutputSize` if there are
///   too few buffers, or one is too small; `kAudio_ParamError` if there is no such converter or a
///   pointer is null.
OSStatus AudioConverterConvertComplexBuffer(AudioConverterRef inAudioConverter,
                                            UInt32 inNumberPCMFrames,
                                            const AudioBufferList *inInputData,
                                            AudioBufferList *outOutputData);

/// Produces packets of output, and calls a function for the input that they need. [any thread;
/// allocates nothing if both formats are linear PCM]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inInputDataProc: supplies packets of input, on this thread.
///   - inInputDataProcUserData: passed to the function.
///   - ioOutputDataPacketSize: the number of packets that fit; on return, the number produced.
///     Fewer, without an error, is the end of the output; after it there is no output until
///     AudioConverterReset.
///   - outOutputData: memory with its size in bytes; on return, the number of bytes written.
///   - outPacketDescription: memory for as many descriptions, if the output format needs them;
///     otherwise null.
/// - Returns: noErr; what the function returned, with the output so far;
///   `kAudioConverterErr_InvalidInputSize` if it supplied other buffers than it said;
///   `kAudioConverterErr_InvalidOutputSize` if the memory is too small for a packet;
///   `kAudioConverterErr_RequiresPacketDescriptionsError` if descriptions are missing;
///   `kAudioConverterErr_UnspecifiedError` if a codec fails;
///   `kAudioConverterErr_OperationNotSupported` if another thread uses it, or in its input
///   function; `kAudio_ParamError` if there is no such converter or a pointer is null.
OSStatus AudioConverterFillComplexBuffer(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescription);

/// As AudioConverterFillComplexBuffer, from linear PCM to linear PCM only. [render thread]
///
/// - Parameters:
///   - inAudioConverter: a converter from linear PCM to linear PCM.
///   - inInputDataProc: supplies packets of input, on this thread.
///   - inInputDataProcUserData: passed to the function.
///   - ioOutputDataPacketSize: the number of frames that fit; on return, the number produced.
///   - outOutputData: memory with its size in bytes; on return, the number of bytes written.
///   - outPacketDescription: not used.
/// - Returns: as AudioConverterFillComplexBuffer; `kAudioConverterErr_OperationNotSupported` also
///   if a format is compressed.
OSStatus AudioConverterFillComplexBufferRealtimeSafe(
    AudioConverterRef inAudioConverter,
    AudioConverterComplexInputDataProcRealtimeSafe inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescription);

/// As AudioConverterFillComplexBuffer, and returns the dependencies of each packet. [any thread]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inInputDataProc: supplies packets of input, on this thread.
///   - inInputDataProcUserData: passed to the function.
///   - ioOutputDataPacketSize: the number of packets that fit; on return, the number produced.
///   - outOutputData: memory with its size in bytes; on return, the number of bytes written.
///   - outPacketDescriptions: memory for as many descriptions, if the output format needs them;
///     otherwise null.
///   - outPacketDependencies: memory for as many dependencies.
/// - Returns: as AudioConverterFillComplexBuffer.
OSStatus AudioConverterFillComplexBufferWithPacketDependencies(
    AudioConverterRef inAudioConverter, AudioConverterComplexInputDataProc inInputDataProc,
    void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
    AudioBufferList *outOutputData, AudioStreamPacketDescription *_Nullable outPacketDescriptions,
    AudioStreamPacketDependencyDescription *outPacketDependencies);

/// Like AudioConverterFillComplexBuffer, in bytes, for formats without packet descriptions and with
/// a single buffer. [any thread]
///
/// - Parameters:
///   - inAudioConverter: the converter.
///   - inInputDataProc: supplies bytes of input, on this thread.
///   - inInputDataProcUserData: passed to the function.
///   - ioOutputDataSize: the room in bytes; on return the number that was written.
///   - outOutputData: memory for the output.
/// - Returns: as AudioConverterFillComplexBuffer; `kAudioConverterErr_OperationNotSupported` also
///   if a format needs descriptions or several buffers.
OSStatus AudioConverterFillBuffer(AudioConverterRef inAudioConverter,
                                  AudioConverterInputDataProc inInputDataProc,
                                  void *_Nullable inInputDataProcUserData,
                                  UInt32 *ioOutputDataSize, void *outOutputData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
