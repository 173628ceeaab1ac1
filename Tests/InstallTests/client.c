// SPDX-License-Identifier: Apache-2.0
// A C and C++ program with the installed library: plays half a second of 440 Hz, then prints its
// peak memory.

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frameCount, AudioBufferList *data) {
  (void)flags, (void)time, (void)bus;
  double *cycles = (double *)refCon;
  float *samples = (float *)data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] = (float)(0.25 * sin(2 * M_PI * *cycles));
    *cycles += 440.0 / 48000.0;
    if (*cycles >= 1) *cycles -= 1;
  }
  return noErr;
}

static int failed(const char *call, OSStatus status) {
  if (status != noErr) fprintf(stderr, "%s: %d\n", call, (int)status);
  return status != noErr;
}

static void print_peak_memory(void) {
  char line[256];
  long kilobytes;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) {
      printf("peak resident memory: %ld kB\n", kilobytes);
    }
  }
  if (status) fclose(status);
}

int main(void) {
  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponent component = AudioComponentFindNext(NULL, &description);
  if (!component) return 1;
  AudioUnit unit;
  if (failed("AudioComponentInstanceNew", AudioComponentInstanceNew(component, &unit))) return 1;

  double cycles = 0;
  AURenderCallbackStruct input = {render, &cycles};
  if (failed("render callback",
             AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback,
                                  kAudioUnitScope_Input, 0, &input, sizeof input))) {
    return 1;
  }
  AudioStreamBasicDescription format = {48000,
                                        kAudioFormatLinearPCM,
                                        kAudioFormatFlagsNativeFloatPacked |
                                            kAudioFormatFlagIsNonInterleaved,
                                        sizeof(float),
                                        1,
                                        sizeof(float),
                                        1,
                                        8 * sizeof(float),
                                        0};
  if (failed("stream format",
             AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                                  &format, sizeof format)) ||
      failed("AudioUnitInitialize", AudioUnitInitialize(unit)) ||
      failed("AudioOutputUnitStart", AudioOutputUnitStart(unit))) {
    return 1;
  }
  usleep(500000);
  if (failed("AudioOutputUnitStop", AudioOutputUnitStop(unit)) ||
      failed("AudioComponentInstanceDispose", AudioComponentInstanceDispose(unit))) {
    return 1;
  }
  print_peak_memory();
  return 0;
}
