// SPDX-License-Identifier: Apache-2.0
// A volume slider: the virtual volume of the default device, with a listener, during playback.
// Plays 440 Hz at 0.2.
// Prints volume is now 0.40

#include <AudioToolbox/AudioToolbox.h>
#include <CoreServices/CoreServices.h>
#include <os/lock.h>

static os_unfair_lock gLock = OS_UNFAIR_LOCK_INIT;
static Float32 gVolume = -1;

static AudioObjectPropertyAddress VolumeAddress(void) {
  AudioObjectPropertyAddress address = {
      kAudioHardwareServiceDeviceProperty_VirtualMainVolume, kAudioDevicePropertyScopeOutput,
      kAudioObjectPropertyElementMain};
  return address;
}

static OSStatus VolumeChanged(AudioObjectID object, UInt32 count,
                              const AudioObjectPropertyAddress *addresses, void *data) {
  Float32 volume = 0;
  UInt32 size = sizeof volume;
  AudioObjectPropertyAddress address = VolumeAddress();
  OSStatus status = AudioHardwareServiceGetPropertyData(object, &address, 0, NULL, &size, &volume);
  os_unfair_lock_lock(&gLock);
  gVolume = volume;
  os_unfair_lock_unlock(&gLock);
  return status;
}

static OSStatus Tone(void *phase, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                     UInt32 bus, UInt32 frames, AudioBufferList *data) {
  for (UInt32 i = 0; i < frames; i++) {
    for (UInt32 b = 0; b < data->mNumberBuffers; b++)
      ((Float32 *)data->mBuffers[b].mData)[i] = .5 * sin(*(double *)phase);
    *(double *)phase += 2 * M_PI * 440 / 44100;
  }
  return noErr;
}

int main(void) {
  OSStatus err;
  AudioDeviceID device;
  UInt32 size = sizeof device;
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultOutputDevice,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  err = AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device);
  require_noerr(err, fail);
  address = VolumeAddress();
  require(AudioHardwareServiceHasProperty(device, &address), fail);
  Boolean settable = false;
  err = AudioHardwareServiceIsPropertySettable(device, &address, &settable);
  require_noerr(err, fail);
  require_action(settable, fail, err = kAudioHardwareUnsupportedOperationError);
  err = AudioHardwareServiceAddPropertyListener(device, &address, VolumeChanged, NULL);
  require_noerr(err, fail);
  Float32 volume = .4f;
  err = AudioHardwareServiceSetPropertyData(device, &address, 0, NULL, sizeof volume, &volume);
  require_noerr(err, fail);

  double phase = 0;
  AudioComponentDescription description = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                      kAudioUnitManufacturer_Apple, 0, 0};
  AURenderCallbackStruct tone = {Tone, &phase};
  AudioUnit unit;
  verify_noerr(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit));
  verify_noerr(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback,
                                    kAudioUnitScope_Input, 0, &tone, sizeof tone));
  verify_noerr(AudioUnitInitialize(unit));
  verify_noerr(AudioOutputUnitStart(unit));
  usleep(300000);
  verify_noerr(AudioOutputUnitStop(unit));
  verify_noerr(AudioComponentInstanceDispose(unit));
  for (int i = 0; i < 3000; i++) {
    os_unfair_lock_lock(&gLock);
    const Float32 current = gVolume;
    os_unfair_lock_unlock(&gLock);
    if (current >= 0) {
      printf("volume is now %.2f\n", current);
      break;
    }
    usleep(1000);
  }
  err = AudioHardwareServiceRemovePropertyListener(device, &address, VolumeChanged, NULL);
fail:
  return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
