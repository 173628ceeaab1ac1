// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_OPTIONS_H
#define CAUDIOTOOLBOX_AU_GRAPH_OPTIONS_H

#include "AUGraph.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it.

/// Sets whether a graph compensates latencies: it delays the branches that meet in a unit until
/// they are aligned, by the latencies that the units report. Initially off. In an initialized
/// graph, a change takes effect with the next AUGraphUpdate. A unit's latency that changes later is
/// read again with the next edit. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - inCompensates: true to align the branches.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph.
OSStatus AUGraphSetLatencyCompensation(AUGraph inGraph, Boolean inCompensates);

/// Whether the graph compensates latencies. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outCompensates: whether it does.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetLatencyCompensation(AUGraph inGraph, Boolean *outCompensates);

/// The latency in seconds of the slowest path from a source to the input of the output node; 0
/// before the graph is initialized. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outSeconds: the latency in seconds.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetLatency(AUGraph inGraph, Float64 *outSeconds);

/// Sets how many threads render a graph. If branches meet in a mixer (or a splitter, a merger),
/// those that share no unit are rendered at the same time. The output is bit-identical. `inThreads`
/// includes the thread that pulls, which is a device's or the program's: initially 1, at most 64. 0
/// means as many as there are processors; these then help only if the meeting branches took longer
/// in the previous slice than waking a thread costs (0.1 ms). The additional threads exist while
/// the graph is initialized. In an initialized graph, a change takes effect with the next
/// AUGraphUpdate. [any thread]
///
/// Render callbacks and notifications of units may then be called on any of these threads, several
/// at the same time, but never two callbacks with the same inputProcRefCon. While the output unit
/// captures, all of them are called on the device's own thread. Each unit is rendered by one thread
/// at a time. The graph does not know of other data that callbacks share, nor of units that are
/// connected by kAudioUnitProperty_MakeConnection.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inThreads: from 0 to 64.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph, or the number is out of
///   range.
OSStatus AUGraphSetRenderThreads(AUGraph inGraph, UInt32 inThreads);

/// The requested number of threads. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outThreads: the number, from 0 to 64.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetRenderThreads(AUGraph inGraph, UInt32 *outThreads);

/// When the edits of an AUGraphUpdate fade.
typedef CF_ENUM(UInt32, AUGraphEditFades) {
  /// Never: the sound changes between two slices, which may click.
  kAUGraphEditFades_Never = 0,
  /// While a device plays the graph; offline, the sound changes between two slices. The default.
  kAUGraphEditFades_OnDevices = 1,
  /// Whenever the graph is initialized, also if the program pulls it.
  kAUGraphEditFades_Always = 2
};

/// Sets when the edits of an AUGraphUpdate fade: within 5 ms from the old sound to the new one, after
/// the time that new units need to overcome their latency, at most 0.25 s. Applies to later updates.
/// [any thread]
///
/// The old and the new sources sound together, and what both need is rendered once. They cannot if
/// they would form a cycle, or if they would pull something twice: a callback, or a unit for frames
/// of different times, as behind a rate converter. Then the old sources fade out within 5 ms, and
/// the new ones fade in. The inputs of plug-in units, and inputs whose samples are in foreign byte
/// order or have other sizes than 16, 32 and 64 bits, change at once.
///
/// Nodes that are removed are rendered until the end of the fade. On a device, an AUGraphUpdate
/// with a null flag returns after it; one with a flag sets that to false meanwhile, and edits that
/// it finds take effect when the fade has ended.
///
/// - Parameters:
///   - inGraph: the graph.
///   - inFades: when edits fade.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph, or for another value.
OSStatus AUGraphSetEditFades(AUGraph inGraph, AUGraphEditFades inFades);

/// When the edits of an AUGraphUpdate fade. [any thread]
///
/// - Parameters:
///   - inGraph: the graph.
///   - outFades: when edits fade.
/// - Returns: noErr; `kAUGraphErr_CannotDoInCurrentContext` on a render thread while another thread
///   changes the graph; `kAudio_ParamError` if there is no such graph or a pointer is null.
OSStatus AUGraphGetEditFades(AUGraph inGraph, AUGraphEditFades *outFades);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
