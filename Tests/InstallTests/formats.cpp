// SPDX-License-Identifier: Apache-2.0
// The inline functions that fill in formats and times: each result, field by field.
#include <AudioToolbox/AudioToolbox.h>

#include <cstdio>
#include <cstring>

static int wrong = 0;

static void expect(bool isTrue, const char *sentence) {
  if (isTrue) return;
  std::printf("not true: %s\n", sentence);
  wrong += 1;
}

int main() {
  AudioStreamBasicDescription format;
  std::memset(&format, 0xff, sizeof format);
  FillOutASBDForLPCM(format, 44100, 2, 16, 16, false, false);
  expect(format.mSampleRate == 44100 && format.mFormatID == kAudioFormatLinearPCM, "a rate of PCM");
  expect(format.mFormatFlags == (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked),
      "whole samples of 16 bits are packed");
  expect(format.mBytesPerFrame == 4 && format.mBytesPerPacket == 4 && format.mFramesPerPacket == 1,
      "an interleaved frame has a sample per channel");
  expect(format.mChannelsPerFrame == 2 && format.mBitsPerChannel == 16 && format.mReserved == 0,
      "all fields are set");

  FillOutASBDForLPCM(format, 48000, 6, 24, 32, false, true, true);
  expect(format.mFormatFlags
          == (kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian
              | kAudioFormatFlagIsAlignedHigh | kAudioFormatFlagIsNonInterleaved),
      "24 bits of 32 are aligned high");
  expect(format.mBytesPerFrame == 4 && format.mBitsPerChannel == 24,
      "a frame of a buffer per channel is one sample");
  expect(CalculateLPCMFlags(32, 32, true, false) == kAudioFormatFlagsNativeFloatPacked,
      "floats of this machine are the native ones");

  AudioTimeStamp time;
  FillOutAudioTimeStampWithSampleTime(time, 12.5);
  expect(time.mSampleTime == 12.5 && time.mHostTime == 0
          && time.mFlags == kAudioTimeStampSampleTimeValid, "a sample time");
  FillOutAudioTimeStampWithHostTime(time, 7);
  expect(time.mSampleTime == 0 && time.mHostTime == 7
          && time.mFlags == kAudioTimeStampHostTimeValid, "a host time");
  FillOutAudioTimeStampWithSampleAndHostTime(time, 3, 4);
  expect(time.mSampleTime == 3 && time.mHostTime == 4
          && time.mFlags == kAudioTimeStampSampleHostTimeValid, "both times");
  return wrong;
}
