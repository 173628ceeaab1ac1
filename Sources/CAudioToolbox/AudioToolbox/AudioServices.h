// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_SERVICES_H
#define CAUDIOTOOLBOX_AUDIO_SERVICES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

// Short sounds of the user interface, which the system mixes with what programs play.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// A short sound, for example of a button.
typedef UInt32 SystemSoundID;

/// The identifier of a property of system sounds.
typedef UInt32 AudioServicesPropertyID;

/// Called when a sound has ended. [control thread]
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID,
                                                       void *_Nullable clientData);

CF_ENUM(OSStatus) {
  /// The call has succeeded.
  kAudioServicesNoError = 0,
  /// There is no such property.
  kAudioServicesUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  /// The size is not that of the value.
  kAudioServicesBadPropertySizeError = 0x2173697a,  // '!siz'
  /// The specifier is not a SystemSoundID.
  kAudioServicesBadSpecifierSizeError = 0x21737063,  // '!spc'
  /// The sound cannot be made or played.
  kAudioServicesSystemSoundUnspecifiedError = -1500,
  /// The sound server did not answer in time.
  kAudioServicesSystemSoundClientTimedOutError = -1501,
  /// The file is longer than 30 seconds.
  kAudioServicesSystemSoundExceededMaximumDurationError = -1502
};

CF_ENUM(AudioServicesPropertyID) {
  /// UInt32 of a SystemSoundID, RW: whether the sound belongs to the user interface; initially 1.
  /// The value is stored, but no setting of this system silences such sounds.
  kAudioServicesPropertyIsUISound = 0x69737569,  // 'isui'
  /// UInt32 of a SystemSoundID, RW: 1 plays the sound to its end before the process exits.
  kAudioServicesPropertyCompletePlaybackIfAppDies = 0x69666469  // 'ifdi'
};

CF_ENUM(SystemSoundID) {
  /// The user's alert, from the desktop's sound theme.
  kSystemSoundID_UserPreferredAlert = 0x00001000,
  /// Flashes a screen; does nothing here.
  kSystemSoundID_FlashScreen = 0x00000FFE,
  /// Vibrates; does nothing here.
  kSystemSoundID_Vibrate = 0x00000FFF,
  /// The older name of kSystemSoundID_UserPreferredAlert.
  kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

#ifndef __swift__
/// Creates a sound from a file of at most 30 seconds. [control thread]
///
/// - Parameters:
///   - inFileURL: the path as a file URL.
///   - outSystemSoundID: the sound, which the caller disposes of; 0 after an error.
/// - Returns: noErr; `kAudioServicesSystemSoundExceededMaximumDurationError` for more than 30
///   seconds; `kAudioServicesSystemSoundUnspecifiedError` if the file cannot be read;
///   `kAudio_BadFilePathError` if the URL is not that of a file; `kAudio_ParamError` if a pointer
///   is null.
OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID);
#endif

/// Disposes of a sound, and stops it if it plays. [control thread]
///
/// - Parameter inSystemSoundID: the sound; invalid from now on.
/// - Returns: noErr, or `kAudioServicesSystemSoundUnspecifiedError` if there is no such sound.
OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

/// Starts to play a sound, and returns immediately. A sound that is already playing restarts.
/// [control thread]
///
/// - Parameter inSystemSoundID: the sound; an unknown one is silent.
void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);

/// As above, for an alert sound. [control thread]
///
/// - Parameter inSystemSoundID: the sound; an unknown one is silent.
void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);

#ifndef __swift__
/// Sets the function that is called whenever a sound has ended, on a run loop, in a mode; NULL: the
/// main thread's run loop, the default mode. [control thread]
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inRunLoop: the run loop; null for the main thread's.
///   - inRunLoopMode: its mode; null for the default one.
///   - inCompletionRoutine: the function.
///   - inClientData: passed to the function.
/// - Returns: noErr; `kAudioServicesSystemSoundUnspecifiedError` if there is no such sound;
///   `kAudio_ParamError` if the function is null.
OSStatus AudioServicesAddSystemSoundCompletion(
    SystemSoundID inSystemSoundID, CFRunLoopRef _Nullable inRunLoop,
    CFStringRef _Nullable inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *_Nullable inClientData);
#endif

/// Removes that function. [control thread]
///
/// - Parameter inSystemSoundID: the sound.
void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

/// The size of a property, and whether it can be set. [any thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier: 4.
///   - inSpecifier: a SystemSoundID.
///   - outPropertyDataSize: the size of the value in bytes. May be null.
///   - outWritable: whether it can be set. May be null.
/// - Returns: noErr; `kAudioServicesUnsupportedPropertyError` if there is no such property;
///   `kAudioServicesBadSpecifierSizeError` for another specifier;
///   `kAudioServicesSystemSoundUnspecifiedError` if there is no such sound.
OSStatus AudioServicesGetPropertyInfo(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                      const void *_Nullable inSpecifier,
                                      UInt32 *_Nullable outPropertyDataSize,
                                      Boolean *_Nullable outWritable);

/// Reads a property; the specifier is a SystemSoundID. [any thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier: 4.
///   - inSpecifier: a SystemSoundID.
///   - ioPropertyDataSize: the room in bytes; on return the size of the value.
///   - outPropertyData: memory for the value.
/// - Returns: as AudioServicesGetPropertyInfo; `kAudioServicesBadPropertySizeError` if there is too
///   little room.
OSStatus AudioServicesGetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                  const void *_Nullable inSpecifier, UInt32 *ioPropertyDataSize,
                                  void *_Nullable outPropertyData);

/// Sets a property; the specifier is a SystemSoundID. [any thread]
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier: 4.
///   - inSpecifier: a SystemSoundID.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: as AudioServicesGetPropertyInfo; `kAudioServicesBadPropertySizeError` for a wrong
///   size.
OSStatus AudioServicesSetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                  const void *_Nullable inSpecifier, UInt32 inPropertyDataSize,
                                  const void *inPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
