// SPDX-License-Identifier: Apache-2.0
// Offline use continues in a forked child: units of the parent and new ones, graphs, converters and files.
// Devices, queues and MIDI refuse there, with advice.
// Prints child: offline works, devices say what to do

#include "robustness.h"

#include <sys/wait.h>

// Whether a failed call says that the process was forked.
static bool refused(OSStatus status) {
  CFStringRef reason = AUDiagnosticsCopyLastExplanation();
  char text[1000] = "";
  if (reason) CFStringGetCString(reason, text, sizeof text, kCFStringEncodingUTF8);
  return status != noErr && strstr(text, "forked") && strstr(text, "exec");
}

static AudioUnit ready_effect(void) {
  AudioUnit unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Delay);
  feed(unit, half);
  SUCCEED(AudioUnitInitialize(unit));
  return unit;
}

static bool converts(void) {
  const AudioStreamBasicDescription in = {48000, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked,
                                          4, 1, 4, 1, 32, 0};
  AudioStreamBasicDescription out = in;
  out.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  out.mBitsPerChannel = 16, out.mBytesPerPacket = out.mBytesPerFrame = 2;
  AudioConverterRef converter = NULL;
  SUCCEED(AudioConverterNew(&in, &out, &converter));
  const float samples[4] = {0.5f, 0.5f, 0.5f, 0.5f};
  SInt16 result[4] = {0};
  UInt32 size = sizeof result;
  SUCCEED(AudioConverterConvertBuffer(converter, sizeof samples, samples, &size, result));
  SUCCEED(AudioConverterDispose(converter));
  return result[3] == 16384;
}

static bool offline(AudioUnit used, AUGraph graph) {
  SUCCEED(render(used, 512, FRAMES));
  bool works = sound[0][100] != 0;
  AudioUnit fresh = ready_effect();
  SUCCEED(render(fresh, 0, FRAMES));
  works = works && sound[0][100] != 0 && converts();
  AUChain chain = NULL;
  AudioUnit unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  SUCCEED(AUChainNew(&unit, 1, &chain));
  float samples[64] = {1};
  float *channels[1] = {samples};
  const AUChainCall call = {.mSampleRate = 48000, .mInputChannels = 1, .mOutputChannels = 1, .mInputFrames = 64,
                            .mOutputFrames = 64, .mInputs = (const float *const *)channels, .mOutputs = channels};
  SUCCEED(AUChainRender(chain, &call));
  works = works && samples[3] != 0;
  SUCCEED(AUChainDispose(chain));
  SUCCEED(AudioComponentInstanceDispose(unit));
  SUCCEED(AudioComponentInstanceDispose(fresh));
  SUCCEED(AudioComponentInstanceDispose(used));
  SUCCEED(DisposeAUGraph(graph));
  return works;
}

static bool devices_refuse(AudioUnit output) {
  AudioUnit fresh = make_unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  bool all = refused(AudioUnitInitialize(fresh)) && refused(AudioOutputUnitStart(output));
  SUCCEED(AudioComponentInstanceDispose(fresh));
  SUCCEED(AudioComponentInstanceDispose(output));
  UInt32 size = 0;
  const AudioObjectPropertyAddress devices = {kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0};
  all = all && refused(AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &devices, 0, NULL, &size));
  MIDIClientRef client = 0;
  return all && refused(MIDIClientCreate(CFSTR("child"), NULL, NULL, &client));
}

int main(void) {
  AudioUnit used = ready_effect(), output = make_unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  SUCCEED(render(used, 0, FRAMES));
  feed(output, half);
  SUCCEED(AudioUnitInitialize(output));
  SUCCEED(AudioOutputUnitStart(output));
  AUGraph graph = NULL;
  SUCCEED(NewAUGraph(&graph));
  fflush(stdout);
  if (fork() == 0) {
    alarm(60);
    const bool works = offline(used, graph), refuse = devices_refuse(output);
    printf("child: %s, %s\n", works ? "offline works" : "offline fails",
           refuse ? "devices say what to do" : "devices do not refuse");
    fflush(stdout);
    _exit(works && refuse ? 0 : 1);
  }
  int status = 0;
  wait(&status);
  SUCCEED(AudioOutputUnitStop(output));
  SUCCEED(AudioComponentInstanceDispose(output));
  SUCCEED(render(used, 512, FRAMES));
  SUCCEED(AudioComponentInstanceDispose(used));
  return status != 0;
}
