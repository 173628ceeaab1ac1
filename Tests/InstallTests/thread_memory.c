// SPDX-License-Identifier: Apache-2.0

// Loads the library as a plug-in's host does, after other libraries, and counts the allocations of the first
// render on a thread that did not exist before: `thread_memory plain|prepared LIBRARY OTHER…`. A prepared thread
// has called a function of the library before.

#include <AudioToolbox/AudioToolbox.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int is_watched, allocations;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The loader calls these, too.
void *malloc(size_t size) {
  if (is_watched) allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  if (is_watched) allocations++;
  return __libc_calloc(count, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  if (is_watched) allocations++;
  return __libc_memalign(alignment, size);
}
void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

static __typeof__(AudioComponentFindNext) *find_next;
static __typeof__(AudioComponentInstanceNew) *instance_new;
static __typeof__(AudioUnitInitialize) *initialize;
static __typeof__(AudioUnitGetParameter) *get_parameter;
static __typeof__(AudioUnitRender) *render;

static AudioUnit unit;
static int is_prepared;

static void *render_once(void *context) {
  static float samples[2][512];
  struct {
    UInt32 count;
    AudioBuffer buffers[2];
  } list = {2, {{1, sizeof samples[0], samples[0]}, {1, sizeof samples[1], samples[1]}}};
  const AudioTimeStamp time = {.mFlags = kAudioTimeStampSampleTimeValid};
  AudioUnitRenderActionFlags flags = 0;
  float value;
  (void)context;
  if (is_prepared) get_parameter(unit, 0, kAudioUnitScope_Global, 0, &value);
  is_watched = 1;
  const OSStatus status = render(unit, &flags, &time, 0, 512, (AudioBufferList *)&list);
  is_watched = 0;
  printf("status %d, %d allocations, sample %g\n", (int)status, allocations, samples[0][100]);
  return status || allocations || samples[0][100] == 0 ? NULL : &unit;
}

int main(int count, char **arguments) {
  for (int i = 3; i < count; i++)
    if (!dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL)) puts(dlerror());
  void *library = count > 2 ? dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) return puts(dlerror()), 1;
  is_prepared = !strcmp(arguments[1], "prepared");
  find_next = dlsym(library, "AudioComponentFindNext");
  instance_new = dlsym(library, "AudioComponentInstanceNew");
  initialize = dlsym(library, "AudioUnitInitialize");
  get_parameter = dlsym(library, "AudioUnitGetParameter");
  render = dlsym(library, "AudioUnitRender");
  const AudioComponentDescription tone = {
      .componentType = kAudioUnitType_Generator, .componentSubType = kAudioUnitSubType_ToneGenerator};
  if (instance_new(find_next(NULL, &tone), &unit) || initialize(unit)) return puts("no unit"), 1;
  pthread_t thread;
  void *result = NULL;
  pthread_create(&thread, NULL, render_once, NULL);
  pthread_join(thread, &result);
  return !result;
}
