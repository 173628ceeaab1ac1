// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_SERVICES_H
#define CAUDIOTOOLBOX_AUDIO_SERVICES_H

#include <CoreFoundation/CoreFoundation.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// A short sound, such as that of a button.
typedef UInt32 SystemSoundID;

typedef UInt32 AudioServicesPropertyID;

/// A sound has ended. [control thread]
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID,
                                                       void *_Nullable clientData);

CF_ENUM(OSStatus) {
  kAudioServicesNoError = 0,
  kAudioServicesUnsupportedPropertyError = 0x7074793f,  // 'pty?'
  kAudioServicesBadPropertySizeError = 0x2173697a,  // '!siz'
  kAudioServicesBadSpecifierSizeError = 0x21737063,  // '!spc'
  kAudioServicesSystemSoundUnspecifiedError = -1500,
  kAudioServicesSystemSoundClientTimedOutError = -1501,
  kAudioServicesSystemSoundExceededMaximumDurationError = -1502
};

CF_ENUM(AudioServicesPropertyID) {
  /// UInt32 of a SystemSoundID, RW: 1 (as at first) belongs to the user interface. It is kept for the
  /// program; no setting here silences such sounds.
  kAudioServicesPropertyIsUISound = 0x69737569,  // 'isui'
  /// UInt32 of a SystemSoundID, RW: 1 plays on where the process ends by exit.
  kAudioServicesPropertyCompletePlaybackIfAppDies = 0x69666469  // 'ifdi'
};

CF_ENUM(SystemSoundID) {
  /// The alert that the user prefers, from the sound theme of the desktop.
  kSystemSoundID_UserPreferredAlert = 0x00001000,
  /// Flashes a screen; there is none to flash here.
  kSystemSoundID_FlashScreen = 0x00000FFE,
  /// Vibrates; there is no motor here.
  kSystemSoundID_Vibrate = 0x00000FFF,
  kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

#ifndef __swift__
/// Makes a sound of a file of 30 seconds at most. [control thread]
OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID);
#endif

/// Ends a sound, and stops it where it plays. [control thread]
OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

/// Plays a sound and returns at once. A sound that is already playing starts again. [control
/// thread]
void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);

/// The same of a sound that calls for attention. [control thread]
void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);

#ifndef __swift__
/// Has a function called after each end of a sound, on a run loop, in a mode; NULL: those of the main
/// thread, the default one. [control thread]
OSStatus AudioServicesAddSystemSoundCompletion(
    SystemSoundID inSystemSoundID, CFRunLoopRef _Nullable inRunLoop,
    CFStringRef _Nullable inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *_Nullable inClientData);
#endif

/// Takes back AudioServicesAddSystemSoundCompletion. [control thread]
void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

/// How large a property is and whether it can be set. [any thread]
OSStatus AudioServicesGetPropertyInfo(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                      const void *_Nullable inSpecifier,
                                      UInt32 *_Nullable outPropertyDataSize,
                                      Boolean *_Nullable outWritable);

/// Reads a property; the specifier is a SystemSoundID. [any thread]
OSStatus AudioServicesGetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                  const void *_Nullable inSpecifier, UInt32 *ioPropertyDataSize,
                                  void *_Nullable outPropertyData);

/// Sets a property; the specifier is a SystemSoundID. [any thread]
OSStatus AudioServicesSetProperty(AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize,
                                  const void *_Nullable inSpecifier, UInt32 inPropertyDataSize,
                                  const void *inPropertyData);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
