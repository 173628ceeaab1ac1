// SPDX-License-Identifier: Apache-2.0
// The mixer of a music program: tracks as objects on the buses of a mixer, a notification that counts
// the output's time, and a fade that is scheduled while it plays.
// Plays 400 Hz at 0.4.

#include <AudioToolbox/AudioToolbox.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

struct Track {
  explicit Track(double frequency, float level) : frequency(frequency), level(level) {}
  virtual ~Track() = default;
  virtual void render(UInt32 frames, AudioBufferList &list) {
    for (UInt32 i = 0; i < frames; i++, n++)
      for (UInt32 b = 0; b < list.mNumberBuffers; b++)
        static_cast<float *>(list.mBuffers[b].mData)[i] =
            level * float(sin(2 * M_PI * frequency * n / 44100));
  }
  static OSStatus callback(void *me, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                           UInt32 bus, UInt32 frames, AudioBufferList *list) {
    static_cast<Track *>(me)->render(frames, *list);
    return noErr;
  }
  double frequency;
  float level;
  UInt64 n = 0;
};

struct Silence : Track {
  Silence() : Track(0, 0) {}
  void render(UInt32 frames, AudioBufferList &list) override {
    for (UInt32 b = 0; b < list.mNumberBuffers; b++)
      memset(list.mBuffers[b].mData, 0, list.mBuffers[b].mDataByteSize);
  }
};

class Machine {
 public:
  Machine() {
    tracks.emplace_back(new Track(400, .8f));
    tracks.emplace_back(new Silence);
    NewAUGraph(&graph);
    AudioComponentDescription mix = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                     kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponentDescription out = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                     kAudioUnitManufacturer_Apple, 0, 0};
    AUNode mixNode, outNode;
    ok(AUGraphAddNode(graph, &mix, &mixNode));
    ok(AUGraphAddNode(graph, &out, &outNode));
    ok(AUGraphOpen(graph));
    ok(AUGraphNodeInfo(graph, mixNode, nullptr, &mixer));
    const UInt32 buses = UInt32(tracks.size());
    ok(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &buses,
                            sizeof buses));
    for (UInt32 bus = 0; bus < buses; bus++) {
      AURenderCallbackStruct callback{Track::callback, tracks[bus].get()};
      ok(AUGraphSetNodeInputCallback(graph, mixNode, bus, &callback));
    }
    ok(AUGraphConnectNodeInput(graph, mixNode, 0, outNode, 0));
    ok(AUGraphAddRenderNotify(graph, notify, this));
    ok(AUGraphInitialize(graph));
    ok(AUGraphStart(graph));
  }
  ~Machine() {
    AUGraphStop(graph);
    AUGraphRemoveRenderNotify(graph, notify, this);
    DisposeAUGraph(graph);
  }
  void fade(UInt32 bus, float from, float to) {
    AudioUnitParameterEvent event = {};
    event.scope = kAudioUnitScope_Input;
    event.element = bus;
    event.parameter = kMultiChannelMixerParam_Volume;
    event.eventType = kParameterEvent_Ramped;
    event.eventValues.ramp.startBufferOffset = 0;
    event.eventValues.ramp.durationInFrames = 512;
    event.eventValues.ramp.startValue = from;
    event.eventValues.ramp.endValue = to;
    ok(AudioUnitScheduleParameters(mixer, &event, 1));
  }
  UInt64 frames() const { return rendered; }

 private:
  static void ok(OSStatus status) {
    if (status) {
      fprintf(stderr, "OSStatus %d\n", (int)status);
      abort();
    }
  }
  static OSStatus notify(void *me, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *,
                         UInt32, UInt32 frames, AudioBufferList *) {
    if (*flags & kAudioUnitRenderAction_PostRender) static_cast<Machine *>(me)->rendered += frames;
    return noErr;
  }
  AUGraph graph = nullptr;
  AudioUnit mixer = nullptr;
  std::vector<std::unique_ptr<Track>> tracks;
  std::atomic<UInt64> rendered{0};
};

int main() {
  Machine machine;
  machine.fade(0, 1, .5f);
  usleep(400000);
  return machine.frames() > 4410 ? 0 : 1;
}
