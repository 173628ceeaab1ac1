// SPDX-License-Identifier: Apache-2.0
// An old inspector of sound files. It prints 64-bit numbers with "%lld" and "%llu", opens files with
// permissions of the File Manager, and counts with 64-bit atomic operations.
// Prints packet 3, offset -1, host time is close
// Prints counters 5 and 7
// Prints 4 permissions open the file, 3 do not

#pragma GCC diagnostic error "-Wformat"

#include <AudioToolbox/AudioToolbox.h>
#include <CoreServices/CoreServices.h>
#include <libkern/OSAtomic.h>
#include <mach/mach_time.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/permissions-XXXXXX";

static CFURLRef make_file(void) {
  close(mkstemp(path));
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path,
                                                         (CFIndex)strlen(path), false);
  AudioStreamBasicDescription format = {
      44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2,
      1, 16, 0};
  AudioFileID file;
  if (AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &file)) exit(1);
  AudioFileClose(file);
  return url;
}

int main(void) {
  const SInt64 packet = 3;
  AudioStreamPacketDescription description = {-1, 0, 0};
  char line[200];
  const UInt64 before = mach_absolute_time();
  snprintf(line, sizeof line, "at %llu, %llu", before, AudioGetCurrentHostTime());
  unsigned long long first = 0, second = 0;
  sscanf(line, "at %llu, %llu", &first, &second);
  printf("packet %lld, offset %lld, host time is %s\n", packet, description.mStartOffset,
         second >= first && second - first < 1000000000 ? "close" : "far");

  SInt64 wide = 0;
  int64_t fixed = 5;
  OSAtomicAdd64(3, &wide);
  OSAtomicIncrement64Barrier(&wide);
  OSAtomicIncrement64(&fixed);
  OSAtomicCompareAndSwap64(4, 5, &wide);
  OSAtomicCompareAndSwap64Barrier(6, 7, &fixed);
  printf("counters %lld and %d\n", wide, (int)fixed);

  CFURLRef url = make_file();
  const SInt8 permissions[] = {fsCurPerm, fsRdPerm, fsRdWrPerm, fsRdWrShPerm, 9, -1, 0x44};
  int opened = 0, refused = 0;
  for (int i = 0; i < 7; i++) {
    AudioFileID file;
    if (AudioFileOpenURL(url, permissions[i], 0, &file) == noErr) {
      AudioFileClose(file);
      opened++;
    } else {
      refused++;
    }
  }
  AudioFileID file;
  if (AudioFileOpenURL(url, 0x01, 0, &file) || AudioFileClose(file)) return 3;
  if (AudioFileOpenURL(url, fsWrPerm, kAudioFileWAVEType, &file) || AudioFileClose(file)) return 4;
  if (AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file) || AudioFileClose(file)) return 5;
  printf("%d permissions open the file, %d do not\n", opened, refused);
  CFRelease(url);
  unlink(path);
  return 0;
}
