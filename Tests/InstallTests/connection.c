// SPDX-License-Identifier: Apache-2.0
// A C and C++ program with the installed library: plays half a second of 440 Hz through a mixer
// that is connected to the output unit by a property, without a graph.

#include <AudioToolbox/AudioToolbox.h>

typedef struct {
  double frequency, sampleRate;
} SoundStruct;

static OSStatus renderCallback(void *refCon, AudioUnitRenderActionFlags *flags,
                               const AudioTimeStamp *time, UInt32 bus, UInt32 frameCount,
                               AudioBufferList *data) {
  (void)flags;
  const SoundStruct sound = ((SoundStruct *)refCon)[bus];
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; buffer++) {
    float *samples = (float *)data->mBuffers[buffer].mData;
    for (UInt32 frame = 0; frame < frameCount; frame++) {
      double cycles = (time->mSampleTime + frame) * sound.frequency / sound.sampleRate;
      samples[frame] = (float)(0.25 * sin(2 * M_PI * (cycles - floor(cycles))));
    }
  }
  return noErr;
}

static void check(OSStatus status) {
  if (status == noErr) return;
  CFShow(AUDiagnosticsCopyLastExplanation());
  exit(1);
}

static AudioUnit newUnit(OSType type, OSType subType) {
  AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  check(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  return unit;
}

int main(void) {
  AudioUnit ioUnitInstance = newUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  AudioUnit mixerUnitInstance =
      newUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  Float64 rate = 48000;
  UInt32 inputs = 1;
  check(AudioUnitSetProperty(mixerUnitInstance, kAudioUnitProperty_ElementCount,
                             kAudioUnitScope_Input, 0, &inputs, sizeof(inputs)));
  check(AudioUnitSetProperty(mixerUnitInstance, kAudioUnitProperty_SampleRate,
                             kAudioUnitScope_Input, 0, &rate, sizeof(rate)));
  check(AudioUnitSetProperty(mixerUnitInstance, kAudioUnitProperty_SampleRate,
                             kAudioUnitScope_Output, 0, &rate, sizeof(rate)));

  // Without a graph, a callback takes effect immediately.
  SoundStruct soundStructArray[1] = {{440, 48000}};
  AURenderCallbackStruct callbackStruct;
  callbackStruct.inputProc = &renderCallback;
  callbackStruct.inputProcRefCon = soundStructArray;
  check(AudioUnitSetProperty(mixerUnitInstance, kAudioUnitProperty_SetRenderCallback,
                             kAudioUnitScope_Input, 0, &callbackStruct, sizeof(callbackStruct)));

  // So does a connection, which is a property of the destination.
  AudioUnitElement mixerUnitOutputBus = 0;
  AudioUnitElement ioUnitOutputElement = 0;
  AudioUnitConnection mixerOutToIoUnitIn;
  mixerOutToIoUnitIn.sourceAudioUnit = mixerUnitInstance;
  mixerOutToIoUnitIn.sourceOutputNumber = mixerUnitOutputBus;
  mixerOutToIoUnitIn.destInputNumber = ioUnitOutputElement;
  check(AudioUnitSetProperty(ioUnitInstance, kAudioUnitProperty_MakeConnection,
                             kAudioUnitScope_Input, ioUnitOutputElement, &mixerOutToIoUnitIn,
                             sizeof(mixerOutToIoUnitIn)));

  check(AudioUnitInitialize(mixerUnitInstance));
  check(AudioUnitInitialize(ioUnitInstance));
  check(AudioOutputUnitStart(ioUnitInstance));
  usleep(500000);
  check(AudioOutputUnitStop(ioUnitInstance));
  check(AudioUnitUninitialize(ioUnitInstance));
  check(AudioUnitUninitialize(mixerUnitInstance));
  check(AudioComponentInstanceDispose(ioUnitInstance));
  check(AudioComponentInstanceDispose(mixerUnitInstance));
  return 0;
}
