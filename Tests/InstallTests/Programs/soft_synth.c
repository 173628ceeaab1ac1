// SPDX-License-Identifier: Apache-2.0
// A music player of a game, based on the system's software synthesizer: an AUGraph with a music
// device and the default output, a program change, and a scale of MIDI events.
// Ends with a note of 440 Hz.

#include <AudioToolbox/AudioToolbox.h>
#include <unistd.h>

static AUGraph graph;
static AudioUnit synth;

static void require_noerr_or_die(OSStatus result, const char *call) {
  if (result == noErr) return;
  fprintf(stderr, "%s: %d\n", call, (int)result);
  exit(1);
}

#define Require(call) require_noerr_or_die((call), #call)

static void open_device(void) {
  AudioComponentDescription cd = {0};
  AUNode synthNode, outNode;
  Require(NewAUGraph(&graph));
  cd.componentManufacturer = kAudioUnitManufacturer_Apple;
  cd.componentType = kAudioUnitType_MusicDevice;
  cd.componentSubType = kAudioUnitSubType_DLSSynth;
  Require(AUGraphAddNode(graph, &cd, &synthNode));
  cd.componentType = kAudioUnitType_Output;
  cd.componentSubType = kAudioUnitSubType_DefaultOutput;
  Require(AUGraphAddNode(graph, &cd, &outNode));
  Require(AUGraphOpen(graph));
  Require(AUGraphConnectNodeInput(graph, synthNode, 0, outNode, 0));
  Require(AUGraphNodeInfo(graph, synthNode, 0, &synth));
  Require(AUGraphInitialize(graph));
}

static void send(UInt32 status, UInt32 data1, UInt32 data2) {
  Require(MusicDeviceMIDIEvent(synth, status, data1, data2, 0));
}

int main(void) {
  static const UInt32 scale[] = {60, 62, 64, 65, 67};
  open_device();
  // Bank select, then the program: a church organ.
  send(0xB0, 0, 0);
  send(0xC0, 19, 0);
  send(0xB0, 7, 127);
  Require(AUGraphStart(graph));
  for (size_t i = 0; i < sizeof scale / sizeof *scale; ++i) {
    send(0x90, scale[i], 100);
    usleep(100 * 1000);
    send(0x80, scale[i], 0);
  }
  send(0x90, 69, 100);
  usleep(1000 * 1000);
  send(0x80, 69, 0);
  Require(AUGraphStop(graph));
  Require(DisposeAUGraph(graph));
  return 0;
}
