// SPDX-License-Identifier: Apache-2.0
#include "SOFA.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Loader.h"

// The beginning of the library's structures, with the layout of version 1.
typedef struct {
  float *values;
  unsigned elements;
  void *attributes;
} Array;

typedef struct {
  unsigned i, coordinates, receivers, emitters, samples, measurements;
  Array listenerPosition, receiverPosition, sourcePosition, emitterPosition, listenerUp, listenerView;
  Array responses, sampleRate, delays;
} Set;

Set *mysofa_load(const char *path, int *error);
int mysofa_check(Set *set);
void mysofa_tocartesian(Set *set);
void mysofa_free(Set *set);
void mysofa_getversion(int *major, int *minor, int *patch);

#define FUNCTIONS(F) \
  F(mysofa_load) F(mysofa_check) F(mysofa_tocartesian) F(mysofa_free) F(mysofa_getversion)
static LIBRARY_TABLE(FUNCTIONS) mysofa;
static const LibrarySymbol symbols[] = {FUNCTIONS(LIBRARY_SYMBOL)};
static Library library = {.files = {"libmysofa.so.1"}, .package = "libmysofa1",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &mysofa};

// Larger than any existing set, and small enough that no size overflows.
enum { MOST_MEASUREMENTS = 100000, MOST_SAMPLES = 16384 };

/// The reason why a set cannot be used; null when it can.
static const char *defect(const Set *set) {
  const size_t count = set->measurements, samples = set->samples;
  if (set->receivers != 2) return "it does not have two ears";
  if (count < 4 || count > MOST_MEASUREMENTS) return "it has too few or too many directions";
  if (samples < 16 || samples > MOST_SAMPLES) return "its responses are too short or too long";
  if (set->sourcePosition.elements != 3 * count) return "its directions do not match its responses";
  if (set->responses.elements != 2 * count * samples) return "its responses are incomplete";
  if (set->delays.elements != 2 && set->delays.elements != 2 * count) return "its delays are incomplete";
  // There may be a rate for each direction; then all are equal.
  if (set->sampleRate.elements < 1 || !(set->sampleRate.values[0] >= 8000) ||
      set->sampleRate.values[0] > 768000) {
    return "its sample rate is outside 8 to 768 kHz";
  }
  const Array *arrays[] = {&set->sourcePosition, &set->responses, &set->delays};
  for (size_t i = 0; i < 3; i++) {
    for (unsigned k = 0; k < arrays[i]->elements; k++) {
      if (!isfinite(arrays[i]->values[k])) return "some of its values are not finite";
    }
  }
  return NULL;
}

static float *copy(const float *values, size_t count) {
  float *memory = malloc(count * sizeof *memory);
  if (memory) memcpy(memory, values, count * sizeof *memory);
  return memory;
}

static bool copy_set(const Set *from, SOFASet *set) {
  const size_t count = from->measurements, samples = from->samples;
  *set = (SOFASet){.measurementCount = count, .sampleCount = samples,
                   .sampleRate = from->sampleRate.values[0],
                   .directions = copy(from->sourcePosition.values, 3 * count),
                   .responses = copy(from->responses.values, 2 * count * samples),
                   .delays = malloc(2 * count * sizeof(float))};
  if (!set->directions || !set->responses || !set->delays) {
    sofa_free(set);
    return false;
  }
  const bool isShared = from->delays.elements == 2;
  for (size_t i = 0; i < 2 * count; i++) set->delays[i] = from->delays.values[isShared ? i % 2 : i];
  return true;
}

bool sofa_open(char *reason, size_t reasonSize) {
  if (!library_load(&library)) {
    snprintf(reason, reasonSize, "%s", library.reason);
    return false;
  }
  int major = 0, minor = 0, patch = 0;
  mysofa.mysofa_getversion(&major, &minor, &patch);
  if (major != 1) {
    snprintf(reason, reasonSize, "libmysofa.so.1 has version %d, expected 1", major);
    return false;
  }
  return true;
}

bool sofa_read(const char *path, SOFASet *set, char *reason, size_t reasonSize) {
  *set = (SOFASet){0};
  if (!sofa_open(reason, reasonSize)) return false;
  int error = 0;
  Set *loaded = mysofa.mysofa_load(path, &error);
  if (!loaded) {
    snprintf(reason, reasonSize, "%s cannot be read as a SOFA file (libmysofa: %d)", path, error);
    return false;
  }
  error = mysofa.mysofa_check(loaded);
  const char *problem = error ? "it is not a set of free-field responses" : defect(loaded);
  if (!problem) {
    mysofa.mysofa_tocartesian(loaded);
    if (!copy_set(loaded, set)) problem = "not enough memory";
  }
  mysofa.mysofa_free(loaded);
  if (problem) snprintf(reason, reasonSize, "%s cannot be used: %s", path, problem);
  return !problem;
}

void sofa_free(SOFASet *set) {
  free(set->directions);
  free(set->responses);
  free(set->delays);
  *set = (SOFASet){0};
}
