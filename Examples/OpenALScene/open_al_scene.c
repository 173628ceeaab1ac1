// SPDX-License-Identifier: Apache-2.0
// A scene in the manner of a touch demo: OpenAL moves a loop of 660 Hz around the listener, while an
// audio unit plays music, here a tone of 440 Hz: open_al_scene
//
//   cc open_al_scene.c $(pkg-config --cflags --libs audiotoolbox) -lopenal -o open_al_scene

#include "../ExampleSupport/session.h"

#include <OpenAL/al.h>
#include <OpenAL/alc.h>
#include <unistd.h>

// The music. While it plays, only the audio thread uses the phase.
typedef struct {
  AudioUnit unit;
  double step, phase;
} Music;

// The scene: a source that repeats its buffer, and the listener in the origin.
typedef struct {
  ALCdevice *device;
  ALCcontext *context;
  ALuint buffer, source;
} Scene;

static void checkAL(const char *step) {
  const ALenum error = alGetError();
  if (error == AL_NO_ERROR) return;
  fprintf(stderr, "open_al_scene: %s: OpenAL error 0x%x\n", step, (unsigned)error);
  exit(1);
}

// Called on the audio thread.
static OSStatus renderMusic(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *when,
                            UInt32 bus, UInt32 frameCount, AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  Music *music = refCon;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    const Float32 sample = (Float32)(0.25 * sin(music->phase));
    music->phase += music->step;
    if (music->phase >= 2 * M_PI) music->phase -= 2 * M_PI;
    for (UInt32 channel = 0; channel < data->mNumberBuffers; channel++)
      ((Float32 *)data->mBuffers[channel].mData)[frame] = sample;
  }
  return noErr;
}

static void makeMusic(Music *music, Float64 rate) {
  const AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO,
                                                 kAudioUnitManufacturer_Apple, 0, 0};
  const AudioStreamBasicDescription format = {
      .mSampleRate = rate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = 2,
      .mBitsPerChannel = 32,
  };
  const AURenderCallbackStruct source = {renderMusic, music};
  music->step = 2 * M_PI * 440 / rate;
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &music->unit));
  check(AudioUnitSetProperty(music->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &format, sizeof format));
  check(AudioUnitSetProperty(music->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &source, sizeof source));
  check(AudioUnitInitialize(music->unit));
}

// One source that repeats a second of sound, in front of the listener.
static void makeScene(Scene *scene) {
  static SInt16 loop[48000];
  const int count = sizeof loop / sizeof *loop;
  for (int frame = 0; frame < count; frame++)
    loop[frame] = (SInt16)(16000 * sin(2 * M_PI * 660 * frame / count));
  scene->device = alcOpenDevice(NULL);
  if (scene->device == NULL) {
    fprintf(stderr, "open_al_scene: OpenAL has no device\n");
    exit(1);
  }
  scene->context = alcCreateContext(scene->device, NULL);
  alcMakeContextCurrent(scene->context);
  alGenBuffers(1, &scene->buffer);
  alGenSources(1, &scene->source);
  alBufferData(scene->buffer, AL_FORMAT_MONO16, loop, sizeof loop, count);
  alSourcei(scene->source, AL_BUFFER, (ALint)scene->buffer);
  alSourcei(scene->source, AL_LOOPING, AL_TRUE);
  alSourcef(scene->source, AL_REFERENCE_DISTANCE, 50.0f);
  alSource3f(scene->source, AL_POSITION, 0.0f, 0.0f, -25.0f);
  checkAL("making the scene");
}

static void endScene(Scene *scene) {
  alDeleteSources(1, &scene->source);
  alDeleteBuffers(1, &scene->buffer);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(scene->context);
  alcCloseDevice(scene->device);
}

int main(void) {
  Music music = {0};
  Scene scene;
  makeMusic(&music, activateSession(kAudioSessionCategory_AmbientSound, 0.01f));
  makeScene(&scene);

  alSourcePlay(scene.source);
  check(AudioOutputUnitStart(music.unit));
  sleep(1);
  // A finger drags the source to the right.
  for (int step = 0; step <= 20; step++) {
    alSource3f(scene.source, AL_POSITION, (float)step, 0.0f, -25.0f);
    usleep(20000);
  }
  checkAL("moving the source");

  check(AudioOutputUnitStop(music.unit));
  check(AudioUnitUninitialize(music.unit));
  check(AudioComponentInstanceDispose(music.unit));
  endScene(&scene);
  return 0;
}
