// SPDX-License-Identifier: Apache-2.0
// Null objects, objects of the wrong type, and impossible sizes are refused immediately.
// Prints host without a name: refused
// Prints host with a number as its name: refused
// Prints preset without a name: no harm
// Prints value from no string: refused
// Prints state with an array as a key: refused
// Prints huge channel map: refused at once
// Prints huge levels: refused at once

#include "robustness.h"

#include <sys/mman.h>
#include <sys/resource.h>

static void report(const char *what, OSStatus status) {
  printf("%s: %s\n", what, status ? "refused" : "TAKEN");
}

static void wrong_objects(void) {
  AudioUnit unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  AUHostVersionIdentifier host = {0};
  const UInt32 size = sizeof host;
  report("host without a name",
       AudioUnitSetProperty(unit, kAudioUnitProperty_AUHostIdentifier, 0, 0, &host, size));
  int number = 1;
  host.hostName = (CFStringRef)CFNumberCreate(NULL, kCFNumberSInt32Type, &number);
  report("host with a number as its name",
       AudioUnitSetProperty(unit, kAudioUnitProperty_AUHostIdentifier, 0, 0, &host, size));
  AUPreset preset = {.presetNumber = -1};
  AudioUnitSetProperty(unit, kAudioUnitProperty_PresentPreset, 0, 0, &preset, sizeof preset);
  printf("preset without a name: no harm\n");
  AudioUnitParameterValueFromString question = {0};
  UInt32 questionSize = sizeof question;
  report("value from no string", AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterValueFromString, 0,
                                                    0, &question, &questionSize));

  CFTypeRef state = NULL;
  UInt32 stateSize = sizeof state;
  SUCCEED(AudioUnitGetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &state, &stateSize));
  CFMutableDictionaryRef wrong = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks,
                                                           &kCFTypeDictionaryValueCallBacks);
  CFDictionarySetValue(wrong, CFArrayCreate(NULL, NULL, 0, &kCFTypeArrayCallBacks), kCFBooleanTrue);
  CFMutableDictionaryRef copy = CFDictionaryCreateMutableCopy(NULL, 0, state);
  CFDictionarySetValue(copy, CFSTR("name"), wrong);
  CFTypeRef value = copy;
  report("state with an array as a key",
       AudioUnitSetProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, &value, sizeof value));
}

// A size of 256 MB is refused before anything is read or copied.
static void huge(const char *what, AudioUnit unit, AudioUnitPropertyID id, AudioUnitElement element) {
  void *memory = mmap(NULL, 1u << 28, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  OSStatus status = AudioUnitSetProperty(unit, id, kAudioUnitScope_Input, element, memory, 1u << 28);
  getrusage(RUSAGE_SELF, &after);
  bool isFlat = after.ru_maxrss - before.ru_maxrss < 32 << 10;
  printf("%s: %s\n", what, !status ? "TAKEN" : isFlat ? "refused at once" : "COPIED");
}

int main(void) {
  setenv("AUDIOTOOLBOX_DEVICE", "null", 1);
  wrong_objects();
  huge("huge channel map", make_unit(kAudioUnitType_Output, kAudioUnitSubType_HALOutput),
       kAudioOutputUnitProperty_ChannelMap, 1);
  huge("huge levels", make_unit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
       kAudioUnitProperty_MatrixLevels, 0);
  return 0;
}
