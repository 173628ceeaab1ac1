// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_VOICE_PROPERTIES_H
#define CAUDIOTOOLBOX_VOICE_PROPERTIES_H

#include "../AUComponent.h"

// Properties of the voice processing unit: bypass, mute, detection of speech, ducking.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties, all in the global scope; the notation is that of GeneralProperties.h.
///
/// The voice-processing unit also has all properties of output units.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, RW, 0: 1 passes captured sound unprocessed, with the same latency. The
  /// echo canceller continues to adapt.
  kAUVoiceIOProperty_BypassVoiceProcessing = 2100,
  /// UInt32 as a Boolean, RW, 1: whether automatic gain control is on.
  kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,
  /// UInt32 as a Boolean, RW, 1: whether other output units of the process are ducked.
  kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,
  /// UInt32, 0 to 127, RW (U), 127: below 43, echoes up to 140 ms are modeled instead of 400 ms,
  /// with half of the CPU time.
  kAUVoiceIOProperty_VoiceProcessingQuality = 2103,
  /// UInt32 as a Boolean, RW, 0: whether the captured sound is muted.
  kAUVoiceIOProperty_MuteOutput = 2104,
  /// AUVoiceIOMutedSpeechActivityEventListener, W: called when the talker starts and stops speaking
  /// while the unit is muted; null removes it.
  kAUVoiceIOProperty_MutedSpeechActivityEventListener = 2106,
  /// AUVoiceIOOtherAudioDuckingConfiguration, RW: how other audio is ducked.
  kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108
};

/// Events of a muted talker.
typedef CF_ENUM(UInt32, AUVoiceIOSpeechActivityEvent) {
  kAUVoiceIOSpeechActivityHasStarted = 0,  ///< Somebody has begun to talk.
  kAUVoiceIOSpeechActivityHasEnded = 1     ///< Nobody talks any more.
};

/// How much other audio is ducked.
typedef CF_ENUM(UInt32, AUVoiceIOOtherAudioDuckingLevel) {
  /// As `Mid`.
  kAUVoiceIOOtherAudioDuckingLevelDefault = 0,
  /// By 6 dB.
  kAUVoiceIOOtherAudioDuckingLevelMin = 10,
  /// By 12 dB.
  kAUVoiceIOOtherAudioDuckingLevelMid = 20,
  /// By 24 dB.
  kAUVoiceIOOtherAudioDuckingLevelMax = 30
};

/// How other output units of the process are ducked while this one runs.
typedef struct AUVoiceIOOtherAudioDuckingConfiguration {
  /// Whether ducking is only active while the near or the far talker speaks.
  Boolean mEnableAdvancedDucking;
  /// How far they are turned down.
  AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
} AUVoiceIOOtherAudioDuckingConfiguration;

#if defined(__BLOCKS__)
/// Called for events of a muted talker, on a thread of the library; it may wait.
typedef void (^AUVoiceIOMutedSpeechActivityEventListener)(AUVoiceIOSpeechActivityEvent event);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
