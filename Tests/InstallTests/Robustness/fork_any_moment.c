// SPDX-License-Identifier: Apache-2.0
// Forks again and again while three threads make and dispose of units, render one, and convert. Each child
// makes, renders and disposes of a unit, disposes of the parent's units, and forks a child of its own.
// Prints 200 of 200 children were well

#include "robustness.h"

#include <sys/wait.h>

enum { child_count = 200 };

static atomic_bool is_over;
static AudioUnit rendered;

static AudioUnit ready(OSType subtype) {
  AudioUnit unit = make_unit(kAudioUnitType_Effect, subtype);
  feed(unit, half);
  SUCCEED(AudioUnitInitialize(unit));
  return unit;
}

static void *make_units(void *nothing) {
  while (!is_over) {
    AudioUnit unit = ready(kAudioUnitSubType_PeakLimiter);
    SUCCEED(AudioComponentInstanceDispose(unit));
  }
  return nothing;
}

static void *render_one(void *nothing) {
  struct { AudioBufferList list; AudioBuffer second; } memory;
  static float channels[2][FRAMES];
  for (double time = 0; !is_over; time += FRAMES) {
    AudioTimeStamp stamp = {.mSampleTime = time, .mFlags = kAudioTimeStampSampleTimeValid};
    AudioUnitRenderActionFlags flags = 0;
    memory.list.mNumberBuffers = 2;
    memory.list.mBuffers[0] = (AudioBuffer){1, sizeof channels[0], channels[0]};
    memory.list.mBuffers[1] = (AudioBuffer){1, sizeof channels[1], channels[1]};
    SUCCEED(AudioUnitRender(rendered, &flags, &stamp, 0, FRAMES, &memory.list));
  }
  return nothing;
}

static void *convert(void *nothing) {
  const AudioStreamBasicDescription in = {48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked,
                                          4, 1, 4, 1, 32, 0};
  while (!is_over) {
    AudioStreamBasicDescription out = in;
    out.mSampleRate = 44100;
    AudioConverterRef converter = NULL;
    SUCCEED(AudioConverterNew(&in, &out, &converter));
    SUCCEED(AudioConverterDispose(converter));
  }
  return nothing;
}

static int be_child(int generation) {
  alarm(60);
  AudioUnit unit = ready(kAudioUnitSubType_PeakLimiter);
  SUCCEED(render(unit, 0, FRAMES));
  SUCCEED(AudioComponentInstanceDispose(unit));
  // Another thread may have been rendering it: then it is refused, but nothing waits or ends.
  AudioComponentInstanceDispose(rendered);
  if (generation == 2) return 0;
  int status = 1;
  if (fork() == 0) _exit(be_child(2));
  wait(&status);
  return status != 0;
}

int main(void) {
  rendered = ready(kAudioUnitSubType_Delay);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, make_units, NULL);
  pthread_create(&threads[1], NULL, render_one, NULL);
  pthread_create(&threads[2], NULL, convert, NULL);
  int well = 0;
  for (int i = 0; i < child_count; i++) {
    if (fork() == 0) _exit(be_child(1));
    int status = 1;
    wait(&status);
    well += status == 0;
  }
  is_over = true;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  SUCCEED(AudioComponentInstanceDispose(rendered));
  printf("%d of %d children were well\n", well, child_count);
  return well != child_count;
}
