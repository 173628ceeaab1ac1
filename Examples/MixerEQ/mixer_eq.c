// SPDX-License-Identifier: Apache-2.0
// Plays two tones through a mixer in a graph, one of them through an equaliser:
//   mixer_eq [PRESET] [SECONDS] [NAME=VALUE]
// PRESET is a preset of the equaliser, NAME a control of the other tone.
//
// Without a preset it lists all presets and controls, then reads one command per line: "preset NAME",
// "volume BUS VALUE", "enable BUS 0|1", "play", "stop", "wait SECONDS", "quit". Bus 0 is the other tone,
// bus 1 the equalised one. Everything can be changed before, while and after it plays.
//
//   cc mixer_eq.c $(pkg-config --cflags --libs audiotoolbox) -lpthread -o mixer_eq

#include "../ExampleSupport/example.h"

enum { kMostControls = 16 };

// The state of a render callback, which only that callback uses.
typedef struct {
  double step, theta;
} Tone;

//     tone 0 ──────────────┐
//                          ├── AUMultiChannelMixer ── AURemoteIO
//     tone 1 ── AUiPodEQ ──┘
typedef struct {
  AUGraph graph;
  AudioUnit mixer, equalizer;
  Tone tones[2];
  // The list belongs to this program, its presets to the unit.
  CFArrayRef presets;
} Mix;

// Called on the audio thread for the next frames of a tone.
static OSStatus renderTone(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *when,
                           UInt32 bus, UInt32 frameCount, AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  Tone *tone = refCon;
  Float32 *samples = data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] = (Float32)(0.1 * sin(tone->theta));
    tone->theta += tone->step;
    if (tone->theta >= 2 * M_PI) tone->theta -= 2 * M_PI;
  }
  return noErr;
}

static void buildGraph(Mix *mix, Float64 rate) {
  check(NewAUGraph(&mix->graph));
  const AUNode io = addNode(mix->graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixing =
      addNode(mix->graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  const AUNode equalizing = addNode(mix->graph, kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  check(AUGraphOpen(mix->graph));
  mix->mixer = unitOf(mix->graph, mixing);
  mix->equalizer = unitOf(mix->graph, equalizing);

  // The equaliser needs the full format on both sides. The mixer's bus with a callback needs the format
  // of its samples; the other bus gets that of its connection. For the mixer's output only the rate is
  // set.
  const AudioStreamBasicDescription format = floatFormat(rate, 1);
  setFormat(mix->equalizer, kAudioUnitScope_Input, 0, format);
  setFormat(mix->equalizer, kAudioUnitScope_Output, 0, format);
  const UInt32 busCount = 2;
  setProperty(mix->mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &busCount,
              sizeof busCount);
  setFormat(mix->mixer, kAudioUnitScope_Input, 0, format);
  setProperty(mix->mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, &rate, sizeof rate);
  allowLongSlices(mix->mixer);
  allowLongSlices(mix->equalizer);

  mix->tones[0].step = 2 * M_PI * 3000 / rate;
  mix->tones[1].step = 2 * M_PI * 100 / rate;
  const AURenderCallbackStruct plain = {renderTone, &mix->tones[0]};
  const AURenderCallbackStruct equalized = {renderTone, &mix->tones[1]};
  check(AUGraphSetNodeInputCallback(mix->graph, mixing, 0, &plain));
  check(AUGraphSetNodeInputCallback(mix->graph, equalizing, 0, &equalized));
  check(AUGraphConnectNodeInput(mix->graph, equalizing, 0, mixing, 1));
  check(AUGraphConnectNodeInput(mix->graph, mixing, 0, io, 0));
  check(AUGraphInitialize(mix->graph));

  UInt32 size = sizeof mix->presets;
  check(AudioUnitGetProperty(mix->equalizer, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0,
                             &mix->presets, &size));
}

static const AUPreset *preset(const Mix *mix, CFIndex index, char *name, CFIndex size) {
  const AUPreset *found = CFArrayGetValueAtIndex(mix->presets, index);
  CFStringGetCString(found->presetName, name, size, kCFStringEncodingUTF8);
  return found;
}

// Selects a preset by its name, even while it plays.
static bool choose(const Mix *mix, const char *name, FILE *output) {
  char other[64];
  for (CFIndex i = 0; i < CFArrayGetCount(mix->presets); i++) {
    const AUPreset *found = preset(mix, i, other, sizeof other);
    if (strcmp(name, other) == 0)
      return succeeded(AudioUnitSetProperty(mix->equalizer, kAudioUnitProperty_PresentPreset,
                                            kAudioUnitScope_Global, 0, found, sizeof *found), output);
  }
  fprintf(output, "%sPRESET is \"%s\": expected a preset; mixer_eq alone lists them\n",
          output == stderr ? "mixer_eq: " : "", name);
  return false;
}

static void set(const Mix *mix, AudioUnitParameterID id, const Command *command) {
  UInt32 bus;
  Float32 value;
  if (readBus(command->words[1], &bus) && readValue(command->words[2], &value))
    setControl(makeControl(mix->mixer, id, kAudioUnitScope_Input, bus), value);
}

static void execute(void *context, const Command *command) {
  const Mix *mix = context;
  if (command->count > 1 && strcmp(command->words[0], "preset") == 0) {
    choose(mix, restOf(command), stdout);
  } else if (is(command, "volume", 2)) {
    set(mix, kMultiChannelMixerParam_Volume, command);
  } else if (is(command, "enable", 2)) {
    set(mix, kMultiChannelMixerParam_Enable, command);
  } else if (is(command, "play", 0)) {
    succeeded(AUGraphStart(mix->graph), stdout);
  } else if (is(command, "stop", 0)) {
    succeeded(AUGraphStop(mix->graph), stdout);
  } else {
    complain(command);
  }
}

// What can be chosen: the presets, and the controls of the tone that is not equalised.
static void list(const Mix *mix, const Control *controls, int count) {
  char name[64], value[32], least[32], most[32];
  for (CFIndex i = 0; i < CFArrayGetCount(mix->presets); i++) {
    preset(mix, i, name, sizeof name);
    printf("%s\n", name);
  }
  for (int i = 0; i < count; i++)
    printf("%s=%s, from %s to %s\n", controls[i].name, textOf(controls[i], valueOf(controls[i]), value),
           textOf(controls[i], controls[i].info.minValue, least),
           textOf(controls[i], controls[i].info.maxValue, most));
}

// Sets the control of NAME=VALUE.
static bool setByName(const Control *controls, int count, const char *setting) {
  char *end;
  const char *value = strchr(setting, '=');
  for (int i = 0; value != NULL && i < count; i++) {
    const size_t length = (size_t)(value - setting);
    const Float32 number = strtof(value + 1, &end);
    if (strlen(controls[i].name) == length && strncmp(controls[i].name, setting, length) == 0 &&
        end != value + 1 && *end == '\0')
      return setControl(controls[i], number);
  }
  fprintf(stderr, "mixer_eq: NAME=VALUE is \"%s\": expected a parameter; mixer_eq alone lists them\n",
          setting);
  return false;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  double seconds = 1;
  if (count > 4 || (count > 2 && !readSeconds(words[2], &seconds, stderr))) {
    fprintf(stderr, "Usage: mixer_eq [PRESET] [SECONDS] [NAME=VALUE]\n");
    return 64;
  }
  static Mix mix;
  buildGraph(&mix, activateSession(kAudioSessionCategory_MediaPlayback, 0.01f));
  Control controls[kMostControls];
  const int controlCount = makeControls(mix.mixer, kAudioUnitScope_Input, 0, controls, kMostControls);
  if (count == 1) {
    list(&mix, controls, controlCount);
    readCommands(execute, &mix);
  } else {
    if (!choose(&mix, words[1], stderr)) return 64;
    if (count > 3 && !setByName(controls, controlCount, words[3])) return 64;
    check(AUGraphStart(mix.graph));
    usleep((useconds_t)(seconds * 1e6));
  }
  check(AUGraphStop(mix.graph));
  check(DisposeAUGraph(mix.graph));
  CFRelease(mix.presets);
  return 0;
}
