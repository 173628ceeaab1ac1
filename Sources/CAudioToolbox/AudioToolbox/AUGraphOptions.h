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

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
