// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_DESCRIPTION_H
#define CAUDIOTOOLBOX_AU_GRAPH_DESCRIPTION_H

#include <CoreFoundation/CoreFoundation.h>

#include "AUGraph.h"

// Graphs as text: JSON that a program can save, compare and load.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it.
// For Swift, module AudioToolbox declares functions with the same names.
#ifndef __swift__

/// Describes an open graph as JSON, in the form that `au graph` reads. [control thread]
///
/// A unit is described by its codes and its differences from a new unit: elements, formats, the
/// preset, parameters, and the properties that `docs/graph.schema.json` lists, including the gains
/// of matrix mixers. A unit's nickname becomes its node's name. Render callbacks are omitted; a
/// graph with a sub-graph is refused.
///
/// - Parameters:
///   - inGraph: an open graph without sub-graphs.
///   - outDescription: a string that the caller releases; null after an error.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such graph, the pointer is null, or the
///   graph cannot be described.
OSStatus AUGraphCopyDescription(AUGraph inGraph, CFStringRef _Nullable *_Nonnull outDescription);

/// Creates an open graph from a description in JSON. [control thread]
///
/// - Parameters:
///   - inDescription: the text in JSON.
///   - outGraph: the graph, which the caller disposes of; null after an error.
/// - Returns: noErr; kAudio_ParamError when the text is not a valid description, else the code of
///   the call that failed. AUDiagnosticsCopyLastExplanation names the line and the member, also
///   when AUGraphInitialize, AUGraphStart or AUGraphUpdate refuses a setting of the description.
OSStatus AUGraphNewFromDescription(CFStringRef inDescription, AUGraph _Nullable *_Nonnull outGraph);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
