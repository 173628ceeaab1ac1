// SPDX-License-Identifier: Apache-2.0
// Two sounds around a listener, in a 3D mixer: mixer_3d
//
// Reads one command per line: "azimuth BUS DEGREES", "elevation BUS DEGREES", "distance BUS METRES",
// "gain BUS DECIBELS", "rate BUS FACTOR", each with SECONDS to move there; "enable BUS 0|1", "show",
// "play", "stop", "wait SECONDS", "quit". Bus 0 is a hum, bus 1 a beeper.
//
//   cc mixer_3d.c $(pkg-config --cflags --libs audiotoolbox) -lpthread -o mixer_3d

#include "../ExampleSupport/example.h"

enum { kBusCount = 2 };

//     loop 0 ── azimuth, distance, rate ──┐
//                                         ├── AU3DMixerEmbedded ── AURemoteIO
//     loop 1 ── azimuth, distance, rate ──┘
typedef struct {
  AUGraph graph;
  AudioUnit mixer;
  Loop loops[kBusCount];
} Scene;

// The controls of a bus, by the names of the commands.
static const struct {
  const char *name;
  AudioUnitParameterID id;
} kControls[] = {
    {"azimuth", kSpatialMixerParam_Azimuth},   {"elevation", kSpatialMixerParam_Elevation},
    {"distance", kSpatialMixerParam_Distance}, {"gain", kSpatialMixerParam_Gain},
    {"rate", kSpatialMixerParam_PlaybackRate}, {"enable", kSpatialMixerParam_Enable},
};
enum { kControlCount = sizeof kControls / sizeof *kControls };

// A second of a low tone with harmonics, in whole periods, so that it repeats without a seam.
static Loop hum(Float64 rate) {
  Loop loop = makeLoop((UInt32)rate);
  for (UInt32 frame = 0; frame < loop.count; frame++) {
    const double phase = 2 * M_PI * 300 * frame / rate;
    loop.samples[frame] = (Float32)(0.2 * sin(phase) + 0.1 * sin(2 * phase) + 0.05 * sin(3 * phase));
  }
  return loop;
}

// A second with four short beeps.
static Loop beeper(Float64 rate) {
  Loop loop = makeLoop((UInt32)rate);
  for (UInt32 frame = 0; frame < loop.count; frame++) {
    const double time = frame / rate;
    loop.samples[frame] = (Float32)(0.3 * exp(-20 * fmod(4 * time, 1)) * sin(2 * M_PI * 1000 * time));
  }
  return loop;
}

// Both sounds begin in front, a metre away.
static void buildGraph(Scene *scene, Float64 rate) {
  check(NewAUGraph(&scene->graph));
  const AUNode io = addNode(scene->graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixing =
      addNode(scene->graph, kAudioUnitType_Mixer, kAudioUnitSubType_AU3DMixerEmbedded);
  check(AUGraphOpen(scene->graph));
  scene->mixer = unitOf(scene->graph, mixing);
  scene->loops[0] = hum(rate);
  scene->loops[1] = beeper(rate);

  const UInt32 count = kBusCount;
  setProperty(scene->mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, sizeof count);
  allowLongSlices(scene->mixer);
  // Only mono sources have a place. The output has the two channels of the speakers.
  for (UInt32 bus = 0; bus < kBusCount; bus++) {
    setFormat(scene->mixer, kAudioUnitScope_Input, bus, floatFormat(rate, 1));
    const AURenderCallbackStruct source = {renderLoop, &scene->loops[bus]};
    check(AUGraphSetNodeInputCallback(scene->graph, mixing, bus, &source));
  }
  setFormat(scene->mixer, kAudioUnitScope_Output, 0, floatFormat(rate, 2));
  check(AUGraphConnectNodeInput(scene->graph, mixing, 0, io, 0));
  check(AUGraphInitialize(scene->graph));
  for (UInt32 bus = 0; bus < kBusCount; bus++)
    check(AudioUnitSetParameter(scene->mixer, kSpatialMixerParam_Distance, kAudioUnitScope_Input, bus, 1, 0));
}

static void showAll(const Scene *scene) {
  for (UInt32 bus = 0; bus < kBusCount; bus++)
    for (int i = 0; i < kControlCount; i++) {
      const Control control = makeControl(scene->mixer, kControls[i].id, kAudioUnitScope_Input, bus);
      char least[32], most[32];
      printf("%u %s: %g, from %s to %s\n", (unsigned)bus, kControls[i].name, valueOf(control),
             textOf(control, control.info.minValue, least),
             textOf(control, control.info.maxValue, most));
    }
}

static void setOrMove(const Scene *scene, const Command *command) {
  UInt32 bus;
  Float32 value;
  double seconds;
  int i = 0;
  while (i < kControlCount && strcmp(kControls[i].name, command->words[0]) != 0) i++;
  if (i == kControlCount) return complain(command);
  if (!readBus(command->words[1], &bus) || !readValue(command->words[2], &value)) return;
  const Control control = makeControl(scene->mixer, kControls[i].id, kAudioUnitScope_Input, bus);
  if (command->count == 3) {
    setControl(control, value);
  } else if (readSeconds(command->words[3], &seconds, stdout)) {
    startMovement(control, value, seconds);
  }
}

static void execute(void *context, const Command *command) {
  const Scene *scene = context;
  if (is(command, "show", 0)) {
    showAll(scene);
  } else if (is(command, "play", 0)) {
    succeeded(AUGraphStart(scene->graph), stdout);
  } else if (is(command, "stop", 0)) {
    succeeded(AUGraphStop(scene->graph), stdout);
  } else if (command->count == 3 || command->count == 4) {
    setOrMove(scene, command);
  } else {
    complain(command);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static Scene scene;
  buildGraph(&scene, activateSession(kAudioSessionCategory_MediaPlayback, 0.01f));
  printf("azimuth, elevation, distance, gain, rate BUS VALUE [SECONDS]; enable BUS 0|1;\n");
  printf("show, play, stop, wait SECONDS, quit\n");
  readCommands(execute, &scene);
  endMovements();
  check(AUGraphStop(scene.graph));
  check(DisposeAUGraph(scene.graph));
  return 0;
}
