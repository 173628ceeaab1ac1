// SPDX-License-Identifier: Apache-2.0
// Shared by the programs of this folder: units, renders and render callbacks.

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 512

// Ends the program if a call that must succeed fails.
#define SUCCEED(call)                                                    \
  do {                                                                   \
    OSStatus status_ = (call);                                           \
    if (status_) printf("%s: %d\n", #call, (int)status_), exit(1);       \
  } while (0)

static inline AudioComponentDescription described(OSType type, OSType subtype) {
  return (AudioComponentDescription){type, subtype, kAudioUnitManufacturer_Apple, 0, 0};
}

static inline AudioUnit make_unit(OSType type, OSType subtype) {
  AudioComponentDescription description = described(type, subtype);
  description.componentManufacturer = 0;
  AudioUnit unit = NULL;
  SUCCEED(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  return unit;
}

static inline AudioUnit unit_of(AUGraph graph, AUNode node) {
  AudioUnit unit = NULL;
  SUCCEED(AUGraphNodeInfo(graph, node, NULL, &unit));
  return unit;
}

static inline void feed(AudioUnit unit, AURenderCallback function) {
  AURenderCallbackStruct callback = {function, NULL};
  SUCCEED(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                               &callback, sizeof callback));
}

static inline void feed_from(AudioUnit source, AudioUnit unit) {
  AudioUnitConnection connection = {source, 0, 0};
  SUCCEED(AudioUnitSetProperty(unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
                               &connection, sizeof connection));
}

// The output of the last render.
static float sound[2][8192];

// Renders both channels of bus 0.
static inline OSStatus render(AudioUnit unit, double time, UInt32 frames) {
  struct { AudioBufferList list; AudioBuffer second; } memory;
  AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  memory.list.mNumberBuffers = 2;
  AudioBuffer *buffers = memory.list.mBuffers;
  for (int i = 0; i < 2; i++) buffers[i] = (AudioBuffer){1, frames * sizeof(float), sound[i]};
  return AudioUnitRender(unit, &flags, &stamp, 0, frames, &memory.list);
}

// The number of samples of the last render that are not finite, in both channels.
static inline int unfinite(UInt32 frames) {
  int count = 0;
  for (int c = 0; c < 2; c++)
    for (UInt32 i = 0; i < frames; i++) count += !isfinite(sound[c][i]);
  return count;
}

static inline double loudness(UInt32 frames) {
  double sum = 0;
  for (UInt32 i = 0; i < frames; i++) sum += sound[0][i] * sound[0][i];
  return sqrt(sum / frames);
}

// A constant 0.5.
static inline OSStatus half(void *context, AudioUnitRenderActionFlags *flags,
                            const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
                            AudioBufferList *data) {
  (void)context, (void)flags, (void)time, (void)bus;
  for (UInt32 b = 0; b < data->mNumberBuffers; b++)
    for (UInt32 i = 0; i < frames; i++) ((float *)data->mBuffers[b].mData)[i] = 0.5f;
  return noErr;
}

static inline double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
