// SPDX-License-Identifier: Apache-2.0
// Records the input to a WAV file with an audio queue: queue_recorder FILE [SECONDS]
//
//   cc queue_recorder.c $(pkg-config --cflags --libs audiotoolbox) -o queue_recorder

#include "../ExampleSupport/session.h"

enum { kBufferCount = 3 };

typedef struct {
  AudioFileID file;
  AudioStreamBasicDescription format;
  AudioQueueRef queue;
  SInt64 nextPacket;
  volatile Boolean isRunning;
} Recorder;

// Writes a filled buffer and enqueues it again. Not on the audio thread: it may write files.
static void writeBuffer(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer,
                        const AudioTimeStamp *start, UInt32 packets,
                        const AudioStreamPacketDescription *descriptions) {
  (void)start;
  Recorder *recorder = data;
  if (packets > 0) {
    check(AudioFileWritePackets(recorder->file, false, buffer->mAudioDataByteSize, descriptions,
                                recorder->nextPacket, &packets, buffer->mAudioData));
    recorder->nextPacket += packets;
  }
  if (recorder->isRunning) check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "Usage: queue_recorder FILE [SECONDS]\n");
    return 64;
  }
  const double seconds = argc > 2 ? atof(argv[2]) : 5;
  activateSession(kAudioSessionCategory_RecordAudio, 0.01f);
  Recorder recorder = {0};
  // A rate of 0 means that of the device; the queue reports the actual rate.
  AudioStreamBasicDescription format = {
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      .mBytesPerPacket = 2,
      .mFramesPerPacket = 1,
      .mBytesPerFrame = 2,
      .mChannelsPerFrame = 1,
      .mBitsPerChannel = 16,
  };
  check(AudioQueueNewInput(&format, writeBuffer, &recorder, CFRunLoopGetCurrent(),
                           kCFRunLoopCommonModes, 0, &recorder.queue));
  UInt32 size = sizeof recorder.format;
  check(AudioQueueGetProperty(recorder.queue, kAudioQueueProperty_StreamDescription,
                              &recorder.format, &size));
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1],
                                                         (CFIndex)strlen(argv[1]), false);
  check(AudioFileCreateWithURL(url, kAudioFileWAVEType, &recorder.format,
                               kAudioFileFlags_EraseFile, &recorder.file));
  CFRelease(url);
  const UInt32 bytes = (UInt32)(recorder.format.mSampleRate * 0.1) * recorder.format.mBytesPerFrame;
  for (int i = 0; i < kBufferCount; i++) {
    AudioQueueBufferRef buffer;
    check(AudioQueueAllocateBuffer(recorder.queue, bytes, &buffer));
    check(AudioQueueEnqueueBuffer(recorder.queue, buffer, 0, NULL));
  }
  recorder.isRunning = true;
  check(AudioQueueStart(recorder.queue, NULL));
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, false);
  recorder.isRunning = false;
  check(AudioQueueStop(recorder.queue, true));
  // The last buffers are returned.
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.2, false);
  check(AudioQueueDispose(recorder.queue, true));
  check(AudioFileClose(recorder.file));
  printf("%.1f s\n", (double)recorder.nextPacket / recorder.format.mSampleRate);
  return 0;
}
