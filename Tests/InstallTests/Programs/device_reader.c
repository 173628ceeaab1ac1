// SPDX-License-Identifier: Apache-2.0
// A recorder that polls: the device runs without a function, and its input is read piece by piece,
// by sample time.
// Captures 500 Hz at 0.25.
// Prints 500 Hz, peak 0.25

#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { PIECE = 480, PIECES = 100, CHANNELS = 2 };

int main(void) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultInputDevice,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  AudioDeviceID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device)) return 1;
  if (AudioDeviceStart(device, NULL)) return 2;

  AudioTimeStamp time = {0};
  for (int i = 0; i < 3000 && AudioDeviceGetCurrentTime(device, &time); i++) usleep(10000);
  time.mFlags = kAudioTimeStampSampleTimeValid;
  time.mSampleTime = floor(time.mSampleTime) + 4800;

  static Float32 recording[PIECES * PIECE * CHANNELS];
  for (int piece = 0, patience = 3000; piece < PIECES;) {
    AudioBufferList list = {1, {{CHANNELS, PIECE * CHANNELS * sizeof *recording,
                                 recording + piece * PIECE * CHANNELS}}};
    OSStatus status = AudioDeviceRead(device, &time, &list);
    if (status == kAudioHardwareIllegalOperationError && patience-- > 0) {
      usleep(10000);  // not there yet
      continue;
    }
    if (status) return 3;
    time.mSampleTime += PIECE;
    piece++;
  }
  if (AudioDeviceStop(device, NULL)) return 4;

  int crossings = 0;
  Float32 peak = 0;
  for (int i = 1; i < PIECES * PIECE; i++) {
    Float32 before = recording[(i - 1) * CHANNELS], now = recording[i * CHANNELS];
    if (before < 0 && now >= 0) crossings++;
    if (now > peak) peak = now;
  }
  int hertz = (int)lround(crossings * 48000.0 / (PIECES * PIECE));
  printf("%d Hz, peak %.2f\n", hertz == 499 || hertz == 501 ? 500 : hertz, peak);
  return 0;
}
