// SPDX-License-Identifier: Apache-2.0
// The audio output of a media player: the device is chosen by its name, its delay is read in all
// parts, and each block of samples is written with the time at which it will be played.
// Plays 440 Hz at 0.5.
// Prints delay of [1-9][0-9]* frames

#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <mach/mach_time.h>

struct priv {
  AudioDeviceID device;
  AudioUnit audio_unit;
  uint64_t hw_latency_ns;
  double phase;
  uint64_t last_end;
};

#define CHECK_CA_ERROR(message) \
  do { \
    if (err != noErr) { \
      fprintf(stderr, "%s (%d)\n", message, (int)err); \
      goto coreaudio_error; \
    } \
  } while (0)

static OSStatus ca_get(AudioObjectID id, UInt32 scope, UInt32 selector, UInt32 size, void *data) {
  AudioObjectPropertyAddress address = {
      .mSelector = selector, .mScope = scope, .mElement = kAudioObjectPropertyElementMain};
  return AudioObjectGetPropertyData(id, &address, 0, NULL, &size, data);
}

static OSStatus select_device(struct priv *p, const char *name) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDevices,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMaster};
  UInt32 size = 0;
  OSStatus err = AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &address, 0, NULL, &size);
  if (err) return err;
  AudioDeviceID *devices = malloc(size);
  err = AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, devices);
  for (UInt32 i = 0; !err && i < size / sizeof *devices; i++) {
    CFStringRef uid = NULL;
    if (ca_get(devices[i], kAudioObjectPropertyScopeGlobal, kAudioDevicePropertyDeviceUID,
               sizeof uid, &uid))
      continue;
    const char *text = CFStringGetCStringPtr(uid, kCFStringEncodingUTF8);
    if (text && strncmp(text, name, strlen(name)) == 0) p->device = devices[i];
    CFRelease(uid);
  }
  free(devices);
  return err ? err : p->device ? noErr : kAudioHardwareBadDeviceError;
}

static UInt32 ca_get_frames(struct priv *p, UInt32 selector) {
  UInt32 frames = 0;
  OSStatus err = ca_get(p->device, kAudioDevicePropertyScopeOutput, selector, sizeof frames, &frames);
  return err == noErr ? frames : 0;
}

static OSStatus render_cb_lpcm(void *ctx, AudioUnitRenderActionFlags *aflags,
                               const AudioTimeStamp *ts, UInt32 bus, UInt32 frames,
                               AudioBufferList *buffer_list) {
  struct priv *p = ctx;
  float *planes[2] = {buffer_list->mBuffers[0].mData, buffer_list->mBuffers[1].mData};
  p->last_end = AudioConvertHostTimeToNanos(ts->mHostTime) + p->hw_latency_ns;
  for (UInt32 i = 0; i < frames; i++) {
    planes[0][i] = planes[1][i] = (float)sin(p->phase) / 2;
    p->phase += 2 * M_PI * 440 / 48000;
  }
  return noErr;
}

int main(void) {
  struct priv p = {0};
  OSStatus err = select_device(&p, "file:");
  CHECK_CA_ERROR("unable to select the device");

  AudioComponentDescription desc = {.componentType = kAudioUnitType_Output,
                                    .componentSubType = kAudioUnitSubType_HALOutput,
                                    .componentManufacturer = kAudioUnitManufacturer_Apple};
  AudioComponent comp = AudioComponentFindNext(NULL, &desc);
  if (!comp) return 1;
  err = AudioComponentInstanceNew(comp, &p.audio_unit);
  CHECK_CA_ERROR("unable to open audio component");
  err = AudioUnitInitialize(p.audio_unit);
  CHECK_CA_ERROR("unable to initialize audio unit");
  err = AudioUnitSetProperty(p.audio_unit, kAudioOutputUnitProperty_CurrentDevice,
                             kAudioUnitScope_Global, 0, &p.device, sizeof p.device);
  CHECK_CA_ERROR("can't link audio unit to selected device");

  AudioStreamBasicDescription asbd = {
      .mSampleRate = 48000,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags =
          kAudioFormatFlagIsFloat | kAudioFormatFlagIsNonInterleaved | kAudioFormatFlagIsPacked,
      .mBytesPerPacket = 4, .mFramesPerPacket = 1, .mBytesPerFrame = 4,
      .mChannelsPerFrame = 2, .mBitsPerChannel = 32};
  err = AudioUnitSetProperty(p.audio_unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &asbd, sizeof asbd);
  CHECK_CA_ERROR("unable to set the input format on the audio unit");

  UInt32 frames = ca_get_frames(&p, kAudioDevicePropertyLatency)
                  + ca_get_frames(&p, kAudioDevicePropertyBufferFrameSize)
                  + ca_get_frames(&p, kAudioDevicePropertySafetyOffset);
  printf("delay of %u frames\n", (unsigned)frames);
  p.hw_latency_ns = (uint64_t)(frames * 1e9 / asbd.mSampleRate);

  AURenderCallbackStruct render_cb = {.inputProc = render_cb_lpcm, .inputProcRefCon = &p};
  err = AudioUnitSetProperty(p.audio_unit, kAudioUnitProperty_SetRenderCallback,
                             kAudioUnitScope_Input, 0, &render_cb, sizeof render_cb);
  CHECK_CA_ERROR("unable to set render callback on audio unit");
  err = AudioOutputUnitStart(p.audio_unit);
  CHECK_CA_ERROR("can't start audio unit");
  usleep(350000);
  err = AudioOutputUnitStop(p.audio_unit);
  CHECK_CA_ERROR("can't stop audio unit");
  AudioUnitUninitialize(p.audio_unit);
  AudioComponentInstanceDispose(p.audio_unit);
  return p.last_end > p.hw_latency_ns ? 0 : 2;
coreaudio_error:
  return 1;
}
