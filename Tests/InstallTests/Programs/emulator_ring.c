// SPDX-License-Identifier: Apache-2.0
// The player of an emulator: the machine runs on the main thread and fills a ring of 16-bit stereo
// at an odd rate, and a callback empties it. Only the umbrella header is included.
// Plays 440 Hz at 0.25.

#include <AudioUnit/AudioUnit.h>

#define RATE 32040
#define RING 8192

static struct {
  int16_t samples[RING][2];
  uint32_t head, tail;
  pthread_mutex_t lock;
  pthread_cond_t room;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER, .room = PTHREAD_COND_INITIALIZER};

static OSStatus pull(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                     UInt32 bus, UInt32 frames, AudioBufferList *list) {
  int16_t(*out)[2] = list->mBuffers[0].mData;
  pthread_mutex_lock(&ring.lock);
  for (UInt32 i = 0; i < frames; i++) {
    if (ring.head == ring.tail) {
      memset(out + i, 0, (frames - i) * sizeof *out);
      break;
    }
    memcpy(out[i], ring.samples[ring.tail++ % RING], sizeof *out);
  }
  pthread_cond_signal(&ring.room);
  pthread_mutex_unlock(&ring.lock);
  return noErr;
}

static void push(int16_t left, int16_t right) {
  pthread_mutex_lock(&ring.lock);
  while (ring.head - ring.tail == RING) pthread_cond_wait(&ring.room, &ring.lock);
  ring.samples[ring.head % RING][0] = left;
  ring.samples[ring.head % RING][1] = right;
  ring.head++;
  pthread_mutex_unlock(&ring.lock);
}

int main(void) {
  AudioUnit unit;
  OSStatus err;
#if MAC_OS_X_VERSION_MAX_ALLOWED < 1060
  // The Component Manager of old systems; this should not be reached.
  exit(EXIT_FAILURE);
#else
  AudioComponentDescription desc = {0};
  desc.componentType = kAudioUnitType_Output;
  desc.componentSubType = kAudioUnitSubType_DefaultOutput;
  desc.componentManufacturer = kAudioUnitManufacturer_Apple;
  AudioComponent comp = AudioComponentFindNext(NULL, &desc);
  if (comp == NULL) return EXIT_FAILURE;
  err = AudioComponentInstanceNew(comp, &unit);
  if (err) goto fail;
#endif
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = RATE;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked;
#ifdef __BIG_ENDIAN__
  format.mFormatFlags |= kLinearPCMFormatFlagIsBigEndian;
#endif
  format.mBytesPerPacket = format.mBytesPerFrame = 4;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 16;
  err = AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &format, sizeof format);
  if (err) goto fail;
  AURenderCallbackStruct callback = {.inputProc = pull};
  err = AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                             &callback, sizeof callback);
  if (err) goto fail;
  err = AudioUnitInitialize(unit);
  if (err) goto fail;
  for (int n = 0; n < RING; n++) push(0, 0);
  ring.tail = ring.head = 0;
  for (int n = 0; n < RATE * 2 / 5; n++) {
    int16_t s = (int16_t)lrint(8192 * sin(2 * M_PI * 440 * n / RATE));
    if (n == RING / 2 && (err = AudioOutputUnitStart(unit))) goto fail;
    push(s, s);
  }
  AudioOutputUnitStop(unit);
  AudioUnitUninitialize(unit);
  AudioComponentInstanceDispose(unit);
  return EXIT_SUCCESS;
fail:
  fprintf(stderr, "CoreAudio: error %" PRId32 "\n", (int32_t)err);
  return EXIT_FAILURE;
}
