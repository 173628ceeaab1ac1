// SPDX-License-Identifier: Apache-2.0
// Plays a sound file on the default output: play_file FILE
//
//   cc play_file.c $(pkg-config --cflags --libs audiotoolbox) -o play_file

#include "../ExampleSupport/session.h"

static void set(AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                const void *value, UInt32 size) {
  check(AudioUnitSetProperty(unit, property, scope, 0, value, size));
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "play_file: expected FILE\n");
    return 64;
  }
  activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)words[1],
                                                         (CFIndex)strlen(words[1]), false);
  AudioFileID file = NULL;
  check(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file));
  CFRelease(url);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format));

  AUGraph graph = NULL;
  AUNode playerNode, outputNode;
  AudioUnit player = NULL;
  const AudioComponentDescription generator = {
      kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer, kAudioUnitManufacturer_Apple, 0, 0};
  const AudioComponentDescription output = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  check(NewAUGraph(&graph));
  check(AUGraphAddNode(graph, &generator, &playerNode));
  check(AUGraphAddNode(graph, &output, &outputNode));
  check(AUGraphOpen(graph));
  check(AUGraphNodeInfo(graph, playerNode, NULL, &player));
  set(player, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, &format.mSampleRate,
      sizeof format.mSampleRate);
  check(AUGraphConnectNodeInput(graph, playerNode, 0, outputNode, 0));
  check(AUGraphInitialize(graph));

  // The files, the region to play, priming, and the start time.
  set(player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, &file, sizeof file);
  ScheduledAudioFileRegion region = {.mAudioFile = file, .mFramesToPlay = UINT32_MAX};
  region.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  set(player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, &region, sizeof region);
  const UInt32 frames = 0;
  set(player, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, &frames, sizeof frames);
  const AudioTimeStamp start = {.mSampleTime = -1, .mFlags = kAudioTimeStampSampleTimeValid};
  set(player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, &start, sizeof start);
  check(AUGraphStart(graph));

  Float64 seconds = 0;
  size = sizeof seconds;
  check(AudioFileGetProperty(file, kAudioFilePropertyEstimatedDuration, &size, &seconds));
  usleep((useconds_t)(seconds * 1e6));

  check(AUGraphStop(graph));
  check(DisposeAUGraph(graph));
  check(AudioFileClose(file));
  return 0;
}
