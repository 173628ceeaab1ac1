// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_TOOLBOX_H
#define CAUDIOTOOLBOX_AUDIO_TOOLBOX_H

// All headers of AudioToolbox, and functions that print what an object is.

// This header comes first, because it selects what the system's headers declare.
#include <CoreFoundation/CoreFoundation.h>

// C programs expect these from the umbrella header. Swift gets them from Foundation.
#include <stdio.h>
#ifndef __swift__
#include <pthread.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>
#endif

#include "../CoreAudio/CoreAudio.h"
#include "../CoreMIDI/CoreMIDI.h"
#include "AUAggregateDevices.h"
#include "AUAudioUnitImplementation.h"
#include "AUDevices.h"
#include "AUChain.h"
#include "AUComponent.h"
#include "AUDiagnostics.h"
#include "AUGraph.h"
#include "AUGraphDescription.h"
#include "AUGraphOptions.h"
#include "AUParameters.h"
#include "AUPlugIns.h"
#include "AUToneGenerator.h"
#include "AudioCodec.h"
#include "AudioComponent.h"
#include "AudioConverter.h"
#include "AudioFile.h"
#include "AudioFileStream.h"
#include "AudioFormat.h"
#include "AudioHardwareService.h"
#include "AudioOutputUnit.h"
#include "AudioQueue.h"
#include "AudioServices.h"
#include "AudioSession.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "AudioUnitUtilities.h"
#include "ExtendedAudioFile.h"
#include "MusicDevice.h"
#include "MusicPlayer.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Prints an object for debugging: an AUGraph, an AudioUnit or an AudioComponent. Of any other
/// object only the address is printed; it is not dereferenced. [control thread]
///
/// - Parameter inObject: the object.
void CAShow(void *inObject);

/// As CAShow, to a file. [control thread]
///
/// - Parameters:
///   - inObject: the object.
///   - inFile: the file.
void CAShowFile(void *inObject, FILE *inFile);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
