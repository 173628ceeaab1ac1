// SPDX-License-Identifier: Apache-2.0
// Hosts the units of Units.hpp: registers them, checks the contract of all units, plays them in a
// graph and sends them notes. Prints each sentence that is not true; the exit code is their number.

#include <cstdio>
#include <functional>

#include "Units.hpp"

static int failures = 0;

#define EXPECT(claim) \
  do { \
    if (!(claim)) { \
      failures++; \
      std::printf("%s:%d: %s\n", __func__, __LINE__, #claim); \
    } \
  } while (false)

static const UInt32 sliceFrames = 512;

static AudioComponentDescription describe(OSType type, OSType subType) {
  return {type, subType, 'Exmp', 0, 0};
}
static const AudioComponentDescription effect = describe(kAudioUnitType_Effect, 'gain');
static const AudioComponentDescription instrument = describe(kAudioUnitType_MusicDevice, 'sine');

/// An instance of a component, disposed of with the object.
class Hosted {
 public:
  explicit Hosted(const AudioComponentDescription &description) {
    const AudioComponent component = AudioComponentFindNext(nullptr, &description);
    EXPECT(component && AudioComponentInstanceNew(component, &unit) == noErr);
  }
  ~Hosted() { EXPECT(AudioComponentInstanceDispose(unit) == noErr); }
  Hosted(const Hosted &) = delete;

  template <class Value> OSStatus set(AudioUnitPropertyID id, AudioUnitScope scope, const Value &value) {
    return AudioUnitSetProperty(unit, id, scope, 0, &value, sizeof value);
  }
  template <class Value> OSStatus get(AudioUnitPropertyID id, AudioUnitScope scope, Value &value,
                                      AudioUnitElement element = 0) {
    UInt32 size = sizeof value;
    return AudioUnitGetProperty(unit, id, scope, element, &value, &size);
  }

  /// The left channel of the next frames, rendered in slices of a given size.
  std::vector<Float32> render(UInt32 frames, UInt32 slice = sliceFrames) {
    std::vector<Float32> sound;
    while (sound.size() < frames) {
      const UInt32 count = std::min(slice, frames - UInt32(sound.size()));
      std::vector<Float32> left(count), right(count);
      struct {
        UInt32 number = 2;
        AudioBuffer buffers[2];
      } list;
      list.buffers[0] = {1, UInt32(count * sizeof(Float32)), left.data()};
      list.buffers[1] = {1, UInt32(count * sizeof(Float32)), right.data()};
      AudioTimeStamp time = {};
      time.mSampleTime = position;
      time.mFlags = kAudioTimeStampSampleTimeValid;
      AudioUnitRenderActionFlags flags = 0;
      EXPECT(AudioUnitRender(unit, &flags, &time, 0, count,
                             reinterpret_cast<AudioBufferList *>(&list)) == noErr);
      EXPECT(std::equal(left.begin(), left.end(), right.begin()));
      sound.insert(sound.end(), left.begin(), left.end());
      position += count;
    }
    return sound;
  }

  AudioUnit unit = nullptr;
  Float64 position = 0;
};

static double level(const std::vector<Float32> &sound, size_t first = 0) {
  double sum = 0;
  for (size_t frame = first; frame < sound.size(); frame++) sum += sound[frame] * sound[frame];
  return std::sqrt(sum / double(sound.size() - first));
}

/// The frequency, from rising zero crossings.
static double frequency(const std::vector<Float32> &sound) {
  double first = -1, last = -1;
  int count = 0;
  for (size_t frame = 1; frame < sound.size(); frame++) {
    if (sound[frame - 1] < 0 && sound[frame] >= 0) {
      last = double(frame) - sound[frame] / (sound[frame] - sound[frame - 1]);
      if (first < 0) first = last;
      count++;
    }
  }
  return count > 1 ? (count - 1) * 44100 / (last - first) : 0;
}

static OSStatus impulse(void *fired, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
                        UInt32 frames, AudioBufferList *data) {
  for (UInt32 channel = 0; channel < data->mNumberBuffers; channel++) {
    auto *samples = static_cast<Float32 *>(data->mBuffers[channel].mData);
    std::fill(samples, samples + frames, 0.0f);
    if (!*static_cast<bool *>(fired)) samples[0] = 1;
  }
  *static_cast<bool *>(fired) = true;
  return noErr;
}

static void areFoundAsTheyWereRegistered() {
  for (const auto &description : {effect, instrument}) {
    EXPECT(AudioComponentCount(&description) == 1);
    AudioComponentDescription found = {};
    const AudioComponent component = AudioComponentFindNext(nullptr, &description);
    EXPECT(AudioComponentGetDescription(component, &found) == noErr);
    EXPECT(found.componentSubType == description.componentSubType);
    CFStringRef name = nullptr;
    EXPECT(AudioComponentCopyName(component, &name) == noErr);
    const char *text = CFStringGetCStringPtr(name, kCFStringEncodingUTF8);
    EXPECT(text && std::strncmp(text, "Example: ", 9) == 0);
    CFRelease(name);
  }
}

/// The contract of every unit.
static void conform(const AudioComponentDescription &description) {
  Hosted unit(description);
  UInt32 size = 0;
  Boolean isWritable = true;
  EXPECT(AudioUnitGetPropertyInfo(unit.unit, kAudioUnitProperty_ParameterList,
                                  kAudioUnitScope_Global, 0, &size, &isWritable) == noErr);
  EXPECT(size > 0 && !isWritable);
  std::vector<AudioUnitParameterID> ids(size / sizeof(AudioUnitParameterID));
  EXPECT(AudioUnitGetProperty(unit.unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0,
                              ids.data(), &size) == noErr);
  for (const auto id : ids) {
    AudioUnitParameterInfo info = {};
    EXPECT(unit.get(kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, info, id) == noErr);
    EXPECT(info.cfNameString && CFStringGetLength(info.cfNameString) > 0);
    if (info.flags & kAudioUnitParameterFlag_CFNameRelease) CFRelease(info.cfNameString);
    EXPECT(info.minValue <= info.defaultValue && info.defaultValue <= info.maxValue);
    AudioUnitParameterValue value = -1;
    EXPECT(AudioUnitGetParameter(unit.unit, id, kAudioUnitScope_Global, 0, &value) == noErr);
    EXPECT(value == info.defaultValue);
    for (const auto end : {info.minValue, info.maxValue}) {
      EXPECT(AudioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, end, 0) == noErr);
      EXPECT(AudioUnitGetParameter(unit.unit, id, kAudioUnitScope_Global, 0, &value) == noErr);
      EXPECT(value == end);
    }
  }
  AudioUnitParameterValue value;
  EXPECT(AudioUnitGetParameter(unit.unit, 9999, kAudioUnitScope_Global, 0, &value)
         == kAudioUnitErr_InvalidParameter);
  EXPECT(AudioUnitSetParameter(unit.unit, 9999, kAudioUnitScope_Global, 0, 1, 0)
         == kAudioUnitErr_InvalidParameter);
  EXPECT(AudioUnitGetPropertyInfo(unit.unit, 64000, kAudioUnitScope_Global, 0, &size, &isWritable)
         == kAudioUnitErr_InvalidProperty);

  // A format that is not PCM is refused; a PCM format can be set until the unit is initialised.
  AudioStreamBasicDescription format = {};
  EXPECT(unit.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, format) == noErr);
  EXPECT(format.mChannelsPerFrame == 2);
  AudioStreamBasicDescription other = format;
  other.mFormatID = kAudioFormatMPEG4AAC;
  EXPECT(unit.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, other)
         == kAudioUnitErr_FormatNotSupported);
  EXPECT(unit.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, format) == noErr);

  // A saved state is restored completely.
  const auto id = ids.front();
  EXPECT(AudioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, 0.25f, 0) == noErr);
  CFPropertyListRef state = nullptr;
  EXPECT(unit.get(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, state) == noErr);
  EXPECT(AudioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, 0.75f, 0) == noErr);
  EXPECT(unit.set(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, state) == noErr);
  CFRelease(state);
  EXPECT(AudioUnitGetParameter(unit.unit, id, kAudioUnitScope_Global, 0, &value) == noErr);
  EXPECT(value == 0.25f);

  // It does not render uninitialised, nor too many frames.
  AudioBufferList list = {1, {{1, 0, nullptr}}};
  AudioTimeStamp time = {};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  EXPECT(AudioUnitRender(unit.unit, nullptr, &time, 0, 64, &list) == kAudioUnitErr_Uninitialized);
  EXPECT(AudioUnitInitialize(unit.unit) == noErr);
  EXPECT(AudioUnitRender(unit.unit, nullptr, &time, 0, 4096, &list)
         == kAudioUnitErr_TooManyFramesToProcess);
  OSStatus error = noErr;
  EXPECT(unit.get(kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, error) == noErr);
  EXPECT(error == kAudioUnitErr_Uninitialized);
  EXPECT(AudioUnitUninitialize(unit.unit) == noErr);
}

/// Any slice size gives the same samples, and a reset makes a unit as new.
static void soundsTheSameInAnySlice() {
  std::vector<Float32> reference;
  for (const UInt32 slice : {512u, 64u, 7u, 1u}) {
    Hosted unit(effect);
    bool hasFired = false;
    EXPECT(unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input,
                    AURenderCallbackStruct{impulse, &hasFired}) == noErr);
    EXPECT(AudioUnitInitialize(unit.unit) == noErr);
    const auto sound = unit.render(512, slice);
    Float64 latency = 0;
    EXPECT(unit.get(kAudioUnitProperty_Latency, kAudioUnitScope_Global, latency) == noErr);
    // The impulse appears after the latency, multiplied by the gain.
    EXPECT(sound[size_t(std::lround(latency * 44100))] == 0.5f);
    if (reference.empty()) reference = sound;
    EXPECT(sound == reference);
    hasFired = false;
    EXPECT(AudioUnitReset(unit.unit, kAudioUnitScope_Global, 0) == noErr);
    EXPECT(unit.render(512, slice) == reference);
  }
}

static void notifiesListeners() {
  Hosted unit(effect);
  int count = 0;
  const AudioUnitPropertyListenerProc listener =
      [](void *count, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement) {
        ++*static_cast<int *>(count);
      };
  EXPECT(AudioUnitAddPropertyListener(unit.unit, kAudioUnitProperty_BypassEffect, listener, &count)
         == noErr);
  EXPECT(unit.set(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, UInt32(1)) == noErr);
  EXPECT(count == 1);
  EXPECT(AudioUnitRemovePropertyListenerWithUserData(unit.unit, kAudioUnitProperty_BypassEffect,
                                                     listener, &count) == noErr);
  EXPECT(unit.set(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, UInt32(0)) == noErr);
  EXPECT(count == 1);
}

static void acceptsNotes() {
  Hosted unit(instrument);
  EXPECT(AudioComponentInstanceCanDo(unit.unit, kMusicDeviceMIDIEventSelect));
  EXPECT(AudioComponentInstanceCanDo(unit.unit, kMusicDeviceStartNoteSelect));
  UInt32 count = 0;
  EXPECT(unit.get(kMusicDeviceProperty_InstrumentCount, kAudioUnitScope_Global, count) == noErr);
  EXPECT(count == 1);
  CFURLRef icon = nullptr;
  EXPECT(unit.get(kAudioUnitProperty_IconLocation, kAudioUnitScope_Global, icon) == noErr);
  EXPECT(icon);
  if (icon) CFRelease(icon);
  EXPECT(AudioUnitInitialize(unit.unit) == noErr);
  EXPECT(level(unit.render(4096)) == 0);

  // By MIDI: 440 Hz from frame 100; full velocity is half of full scale.
  EXPECT(MusicDeviceMIDIEvent(unit.unit, 0x90, 69, 127, 100) == noErr);
  auto sound = unit.render(22050);
  EXPECT(std::all_of(sound.begin(), sound.begin() + 100, [](Float32 s) { return s == 0; }));
  EXPECT(std::abs(frequency(sound) - 440) < 0.1);
  EXPECT(std::abs(level(sound, 100) - 0.5 / std::sqrt(2.0)) < 0.005);
  EXPECT(MusicDeviceMIDIEvent(unit.unit, 0x80, 69, 0, 0) == noErr);
  EXPECT(level(unit.render(4096)) == 0);

  // By note ID: two notes, one of which is stopped.
  const MusicDeviceNoteParams low = {2, 57, 127, {{0, 0}}}, high = {2, 81.5f, 127, {{0, 0}}};
  NoteInstanceID first = 0, second = 0;
  EXPECT(MusicDeviceStartNote(unit.unit, kMusicNoteEvent_UseGroupInstrument, 0, &first, 0, &low)
         == noErr);
  EXPECT(MusicDeviceStartNote(unit.unit, kMusicNoteEvent_UseGroupInstrument, 0, &second, 0, &high)
         == noErr);
  EXPECT(first != second);
  EXPECT(MusicDeviceStopNote(unit.unit, 0, first, 0) == noErr);
  EXPECT(std::abs(frequency(unit.render(22050)) - 440 * std::pow(2, 12.5 / 12)) < 0.2);
  EXPECT(MusicDeviceStopNote(unit.unit, 0, 5, 0) == kAudio_ParamError);

  // A MIDI message stops all notes.
  const UInt8 message[] = {0xf0, 0x7d, 0x01, 0xf7};
  EXPECT(MusicDeviceSysEx(unit.unit, message, sizeof message) == noErr);
  EXPECT(level(unit.render(4096)) == 0);
  EXPECT(MusicDeviceSysEx(unit.unit, message, 3) == kAudio_ParamError);
}

/// Units without notes refuse them.
static void ignoresNotesElsewhere() {
  const AudioComponentDescription native = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  for (const auto &description : {effect, native}) {
    Hosted unit(description);
    const MusicDeviceNoteParams how = {2, 60, 100, {{0, 0}}};
    NoteInstanceID note = 0;
    const UInt8 message[] = {0xf0, 0xf7};
    EXPECT(!AudioComponentInstanceCanDo(unit.unit, kMusicDeviceMIDIEventSelect));
    EXPECT(MusicDeviceMIDIEvent(unit.unit, 0x90, 60, 100, 0) == kAudio_UnimplementedError);
    EXPECT(MusicDeviceSysEx(unit.unit, message, 2) == kAudio_UnimplementedError);
    EXPECT(MusicDeviceStartNote(unit.unit, 0, 0, &note, 0, &how) == kAudio_UnimplementedError);
    EXPECT(MusicDeviceStopNote(unit.unit, 0, note, 0) == kAudio_UnimplementedError);
  }
}

/// Instrument, effect, generic output: the output has half of the note's level.
static void playInAGraph() {
  const AudioComponentDescription output = {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput,
                                            kAudioUnitManufacturer_Apple, 0, 0};
  AUGraph graph = nullptr;
  AUNode nodes[3];
  EXPECT(NewAUGraph(&graph) == noErr);
  EXPECT(AUGraphAddNode(graph, &instrument, &nodes[0]) == noErr);
  EXPECT(AUGraphAddNode(graph, &effect, &nodes[1]) == noErr);
  EXPECT(AUGraphAddNode(graph, &output, &nodes[2]) == noErr);
  EXPECT(AUGraphConnectNodeInput(graph, nodes[0], 0, nodes[1], 0) == noErr);
  EXPECT(AUGraphConnectNodeInput(graph, nodes[1], 0, nodes[2], 0) == noErr);
  EXPECT(AUGraphOpen(graph) == noErr);
  EXPECT(AUGraphInitialize(graph) == noErr);
  AudioUnit source = nullptr, sink = nullptr;
  EXPECT(AUGraphNodeInfo(graph, nodes[0], nullptr, &source) == noErr);
  EXPECT(AUGraphNodeInfo(graph, nodes[2], nullptr, &sink) == noErr);
  EXPECT(AUGraphStart(graph) == noErr);
  EXPECT(MusicDeviceMIDIEvent(source, 0x90, 69, 127, 0) == noErr);

  std::vector<Float32> left(sliceFrames), right(sliceFrames), sound;
  for (int slice = 0; slice < 40; slice++) {
    struct {
      UInt32 number = 2;
      AudioBuffer buffers[2];
    } list;
    list.buffers[0] = {1, UInt32(sliceFrames * sizeof(Float32)), left.data()};
    list.buffers[1] = {1, UInt32(sliceFrames * sizeof(Float32)), right.data()};
    AudioTimeStamp time = {};
    time.mSampleTime = slice * Float64(sliceFrames);
    time.mFlags = kAudioTimeStampSampleTimeValid;
    AudioUnitRenderActionFlags flags = 0;
    EXPECT(AudioUnitRender(sink, &flags, &time, 0, sliceFrames,
                           reinterpret_cast<AudioBufferList *>(&list)) == noErr);
    sound.insert(sound.end(), left.begin(), left.end());
  }
  EXPECT(std::abs(frequency(sound) - 440) < 0.1);
  EXPECT(std::abs(level(sound, 1000) - 0.25 / std::sqrt(2.0)) < 0.005);
  EXPECT(AUGraphStop(graph) == noErr);
  EXPECT(DisposeAUGraph(graph) == noErr);
}

int main() {
  EXPECT(AudioComponentRegister(&effect, CFSTR("Example: Gain"), 0x10000, makePlugIn<GainUnit>));
  EXPECT(AudioComponentRegister(&instrument, CFSTR("Example: Sine"), 0x10000, makePlugIn<SineUnit>));
  areFoundAsTheyWereRegistered();
  conform(effect);
  conform(instrument);
  soundsTheSameInAnySlice();
  notifiesListeners();
  acceptsNotes();
  ignoresNotesElsewhere();
  playInAGraph();
  std::printf("%d sentences are not true\n", failures);
  return failures;
}
