// SPDX-License-Identifier: Apache-2.0
// Plays a tone for two seconds: cc tone.c $(pkg-config --cflags --libs audiotoolbox)
#include <AudioToolbox/AudioToolbox.h>

static OSStatus tone(void *phase, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *when,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  for (UInt32 i = 0; i < frames; i++) {
    const double sample = sin(*(double *)phase += 2 * M_PI * 440 / 44100) / 4;
    for (UInt32 c = 0; c < data->mNumberBuffers; c++) ((Float32 *)data->mBuffers[c].mData)[i] = sample;
  }
  return noErr;
}

int main(void) {
  double phase = 0;
  AudioComponentDescription description = {.componentType = kAudioUnitType_Output,
                                           .componentSubType = kAudioUnitSubType_DefaultOutput};
  AURenderCallbackStruct source = {tone, &phase};
  AudioUnit unit;
  AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit);
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                       &source, sizeof source);
  if (AudioUnitInitialize(unit) || AudioOutputUnitStart(unit)) {
    CFShow(AUDiagnosticsCopyLastExplanation());
    return 1;
  }
  sleep(2);
  AudioOutputUnitStop(unit);
  return AudioComponentInstanceDispose(unit);
}
