// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_OPTIONS_H
#define CAUDIOTOOLBOX_AU_GRAPH_OPTIONS_H

#include "AUGraph.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Of this library alone; other implementations of the interface do not have it.

/// Aligns the branches of a graph that meet in a unit, by the latencies that the units report: the
/// earlier ones are held back. Off at first; in an initialised graph it takes effect with the next
/// AUGraphUpdate. Latencies that change later are looked at again with the next edit. [any thread]
OSStatus AUGraphSetLatencyCompensation(AUGraph inGraph, Boolean inCompensates);

/// Whether the branches are aligned. [any thread]
OSStatus AUGraphGetLatencyCompensation(AUGraph inGraph, Boolean *outCompensates);

/// Seconds by which the longest way from a source to the input of the output node lags; 0 before the
/// graph is initialised. [any thread]
OSStatus AUGraphGetLatency(AUGraph inGraph, Float64 *outSeconds);

/// Lets several threads render a graph: where branches meet in a mixer (or a splitter, a merger), those
/// that have no unit in common are rendered at the same time. The output is bit-identical.
/// `inThreads` counts the thread that pulls, a device's or the program's: 1 at first; at most 64; 0
/// for as many as there are processors, which then help only where the branches that meet took
/// longer in the slice before than it costs to wake somebody (0.1 ms). The others begin when the
/// graph is initialised and end with that; in an initialised graph a change takes effect with the
/// next AUGraphUpdate. [any thread]
///
/// Render callbacks and notifications of units may then be called on any of these threads, several at
/// the same time, but never two callbacks with the same inputProcRefCon, and all of them on the
/// device's own thread while the output unit captures. Each unit is rendered by one thread at a time.
/// What callbacks share beyond that, and units that are connected by kAudioUnitProperty_MakeConnection
/// without the graph's knowledge, the graph does not see.
OSStatus AUGraphSetRenderThreads(AUGraph inGraph, UInt32 inThreads);

/// The requested number of threads. [any thread]
OSStatus AUGraphGetRenderThreads(AUGraph inGraph, UInt32 *outThreads);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
