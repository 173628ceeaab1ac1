// SPDX-License-Identifier: Apache-2.0
#include "Synth.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ForkLock.h"
#include "Loader.h"

// The functions of FluidSynth 2 that are used here.
typedef struct Settings Settings;
typedef struct Bank Bank;
typedef struct BankLoader BankLoader;
typedef void (*LogFunction)(int level, const char *message, void *context);

Settings *new_fluid_settings(void);
void delete_fluid_settings(Settings *settings);
int fluid_settings_setint(Settings *settings, const char *name, int value);
int fluid_settings_setnum(Settings *settings, const char *name, double value);
Synth *new_fluid_synth(Settings *settings);
void delete_fluid_synth(Synth *synth);
LogFunction fluid_set_log_function(int level, LogFunction function, void *context);
void fluid_version(int *major, int *minor, int *micro);

int fluid_synth_sfload(Synth *synth, const char *path, int resets);
Bank *fluid_synth_get_sfont_by_id(Synth *synth, int number);
int fluid_synth_add_sfont(Synth *synth, Bank *bank);
int fluid_synth_remove_sfont(Synth *synth, Bank *bank);
void fluid_sfont_iteration_start(Bank *bank);
SynthPreset *fluid_sfont_iteration_next(Bank *bank);
const char *fluid_preset_get_name(SynthPreset *preset);
int fluid_preset_get_banknum(SynthPreset *preset);
int fluid_preset_get_num(SynthPreset *preset);

BankLoader *new_fluid_defsfloader(Settings *settings);
int fluid_sfloader_set_callbacks(BankLoader *loader, void *(*open)(const char *name),
                                 int (*read)(void *bytes, long long count, void *handle),
                                 int (*seek)(void *handle, long long offset, int origin),
                                 long long (*tell)(void *handle), int (*close)(void *handle));
void fluid_synth_add_sfloader(Synth *synth, BankLoader *loader);

int fluid_synth_start(Synth *synth, unsigned note, SynthPreset *preset, int audioChannel, int channel,
                      int key, int velocity);
int fluid_synth_stop(Synth *synth, unsigned note);
int fluid_synth_all_notes_off(Synth *synth, int channel);
int fluid_synth_all_sounds_off(Synth *synth, int channel);
int fluid_synth_cc(Synth *synth, int channel, int number, int value);
int fluid_synth_pitch_bend(Synth *synth, int channel, int value);
int fluid_synth_pitch_wheel_sens(Synth *synth, int channel, int semitones);
int fluid_synth_channel_pressure(Synth *synth, int channel, int value);
int fluid_synth_key_pressure(Synth *synth, int channel, int key, int value);
int fluid_synth_set_gen(Synth *synth, int channel, int generator, float value);
int fluid_synth_set_interp_method(Synth *synth, int channel, int method);
int fluid_synth_get_active_voice_count(Synth *synth);
void fluid_synth_get_voicelist(Synth *synth, SynthVoice **voices, int capacity, int note);
int fluid_voice_get_channel(const SynthVoice *voice);
unsigned fluid_voice_get_id(const SynthVoice *voice);
float fluid_voice_gen_get(SynthVoice *voice, int generator);
void fluid_voice_gen_set(SynthVoice *voice, int generator, float value);
void fluid_voice_update_param(SynthVoice *voice, int generator);
int fluid_synth_process(Synth *synth, int count, int effectCount, float *effects[], int outputCount,
                        float *outputs[]);

#define FUNCTIONS(F) \
  F(new_fluid_settings) F(delete_fluid_settings) F(fluid_settings_setint) F(fluid_settings_setnum) \
  F(new_fluid_synth) F(delete_fluid_synth) F(fluid_set_log_function) F(fluid_version) \
  F(fluid_synth_sfload) F(fluid_synth_get_sfont_by_id) F(fluid_synth_add_sfont) \
  F(fluid_synth_remove_sfont) F(fluid_sfont_iteration_start) F(fluid_sfont_iteration_next) \
  F(fluid_preset_get_name) F(fluid_preset_get_banknum) F(fluid_preset_get_num) \
  F(new_fluid_defsfloader) F(fluid_sfloader_set_callbacks) F(fluid_synth_add_sfloader) \
  F(fluid_synth_start) F(fluid_synth_stop) F(fluid_synth_all_notes_off) \
  F(fluid_synth_all_sounds_off) F(fluid_synth_cc) F(fluid_synth_pitch_bend) \
  F(fluid_synth_pitch_wheel_sens) F(fluid_synth_channel_pressure) F(fluid_synth_key_pressure) \
  F(fluid_synth_set_gen) F(fluid_synth_set_interp_method) F(fluid_synth_get_active_voice_count) \
  F(fluid_synth_get_voicelist) \
  F(fluid_voice_get_channel) F(fluid_voice_get_id) F(fluid_voice_gen_get) F(fluid_voice_gen_set) \
  F(fluid_voice_update_param) F(fluid_synth_process)
static LIBRARY_TABLE(FUNCTIONS) fluid;
static const LibrarySymbol symbols[] = {FUNCTIONS(LIBRARY_SYMBOL)};
static Library library = {.files = {"libfluidsynth.so.3"}, .package = "libfluidsynth3",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &fluid};

struct SynthSet {
  Settings *settings;
  Synth **members;
  int count;
  Bank *bank;
  SynthPreset **presets;
  int presetCount;
};

/// FluidSynth changes global lists without a lock, so only one thread at a time may create, load or
/// free. A fork waits for it, also if it loads a large bank.
FORK_LOCK(lock)
/// The SoundFont in memory that is being loaded, and how many were loaded so far.
static const char *memory;
static long long memorySize;
static unsigned memoryCount;

/// Loads a bank into a synthesizer, and returns its number; -1 if it cannot. Called under the lock.
///
/// FluidSynth does this with OpenMP, whose threads do not exist in a forked child, which then waits for
/// them for ever. With one thread OpenMP starts none and waits for none. The setting is this thread's own.
static int load_bank(Synth *synth, const char *name) {
  int (*count)(void) = library_find(&library, "omp_get_max_threads");
  void (*set_count)(int) = library_find(&library, "omp_set_num_threads");
  if (!count || !set_count) return fluid.fluid_synth_sfload(synth, name, 0);
  const int before = count();
  set_count(1);
  const int number = fluid.fluid_synth_sfload(synth, name, 0);
  set_count(before);
  return number;
}

/// Discards the library's messages, because a render must not write any.
static void be_silent(int level, const char *message, void *context) {
  (void)level, (void)message, (void)context;
}

bool synth_open(char *reason, size_t reasonSize) {
  if (!library_load(&library)) {
    snprintf(reason, reasonSize, "%s", library.reason);
    return false;
  }
  int major = 0, minor = 0, micro = 0;
  fluid.fluid_version(&major, &minor, &micro);
  if (major != 2) {
    snprintf(reason, reasonSize, "libfluidsynth.so.3 has version %d, expected 2", major);
    return false;
  }
  return true;
}

static void apply(Settings *settings, int voices, double sampleRate) {
  static const struct {
    const char *name;
    int value;
  } values[] = {
      {"synth.threadsafe-api", 0},
      // The caller adds reverberation, and gets each channel separately.
      {"synth.reverb.active", 0}, {"synth.chorus.active", 0},
      {"synth.audio-channels", SYNTH_CHANNELS}, {"synth.audio-groups", SYNTH_CHANNELS},
      {"synth.midi-channels", SYNTH_CHANNELS},
      // All samples are in memory before the first note.
      {"synth.dynamic-sample-loading", 0}, {"synth.cpu-cores", 1}, {"synth.verbose", 0}};
  for (size_t i = 0; i < LIBRARY_COUNT(values); i++) {
    fluid.fluid_settings_setint(settings, values[i].name, values[i].value);
  }
  fluid.fluid_settings_setint(settings, "synth.polyphony", voices);
  fluid.fluid_settings_setnum(settings, "synth.sample-rate", sampleRate);
  fluid.fluid_settings_setnum(settings, "synth.gain", 1);
}

/// Creates a small synthesizer that is never freed. Without any, FluidSynth would shut down a
/// library that it uses, and that library leaks memory each time it starts. Called under the lock.
static void retain_library(void) {
  static Synth *retained;
  if (retained) return;
  Settings *settings = fluid.new_fluid_settings();
  if (!settings) return;
  apply(settings, 1, 48000);
  fluid.fluid_settings_setint(settings, "synth.audio-channels", 1);
  fluid.fluid_settings_setint(settings, "synth.audio-groups", 1);
  retained = fluid.new_fluid_synth(settings);
}

static SynthSet *make(int count, int voices, double sampleRate) {
  for (int level = 0; level < 5; level++) fluid.fluid_set_log_function(level, be_silent, NULL);
  retain_library();
  SynthSet *set = calloc(1, sizeof *set);
  if (!set) return NULL;
  set->members = calloc((size_t)count, sizeof *set->members);
  set->settings = fluid.new_fluid_settings();
  if (!set->members || !set->settings) return set;
  apply(set->settings, voices, sampleRate);
  while (set->count < count) {
    Synth *synth = fluid.new_fluid_synth(set->settings);
    if (!synth) break;
    // A windowed sinc of seven samples; the default is a cubic through four.
    fluid.fluid_synth_set_interp_method(synth, -1, 7);
    set->members[set->count++] = synth;
  }
  return set;
}

static void free_set(SynthSet *set) {
  // The first synthesizer owns the bank; the others only refer to it.
  for (int i = 1; set->bank && i < set->count; i++) {
    fluid.fluid_synth_remove_sfont(set->members[i], set->bank);
  }
  for (int i = set->count - 1; i >= 0; i--) fluid.delete_fluid_synth(set->members[i]);
  if (set->settings) fluid.delete_fluid_settings(set->settings);
  free(set->presets);
  free(set->members);
  free(set);
}

SynthSet *synth_set_make(int count, int voices, double sampleRate, char *reason, size_t reasonSize) {
  if (!synth_open(reason, reasonSize)) return NULL;
  pthread_mutex_lock(&lock);
  SynthSet *set = make(count, voices, sampleRate);
  if (set && set->count < count) {
    free_set(set);
    set = NULL;
  }
  pthread_mutex_unlock(&lock);
  if (!set) snprintf(reason, reasonSize, "FluidSynth cannot make a synthesizer");
  return set;
}

/// Lists the instruments of the first synthesizer's bank, and shares the bank with the others.
/// Called under the lock.
static bool share(SynthSet *set, int number) {
  Bank *bank = fluid.fluid_synth_get_sfont_by_id(set->members[0], number);
  if (!bank) return false;
  int count = 0;
  fluid.fluid_sfont_iteration_start(bank);
  while (fluid.fluid_sfont_iteration_next(bank)) count++;
  SynthPreset **presets = calloc((size_t)count + 1, sizeof *presets);
  if (!presets) return false;
  fluid.fluid_sfont_iteration_start(bank);
  for (int i = 0; i < count; i++) presets[i] = fluid.fluid_sfont_iteration_next(bank);
  set->presets = presets;
  set->presetCount = count;
  set->bank = bank;
  for (int i = 1; i < set->count; i++) fluid.fluid_synth_add_sfont(set->members[i], bank);
  return count > 0;
}

/// Whether a file begins like a SoundFont or a DLS bank. FluidSynth's reader of DLS banks prints a
/// complaint about other files to the standard error.
static bool has_bank_header(const char *path) {
  char start[12] = {0};
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  FILE *file = fopen(path, "rbe");
  if (!file) return false;
  const bool isWhole = fread(start, sizeof start, 1, file) == 1;
  fclose(file);
  return isWhole && !memcmp(start, "RIFF", 4) &&
         (!memcmp(start + 8, "sfbk", 4) || !memcmp(start + 8, "DLS ", 4));
}

bool synth_set_load(SynthSet *set, const char *path, char *reason, size_t reasonSize) {
  const bool isBank = has_bank_header(path);
  pthread_mutex_lock(&lock);
  const int number = isBank ? load_bank(set->members[0], path) : -1;
  const bool isLoaded = number >= 0 && share(set, number);
  pthread_mutex_unlock(&lock);
  if (!isLoaded) snprintf(reason, reasonSize, "%s is not a bank that FluidSynth can read", path);
  return isLoaded;
}

// File functions that read a SoundFont in memory; the handle is the read position.
static void *memory_open(const char *name) {
  (void)name;
  return calloc(1, sizeof(long long));
}

static int memory_read(void *bytes, long long count, void *handle) {
  long long *place = handle;
  if (count < 0 || count > memorySize - *place) return -1;
  memcpy(bytes, memory + *place, (size_t)count);
  *place += count;
  return 0;
}

static int memory_seek(void *handle, long long offset, int origin) {
  long long *place = handle;
  const long long start = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? *place : memorySize;
  if (start + offset < 0 || start + offset > memorySize) return -1;
  *place = start + offset;
  return 0;
}

static long long memory_tell(void *handle) { return *(long long *)handle; }

static int memory_close(void *handle) {
  free(handle);
  return 0;
}

bool synth_set_load_memory(SynthSet *set, const void *bytes, size_t count, char *reason,
                           size_t reasonSize) {
  pthread_mutex_lock(&lock);
  memory = bytes;
  memorySize = (long long)count;
  // The library caches samples by file name, so each name is used only once.
  char name[64];
  snprintf(name, sizeof name, "/memory/%u/%p", ++memoryCount, bytes);
  BankLoader *loader = fluid.new_fluid_defsfloader(set->settings);
  int number = -1;
  if (loader) {
    fluid.fluid_sfloader_set_callbacks(loader, memory_open, memory_read, memory_seek, memory_tell,
                                       memory_close);
    fluid.fluid_synth_add_sfloader(set->members[0], loader);
    number = load_bank(set->members[0], name);
  }
  const bool isLoaded = number >= 0 && share(set, number);
  memory = NULL;
  memorySize = 0;
  pthread_mutex_unlock(&lock);
  if (!isLoaded) snprintf(reason, reasonSize, "FluidSynth does not accept the samples");
  return isLoaded;
}

void synth_set_free(SynthSet *set) {
  pthread_mutex_lock(&lock);
  free_set(set);
  pthread_mutex_unlock(&lock);
  // Returns tens of megabytes of small blocks to the system.
  malloc_trim(0);
}

Synth *synth_set_member(SynthSet *set, int index) { return set->members[index]; }
SynthPreset *synth_set_preset(SynthSet *set, int index) {
  return index >= 0 && index < set->presetCount ? set->presets[index] : NULL;
}
const char *synth_preset_name(SynthPreset *preset) { return fluid.fluid_preset_get_name(preset); }
int synth_preset_bank(SynthPreset *preset) { return fluid.fluid_preset_get_banknum(preset); }
int synth_preset_program(SynthPreset *preset) { return fluid.fluid_preset_get_num(preset); }

void synth_start(Synth *synth, uint32_t note, SynthPreset *preset, int channel, int key, int velocity) {
  fluid.fluid_synth_start(synth, note, preset, 0, channel, key, velocity);
}
void synth_stop(Synth *synth, uint32_t note) { fluid.fluid_synth_stop(synth, note); }
void synth_all_notes_off(Synth *synth, int channel) {
  fluid.fluid_synth_all_notes_off(synth, channel);
}
void synth_all_sounds_off(Synth *synth, int channel) {
  fluid.fluid_synth_all_sounds_off(synth, channel);
}
void synth_controller(Synth *synth, int channel, int number, int value) {
  fluid.fluid_synth_cc(synth, channel, number, value);
}
void synth_pitch_bend(Synth *synth, int channel, int value) {
  fluid.fluid_synth_pitch_bend(synth, channel, value);
}
void synth_bend_range(Synth *synth, int channel, int semitones) {
  fluid.fluid_synth_pitch_wheel_sens(synth, channel, semitones);
}
void synth_channel_pressure(Synth *synth, int channel, int value) {
  fluid.fluid_synth_channel_pressure(synth, channel, value);
}
void synth_key_pressure(Synth *synth, int channel, int key, int value) {
  fluid.fluid_synth_key_pressure(synth, channel, key, value);
}
void synth_tune(Synth *synth, int channel, float cents) {
  fluid.fluid_synth_set_gen(synth, channel, SYNTH_FINE_TUNE, cents);
}
void synth_attenuate(Synth *synth, int channel, float centibels) {
  fluid.fluid_synth_set_gen(synth, channel, SYNTH_ATTENUATION, centibels);
}
void synth_pan(Synth *synth, int channel, float thousandths) {
  fluid.fluid_synth_set_gen(synth, channel, SYNTH_PAN, thousandths);
}
int synth_voice_count(Synth *synth) { return fluid.fluid_synth_get_active_voice_count(synth); }
void synth_voices(Synth *synth, SynthVoice **voices, int capacity, int note) {
  fluid.fluid_synth_get_voicelist(synth, voices, capacity, note);
}
int synth_voice_channel(SynthVoice *voice) { return fluid.fluid_voice_get_channel(voice); }
uint32_t synth_voice_note(SynthVoice *voice) { return fluid.fluid_voice_get_id(voice); }
float synth_voice_generator(SynthVoice *voice, int generator) {
  return fluid.fluid_voice_gen_get(voice, generator);
}
void synth_voice_set(SynthVoice *voice, int generator, float value) {
  fluid.fluid_voice_gen_set(voice, generator, value);
  fluid.fluid_voice_update_param(voice, generator);
}
void synth_pass_on(Synth *synth) { fluid.fluid_synth_get_active_voice_count(synth); }
void synth_render(Synth *synth, int count, float *outputs[2 * SYNTH_CHANNELS]) {
  fluid.fluid_synth_process(synth, count, 0, NULL, 2 * SYNTH_CHANNELS, outputs);
}
