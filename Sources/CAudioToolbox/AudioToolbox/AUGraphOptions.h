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
OSStatus AUGraphSetLatencyCompensation(AUGraph inGraph, Boolean inCompensates);

/// Whether the graph compensates latencies. [any thread]
OSStatus AUGraphGetLatencyCompensation(AUGraph inGraph, Boolean *outCompensates);

/// The latency in seconds of the slowest path from a source to the input of the output node; 0
/// before the graph is initialized. [any thread]
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
OSStatus AUGraphSetRenderThreads(AUGraph inGraph, UInt32 inThreads);

/// The requested number of threads. [any thread]
OSStatus AUGraphGetRenderThreads(AUGraph inGraph, UInt32 *outThreads);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
