// SPDX-License-Identifier: Apache-2.0
// What the examples in C share that follow commands: units in a graph, loops as sources of buses, controls,
// and the commands themselves.

#include "session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

// MARK: Calls

// Shows why a call failed, as check does, and lets the program continue.
static inline bool succeeded(OSStatus status, FILE *output) {
  if (status == noErr) return true;
  CFStringRef reason = AUDiagnosticsCopyLastExplanation();
  if (reason == NULL) reason = AUDiagnosticsCopyDescription(status);
  char text[512] = "";
  CFStringGetCString(reason, text, sizeof text, kCFStringEncodingUTF8);
  CFRelease(reason);
  fprintf(output, "%s\n", text);
  return false;
}

static inline AUNode addNode(AUGraph graph, OSType type, OSType subType) {
  const AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  check(AUGraphAddNode(graph, &description, &node));
  return node;
}

static inline AudioUnit unitOf(AUGraph graph, AUNode node) {
  AudioUnit unit = NULL;
  check(AUGraphNodeInfo(graph, node, NULL, &unit));
  return unit;
}

static inline void setProperty(AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                               AudioUnitElement element, const void *value, UInt32 size) {
  check(AudioUnitSetProperty(unit, property, scope, element, value, size));
}

// A device may request up to 4,096 frames at once.
static inline void allowLongSlices(AudioUnit unit) {
  const UInt32 most = 4096;
  setProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, sizeof most);
}

// Planar 32-bit float.
static inline AudioStreamBasicDescription floatFormat(Float64 rate, UInt32 channels) {
  const AudioStreamBasicDescription format = {
      .mSampleRate = rate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = channels,
      .mBitsPerChannel = 32,
  };
  return format;
}

static inline void setFormat(AudioUnit unit, AudioUnitScope scope, AudioUnitElement element,
                             AudioStreamBasicDescription format) {
  setProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, sizeof format);
}

// MARK: Loops

// A mono loop. Only the audio thread uses the position while it plays.
typedef struct {
  Float32 *samples;
  UInt32 count, position;
} Loop;

static inline Loop makeLoop(UInt32 count) {
  return (Loop){.samples = calloc(count, sizeof(Float32)), .count = count};
}

// Called on the audio thread: copies the next frames of a loop, and repeats it.
static inline OSStatus renderLoop(void *refCon, AudioUnitRenderActionFlags *flags,
                                  const AudioTimeStamp *when, UInt32 bus, UInt32 frameCount,
                                  AudioBufferList *data) {
  (void)flags, (void)when, (void)bus;
  Loop *loop = refCon;
  Float32 *samples = data->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < frameCount; frame++) {
    samples[frame] = loop->samples[loop->position];
    if (++loop->position == loop->count) loop->position = 0;
  }
  return noErr;
}

// MARK: Controls

// A parameter of a unit, with what a user interface shows of it.
typedef struct {
  AudioUnitParameter parameter;
  AudioUnitParameterInfo info;
  char name[64];
} Control;

static inline Control makeControl(AudioUnit unit, AudioUnitParameterID id, AudioUnitScope scope,
                                  AudioUnitElement element) {
  Control control = {.parameter = {unit, id, scope, element}};
  UInt32 size = sizeof control.info;
  // The element of this property is the parameter's identifier.
  check(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterInfo, scope, id, &control.info, &size));
  CFStringGetCString(control.info.cfNameString, control.name, sizeof control.name, kCFStringEncodingUTF8);
  // Some names must be released by the caller.
  if (control.info.flags & kAudioUnitParameterFlag_CFNameRelease) CFRelease(control.info.cfNameString);
  return control;
}

// Writes the parameters of a scope and element that can be set, and returns their number.
static inline int makeControls(AudioUnit unit, AudioUnitScope scope, AudioUnitElement element,
                               Control *controls, int most) {
  AudioUnitParameterID list[64];
  UInt32 size = sizeof list;
  check(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, scope, element, list, &size));
  int count = 0;
  for (UInt32 i = 0; i < size / sizeof *list && count < most; i++) {
    controls[count] = makeControl(unit, list[i], scope, element);
    if (controls[count].info.flags & kAudioUnitParameterFlag_IsWritable) count++;
  }
  return count;
}

static inline Float32 valueOf(Control control) {
  const AudioUnitParameter place = control.parameter;
  Float32 value = 0;
  check(AudioUnitGetParameter(place.mAudioUnit, place.mParameterID, place.mScope, place.mElement, &value));
  return value;
}

// Writes a value with a useful number of digits into a buffer of 32 bytes.
static inline const char *textOf(Control control, Float32 value, char *text) {
  return AUParameterFormatValue(value, &control.parameter, text, 3);
}

// Shows a complaint unless a value is within the range.
static inline bool isInRange(Control control, Float32 value) {
  if (value >= control.info.minValue && value <= control.info.maxValue) return true;
  char least[32], most[32];
  printf("%s is %.1f: expected a number from %s to %s\n", control.name, value,
         textOf(control, control.info.minValue, least), textOf(control, control.info.maxValue, most));
  return false;
}

// Sets a value and notifies listeners, which AudioUnitSetParameter alone does not do.
static inline bool setControl(Control control, Float32 value) {
  return isInRange(control, value) &&
         succeeded(AUParameterSet(NULL, NULL, &control.parameter, value, 0), stdout);
}

// MARK: Movements

enum { kMostMovements = 64 };

static struct {
  pthread_t threads[kMostMovements];
  int count;
  atomic_bool isOver;
} movements;

typedef struct {
  Control control;
  Float32 begin, end;
  int steps;
} Movement;

// Twenty steps per second; the mixer smooths each step.
static inline void *move(void *data) {
  Movement *movement = data;
  for (int step = 1; step <= movement->steps && !atomic_load(&movements.isOver); step++) {
    const Float32 part = (Float32)step / (Float32)movement->steps;
    if (!setControl(movement->control, (1 - part) * movement->begin + part * movement->end)) break;
    usleep(50000);
  }
  free(movement);
  return NULL;
}

// Moves a control to a value on a thread of its own, and returns immediately.
static inline void startMovement(Control control, Float32 end, double seconds) {
  if (!isInRange(control, end)) return;
  Movement *movement = malloc(sizeof *movement);
  *movement = (Movement){control, valueOf(control), end, seconds > 0.05 ? (int)(20 * seconds) : 1};
  pthread_t *thread = &movements.threads[movements.count % kMostMovements];
  if (movements.count >= kMostMovements) pthread_join(*thread, NULL);
  pthread_create(thread, NULL, move, movement);
  movements.count++;
}

// No control may move after its unit is disposed of.
static inline void endMovements(void) {
  atomic_store(&movements.isOver, true);
  for (int i = 0; i < movements.count && i < kMostMovements; i++) pthread_join(movements.threads[i], NULL);
}

// MARK: Commands

// A line that a person types while a program plays: a verb and its arguments.
typedef struct {
  char line[256];
  char text[256];
  char *words[8];
  int count;
} Command;

static inline bool is(const Command *command, const char *verb, int argumentCount) {
  return command->count == argumentCount + 1 && strcmp(command->words[0], verb) == 0;
}

// Everything after the verb, for names with spaces.
static inline const char *restOf(const Command *command) {
  const char *rest = command->line + strspn(command->line, " ") + strlen(command->words[0]);
  return rest + strspn(rest, " ");
}

static inline bool readBus(const char *word, UInt32 *bus) {
  char *end;
  const unsigned long long number = strtoull(word, &end, 10);
  if (*word >= '0' && *word <= '9' && *end == '\0' && number <= UINT32_MAX) {
    *bus = (UInt32)number;
    return true;
  }
  printf("BUS is \"%s\": expected 0, 1, …\n", word);
  return false;
}

// A value for a control, which knows its range.
static inline bool readValue(const char *word, Float32 *value) {
  char *end;
  *value = (Float32)strtod(word, &end);
  if (end != word && *end == '\0') return true;
  printf("VALUE is \"%s\": expected a number\n", word);
  return false;
}

static inline bool readSeconds(const char *word, double *seconds, FILE *output) {
  char *end;
  *seconds = strtod(word, &end);
  if (end != word && *end == '\0' && *seconds >= 0 && *seconds <= 3600) return true;
  fprintf(output, "SECONDS is \"%s\": expected a number from 0 to 3600\n", word);
  return false;
}

static inline void complain(const Command *command) {
  printf("\"%s\": expected one of the commands above\n", command->line);
}

// Reads commands, one in a line, until "quit" or the end of the input. "wait SECONDS" is common to all
// programs.
static inline void readCommands(void (*execute)(void *, const Command *), void *context) {
  Command command;
  while (fgets(command.line, sizeof command.line, stdin) != NULL) {
    command.line[strcspn(command.line, "\n")] = '\0';
    if (strcmp(command.line, "quit") == 0) return;
    strcpy(command.text, command.line);
    command.count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(command.text, " ", &rest); word != NULL && command.count < 8;
         word = strtok_r(NULL, " ", &rest))
      command.words[command.count++] = word;
    double seconds;
    if (is(&command, "wait", 1)) {
      if (readSeconds(command.words[1], &seconds, stdout)) usleep((useconds_t)(seconds * 1e6));
    } else {
      execute(context, &command);
    }
  }
}
