// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_GRAPH_DESCRIPTION_H
#define CAUDIOTOOLBOX_AU_GRAPH_DESCRIPTION_H

#include <CoreFoundation/CoreFoundation.h>

#include "AUGraph.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Of this library alone; other implementations of the interface do not have it.
// Module AudioToolbox has both functions for Swift, under the same names.
#ifndef __swift__

/// Describes an open graph as JSON, in the form that `au graph` reads. [control thread]
///
/// Units are described by their codes and their differences from a new unit: elements, formats, the
/// preset, parameters, and the properties that `docs/graph.schema.json` lists, the gains of matrix
/// mixers among them. A unit's nickname is its node's name. Render callbacks are left out; a graph
/// with a sub-graph is refused.
/// - Parameter outDescription: a string that the caller releases.
OSStatus AUGraphCopyDescription(AUGraph inGraph, CFStringRef _Nullable *_Nonnull outDescription);

/// Makes an open graph of a description in JSON. [control thread]
///
/// - Returns: kAudio_ParamError when the text is not understood, else the code of the call that
///   failed; AUDiagnosticsCopyLastExplanation names the line and the member. It does so as well when
///   AUGraphInitialize, AUGraphStart or AUGraphUpdate refuses what the description says.
OSStatus AUGraphNewFromDescription(CFStringRef inDescription, AUGraph _Nullable *_Nonnull outGraph);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
