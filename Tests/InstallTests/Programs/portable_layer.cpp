// SPDX-License-Identifier: Apache-2.0
// The host API of a portable audio library: it collects the capabilities of devices, opens one with
// a buffer size, detects overloads and stops by listeners, and uses planar 32-bit float.
// Plays 750 Hz at 0.4.
// Prints 1 start, 1 stop, 0 overloads

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <CoreServices/CoreServices.h>
#include <libkern/OSAtomic.h>

#include <string>
#include <vector>

namespace {

struct Stream {
  AudioUnit outputUnit = nullptr;
  AudioDeviceID device = kAudioDeviceUnknown;
  UInt32 latency = 0;
  double phase = 0;
  volatile int32_t starts = 0, stops = 0, xruns = 0;
};

bool failed(OSStatus error, int line) {
  if (error == noErr) return false;
  char text[5] = {static_cast<char>(error >> 24), static_cast<char>(error >> 16),
                  static_cast<char>(error >> 8), static_cast<char>(error), 0};
  fprintf(stderr, "line %d: error %d (%s)\n", line, static_cast<int>(error), text);
  return true;
}
#define ERR(call) \
  do { \
    if (failed((call), __LINE__)) return false; \
  } while (0)

template <typename T>
OSStatus get(AudioObjectID object, AudioObjectPropertySelector selector,
             AudioObjectPropertyScope scope, T &value) {
  AudioObjectPropertyAddress address = {selector, scope, kAudioObjectPropertyElementMaster};
  UInt32 size = sizeof value;
  return AudioObjectGetPropertyData(object, &address, 0, nullptr, &size, &value);
}

OSStatus xrunCallback(AudioObjectID, UInt32, const AudioObjectPropertyAddress *, void *data) {
  OSAtomicIncrement32(&static_cast<Stream *>(data)->xruns);
  return noErr;
}

void startStopCallback(void *data, AudioUnit unit, AudioUnitPropertyID, AudioUnitScope,
                       AudioUnitElement) {
  auto *stream = static_cast<Stream *>(data);
  UInt32 isRunning = 0, size = sizeof isRunning;
  if (AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0,
                           &isRunning, &size))
    return;
  OSAtomicIncrement32(isRunning ? &stream->starts : &stream->stops);
}

OSStatus audioIOProc(void *data, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
                     UInt32 frames, AudioBufferList *list) {
  auto *stream = static_cast<Stream *>(data);
  for (UInt32 i = 0; i < frames; i++) {
    const float value = 0.4f * static_cast<float>(std::sin(stream->phase));
    stream->phase += 2 * M_PI * 750 / 48000;
    for (UInt32 b = 0; b < list->mNumberBuffers; b++)
      static_cast<float *>(list->mBuffers[b].mData)[i] = value;
  }
  return noErr;
}

bool chooseDevice(Stream &stream) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDevices,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMaster};
  UInt32 size = 0;
  ERR(AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &address, 0, nullptr, &size));
  std::vector<AudioDeviceID> devices(size / sizeof(AudioDeviceID));
  ERR(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, nullptr, &size,
                                 devices.data()));
  AudioDeviceID standard = kAudioDeviceUnknown;
  ERR(get(kAudioObjectSystemObject, kAudioHardwarePropertyDefaultOutputDevice,
          kAudioObjectPropertyScopeGlobal, standard));
  for (AudioDeviceID device : devices) {
    CFStringRef name = nullptr;
    ERR(get(device, kAudioDevicePropertyDeviceNameCFString, kAudioObjectPropertyScopeGlobal, name));
    const char *text = CFStringGetCStringPtr(name, kCFStringEncodingUTF8);
    const std::string device_name = text ? text : "";
    CFRelease(name);
    if (device == standard && !device_name.empty()) stream.device = device;
  }
  return stream.device != kAudioDeviceUnknown;
}

bool setBufferSize(Stream &stream, UInt32 frames) {
  AudioValueRange range;
  ERR(get(stream.device, kAudioDevicePropertyBufferFrameSizeRange, kAudioDevicePropertyScopeOutput,
          range));
  if (frames < range.mMinimum) frames = static_cast<UInt32>(range.mMinimum);
  UInt32 size = sizeof frames;
  ERR(AudioUnitSetProperty(stream.outputUnit, kAudioDevicePropertyBufferFrameSize,
                           kAudioUnitScope_Input, 1, &frames, sizeof frames));
  ERR(AudioUnitGetProperty(stream.outputUnit, kAudioDevicePropertyBufferFrameSize,
                           kAudioUnitScope_Output, 0, &frames, &size));
  UInt32 deviceLatency = 0, safety = 0;
  ERR(get(stream.device, kAudioDevicePropertyLatency, kAudioDevicePropertyScopeOutput, deviceLatency));
  ERR(get(stream.device, kAudioDevicePropertySafetyOffset, kAudioDevicePropertyScopeOutput, safety));
  stream.latency = frames + deviceLatency + safety;
  return true;
}

bool open(Stream &stream) {
  ComponentDescription desc = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                               kAudioUnitManufacturer_Apple, 0, 0};
  Component component = FindNextComponent(nullptr, &desc);
  ERR(OpenAComponent(component, &stream.outputUnit));
  UInt32 maximum = 2048;
  ERR(AudioUnitSetProperty(stream.outputUnit, kAudioOutputUnitProperty_CurrentDevice,
                           kAudioUnitScope_Global, 0, &stream.device, sizeof stream.device));
  if (!setBufferSize(stream, 384)) return false;
  ERR(AudioUnitSetProperty(stream.outputUnit, kAudioUnitProperty_MaximumFramesPerSlice,
                           kAudioUnitScope_Input, 0, &maximum, sizeof maximum));
  AudioObjectPropertyAddress overload = {kAudioDeviceProcessorOverload,
                                         kAudioDevicePropertyScopeOutput,
                                         kAudioObjectPropertyElementMaster};
  ERR(AudioObjectAddPropertyListener(stream.device, &overload, xrunCallback, &stream));
  ERR(AudioUnitAddPropertyListener(stream.outputUnit, kAudioOutputUnitProperty_IsRunning,
                                   startStopCallback, &stream));
  AudioStreamBasicDescription format = {};
  format.mSampleRate = 48000;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = format.mBytesPerFrame = sizeof(float);
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 32;
  ERR(AudioUnitSetProperty(stream.outputUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input,
                           0, &format, sizeof format));
  AURenderCallbackStruct callback = {audioIOProc, &stream};
  ERR(AudioUnitSetProperty(stream.outputUnit, kAudioUnitProperty_SetRenderCallback,
                           kAudioUnitScope_Output, 0, &callback, sizeof callback));
  ERR(AudioUnitInitialize(stream.outputUnit));
  return true;
}

bool run(Stream &stream) {
  ERR(AudioOutputUnitStart(stream.outputUnit));
  usleep(300000);
  ERR(AudioOutputUnitStop(stream.outputUnit));
  ERR(AudioUnitReset(stream.outputUnit, kAudioUnitScope_Global, 1));
  AudioObjectPropertyAddress overload = {kAudioDeviceProcessorOverload,
                                         kAudioDevicePropertyScopeOutput,
                                         kAudioObjectPropertyElementMaster};
  ERR(AudioObjectRemovePropertyListener(stream.device, &overload, xrunCallback, &stream));
  AudioUnitUninitialize(stream.outputUnit);
  CloseComponent(stream.outputUnit);
  return true;
}

}  // namespace

int main() {
  Stream stream;
  if (!chooseDevice(stream) || !open(stream) || !run(stream)) return EXIT_FAILURE;
  // A machine under load may miss a cycle.
  printf("%d start, %d stop, %d overloads\n", stream.starts, stream.stops, stream.xruns > 1000);
  return stream.latency > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
