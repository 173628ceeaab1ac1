// SPDX-License-Identifier: Apache-2.0
// How the examples in C begin, and how they end when a call fails.

#include <AudioToolbox/AudioToolbox.h>

// Ends the program if a call failed, with the name of the call and the reason.
static inline void check(OSStatus status) {
  if (status == noErr) return;
  CFShow(AUDiagnosticsCopyLastExplanation());
  exit(1);
}

// The first step of every program: says what it is for, asks for a rate and a short cycle, in seconds, and
// activates the session. Returns the rate that was granted, at which nothing has to be converted.
static inline Float64 activateSession(UInt32 category, Float32 cycle) {
  Float64 rate = 48000, granted = 0;
  UInt32 size = sizeof granted;
  check(AudioSessionInitialize(NULL, NULL, NULL, NULL));
  check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof category, &category));
  check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, sizeof rate, &rate));
  check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, sizeof cycle,
                                &cycle));
  check(AudioSessionSetActive(true));
  check(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &granted));
  // Without a device, the first call that needs one reports it.
  return granted > 0 ? granted : rate;
}
