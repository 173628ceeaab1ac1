// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_VOICE_PROPERTIES_H
#define CAUDIOTOOLBOX_VOICE_PROPERTIES_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties; written as those of every unit. All of them are global.
///
/// The voice-processing unit also has all properties of output units.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, RW, 0: captured sound passes unprocessed, with the same latency. The unit
  /// goes on learning the echo.
  kAUVoiceIOProperty_BypassVoiceProcessing = 2100,
  /// UInt32 as a Boolean, RW, 1: whether the talker is brought to a level.
  kAUVoiceIOProperty_VoiceProcessingEnableAGC = 2101,
  /// UInt32 as a Boolean, RW, 1: whether other output units of the process are ducked.
  kAUVoiceIOProperty_DuckNonVoiceAudio = 2102,
  /// UInt32, 0 to 127, RW (U), 127: below 43, echoes of 140 ms are modelled instead of 280 ms, at half of
  /// the work.
  kAUVoiceIOProperty_VoiceProcessingQuality = 2103,
  /// UInt32 as a Boolean, RW, 0: whether silence is given instead of the talker.
  kAUVoiceIOProperty_MuteOutput = 2104,
  /// AUVoiceIOMutedSpeechActivityEventListener, W: called when the talker begins and ends to speak while
  /// the unit is muted; null takes it away.
  kAUVoiceIOProperty_MutedSpeechActivityEventListener = 2106,
  /// AUVoiceIOOtherAudioDuckingConfiguration, RW: how other audio is turned down.
  kAUVoiceIOProperty_OtherAudioDuckingConfiguration = 2108
};

/// Events of a muted talker.
typedef CF_ENUM(UInt32, AUVoiceIOSpeechActivityEvent) {
  kAUVoiceIOSpeechActivityHasStarted = 0,
  kAUVoiceIOSpeechActivityHasEnded = 1
};

/// How much other audio is turned down.
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
  /// Whether ducking is only active while somebody speaks, near or far.
  Boolean mEnableAdvancedDucking;
  AUVoiceIOOtherAudioDuckingLevel mDuckingLevel;
} AUVoiceIOOtherAudioDuckingConfiguration;

#if defined(__BLOCKS__)
/// Called for events of a muted talker, on a thread of the library that may wait.
typedef void (^AUVoiceIOMutedSpeechActivityEventListener)(AUVoiceIOSpeechActivityEvent event);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
