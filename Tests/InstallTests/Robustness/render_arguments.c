// SPDX-License-Identifier: Apache-2.0
// A render that is refused for its arguments calls no notification, or both; and a buffer list with
// memory in only one buffer is refused.
// Prints too many frames: -10874, notified evenly
// Prints a buffer too few: -\d+, notified evenly
// Prints a buffer without memory: refused

#include "robustness.h"

static int before, after;

static OSStatus note(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  (void)context, (void)time, (void)bus, (void)frames, (void)data;
  before += (*flags & kAudioUnitRenderAction_PreRender) != 0;
  after += (*flags & kAudioUnitRenderAction_PostRender) != 0;
  return noErr;
}

static OSStatus try_render(AudioUnit unit, UInt32 buffers, UInt32 frames, void *second) {
  struct { AudioBufferList list; AudioBuffer more; } memory;
  AudioTimeStamp stamp = {.mFlags = kAudioTimeStampSampleTimeValid};
  memory.list.mNumberBuffers = buffers;
  AudioBuffer *buffer = memory.list.mBuffers;
  buffer[0] = (AudioBuffer){1, frames * sizeof(float), sound[0]};
  buffer[1] = (AudioBuffer){1, frames * sizeof(float), second};
  return AudioUnitRender(unit, NULL, &stamp, 0, frames, &memory.list);
}

int main(void) {
  AudioUnit unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Delay);
  feed(unit, half);
  SUCCEED(AudioUnitAddRenderNotify(unit, note, NULL));
  SUCCEED(AudioUnitInitialize(unit));
  OSStatus status = try_render(unit, 2, 5000, sound[1]);
  printf("too many frames: %d, notified %s\n", (int)status, before == after ? "evenly" : "UNEVENLY");
  status = try_render(unit, 1, FRAMES, NULL);
  printf("a buffer too few: %d, notified %s\n", (int)status, before == after ? "evenly" : "UNEVENLY");
  status = try_render(unit, 2, FRAMES, NULL);
  printf("a buffer without memory: %s\n", status ? "refused" : "TAKEN");
  return 0;
}
