// SPDX-License-Identifier: Apache-2.0
// A host whose callbacks throw. What it called works again after each exception: units on every path,
// graphs, converters, files in memory, streams.
// Prints render: a callback threw; then 0
// Prints nested render: a callback threw; then 0
// Prints process: a plug-in threw; then 0
// Prints notification: a notification threw; then 0
// Prints graph: a callback threw; then 0
// Prints converter: an input threw; then 0
// Prints bytes: an input threw; then 0
// Prints file: a read threw; then 0
// Prints stream: a listener threw; then 0
// Prints listener: a listener threw; then 0
// Prints caught inside: 0
// Prints denormals are as before, and everything can be disposed of

#include <AudioToolbox/AudioToolbox.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr UInt32 frames = 256;
bool throws = false;

OSStatus mayThrow(const char *what) {
  if (throws) throw std::runtime_error(std::string(what) + " threw");
  return noErr;
}

/// Calls `call` once with exceptions and once without.
void twice(const char *title, const std::function<OSStatus()> &call) {
  std::string message = "nothing";
  throws = true;
  try {
    call();
  } catch (const std::exception &error) {
    message = error.what();
  }
  throws = false;
  OSStatus other = -1;
  std::thread([&] { other = call(); }).join();
  std::printf("%s: %s; then %d\n", title, message.c_str(), static_cast<int>(other));
  if (call() != noErr) std::printf("%s: another call failed\n", title);
}

struct Stereo {
  AudioBufferList head{};
  AudioBuffer second{};
  std::vector<Float32> left = std::vector<Float32>(4096), right = std::vector<Float32>(4096);
  AudioBufferList *list(UInt32 count = frames) {
    head.mNumberBuffers = 2;
    head.mBuffers[0] = {1, count * 4, left.data()};
    (&head.mBuffers[0])[1] = {1, count * 4, right.data()};
    return &head;
  }
};

OSStatus supply(void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32 count,
                AudioBufferList *list) {
  for (UInt32 index = 0; list && index < list->mNumberBuffers; index++)
    std::memset(list->mBuffers[index].mData, 0, count * sizeof(Float32));
  return mayThrow("a callback");
}

OSStatus notify(void *, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *, UInt32, UInt32,
                AudioBufferList *) {
  return *flags & kAudioUnitRenderAction_PreRender ? mayThrow("a notification") : noErr;
}

AudioUnit makeUnit(OSType type, OSType subType) {
  const AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = nullptr;
  AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &description), &unit);
  return unit;
}

AudioUnit makeFilter() { return makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter); }

void setCallback(AudioUnit unit, AURenderCallback function, void *context = nullptr) {
  const AURenderCallbackStruct callback = {function, context};
  AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                       sizeof callback);
}

OSStatus render(AudioUnit unit) {
  static Float64 time = 0;
  Stereo stereo;
  AudioTimeStamp stamp = {};
  stamp.mSampleTime = time += frames;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  return AudioUnitRender(unit, nullptr, &stamp, 0, frames, stereo.list());
}

/// A callback that renders another unit, as some hosts do, and catches nothing.
OSStatus forward(void *unit, AudioUnitRenderActionFlags *, const AudioTimeStamp *stamp, UInt32, UInt32 count,
                 AudioBufferList *list) {
  return AudioUnitRender(static_cast<AudioUnit>(unit), nullptr, stamp, 0, count, list);
}

/// As above, and catches everything.
OSStatus forwardAndCatch(void *unit, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                         UInt32 bus, UInt32 count, AudioBufferList *list) {
  try {
    return forward(unit, flags, stamp, bus, count, list);
  } catch (...) {
    return noErr;
  }
}

// A plug-in.
struct PlugIn {
  AudioComponentPlugInInterface interface;
  static OSStatus open(void *, AudioComponentInstance) { return noErr; }
  static OSStatus close(void *self) {
    delete static_cast<PlugIn *>(self);
    return noErr;
  }
  static OSStatus initialize(void *) { return noErr; }
  static OSStatus process(void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
                          AudioBufferList *) {
    return mayThrow("a plug-in");
  }
  static AudioComponentMethod lookup(SInt16 selector) {
    switch (selector) {
      case kAudioUnitInitializeSelect:
      case kAudioUnitUninitializeSelect: return reinterpret_cast<AudioComponentMethod>(initialize);
      case kAudioUnitProcessSelect: return reinterpret_cast<AudioComponentMethod>(process);
      default: return nullptr;
    }
  }
  static AudioComponentPlugInInterface *make(const AudioComponentDescription *) {
    return &(new PlugIn{{open, close, lookup, nullptr}})->interface;
  }
};

OSStatus packets(AudioConverterRef, UInt32 *count, AudioBufferList *list, AudioStreamPacketDescription **,
                 void *) {
  static SInt16 silence[1024];
  *count = 512;
  list->mBuffers[0] = {1, 1024, silence};
  return mayThrow("an input");
}

OSStatus bytes(AudioConverterRef, UInt32 *size, void **data, void *) {
  static SInt16 silence[1024];
  *size = 1024;
  *data = silence;
  return mayThrow("an input");
}

std::vector<UInt8> file;

OSStatus readFile(void *, SInt64 position, UInt32 count, void *buffer, UInt32 *actual) {
  mayThrow("a read");
  const SInt64 rest = static_cast<SInt64>(file.size()) - position;
  *actual = rest <= 0 ? 0 : static_cast<UInt32>(std::min<SInt64>(rest, count));
  std::memcpy(buffer, file.data() + position, *actual);
  return noErr;
}
OSStatus writeFile(void *, SInt64 position, UInt32 count, const void *buffer, UInt32 *actual) {
  const size_t end = static_cast<size_t>(position) + count;
  if (file.size() < end) file.resize(end);
  std::memcpy(file.data() + position, buffer, count);
  *actual = count;
  return noErr;
}
SInt64 fileSize(void *) { return static_cast<SInt64>(file.size()); }
OSStatus setFileSize(void *, SInt64 size) {
  file.resize(static_cast<size_t>(size));
  return noErr;
}

constexpr AudioStreamBasicDescription integers = {
    44100, kAudioFormatLinearPCM, kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked, 2, 1,
    2, 1, 16, 0};

void onProperty(void *, AudioFileStreamID, AudioFileStreamPropertyID, AudioFileStreamPropertyFlags *) {
  mayThrow("a listener");
}
void onPackets(void *, UInt32, UInt32, const void *, AudioStreamPacketDescription *) {}
void onChange(void *, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement) {
  mayThrow("a listener");
}

}  // namespace

int main() {
  const AudioUnit filter = makeFilter(), outer = makeFilter();
  setCallback(filter, supply);
  AudioUnitInitialize(filter);
  twice("render", [=] { return render(filter); });

  setCallback(outer, forward, filter);
  AudioUnitInitialize(outer);
  twice("nested render", [=] { return render(outer); });
  setCallback(outer, forwardAndCatch, filter);
  throws = true;
  std::printf("caught inside: %d\n", static_cast<int>(render(outer)));
  throws = false;

  const AudioComponentDescription own = {kAudioUnitType_Effect, 'thrw', 'Test', 0, 0};
  const CFStringRef name = CFStringCreateWithCString(nullptr, "Test: Throwing", kCFStringEncodingUTF8);
  AudioComponentRegister(&own, name, 1, PlugIn::make);
  AudioUnit plugIn = nullptr;
  AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &own), &plugIn);
  AudioUnitInitialize(plugIn);
  twice("process", [=] {
    Stereo stereo;
    AudioTimeStamp stamp = {};
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    return AudioUnitProcess(plugIn, nullptr, &stamp, frames, stereo.list());
  });

  const AudioUnit notified = makeFilter();
  setCallback(notified, supply);
  AudioUnitAddRenderNotify(notified, notify, nullptr);
  AudioUnitInitialize(notified);
  twice("notification", [=] { return render(notified); });

  AUGraph graph = nullptr;
  AUNode mixer = 0, output = 0;
  AudioUnit head = nullptr;
  AudioComponentDescription description = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  NewAUGraph(&graph);
  AUGraphAddNode(graph, &description, &mixer);
  description.componentType = kAudioUnitType_Output;
  description.componentSubType = kAudioUnitSubType_GenericOutput;
  AUGraphAddNode(graph, &description, &output);
  AUGraphConnectNodeInput(graph, mixer, 0, output, 0);
  const AURenderCallbackStruct callback = {supply, nullptr};
  AUGraphSetNodeInputCallback(graph, mixer, 0, &callback);
  AUGraphOpen(graph);
  AUGraphInitialize(graph);
  AUGraphNodeInfo(graph, output, nullptr, &head);
  twice("graph", [=] { return render(head); });

  AudioStreamBasicDescription floats = {
      48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
  AudioConverterRef converter = nullptr;
  AudioConverterNew(&integers, &floats, &converter);
  std::vector<Float32> samples(4096);
  twice("converter", [&] {
    UInt32 count = 200;
    AudioBufferList list = {1, {{1, 800, samples.data()}}};
    return AudioConverterFillComplexBuffer(converter, packets, nullptr, &count, &list, nullptr);
  });
  twice("bytes", [&] {
    UInt32 size = 800;
    return AudioConverterFillBuffer(converter, bytes, nullptr, &size, samples.data());
  });

  AudioFileID sound = nullptr;
  AudioFileInitializeWithCallbacks(nullptr, readFile, writeFile, fileSize, setFileSize, kAudioFileWAVEType,
                                   &integers, static_cast<AudioFileFlags>(0), &sound);
  UInt32 written = 8000;
  AudioFileWriteBytes(sound, false, 0, &written, samples.data());
  twice("file", [=] {
    UInt32 size = 4000;
    std::vector<UInt8> memory(4000);
    return AudioFileReadBytes(sound, false, 0, &size, memory.data());
  });
  AudioFileClose(sound);

  AudioFileStreamID stream = nullptr;
  AudioFileStreamOpen(nullptr, onProperty, onPackets, kAudioFileWAVEType, &stream);
  UInt32 position = 0;
  twice("stream", [&] {
    const UInt32 part = std::min<UInt32>(4500, static_cast<UInt32>(file.size()) - position);
    const OSStatus status =
        AudioFileStreamParseBytes(stream, part, file.data() + position, static_cast<AudioFileStreamParseFlags>(0));
    position += part;
    return status;
  });

  const AudioUnit heard = makeFilter();
  AudioUnitAddPropertyListener(heard, kAudioUnitProperty_MaximumFramesPerSlice, onChange, nullptr);
  UInt32 maximum = 500;
  twice("listener", [&] {
    maximum++;
    return AudioUnitSetProperty(heard, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0,
                                &maximum, sizeof maximum);
  });

  volatile float small = 1e-38f;
  const bool keepsDenormals = small / 16 != 0;
  const bool isDisposed = AudioConverterDispose(converter) == noErr && DisposeAUGraph(graph) == noErr
                          && AudioFileStreamClose(stream) == noErr
                          && AudioComponentInstanceDispose(outer) == noErr
                          && AudioComponentInstanceDispose(filter) == noErr
                          && AudioComponentInstanceDispose(plugIn) == noErr
                          && AudioComponentInstanceDispose(notified) == noErr
                          && AudioComponentInstanceDispose(heard) == noErr;
  if (keepsDenormals && isDisposed) std::puts("denormals are as before, and everything can be disposed of");
}
