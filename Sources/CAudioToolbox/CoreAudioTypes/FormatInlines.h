// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_FORMAT_INLINES_H
#define CAUDIOTOOLBOX_FORMAT_INLINES_H

#include "CoreAudioBaseTypes.h"

// Functions that C++ programs fill in formats and times with. They are inline, so that no program
// depends on one in the library; all may be called on any thread.
#ifdef __cplusplus

/// The flags of linear PCM.
/// @param inValidBitsPerChannel The bits of a sample that count, at most `inTotalBitsPerChannel`.
/// @param inTotalBitsPerChannel The bits that a sample takes in memory.
/// @result The flags: packed if every bit counts, otherwise aligned high; integers are signed.
static inline AudioFormatFlags CalculateLPCMFlags(
    UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
  return (inIsFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
      | (inIsBigEndian ? static_cast<UInt32>(kAudioFormatFlagIsBigEndian) : 0U)
      | (inValidBitsPerChannel == inTotalBitsPerChannel ? kAudioFormatFlagIsPacked
                                                        : kAudioFormatFlagIsAlignedHigh)
      | (inIsNonInterleaved ? static_cast<UInt32>(kAudioFormatFlagIsNonInterleaved) : 0U);
}

/// Fills in a format of linear PCM; see `CalculateLPCMFlags` for the bits.
/// @param outASBD All of its fields are set.
/// @param inSampleRate Frames per second.
/// @param inIsNonInterleaved Whether each channel has a buffer of its own: a frame of a buffer is then
///   one sample.
static inline void FillOutASBDForLPCM(
    AudioStreamBasicDescription &outASBD, Float64 inSampleRate, UInt32 inChannelsPerFrame,
    UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
  outASBD.mSampleRate = inSampleRate;
  outASBD.mFormatID = kAudioFormatLinearPCM;
  outASBD.mFormatFlags = CalculateLPCMFlags(
      inValidBitsPerChannel, inTotalBitsPerChannel, inIsFloat, inIsBigEndian, inIsNonInterleaved);
  outASBD.mFramesPerPacket = 1;
  outASBD.mChannelsPerFrame = inChannelsPerFrame;
  outASBD.mBytesPerFrame =
      (inIsNonInterleaved ? 1 : inChannelsPerFrame) * (inTotalBitsPerChannel / 8);
  outASBD.mBytesPerPacket = outASBD.mBytesPerFrame;
  outASBD.mBitsPerChannel = inValidBitsPerChannel;
  outASBD.mReserved = 0;
}

/// Sets a time to a sample time alone.
static inline void FillOutAudioTimeStampWithSampleTime(
    AudioTimeStamp &outATS, Float64 inSampleTime) {
  outATS = AudioTimeStamp();
  outATS.mSampleTime = inSampleTime;
  outATS.mFlags = kAudioTimeStampSampleTimeValid;
}

/// Sets a time to a host time alone.
static inline void FillOutAudioTimeStampWithHostTime(AudioTimeStamp &outATS, UInt64 inHostTime) {
  outATS = AudioTimeStamp();
  outATS.mHostTime = inHostTime;
  outATS.mFlags = kAudioTimeStampHostTimeValid;
}

/// Sets a time to a sample time and the host time of the same moment.
static inline void FillOutAudioTimeStampWithSampleAndHostTime(
    AudioTimeStamp &outATS, Float64 inSampleTime, UInt64 inHostTime) {
  outATS = AudioTimeStamp();
  outATS.mSampleTime = inSampleTime;
  outATS.mHostTime = inHostTime;
  outATS.mFlags = kAudioTimeStampSampleHostTimeValid;
}

#endif

#endif
