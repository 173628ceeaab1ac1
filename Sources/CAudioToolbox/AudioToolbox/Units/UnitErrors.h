// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_ERRORS_H
#define CAUDIOTOOLBOX_UNIT_ERRORS_H

#include "../AudioComponent.h"

// The results of the functions on units.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Results of the unit functions.
CF_ENUM(OSStatus) {
  /// The unit has no such property.
  kAudioUnitErr_InvalidProperty = -10879,
  /// The unit has no such parameter.
  kAudioUnitErr_InvalidParameter = -10878,
  /// There is no such element.
  kAudioUnitErr_InvalidElement = -10877,
  /// A required input has no source.
  kAudioUnitErr_NoConnection = -10876,
  /// The unit could not be initialized.
  kAudioUnitErr_FailedInitialization = -10875,
  /// More frames than the maximum per slice.
  kAudioUnitErr_TooManyFramesToProcess = -10874,
  /// The bank does not have the instrument.
  kAudioUnitErr_IllegalInstrument = -10873,
  /// The kind of the instrument is unknown.
  kAudioUnitErr_InstrumentTypeNotFound = -10872,
  /// The file is damaged, or its contents do not match its name.
  kAudioUnitErr_InvalidFile = -10871,
  /// Files of this type cannot be read.
  kAudioUnitErr_UnknownFileType = -10870,
  /// The unit needs a file, and has none.
  kAudioUnitErr_FileNotSpecified = -10869,
  /// The unit does not support the stream format or the number of channels.
  kAudioUnitErr_FormatNotSupported = -10868,
  /// Only an initialized unit can do this.
  kAudioUnitErr_Uninitialized = -10867,
  /// The property or parameter is not in this scope.
  kAudioUnitErr_InvalidScope = -10866,
  /// The property cannot be set, or not now.
  kAudioUnitErr_PropertyNotWritable = -10865,
  /// Not possible now, or on this thread.
  kAudioUnitErr_CannotDoInCurrentContext = -10863,
  /// The value of the property, or its size, is wrong.
  kAudioUnitErr_InvalidPropertyValue = -10851,
  /// The property has no value.
  kAudioUnitErr_PropertyNotInUse = -10850,
  /// Only an uninitialized unit can do this.
  kAudioUnitErr_Initialized = -10849,
  /// An offline unit was rendered before its preflight.
  kAudioUnitErr_InvalidOfflineRender = -10848,
  /// A plug-in refuses to work without a licence.
  kAudioUnitErr_Unauthorized = -10847,
  /// The unit has produced more MIDI than its buffer holds.
  kAudioUnitErr_MIDIOutputBufferFull = -66753,
  /// A unit in another process missed its deadline.
  kAudioUnitErr_RenderTimeout = -66745,
  /// The plug-in has been removed.
  kAudioUnitErr_ExtensionNotFound = -66744,
  /// The value of the parameter is not a number, or infinite.
  kAudioUnitErr_InvalidParameterValue = -66743,
  /// The path of a file cannot be used.
  kAudioUnitErr_InvalidFilePath = -66742,
  /// A dictionary lacks a required entry.
  kAudioUnitErr_MissingKey = -66741,
  /// The plug-in is of a kind that is no longer loaded.
  kAudioUnitErr_ComponentManagerNotSupported = -66740,
  /// Another voice processing unit is already in use.
  kAudioUnitErr_MultipleVoiceProcessors = -66635
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
