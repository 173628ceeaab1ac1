// SPDX-License-Identifier: Apache-2.0
// A driver with a separate feeding thread: a time-constraint policy, waits until absolute times, a
// semaphore that the render callback signals, sysctl for the machine, and a log.
// Plays 880 Hz at 0.5.

#include <AudioUnit/AudioUnit.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <mach/thread_policy.h>
#include <os/log.h>
#include <sys/sysctl.h>

enum { kFrames = 1 << 15 };
static float fifo[kFrames];
static volatile UInt32 written, consumed;
static semaphore_t needed;
static volatile Boolean done;

static OSStatus Drain(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                      UInt32 bus, UInt32 frames, AudioBufferList *data) {
  float *out = data->mBuffers[0].mData;
  if (written - consumed < frames) {
    *flags |= kAudioUnitRenderAction_OutputIsSilence;
    memset(out, 0, frames * sizeof *out);
  } else {
    for (UInt32 i = 0; i < frames; i++) out[i] = fifo[consumed++ % kFrames];
  }
  semaphore_signal(needed);
  return noErr;
}

static void *Feed(void *context) {
  mach_timebase_info_data_t info;
  mach_timebase_info(&info);
  const double ticks = 1e9 * info.denom / info.numer;
  thread_time_constraint_policy_data_t policy;
  policy.period = (uint32_t)(0.010 * ticks);
  policy.computation = (uint32_t)(0.001 * ticks);
  policy.constraint = (uint32_t)(0.005 * ticks);
  policy.preemptible = 1;
  // If the system does not grant it, the thread continues without it.
  if (thread_policy_set(mach_thread_self(), THREAD_TIME_CONSTRAINT_POLICY, (thread_policy_t)&policy,
                        THREAD_TIME_CONSTRAINT_POLICY_COUNT) != KERN_SUCCESS)
    os_log(OS_LOG_DEFAULT, "no real-time thread for %{public}s", "the feeder");
  UInt32 n = 0;
  while (!done) {
    while (written - consumed < kFrames / 2) {
      fifo[written % kFrames] = (float)(0.5 * sin(2 * M_PI * 880 * n++ / 44100));
      __sync_synchronize();
      written++;
    }
    semaphore_wait(needed);
  }
  return NULL;
}

int main(void) {
  int cores = 0;
  size_t length = sizeof cores;
  if (sysctlbyname("hw.ncpu", &cores, &length, NULL, 0) || cores < 1) return 1;
  if (semaphore_create(mach_task_self(), &needed, SYNC_POLICY_FIFO, 0) != KERN_SUCCESS) return 2;
  pthread_t feeder;
  pthread_create(&feeder, NULL, Feed, NULL);
  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit)) return 3;
  AudioStreamBasicDescription mono = {44100, kAudioFormatLinearPCM,
                                      kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
  AURenderCallbackStruct callback = {Drain, NULL};
  if (AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &mono,
                           sizeof mono)
      || AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, 0,
                              &callback, sizeof callback)
      || AudioUnitInitialize(unit) || AudioOutputUnitStart(unit))
    return 4;
  mach_wait_until(mach_absolute_time() + 350000000);
  AudioOutputUnitStop(unit);
  done = true;
  semaphore_signal(needed);
  pthread_join(feeder, NULL);
  AudioComponentInstanceDispose(unit);
  semaphore_destroy(mach_task_self(), needed);
  return 0;
}
