// SPDX-License-Identifier: Apache-2.0
// An effect host: it lists the installed effects, shows the parameters of those that it opens,
// chains a delay and an equaliser by connections, selects a preset, and saves it.
// Plays 1000 Hz at 0.25.
// Prints AULowpass.* cutoff

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>

#include <iostream>
#include <map>
#include <string>
#include <vector>

static std::string text(CFStringRef string) {
  if (!string) return {};
  if (const char *direct = CFStringGetCStringPtr(string, kCFStringEncodingUTF8)) return direct;
  std::string buffer(CFStringGetMaximumSizeForEncoding(CFStringGetLength(string),
                                                       kCFStringEncodingUTF8) + 1, 0);
  CFStringGetCString(string, &buffer[0], buffer.size(), kCFStringEncodingUTF8);
  return buffer.c_str();
}

static void require(OSStatus status, const char *what) {
  if (status == noErr) return;
  std::cerr << what << ": " << status << std::endl;
  std::exit(1);
}

static std::map<std::string, AudioComponent> installed(OSType type) {
  std::map<std::string, AudioComponent> found;
  AudioComponentDescription description = {};
  description.componentType = type;
  AudioComponent component = nullptr;
  while ((component = AudioComponentFindNext(component, &description)) != nullptr) {
    CFStringRef name = nullptr;
    require(AudioComponentCopyName(component, &name), "AudioComponentCopyName");
    const auto full = text(name);
    found[full.substr(full.find(": ") + 2)] = component;
    CFRelease(name);
  }
  if (found.size() != AudioComponentCount(&description)) std::exit(2);
  return found;
}

static void showParameters(const std::string &title, AudioUnit unit) {
  UInt32 size = 0;
  require(AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0,
                                   &size, nullptr), "ParameterList");
  std::vector<AudioUnitParameterID> ids(size / sizeof(AudioUnitParameterID));
  require(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0,
                               ids.data(), &size), "ParameterList");
  std::cout << title << ":";
  for (auto id : ids) {
    AudioUnitParameterInfo info = {};
    size = sizeof info;
    require(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id,
                                 &info, &size), "ParameterInfo");
    AudioUnitParameterValue value = 0;
    require(AudioUnitGetParameter(unit, id, kAudioUnitScope_Global, 0, &value), "value");
    std::cout << " " << ((info.flags & kAudioUnitParameterFlag_HasCFNameString) ? text(info.cfNameString)
                                                                              : info.name)
              << " " << value;
    if (info.flags & kAudioUnitParameterFlag_CFNameRelease) CFRelease(info.cfNameString);
  }
  std::cout << std::endl;
}

static OSStatus tone(void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32,
                     UInt32 frames, AudioBufferList *data) {
  static UInt64 n = 0;
  for (UInt32 i = 0; i < frames; i++, n++)
    for (UInt32 b = 0; b < data->mNumberBuffers; b++)
      reinterpret_cast<Float32 *>(data->mBuffers[b].mData)[i] =
          0.25f * static_cast<Float32>(sin(2 * M_PI * 1000 * n / 44100));
  return noErr;
}

int main() {
  auto effects = installed(kAudioUnitType_Effect);
  AudioUnit lowpass, equaliser, output;
  require(AudioComponentInstanceNew(effects.at("AULowpass"), &lowpass), "AULowpass");
  require(AudioComponentInstanceNew(effects.at("AUNBandEQ"), &equaliser), "AUNBandEQ");
  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  require(AudioComponentInstanceNew(AudioComponentFindNext(nullptr, &description), &output), "output");
  showParameters("AULowpass", lowpass);
  CFArrayRef presets = nullptr;
  UInt32 size = sizeof presets;
  if (AudioUnitGetProperty(equaliser, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0,
                           &presets, &size) == noErr && presets) {
    for (CFIndex i = 0; i < CFArrayGetCount(presets); i++)
      std::cout << text(((const AUPreset *)CFArrayGetValueAtIndex(presets, i))->presetName) << "\n";
    CFRelease(presets);
  }
  AUPreset mine = {-1, CFSTR("Mine")};
  require(AudioUnitSetProperty(lowpass, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0,
                               &mine, sizeof mine), "preset");
  require(AudioUnitSetParameter(lowpass, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0,
                                18000, 0), "cutoff");
  AURenderCallbackStruct callback = {tone, nullptr};
  require(AudioUnitSetProperty(lowpass, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input,
                               0, &callback, sizeof callback), "callback");
  AudioUnitConnection first = {lowpass, 0, 0}, second = {equaliser, 0, 0};
  require(AudioUnitSetProperty(equaliser, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
                               &first, sizeof first), "connect");
  require(AudioUnitSetProperty(output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0,
                               &second, sizeof second), "connect");
  for (AudioUnit unit : {lowpass, equaliser, output}) require(AudioUnitInitialize(unit), "initialize");
  require(AudioOutputUnitStart(output), "start");
  usleep(350000);
  require(AudioOutputUnitStop(output), "stop");
  for (AudioUnit unit : {output, equaliser, lowpass}) AudioComponentInstanceDispose(unit);
}
