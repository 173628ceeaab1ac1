// SPDX-License-Identifier: Apache-2.0
// A scene in the manner of a touch demo: OpenAL moves a loop around the listener, while an audio unit
// plays music, here a tone of 440 Hz. OpenAL's loop has 660 Hz.

#include <AudioToolbox/AudioToolbox.h>
#include <OpenAL/al.h>
#include <OpenAL/alc.h>
#include <unistd.h>

#define kFrames 48000

static double phase;

static OSStatus renderMusic(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                            const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                            UInt32 inNumberFrames, AudioBufferList *ioData) {
  for (UInt32 frame = 0; frame < inNumberFrames; frame++) {
    const Float32 sample = (Float32)(0.25 * sin(phase));
    phase += 2 * M_PI * 440 / *(Float64 *)inRefCon;
    for (UInt32 channel = 0; channel < ioData->mNumberBuffers; channel++)
      ((Float32 *)ioData->mBuffers[channel].mData)[frame] = sample;
  }
  return noErr;
}

static void check(OSStatus status, int step) {
  if (status == noErr) return;
  fprintf(stderr, "step %d: %d\n", step, (int)status);
  exit(step);
}

static void checkAL(int step) {
  const ALenum error = alGetError();
  if (error == AL_NO_ERROR) return;
  fprintf(stderr, "step %d: OpenAL %x\n", step, (unsigned)error);
  exit(step);
}

int main(void) {
  // The scene: one looping source, in front of the listener.
  static SInt16 loop[kFrames];
  for (int frame = 0; frame < kFrames; frame++)
    loop[frame] = (SInt16)(16000 * sin(2 * M_PI * 660 * frame / kFrames));
  ALCdevice *device = alcOpenDevice(NULL);
  if (device == NULL) return 2;
  ALCcontext *context = alcCreateContext(device, NULL);
  alcMakeContextCurrent(context);
  ALuint buffer, source;
  alGenBuffers(1, &buffer);
  alGenSources(1, &source);
  alBufferData(buffer, AL_FORMAT_MONO16, loop, sizeof loop, kFrames);
  alSourcei(source, AL_BUFFER, (ALint)buffer);
  alSourcei(source, AL_LOOPING, AL_TRUE);
  alSourcef(source, AL_REFERENCE_DISTANCE, 50.0f);
  alSource3f(source, AL_POSITION, 0.0f, 0.0f, -25.0f);
  checkAL(3);

  // The music.
  AudioUnit unit;
  Float64 rate = 48000;
  const AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO,
                                                 kAudioUnitManufacturer_Apple, 0, 0};
  const AudioStreamBasicDescription format = {
      rate, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      4, 1, 4, 2, 32, 0};
  const AURenderCallbackStruct music = {renderMusic, &rate};
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit), 4);
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof format), 5);
  check(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &music,
                             sizeof music), 6);
  check(AudioUnitInitialize(unit), 7);

  alSourcePlay(source);
  check(AudioOutputUnitStart(unit), 8);
  sleep(1);
  // A finger drags the source to the right.
  for (int step = 0; step <= 20; step++) {
    alSource3f(source, AL_POSITION, (float)step, 0.0f, -25.0f);
    usleep(20000);
  }
  checkAL(9);
  check(AudioOutputUnitStop(unit), 10);
  check(AudioComponentInstanceDispose(unit), 11);
  alDeleteSources(1, &source);
  alDeleteBuffers(1, &buffer);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  alcCloseDevice(device);
  return 0;
}
