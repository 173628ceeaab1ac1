// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_CHAIN_H
#define CAUDIOTOOLBOX_AU_CHAIN_H

#include "AUComponent.h"
#include "AUGraph.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it.

/// Units that feed each other, and what renders them over memory of the program without a device: one
/// call renders any number of frames.
///
/// A chain does not own its units: the program disposes of them after the chain. Meanwhile nothing else
/// renders them, or changes their connections and formats. One thread at a time uses a chain.
typedef struct OpaqueAUChain *AUChain;

/// Options of AUChainRender.
typedef CF_OPTIONS(UInt32, AUChainFlags) {
  /// Before the first frame, the units forget what they have rendered.
  kAUChainFlag_Reset = 1 << 0,
  /// The first frames, as many as the latency of the chain, are rendered but not written: output frame 0
  /// belongs to input frame 0.
  kAUChainFlag_SkipLatency = 1 << 1
};

/// Values of a parameter over time.
typedef struct AUChainParameter {
  /// The unit's place in the chain, counted from 0.
  UInt32 mUnit;
  /// The identifier of the parameter.
  AudioUnitParameterID mID;
  /// The scope of the parameter.
  AudioUnitScope mScope;
  /// The element of the parameter.
  AudioUnitElement mElement;
  /// Frames from one value to the next: at least 1. The first value belongs to the first input frame.
  UInt32 mInterval;
  /// Not 0: the parameter moves in a straight line from each value to the next. 0: it jumps.
  UInt32 mRamps;
  /// The last value remains until the end, and afterwards.
  UInt64 mValueCount;
  /// The values, in the unit of the parameter.
  const Float32 *mValues;
} AUChainParameter;

/// A MIDI message for an instrument of the chain.
typedef struct AUChainMessage {
  /// Its time in frames from the first input frame. Messages are in the order of their times.
  UInt64 mFrame;
  /// The unit's place in the chain, counted from 0.
  UInt32 mUnit;
  /// Status and data; unused data are 0.
  UInt8 mBytes[4];
} AUChainMessage;

/// What AUChainRender renders: planar samples, native Float32.
typedef struct AUChainCall {
  /// Frames per second; above 0.
  Float64 mSampleRate;
  /// Channels of the input; 0 if the first unit needs none. The input may have one channel although the
  /// output has more: then each gets it.
  UInt32 mInputChannels;
  /// Channels of the output: at least 1.
  UInt32 mOutputChannels;
  /// Frames of the input. Later frames are silent.
  UInt64 mInputFrames;
  /// Frames of the output, which may be more: the rest of a reverberation.
  UInt64 mOutputFrames;
  /// A pointer to each channel. An output may be the same memory as the input of the same channel, unless
  /// a unit reads more or fewer frames than it writes; other overlaps are not allowed.
  const Float32 *_Nonnull const *_Nullable mInputs;
  /// A pointer to each channel of the output; null if there are no output frames.
  Float32 *_Nonnull const *_Nullable mOutputs;
  /// What happens before the first frame.
  AUChainFlags mFlags;
  /// The number of parameters that change.
  UInt32 mParameterCount;
  /// Parameters that change; null if there are none.
  const AUChainParameter *_Nullable mParameters;
  /// The number of MIDI messages.
  UInt64 mMessageCount;
  /// MIDI messages in the order of their times; null if there are none.
  const AUChainMessage *_Nullable mMessages;
} AUChainCall;

/// Makes a chain of units, in the order of the signal; it connects them at its first render.
/// [control thread]
///
/// - Parameters:
///   - inUnits: the units, in the order of the signal.
///   - inUnitCount: their number, 1 or more.
///   - outChain: the chain, which the caller disposes of; null after an error.
/// - Returns: noErr, or kAudio_ParamError for no unit, a unit twice, or an invalid one.
OSStatus AUChainNew(
    const AudioUnit _Nonnull *_Nonnull inUnits, UInt32 inUnitCount, AUChain _Nullable *_Nonnull outChain);

/// Makes a chain of an open graph that is not initialised. Its output is what the output node would play,
/// or else the only node that feeds no other; the input goes to each effect, mixer or converter whose
/// first input is not connected. The places of its units are those of the graph's nodes
/// (AUGraphGetIndNode). [control thread]
///
/// - Parameters:
///   - inGraph: an open graph.
///   - outChain: the chain, which the caller disposes of; null after an error.
/// - Returns: noErr; kAUGraphErr_OutputNodeErr if several nodes feed no other;
///   kAUGraphErr_InvalidConnection if the nodes feed each other in a circle;
///   `kAUGraphErr_InvalidAudioUnit` if the graph is not open; `kAudio_ParamError` if there is no
///   such graph or a pointer is null.
OSStatus AUChainNewFromGraph(AUGraph inGraph, AUChain _Nullable *_Nonnull outChain);

/// Disposes of a chain; its units are uninitialised and no longer connected. Those of a graph stay
/// connected. [control thread]
///
/// - Parameter inChain: the chain; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such chain.
OSStatus AUChainDispose(AUChain inChain);

/// Sets the formats of the units and initialises them, as AUChainRender does. [control thread]
///
/// - Parameters:
///   - inChain: the chain.
///   - inSampleRate: frames per second.
///   - inInputChannels: as in AUChainCall.
///   - inOutputChannels: as in AUChainCall, 1 to 1,024.
///   - outLatency: the latency in frames, summed over the units. May be null.
///   - outTail: how long the output continues to sound after the input, in frames, summed over the
///     units. May be null.
/// - Returns: noErr; `kAudioUnitErr_FormatNotSupported` if the units do not support rate or
///   channels; `kAudioUnitErr_CannotDoInCurrentContext` if another thread uses the chain; the code
///   of the unit that refuses; `kAudio_ParamError` if there is no such chain, or one of its units
///   does not exist any more.
OSStatus AUChainPrepare(
    AUChain inChain, Float64 inSampleRate, UInt32 inInputChannels, UInt32 inOutputChannels,
    UInt64 *_Nullable outLatency, UInt64 *_Nullable outTail);

/// Renders frames. Without kAUChainFlag_Reset, it continues where the call before ended, if the rate and
/// the channels are the same. Input that no unit has read, and messages after the last frame, are not kept for
/// the next call: a unit that changes the speed renders a sound in one call. [control thread]
///
/// - Parameters:
///   - inChain: the chain.
///   - inCall: what is rendered.
/// - Returns: noErr; as AUChainPrepare; the code of the unit that refuses,
///   AUDiagnosticsCopyLastExplanation names it; `kAudio_ParamError` also if memory is missing, or
///   messages or parameters are not in order.
OSStatus AUChainRender(AUChain inChain, const AUChainCall *inCall);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
