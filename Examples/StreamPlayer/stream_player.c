// SPDX-License-Identifier: Apache-2.0
// Plays a stream of MP3, AAC or another type while its bytes arrive: stream_player FILE
//
// FILE may be a pipe, and - is standard input.
//
//   cc stream_player.c $(pkg-config --cflags --libs audiotoolbox) -lpthread -o stream_player

#include "../ExampleSupport/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { kBufferCount = 4 };

// The thread that reads the bytes also fills the buffers, and waits when all of them are playing: so a
// stream is read no faster than it sounds.
typedef struct {
  AudioFileStreamID stream;
  AudioQueueRef queue;
  AudioStreamBasicDescription format;
  AudioQueueBufferRef buffers[kBufferCount];
  int turn;
  Boolean isStarted;
  // The buffers that are not in the queue, and whether it has stopped.
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int freeCount;
  Boolean isOver;
} Player;

static void fail(const char *name) {
  fprintf(stderr, "stream_player: %s: %s\n", name, strerror(errno));
  exit(1);
}

// Called on a thread of the queue when a buffer has been played.
static void bufferPlayed(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
  (void)queue, (void)buffer;
  Player *player = data;
  pthread_mutex_lock(&player->lock);
  player->freeCount++;
  pthread_cond_signal(&player->changed);
  pthread_mutex_unlock(&player->lock);
}

static void isRunningChanged(void *data, AudioQueueRef queue, AudioQueuePropertyID property) {
  Player *player = data;
  UInt32 runs = 0, size = sizeof runs;
  AudioQueueGetProperty(queue, property, &runs, &size);
  if (runs) return;
  pthread_mutex_lock(&player->lock);
  player->isOver = true;
  pthread_cond_signal(&player->changed);
  pthread_mutex_unlock(&player->lock);
}

static void takeFreeBuffer(Player *player) {
  pthread_mutex_lock(&player->lock);
  while (player->freeCount == 0) pthread_cond_wait(&player->changed, &player->lock);
  player->freeCount--;
  pthread_mutex_unlock(&player->lock);
  player->buffers[player->turn]->mAudioDataByteSize = 0;
  player->buffers[player->turn]->mPacketDescriptionCount = 0;
}

// Enqueues the current buffer, and waits until the next one has been played. The second buffer starts the
// queue.
static void enqueue(Player *player) {
  check(AudioQueueEnqueueBuffer(player->queue, player->buffers[player->turn], 0, NULL));
  if (player->turn == 1 && !player->isStarted) {
    check(AudioQueueStart(player->queue, NULL));
    player->isStarted = true;
  }
  player->turn = (player->turn + 1) % kBufferCount;
  takeFreeBuffer(player);
}

// Makes the queue, once the stream knows its format.
static void propertyArrived(void *data, AudioFileStreamID stream, AudioFileStreamPropertyID property,
                            AudioFileStreamPropertyFlags *flags) {
  (void)flags;
  if (property != kAudioFileStreamProperty_ReadyToProducePackets) return;
  Player *player = data;
  UInt32 size = sizeof player->format;
  check(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_DataFormat, &size, &player->format));
  // Without a run loop, a thread of the queue calls.
  check(AudioQueueNewOutput(&player->format, bufferPlayed, player, NULL, NULL, 0, &player->queue));
  check(AudioQueueAddPropertyListener(player->queue, kAudioQueueProperty_IsRunning, isRunningChanged, player));
  // The decoder's configuration, if the stream has one.
  size = 0;
  AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, NULL);
  if (size > 0) {
    void *cookie = malloc(size);
    check(AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, cookie));
    check(AudioQueueSetProperty(player->queue, kAudioQueueProperty_MagicCookie, cookie, size));
    free(cookie);
  }
  // Buffers of a quarter of a second.
  UInt32 largest = 0;
  size = sizeof largest;
  AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_PacketSizeUpperBound, &size, &largest);
  if (largest == 0) largest = 4096;
  const UInt32 frames = player->format.mFramesPerPacket ? player->format.mFramesPerPacket : 1;
  const UInt32 packets = 1 + (UInt32)(player->format.mSampleRate / 4 / frames);
  for (int i = 0; i < kBufferCount; i++)
    check(AudioQueueAllocateBufferWithPacketDescriptions(
        player->queue, packets * largest, player->format.mBytesPerPacket ? 0 : packets, &player->buffers[i]));
  takeFreeBuffer(player);
}

// Copies a packet into the current buffer, or into the next one if it is full.
static void addPacket(Player *player, const void *bytes, AudioStreamPacketDescription packet) {
  AudioQueueBufferRef buffer = player->buffers[player->turn];
  const Boolean isDescribed = player->format.mBytesPerPacket == 0;
  if (buffer->mAudioDataByteSize + packet.mDataByteSize > buffer->mAudioDataBytesCapacity ||
      (isDescribed && buffer->mPacketDescriptionCount == buffer->mPacketDescriptionCapacity)) {
    enqueue(player);
    buffer = player->buffers[player->turn];
  }
  if (packet.mDataByteSize > buffer->mAudioDataBytesCapacity) {
    fprintf(stderr, "stream_player: a packet of %u bytes is too large\n", (unsigned)packet.mDataByteSize);
    exit(1);
  }
  const UInt32 place = buffer->mAudioDataByteSize;
  memcpy((char *)buffer->mAudioData + place, bytes, packet.mDataByteSize);
  buffer->mAudioDataByteSize += packet.mDataByteSize;
  if (!isDescribed) return;
  packet.mStartOffset = place;
  buffer->mPacketDescriptions[buffer->mPacketDescriptionCount++] = packet;
}

static void packetsArrived(void *data, UInt32 byteCount, UInt32 packetCount, const void *bytes,
                           AudioStreamPacketDescription *packets) {
  Player *player = data;
  const UInt32 size = player->format.mBytesPerPacket;
  for (UInt32 i = 0; size == 0 && i < packetCount; i++)
    addPacket(player, (const char *)bytes + packets[i].mStartOffset, packets[i]);
  // Packets of one size have no descriptions.
  const AudioStreamPacketDescription packet = {.mDataByteSize = size};
  for (UInt32 start = 0; size > 0 && start + size <= byteCount; start += size)
    addPacket(player, (const char *)bytes + start, packet);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "Usage: stream_player FILE\n");
    return 64;
  }
  const int file = strcmp(argv[1], "-") == 0 ? STDIN_FILENO : open(argv[1], O_RDONLY);
  if (file < 0) fail(argv[1]);
  activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  Player player = {
      .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .freeCount = kBufferCount};
  check(AudioFileStreamOpen(&player, propertyArrived, packetsArrived, 0, &player.stream));
  char bytes[4096];
  ssize_t count;
  // Returns as soon as there is something, and 0 at the end.
  while ((count = read(file, bytes, sizeof bytes)) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(argv[1]);
    check(AudioFileStreamParseBytes(player.stream, (UInt32)count, bytes, 0));
  }
  if (player.queue == NULL) {
    fprintf(stderr, "stream_player: the stream ended before its sound began\n");
    return 1;
  }
  // Plays what has arrived to its end.
  if (player.buffers[player.turn]->mAudioDataByteSize > 0) enqueue(&player);
  if (!player.isStarted) check(AudioQueueStart(player.queue, NULL));
  check(AudioQueueFlush(player.queue));
  check(AudioQueueStop(player.queue, false));
  pthread_mutex_lock(&player.lock);
  while (!player.isOver) pthread_cond_wait(&player.changed, &player.lock);
  pthread_mutex_unlock(&player.lock);
  check(AudioQueueDispose(player.queue, true));
  check(AudioFileStreamClose(player.stream));
  return 0;
}
