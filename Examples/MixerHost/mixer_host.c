// SPDX-License-Identifier: Apache-2.0
// Two loops in a mixer, with controls for each: mixer_host
//
// Reads one command per line: "volume BUS VALUE", "pan BUS VALUE", "enable BUS 0|1", "master VALUE",
// "fade BUS VALUE SECONDS", "show", "play", "stop", "wait SECONDS", "quit". Bus 0 is the guitar, bus 1
// the beat. Every changed value is shown.
//
//   cc mixer_host.c $(pkg-config --cflags --libs audiotoolbox) -lpthread -o mixer_host

#include "../ExampleSupport/example.h"

enum { kBusCount = 2, kMostControls = 16 };

// A control and the part of the program to which it belongs.
typedef struct {
  const char *part;
  Control control;
} Line;

typedef struct {
  AUGraph graph;
  AudioUnit mixer;
  Loop loops[kBusCount];
  Line lines[kMostControls];
  int lineCount;
  atomic_bool isOver;
} Host;

// Noise from -1 to 1 that is the same on each run.
static Float32 noise(UInt32 *state) {
  *state = *state * 1664525 + 1013904223;
  return (Float32)(SInt32)*state / 2147483648.0f;
}

// Four plucked notes in two seconds, by the Karplus-Strong method: noise that circulates in a short
// delay line and is averaged on each pass.
static Loop guitar(Float64 rate) {
  static const double frequencies[] = {220, 261.626, 329.628, 440};
  Loop loop = makeLoop((UInt32)(2 * rate));
  UInt32 state = 1;
  for (UInt32 beat = 0; beat < 4; beat++) {
    const UInt32 length = (UInt32)(rate / frequencies[beat]);
    Float32 *line = malloc(length * sizeof *line);
    for (UInt32 i = 0; i < length; i++) line[i] = noise(&state);
    for (UInt32 frame = 0; frame < loop.count / 4; frame++) {
      const UInt32 place = frame % length;
      loop.samples[beat * (loop.count / 4) + frame] = 0.5f * line[place];
      line[place] = 0.498f * (line[place] + line[(place + 1) % length]);
    }
    free(line);
  }
  return loop;
}

// A kick drum on each beat of half a second, and a hi-hat between.
static Loop beat(Float64 rate) {
  Loop loop = makeLoop((UInt32)(2 * rate));
  UInt32 state = 1;
  for (UInt32 frame = 0; frame < loop.count; frame++) {
    const double seconds = frame % (loop.count / 4) / rate;
    const double kick = sin(2 * M_PI * 60 * seconds * (1 + exp(-40 * seconds))) * exp(-12 * seconds);
    const double sinceHat = seconds - 0.25;
    const double hat = sinceHat < 0 ? 0 : noise(&state) * exp(-60 * sinceHat);
    loop.samples[frame] = (Float32)(0.6 * kick + 0.2 * hat);
  }
  return loop;
}

// The seven steps of every program that hosts units in a graph.
static void buildGraph(Host *host, Float64 rate) {
  // 1. Make a graph. 2. Add a node for each unit.
  check(NewAUGraph(&host->graph));
  const AUNode io = addNode(host->graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixing =
      addNode(host->graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  // 3. Open the graph, which makes the units, and get the unit to set up.
  check(AUGraphOpen(host->graph));
  host->mixer = unitOf(host->graph, mixing);
  // 4. Set the number of buses and the formats. 5. Connect the source of each bus.
  const UInt32 count = kBusCount;
  setProperty(host->mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, sizeof count);
  allowLongSlices(host->mixer);
  host->loops[0] = guitar(rate);
  host->loops[1] = beat(rate);
  for (UInt32 bus = 0; bus < kBusCount; bus++) {
    setFormat(host->mixer, kAudioUnitScope_Input, bus, floatFormat(rate, 1));
    const AURenderCallbackStruct source = {renderLoop, &host->loops[bus]};
    check(AUGraphSetNodeInputCallback(host->graph, mixing, bus, &source));
  }
  setProperty(host->mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, &rate, sizeof rate);
  check(AUGraphConnectNodeInput(host->graph, mixing, 0, io, 0));
  // 6. Initialize everything. 7. Start it, in main; the controls are the parameters of the buses.
  check(AUGraphInitialize(host->graph));
}

static void addLines(Host *host, const char *part, AudioUnitElement bus) {
  Control controls[kMostControls];
  const int count = makeControls(host->mixer, kAudioUnitScope_Input, bus, controls, 7);
  for (int i = 0; i < count; i++) host->lines[host->lineCount++] = (Line){part, controls[i]};
}

static void show(const Line *line, Float32 value) {
  char text[32];
  printf("%s %s: %s\n", line->part, line->control.name, textOf(line->control, value, text));
}

static void showAll(const Host *host) {
  for (int i = 0; i < host->lineCount; i++) show(&host->lines[i], valueOf(host->lines[i].control));
}

// Called on the run loop of the main thread, whichever part of the program changed a value.
static void valueChanged(void *data, void *object, const AudioUnitParameter *parameter, Float32 value) {
  (void)object;
  const Host *host = data;
  for (int i = 0; i < host->lineCount; i++) {
    const AudioUnitParameter *own = &host->lines[i].control.parameter;
    if (own->mParameterID == parameter->mParameterID && own->mScope == parameter->mScope &&
        own->mElement == parameter->mElement)
      show(&host->lines[i], value);
  }
}

static void set(const Host *host, AudioUnitParameterID id, const Command *command) {
  UInt32 bus;
  Float32 value;
  if (readBus(command->words[1], &bus) && readValue(command->words[2], &value))
    setControl(makeControl(host->mixer, id, kAudioUnitScope_Input, bus), value);
}

static void fade(const Host *host, const Command *command) {
  UInt32 bus;
  Float32 value;
  double seconds;
  if (readBus(command->words[1], &bus) && readValue(command->words[2], &value) &&
      readSeconds(command->words[3], &seconds, stdout))
    startMovement(makeControl(host->mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus), value,
                  seconds);
}

static void execute(void *context, const Command *command) {
  Host *host = context;
  Float32 value;
  if (is(command, "volume", 2)) {
    set(host, kMultiChannelMixerParam_Volume, command);
  } else if (is(command, "pan", 2)) {
    set(host, kMultiChannelMixerParam_Pan, command);
  } else if (is(command, "enable", 2)) {
    set(host, kMultiChannelMixerParam_Enable, command);
  } else if (is(command, "master", 1)) {
    if (readValue(command->words[1], &value))
      setControl(host->lines[host->lineCount - 1].control, value);
  } else if (is(command, "fade", 3)) {
    fade(host, command);
  } else if (is(command, "show", 0)) {
    showAll(host);
  } else if (is(command, "play", 0)) {
    succeeded(AUGraphStart(host->graph), stdout);
  } else if (is(command, "stop", 0)) {
    succeeded(AUGraphStop(host->graph), stdout);
  } else {
    complain(command);
  }
}

// A thread of its own, because reading blocks and the main thread has the run loop.
static void *readInput(void *data) {
  Host *host = data;
  readCommands(execute, host);
  atomic_store(&host->isOver, true);
  CFRunLoopWakeUp(CFRunLoopGetMain());
  return NULL;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static Host host;
  buildGraph(&host, activateSession(kAudioSessionCategory_MediaPlayback, 0.01f));
  addLines(&host, "guitar", 0);
  addLines(&host, "beat", 1);
  host.lines[host.lineCount++] = (Line){
      "master", makeControl(host.mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0)};

  // Changes are collected for 50 ms.
  AUParameterListenerRef listener;
  check(AUListenerCreate(valueChanged, &host, CFRunLoopGetMain(), kCFRunLoopDefaultMode, 0.05f, &listener));
  for (int i = 0; i < host.lineCount; i++)
    check(AUListenerAddParameter(listener, NULL, &host.lines[i].control.parameter));
  check(AUGraphStart(host.graph));
  printf("volume, pan, enable BUS VALUE; master VALUE; fade BUS VALUE SECONDS;\n");
  printf("show, play, stop, wait SECONDS, quit\n");
  showAll(&host);

  pthread_t reader;
  pthread_create(&reader, NULL, readInput, &host);
  while (!atomic_load(&host.isOver)) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, false);
  pthread_join(reader, NULL);
  endMovements();
  check(AUGraphStop(host.graph));
  check(AUListenerDispose(listener));
  check(DisposeAUGraph(host.graph));
  return 0;
}
