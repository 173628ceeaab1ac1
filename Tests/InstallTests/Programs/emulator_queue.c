// SPDX-License-Identifier: Apache-2.0
// Another player of an emulator: the machine writes 16-bit stereo to any free buffer of an audio
// queue, and sleeps until one is free; the callback only counts.
// Plays 440 Hz at 0.25.

#include <AudioToolbox/AudioToolbox.h>

#define RATE 32040
#define BUFFERS 6
#define FRAMES 512

static AudioQueueRef queue;
static AudioQueueBufferRef buffers[BUFFERS];
static Boolean busy[BUFFERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;

static void isFree(void *context, AudioQueueRef q, AudioQueueBufferRef buffer) {
  pthread_mutex_lock(&lock);
  busy[(uintptr_t)buffer->mUserData] = false;
  pthread_cond_signal(&returned);
  pthread_mutex_unlock(&lock);
}

static AudioQueueBufferRef nextBuffer(void) {
  pthread_mutex_lock(&lock);
  for (;;) {
    for (int i = 0; i < BUFFERS; i++) {
      if (busy[i]) continue;
      busy[i] = true;
      pthread_mutex_unlock(&lock);
      return buffers[i];
    }
    pthread_cond_wait(&returned, &lock);
  }
}

int main(void) {
  AudioStreamBasicDescription format;
  memset(&format, 0, sizeof format);
  format.mSampleRate = RATE;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  format.mBitsPerChannel = 16;
  format.mChannelsPerFrame = 2;
  format.mBytesPerFrame = 4;
  format.mFramesPerPacket = 1;
  format.mBytesPerPacket = 4;
  if (AudioQueueNewOutput(&format, isFree, NULL, NULL, NULL, 0, &queue)) return 1;
  for (uintptr_t i = 0; i < BUFFERS; i++) {
    if (AudioQueueAllocateBuffer(queue, FRAMES * 4, &buffers[i])) return 2;
    buffers[i]->mUserData = (void *)i;
  }
  if (AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 1)) return 3;

  Boolean started = false;
  double phase = 0;
  for (int block = 0; block < 2 * RATE / FRAMES; block++) {
    AudioQueueBufferRef buffer = nextBuffer();
    int16_t *out = buffer->mAudioData;
    for (int i = 0; i < FRAMES; i++, phase += 440.0 / RATE)
      out[2 * i] = out[2 * i + 1] = (int16_t)lrint(8192 * sin(2 * M_PI * phase));
    buffer->mAudioDataByteSize = FRAMES * 4;
    if (AudioQueueEnqueueBuffer(queue, buffer, 0, NULL)) return 4;
    if (!started && block == BUFFERS - 2) {
      if (AudioQueueStart(queue, NULL)) return 5;
      started = true;
    }
  }
  if (AudioQueueStop(queue, true)) return 6;
  return AudioQueueDispose(queue, true) ? 7 : 0;
}
