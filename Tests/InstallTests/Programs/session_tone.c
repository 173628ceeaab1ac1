// SPDX-License-Identifier: Apache-2.0
// An early tone generator: the session comes first, in C, with its listeners on the run loop; the
// unit has the rate and the slices that the session granted.
// Plays 440 Hz at 0.5.
// Prints granted 256 frames at (44100|48000)
// Prints slices of 256
// Prints route for reason 3, from .+

#include <AudioToolbox/AudioToolbox.h>

typedef struct {
  double phase, rate;
  UInt32 slice;
} Tone;

static void interruptionListener(void *inClientData, UInt32 inInterruptionState) {
  if (inInterruptionState == kAudioSessionBeginInterruption) exit(9);
}

static void routeListener(void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize,
                          const void *inData) {
  if (inID != kAudioSessionProperty_AudioRouteChange) exit(10);
  CFDictionaryRef change = (CFDictionaryRef)inData;
  CFNumberRef number = (CFNumberRef)CFDictionaryGetValue(
      change, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
  CFStringRef old = (CFStringRef)CFDictionaryGetValue(
      change, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute));
  SInt32 reason = -1;
  char name[64] = "";
  CFNumberGetValue(number, kCFNumberSInt32Type, &reason);
  CFStringGetCString(old, name, sizeof name, kCFStringEncodingUTF8);
  printf("route for reason %d, from %s\n", (int)reason, name);
  CFRunLoopStop(CFRunLoopGetCurrent());
}

static OSStatus RenderTone(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                           const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                           UInt32 inNumberFrames, AudioBufferList *ioData) {
  Tone *tone = inRefCon;
  Float32 *buffer = (Float32 *)ioData->mBuffers[0].mData;
  tone->slice = inNumberFrames;
  for (UInt32 frame = 0; frame < inNumberFrames; frame++) {
    buffer[frame] = 0.5f * (Float32)sin(tone->phase);
    tone->phase += 2 * M_PI * 440 / tone->rate;
    if (tone->phase > 2 * M_PI) tone->phase -= 2 * M_PI;
  }
  return noErr;
}

static void check(OSStatus status, int code) {
  if (status == noErr) return;
  fprintf(stderr, "step %d: %d\n", code, (int)status);
  exit(code);
}

int main(void) {
  Tone tone = {0};
  check(AudioSessionInitialize(NULL, NULL, interruptionListener, &tone), 1);
  check(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeListener, &tone), 2);
  UInt32 sessionCategory = kAudioSessionCategory_MediaPlayback;
  check(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof sessionCategory,
                                &sessionCategory), 3);
  Float64 preferredRate = 44100;
  check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate,
                                sizeof preferredRate, &preferredRate), 4);
  Float32 preferredDuration = 0.005f;
  check(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration,
                                sizeof preferredDuration, &preferredDuration), 5);
  check(AudioSessionSetActive(true), 6);
  Float32 duration;
  UInt32 size = sizeof tone.rate;
  check(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &tone.rate), 7);
  size = sizeof duration;
  check(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareIOBufferDuration, &size,
                                &duration), 8);
  printf("granted %.0f frames at %.0f\n", duration * tone.rate, tone.rate);

  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit), 11);
  AURenderCallbackStruct input = {RenderTone, &tone};
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &input, sizeof input), 12);
  AudioStreamBasicDescription format = {.mSampleRate = tone.rate, .mFormatID = kAudioFormatLinearPCM,
                                        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked
                                                        | kAudioFormatFlagIsNonInterleaved,
                                        .mBytesPerPacket = 4, .mFramesPerPacket = 1,
                                        .mBytesPerFrame = 4, .mChannelsPerFrame = 1,
                                        .mBitsPerChannel = 32};
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof format), 13);
  check(AudioUnitInitialize(unit), 14);
  check(AudioOutputUnitStart(unit), 15);
  // The change of category is reported here.
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, 2, false);
  usleep(400000);
  if (AudioSessionSetActive(false) != kAudioSessionNotActiveError) return 16;
  check(AudioOutputUnitStop(unit), 17);
  check(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation),
        18);
  AudioComponentInstanceDispose(unit);
  printf("slices of %u\n", (unsigned)tone.slice);
  return 0;
}
