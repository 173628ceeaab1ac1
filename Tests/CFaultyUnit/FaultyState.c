// SPDX-License-Identifier: Apache-2.0
// The saved state of the unit: a dictionary whose data are the values as in memory.
#include "FaultyUnit.h"

// The function behind CFSTR: without our library in between, it stores one string for each literal.
CFStringRef __CFStringMakeConstantString(const char *text) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct { const char *text; CFStringRef string; } known[64];
  int i = 0;
  pthread_mutex_lock(&lock);
  while (known[i].text && known[i].text != text) i++;
  if (!known[i].text)
    known[i].string = CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8), known[i].text = text;
  pthread_mutex_unlock(&lock);
  return known[i].string;
}

static void add_number(CFMutableDictionaryRef state, CFStringRef key, UInt32 number) {
  const CFNumberRef object = CFNumberCreate(NULL, kCFNumberSInt32Type, &number);
  CFDictionarySetValue(state, key, object);
  CFRelease(object);
}

CFDictionaryRef faulty_copy_state(Unit *unit) {
  const CFMutableDictionaryRef state = CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  add_number(state, CFSTR("version"), 0);
  add_number(state, CFSTR("type"), unit->description.componentType);
  add_number(state, CFSTR("subtype"), HAS(StateKeys) ? 7 : unit->description.componentSubType);
  add_number(state, CFSTR("manufacturer"), unit->description.componentManufacturer);
  CFDictionarySetValue(state, CFSTR("name"), CFSTR("Untitled"));
  const CFDataRef data = CFDataCreate(NULL, (const UInt8 *)unit->values, sizeof unit->values);
  CFDictionarySetValue(state, CFSTR("data"), data);
  CFRelease(data);
  return state;
}

static bool is_code(CFDictionaryRef state, CFStringRef key, UInt32 expected) {
  const CFTypeRef object = CFDictionaryGetValue(state, key);
  SInt64 number = 0;
  return object && CFGetTypeID(object) == CFNumberGetTypeID()
         && CFNumberGetValue(object, kCFNumberSInt64Type, &number) && (UInt32)number == expected;
}

OSStatus faulty_set_state(Unit *unit, CFTypeRef state) {
  if (!state || CFGetTypeID(state) != CFDictionaryGetTypeID()) return kAudioUnitErr_InvalidPropertyValue;
  if (!HAS(ForeignStates)
      && (!is_code(state, CFSTR("subtype"), unit->description.componentSubType)
          || !is_code(state, CFSTR("type"), unit->description.componentType)
          || !is_code(state, CFSTR("manufacturer"), unit->description.componentManufacturer)))
    return kAudioUnitErr_InvalidPropertyValue;
  const CFTypeRef data = CFDictionaryGetValue(state, CFSTR("data"));
  if (!data || CFGetTypeID(data) != CFDataGetTypeID() || CFDataGetLength(data) < (CFIndex)sizeof unit->values) {
    // The fault: it does not check the data.
    if (HAS(DamagedStates)) abort();
    return kAudioUnitErr_InvalidPropertyValue;
  }
  Float32 values[ParameterCount];
  memcpy(values, CFDataGetBytePtr(data), sizeof values);
  for (int i = 0; i < ParameterCount && !HAS(StateReturns); i++)
    if (values[i] >= 0 && values[i] <= faulty_maxima[i]) unit->values[i] = values[i];
  return noErr;
}
