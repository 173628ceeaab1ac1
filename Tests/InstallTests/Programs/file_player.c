// SPDX-License-Identifier: Apache-2.0
// The player of a game or a jukebox: a file player loops a file written by the program, through a
// mixer in a graph; the play time is polled.
// Plays 500 Hz at 0.25.
// Prints looped 3 times, play time [1-9][0-9]*, region done 0

#include <AudioToolbox/AudioToolbox.h>

static volatile int regionDone = -1;

static void region_completion(void *userData, ScheduledAudioFileRegion *fileRegion, OSStatus result) {
  (void)fileRegion;
  *(volatile int *)userData = (int)result;
}

static AudioFileID write_tone(const char *path) {
  CFStringRef name = CFStringCreateWithCString(kCFAllocatorDefault, path, kCFStringEncodingUTF8);
  CFURLRef url = CFURLCreateWithFileSystemPath(kCFAllocatorDefault, name, kCFURLPOSIXPathStyle, false);
  AudioStreamBasicDescription asbd = {0};
  asbd.mSampleRate = 44100;
  asbd.mFormatID = kAudioFormatLinearPCM;
  asbd.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  asbd.mBitsPerChannel = 32;
  asbd.mChannelsPerFrame = 1;
  asbd.mFramesPerPacket = 1;
  asbd.mBytesPerFrame = asbd.mBytesPerPacket = 4;
  AudioFileID file = NULL;
  if (AudioFileCreateWithURL(url, kAudioFileWAVEType, &asbd, kAudioFileFlags_EraseFile, &file)) return NULL;
  static Float32 samples[44100];
  for (int i = 0; i < 44100; i++) samples[i] = (Float32)(0.25 * sin(2 * M_PI * 500 * i / 44100));
  UInt32 bytes = sizeof samples;
  if (AudioFileWriteBytes(file, false, 0, &bytes, samples)) return NULL;
  AudioFileClose(file);
  file = NULL;
  AudioFileOpenURL(url, kAudioFileReadPermission, kAudioFileWAVEType, &file);
  CFRelease(url);
  CFRelease(name);
  return file;
}

int main(void) {
  char path[] = "/tmp/file_playerXXXXXX";
  close(mkstemp(path));
  AudioFileID file = write_tone(path);
  if (!file) return 1;

  AUGraph graph;
  AUNode playerNode, mixerNode, outputNode;
  AudioUnit player;
  AudioComponentDescription cd = {0};
  cd.componentManufacturer = kAudioUnitManufacturer_Apple;
  NewAUGraph(&graph);
  cd.componentType = kAudioUnitType_Generator;
  cd.componentSubType = kAudioUnitSubType_AudioFilePlayer;
  AUGraphAddNode(graph, &cd, &playerNode);
  cd.componentType = kAudioUnitType_Mixer;
  cd.componentSubType = kAudioUnitSubType_MultiChannelMixer;
  AUGraphAddNode(graph, &cd, &mixerNode);
  cd.componentType = kAudioUnitType_Output;
  cd.componentSubType = kAudioUnitSubType_DefaultOutput;
  AUGraphAddNode(graph, &cd, &outputNode);
  AUGraphOpen(graph);
  AUGraphNodeInfo(graph, playerNode, NULL, &player);
  AUGraphConnectNodeInput(graph, playerNode, 0, mixerNode, 0);
  AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0);
  if (AUGraphInitialize(graph)) return 1;

  OSStatus err = AudioUnitSetProperty(player, kAudioUnitProperty_ScheduledFileIDs,
                                      kAudioUnitScope_Global, 0, &file, sizeof(file));
  ScheduledAudioFileRegion rgn;
  memset(&rgn.mTimeStamp, 0, sizeof(rgn.mTimeStamp));
  rgn.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  rgn.mTimeStamp.mSampleTime = 0;
  rgn.mCompletionProc = region_completion;
  rgn.mCompletionProcUserData = (void *)&regionDone;
  rgn.mAudioFile = file;
  rgn.mLoopCount = 2;
  rgn.mStartFrame = 0;
  rgn.mFramesToPlay = 44100;
  err |= AudioUnitSetProperty(player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0,
                              &rgn, sizeof(rgn));
  UInt32 defaultVal = 0;
  err |= AudioUnitSetProperty(player, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0,
                              &defaultVal, sizeof(defaultVal));
  AudioTimeStamp startTime;
  memset(&startTime, 0, sizeof(startTime));
  startTime.mFlags = kAudioTimeStampSampleTimeValid;
  startTime.mSampleTime = -1;
  err |= AudioUnitSetProperty(player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0,
                              &startTime, sizeof(startTime));
  if (err) return 1;
  AUGraphStart(graph);

  AudioTimeStamp now;
  UInt32 size;
  for (int i = 0; i < 800 && regionDone < 0; i++) {
    usleep(10000);
    size = sizeof(now);
    AudioUnitGetProperty(player, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &now, &size);
  }
  AUGraphStop(graph);
  printf("looped 3 times, play time %d, region done %d\n", (int)now.mSampleTime, regionDone);
  DisposeAUGraph(graph);
  AudioFileClose(file);
  unlink(path);
  return 0;
}
