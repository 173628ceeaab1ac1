// SPDX-License-Identifier: Apache-2.0
// Every C call of the session, with invalid arguments and in the wrong order.
// Prints [1-9][0-9]* calls as they should be

#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <pthread.h>
#include <time.h>

static int failures, calls;

static void expect(OSStatus status, OSStatus expected, const char *call) {
  calls++;
  if (status == expected) return;
  printf("%s: %d instead of %d\n", call, (int)status, (int)expected);
  failures++;
}

#define EXPECT(call, expected) expect(call, expected, #call)

static void listener(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {}
static void other(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {}

static OSStatus set(AudioSessionPropertyID id, UInt32 value) {
  return AudioSessionSetProperty(id, sizeof value, &value);
}

static UInt32 get(AudioSessionPropertyID id) {
  UInt32 value = 0xffffffff, size = sizeof value;
  return AudioSessionGetProperty(id, &size, &value) ? 0xffffffff : value;
}

// During a listener call, another thread makes every call, and the listener waits for it; then the
// listener makes them itself.
static int notified;
static void *every_call(void *data) {
  UInt32 number = 0, size = sizeof number;
  int here;
  AudioSessionInitialize(NULL, NULL, NULL, NULL);
  AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &number);
  AudioSessionGetPropertySize(kAudioSessionProperty_AudioRoute, &size);
  set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback);
  AudioSessionAddPropertyListener('chov', other, &here);
  AudioSessionRemovePropertyListenerWithUserData('chov', other, &here);
  AudioSessionRemovePropertyListener('chov');
  AudioSessionSetActiveWithFlags(true, 0);
  AudioSessionSetActive(false);
  return data;
}

static void route_changed(void *data, AudioSessionPropertyID id, UInt32 size, const void *value) {
  if (notified) return;
  pthread_t thread;
  if (pthread_create(&thread, NULL, every_call, NULL)) return;
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  notified = pthread_timedjoin_np(thread, NULL, &end) ? -1 : 1;
  if (notified == 1) every_call(NULL);
}

int main(void) {
  UInt32 number = 0, size = sizeof number;
  void *nothing = NULL;
  EXPECT(AudioSessionSetActive(true), kAudioSessionNotInitialized);
  EXPECT(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &number),
         kAudioSessionNotInitialized);
  EXPECT(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback),
         kAudioSessionNotInitialized);
  EXPECT(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, listener, NULL),
         kAudioSessionNotInitialized);
  EXPECT(AudioSessionInitialize(NULL, NULL, NULL, NULL), noErr);
  EXPECT(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionAlreadyInitialized);

  // Every property that can be read has its size.
  const AudioSessionPropertyID readable[] = {
      'hwsr', 'iobd', 'acat', 'rout', 'crar', 'chsr', 'chic', 'choc', 'chov', 'cilt', 'colt',
      'chbd', 'othr', 'aiav', 'duck', 'cmix', 'cspk', 'cblu', 'type', 'mode', 'srcs', 'dsts',
      'isrc', 'odst', 'igav', 'igsc'};
  for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
    char value[8];
    EXPECT(AudioSessionGetPropertySize(readable[i], &size), noErr);
    UInt32 less = size - 1, exact = size;
    EXPECT(AudioSessionGetProperty(readable[i], &less, value), kAudioSessionBadPropertySizeError);
    EXPECT(AudioSessionGetProperty(readable[i], &exact, value), noErr);
    if (exact != size) EXPECT(1, 0);
    const char objects[] = "rout crar srcs dsts isrc odst";
    char name[5] = {(char)(readable[i] >> 24), (char)(readable[i] >> 16), (char)(readable[i] >> 8),
                    (char)readable[i], 0};
    if (strstr(objects, name)) {
      CFTypeRef object;
      memcpy(&object, value, sizeof object);
      CFRelease(object);
    }
  }
  EXPECT(AudioSessionGetPropertySize('none', &size), kAudioSessionUnsupportedPropertyError);
  EXPECT(AudioSessionGetPropertySize(kAudioSessionProperty_AudioRouteChange, &size),
         kAudioSessionUnsupportedPropertyError);
  EXPECT(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, nothing, &number),
         kAudio_ParamError);
  EXPECT(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, nothing),
         kAudio_ParamError);
  EXPECT(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, nothing), kAudio_ParamError);
  EXPECT(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 3, &number),
         kAudioSessionBadPropertySizeError);
  EXPECT(set(kAudioSessionProperty_AudioCategory, 'loud'), kAudio_ParamError);
  EXPECT(set(kAudioSessionProperty_CurrentHardwareOutputVolume, 1),
         kAudioSessionUnsupportedPropertyError);

  // A category resets the overrides of the previous one.
  EXPECT(get(kAudioSessionProperty_AudioCategory), kAudioSessionCategory_SoloAmbientSound);
  EXPECT(set(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1), kAudioSessionIncompatibleCategory);
  EXPECT(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), noErr);
  EXPECT(set(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1), noErr);
  EXPECT(get(kAudioSessionProperty_OverrideCategoryMixWithOthers), 1);
  EXPECT(set(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1), noErr);
  EXPECT(set(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1), noErr);
  EXPECT(set(kAudioSessionProperty_OtherMixableAudioShouldDuck, 0), noErr);
  EXPECT(get(kAudioSessionProperty_OverrideCategoryMixWithOthers), 1);
  EXPECT(set(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat), noErr);
  EXPECT(get(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput), 1);
  EXPECT(set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker), noErr);
  EXPECT(set(kAudioSessionProperty_OverrideAudioRoute, 7), kAudio_ParamError);
  EXPECT(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_MediaPlayback), noErr);
  EXPECT(get(kAudioSessionProperty_OverrideCategoryMixWithOthers), 0);
  EXPECT(get(kAudioSessionProperty_Mode), kAudioSessionMode_Default);
  EXPECT(set(kAudioSessionProperty_Mode, kAudioSessionMode_GameChat), kAudioSessionIncompatibleCategory);
  EXPECT(set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker),
         kAudioSessionIncompatibleCategory);
  EXPECT(get(kAudioSessionProperty_CurrentHardwareInputNumberChannels), 0);
  EXPECT(get(kAudioSessionProperty_CurrentHardwareOutputNumberChannels), 2);

  // Listeners are identified by all arguments that they were added with.
  int one, two;
  EXPECT(AudioSessionAddPropertyListener('none', listener, NULL),
         kAudioSessionUnsupportedPropertyError);
  EXPECT(AudioSessionAddPropertyListener('roch', nothing, NULL), kAudio_ParamError);
  EXPECT(AudioSessionAddPropertyListener('roch', listener, &one), noErr);
  EXPECT(AudioSessionRemovePropertyListenerWithUserData('roch', listener, &two), kAudio_ParamError);
  EXPECT(AudioSessionRemovePropertyListenerWithUserData('roch', other, &one), kAudio_ParamError);
  EXPECT(AudioSessionRemovePropertyListenerWithUserData('roch', listener, &one), noErr);
  EXPECT(AudioSessionRemovePropertyListenerWithUserData('roch', listener, &one), kAudio_ParamError);
  EXPECT(AudioSessionRemovePropertyListener('roch'), noErr);

  Float64 rate = -1;
  EXPECT(AudioSessionSetProperty('hwsr', sizeof rate, &rate), kAudio_ParamError);
  Float32 duration = NAN;
  EXPECT(AudioSessionSetProperty('iobd', sizeof duration, &duration), kAudio_ParamError);
  EXPECT(AudioSessionSetActiveWithFlags(true, 6), kAudio_ParamError);
  EXPECT(AudioSessionSetActive(true), noErr);
  EXPECT(AudioSessionSetActive(false), noErr);

  EXPECT(AudioSessionAddPropertyListener('roch', route_changed, NULL), noErr);
  EXPECT(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord), noErr);
  for (int i = 0; i < 600 && !notified; i++) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, true);
  EXPECT(notified, 1);
  if (!failures) printf("%d calls as they should be\n", calls);
  return failures != 0;
}
