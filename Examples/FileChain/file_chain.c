// SPDX-License-Identifier: Apache-2.0
// A file through a mixer and an effect, edited while it plays: file_chain FILE
//
// Reads one command per line: "volume VALUE", "cutoff HERTZ", "effect 0|1" (takes the effect out of the
// graph, or puts it back), "wait SECONDS", "quit". The file is repeated until then.
// Examples/Graphs/file.json describes the same graph.
//
//   cc file_chain.c $(pkg-config --cflags --libs audiotoolbox) -lpthread -o file_chain

#include "../ExampleSupport/example.h"

//     AUAudioFilePlayer ── AUMultiChannelMixer ── AULowpass ── AURemoteIO
typedef struct {
  AUGraph graph;
  AudioFileID file;
  AUNode mixing, filtering, io;
  bool hasEffect;
  Control volume, cutoff;
} Chain;

static void openFile(Chain *chain, const char *path) {
  CFURLRef url =
      CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  check(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &chain->file));
  CFRelease(url);
}

// Tells the player what to play: the whole file, endlessly, from its first slice on.
static void schedule(AudioUnit player, AudioFileID file) {
  setProperty(player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &file, sizeof file);
  ScheduledAudioFileRegion region = {
      .mAudioFile = file, .mLoopCount = UINT32_MAX, .mFramesToPlay = UINT32_MAX};
  region.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  setProperty(player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region,
              sizeof region);
  const UInt32 frames = 0;
  setProperty(player, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, &frames,
              sizeof frames);
  const AudioTimeStamp start = {.mSampleTime = -1, .mFlags = kAudioTimeStampSampleTimeValid};
  setProperty(player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &start,
              sizeof start);
}

static void buildGraph(Chain *chain, Float64 rate) {
  check(NewAUGraph(&chain->graph));
  const AUNode playing =
      addNode(chain->graph, kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer);
  chain->mixing = addNode(chain->graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  chain->filtering = addNode(chain->graph, kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  chain->io = addNode(chain->graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  check(AUGraphOpen(chain->graph));
  AudioUnit player = unitOf(chain->graph, playing);
  AudioUnit mixer = unitOf(chain->graph, chain->mixing);
  AudioUnit filter = unitOf(chain->graph, chain->filtering);

  // The player has the file's rate and channels. The mixer converts them: from its output on, all is
  // stereo at the device's rate.
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  check(AudioFileGetProperty(chain->file, kAudioFilePropertyDataFormat, &size, &format));
  const UInt32 channels = format.mChannelsPerFrame < 2 ? 1 : 2;
  setFormat(player, kAudioUnitScope_Output, 0, floatFormat(format.mSampleRate, channels));
  setFormat(mixer, kAudioUnitScope_Output, 0, floatFormat(rate, 2));
  setFormat(filter, kAudioUnitScope_Input, 0, floatFormat(rate, 2));
  setFormat(filter, kAudioUnitScope_Output, 0, floatFormat(rate, 2));
  allowLongSlices(player);
  allowLongSlices(mixer);
  allowLongSlices(filter);
  check(AUGraphConnectNodeInput(chain->graph, playing, 0, chain->mixing, 0));
  check(AUGraphConnectNodeInput(chain->graph, chain->mixing, 0, chain->filtering, 0));
  check(AUGraphConnectNodeInput(chain->graph, chain->filtering, 0, chain->io, 0));
  check(AUGraphInitialize(chain->graph));
  chain->hasEffect = true;
  chain->volume = makeControl(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0);
  chain->cutoff = makeControl(filter, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0);
  schedule(player, chain->file);
}

// Puts the effect into the graph, or takes it out, between two slices: all edits take effect with the
// update.
static void setEffect(Chain *chain, bool isOn) {
  if (isOn == chain->hasEffect) return;
  check(AUGraphDisconnectNodeInput(chain->graph, chain->io, 0));
  if (isOn) {
    check(AUGraphConnectNodeInput(chain->graph, chain->mixing, 0, chain->filtering, 0));
    check(AUGraphConnectNodeInput(chain->graph, chain->filtering, 0, chain->io, 0));
  } else {
    check(AUGraphDisconnectNodeInput(chain->graph, chain->filtering, 0));
    check(AUGraphConnectNodeInput(chain->graph, chain->mixing, 0, chain->io, 0));
  }
  check(AUGraphUpdate(chain->graph, NULL));
  chain->hasEffect = isOn;
}

static void execute(void *context, const Command *command) {
  Chain *chain = context;
  Float32 value;
  const bool isKnown = is(command, "volume", 1) || is(command, "cutoff", 1) || is(command, "effect", 1);
  if (!isKnown) return complain(command);
  if (!readValue(command->words[1], &value)) return;
  if (is(command, "volume", 1)) {
    setControl(chain->volume, value);
  } else if (is(command, "cutoff", 1)) {
    setControl(chain->cutoff, value);
  } else {
    setEffect(chain, value != 0);
  }
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count != 2) {
    fprintf(stderr, "Usage: file_chain FILE\n");
    return 64;
  }
  static Chain chain;
  const Float64 rate = activateSession(kAudioSessionCategory_MediaPlayback, 0.01f);
  openFile(&chain, words[1]);
  buildGraph(&chain, rate);
  check(AUGraphStart(chain.graph));
  printf("volume VALUE, cutoff HERTZ, effect 0|1, wait SECONDS, quit\n");
  readCommands(execute, &chain);
  check(AUGraphStop(chain.graph));
  check(DisposeAUGraph(chain.graph));
  check(AudioFileClose(chain.file));
  return 0;
}
