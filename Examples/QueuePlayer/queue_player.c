// SPDX-License-Identifier: Apache-2.0
// Plays a sound file with an audio queue: queue_player FILE
//
//   cc queue_player.c $(pkg-config --cflags --libs audiotoolbox) -o queue_player

#include "../ExampleSupport/session.h"

enum { kBufferCount = 3 };

typedef struct {
  AudioFileID file;
  AudioStreamBasicDescription format;
  AudioQueueRef queue;
  AudioQueueBufferRef buffers[kBufferCount];
  SInt64 nextPacket;
  UInt32 packetsPerBuffer;
  Boolean isDone;
} Player;

// Reads packets into a buffer and enqueues it; stops at the end of the file.
static void fillBuffer(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  Player *player = data;
  if (player->isDone) return;
  UInt32 bytes = buffer->mAudioDataBytesCapacity;
  UInt32 packets = player->packetsPerBuffer;
  OSStatus status =
      AudioFileReadPacketData(player->file, false, &bytes, buffer->mPacketDescriptions,
                              player->nextPacket, &packets, buffer->mAudioData);
  if ((status != noErr && status != kAudioFileEndOfFileError) || packets == 0) {
    // The enqueued buffers are played to their end.
    player->isDone = true;
    check(AudioQueueStop(queue, false));
    return;
  }
  player->nextPacket += packets;
  buffer->mAudioDataByteSize = bytes;
  buffer->mPacketDescriptionCount = buffer->mPacketDescriptionCapacity > 0 ? packets : 0;
  check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL));
}

// Copies the decoder's configuration from the file to the queue.
static void copyCookie(Player *player) {
  UInt32 size = 0;
  if (AudioFileGetPropertyInfo(player->file, kAudioFilePropertyMagicCookieData, &size, NULL) !=
          noErr ||
      size == 0)
    return;
  void *cookie = malloc(size);
  check(AudioFileGetProperty(player->file, kAudioFilePropertyMagicCookieData, &size, cookie));
  check(AudioQueueSetProperty(player->queue, kAudioQueueProperty_MagicCookie, cookie, size));
  free(cookie);
}

// Allocates buffers of half a second; packets of different sizes need descriptions.
static void makeBuffers(Player *player) {
  UInt32 largest = 0, size = sizeof largest;
  check(AudioFileGetProperty(player->file, kAudioFilePropertyPacketSizeUpperBound, &size,
                             &largest));
  const UInt32 frames = player->format.mFramesPerPacket ? player->format.mFramesPerPacket : 1;
  player->packetsPerBuffer = (UInt32)(player->format.mSampleRate * 0.5 / frames);
  if (player->packetsPerBuffer == 0) player->packetsPerBuffer = 1;
  const Boolean isVariable =
      player->format.mBytesPerPacket == 0 || player->format.mFramesPerPacket == 0;
  for (int i = 0; i < kBufferCount; i++) {
    check(AudioQueueAllocateBufferWithPacketDescriptions(
        player->queue, player->packetsPerBuffer * largest,
        isVariable ? player->packetsPerBuffer : 0, &player->buffers[i]));
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "Usage: queue_player FILE\n");
    return 64;
  }
  activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  Player player = {0};
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1],
                                                         (CFIndex)strlen(argv[1]), false);
  check(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &player.file));
  CFRelease(url);
  UInt32 size = sizeof player.format;
  check(AudioFileGetProperty(player.file, kAudioFilePropertyDataFormat, &size, &player.format));
  check(AudioQueueNewOutput(&player.format, fillBuffer, &player, CFRunLoopGetCurrent(),
                            kCFRunLoopCommonModes, 0, &player.queue));
  copyCookie(&player);
  makeBuffers(&player);
  for (int i = 0; i < kBufferCount; i++)
    fillBuffer(&player, player.queue, player.buffers[i]);
  check(AudioQueueStart(player.queue, NULL));
  // A short file is completely enqueued already, and a stop before the start had no effect.
  if (player.isDone) check(AudioQueueStop(player.queue, false));
  UInt32 isRunning = 1;
  while (isRunning) {
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, false);
    size = sizeof isRunning;
    check(AudioQueueGetProperty(player.queue, kAudioQueueProperty_IsRunning, &isRunning, &size));
  }
  check(AudioQueueDispose(player.queue, true));
  check(AudioFileClose(player.file));
  return 0;
}
