// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLAPPresets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { most_presets = 4096, most_files = 10000, most_declarations = 64, most_depth = 8 };

typedef struct {
  const CLAPPresetProvider *provider;
  const char *plug_in_id;
  void *context;
  void (*add)(void *, const char *, uint32_t, const char *, const char *);
  unsigned preset_count, file_count;
  // What the provider has declared.
  char *extensions[most_declarations];
  unsigned extension_count;
  bool takes_any_file;
  struct {
    uint32_t kind;
    char *path;
  } places[most_declarations];
  unsigned place_count;
  // The preset that is being described.
  uint32_t kind;
  const char *path;
  char *name, *load_key;
  bool is_ours;
} Reading;

static char *copy(const char *text) { return strdup(text ? text : ""); }

// What a provider declares

static bool declare_file_type(const CLAPPresetIndexer *indexer, const CLAPPresetFileType *type) {
  Reading *reading = indexer->context;
  if (!type) return false;
  if (!type->extension || !type->extension[0]) return reading->takes_any_file = true;
  if (reading->extension_count == most_declarations) return false;
  reading->extensions[reading->extension_count++] = copy(type->extension);
  return true;
}
static bool declare_place(const CLAPPresetIndexer *indexer, const CLAPPresetPlace *place) {
  Reading *reading = indexer->context;
  if (!place || reading->place_count == most_declarations) return false;
  reading->places[reading->place_count].kind = place->kind;
  reading->places[reading->place_count++].path = copy(place->path);
  return true;
}
static bool declare_sound_pack(const CLAPPresetIndexer *indexer, const void *pack) {
  return (void)indexer, (void)pack, true;
}
static const void *indexer_extension(const CLAPPresetIndexer *indexer, const char *id) {
  return (void)indexer, (void)id, NULL;
}

// What it says about presets

static void end_preset(Reading *reading) {
  if (reading->name && reading->is_ours && reading->preset_count < most_presets) {
    reading->preset_count++;
    reading->add(
        reading->context, reading->name, reading->kind, reading->path ? reading->path : "", reading->load_key);
  }
  free(reading->name);
  free(reading->load_key);
  reading->name = reading->load_key = NULL;
  reading->is_ours = false;
}
static void on_error(const CLAPPresetReceiver *receiver, int32_t os_error, const char *message) {
  (void)receiver, (void)os_error, (void)message;
}
static bool begin_preset(const CLAPPresetReceiver *receiver, const char *name, const char *load_key) {
  Reading *reading = receiver->context;
  end_preset(reading);
  if (reading->preset_count == most_presets) return false;
  reading->name = copy(name);
  reading->load_key = copy(load_key);
  return true;
}
static void add_plug_in(const CLAPPresetReceiver *receiver, const CLAPUniversalId *id) {
  Reading *reading = receiver->context;
  if (id && id->abi && id->id && strcmp(id->abi, "clap") == 0 && strcmp(id->id, reading->plug_in_id) == 0)
    reading->is_ours = true;
}
static void ignore_text(const CLAPPresetReceiver *receiver, const char *text) { (void)receiver, (void)text; }
static void ignore_flags(const CLAPPresetReceiver *receiver, uint32_t flags) { (void)receiver, (void)flags; }
static void ignore_times(const CLAPPresetReceiver *receiver, uint64_t creation, uint64_t modification) {
  (void)receiver, (void)creation, (void)modification;
}
static void ignore_extra(const CLAPPresetReceiver *receiver, const char *key, const char *value) {
  (void)receiver, (void)key, (void)value;
}

static void read_place(Reading *reading, uint32_t kind, const char *path) {
  const CLAPPresetReceiver receiver = {reading,     on_error,    begin_preset, add_plug_in, ignore_text, ignore_flags,
                                       ignore_text, ignore_text, ignore_times, ignore_text, ignore_extra};
  reading->kind = kind;
  reading->path = path;
  reading->provider->get_metadata(reading->provider, kind, path, &receiver);
  end_preset(reading);
}

static bool has_extension(const Reading *reading, const char *name) {
  if (reading->takes_any_file) return true;
  const char *dot = strrchr(name, '.');
  for (unsigned i = 0; dot && i < reading->extension_count; i++)
    if (strcmp(dot + 1, reading->extensions[i]) == 0) return true;
  return false;
}

static int by_name(const struct dirent **first, const struct dirent **second) {
  return strcmp((*first)->d_name, (*second)->d_name);
}

static void read_files(Reading *reading, const char *path, int depth) {
  struct stat about;
  if (stat(path, &about) != 0 || reading->preset_count == most_presets) return;
  if (!S_ISDIR(about.st_mode)) {
    if (has_extension(reading, path) && reading->file_count++ < most_files)
      read_place(reading, CLAPPresetInFile, path);
    return;
  }
  struct dirent **names = NULL;
  const int count = depth < most_depth ? scandir(path, &names, NULL, by_name) : 0;
  for (int i = 0; i < count; i++) {
    char *inner = NULL;
    if (names[i]->d_name[0] != '.' && asprintf(&inner, "%s/%s", path, names[i]->d_name) >= 0) {
      read_files(reading, inner, depth + 1);
      free(inner);
    }
    free(names[i]);
  }
  if (count >= 0) free(names);
}

static void read_provider(const CLAPPresetFactory *factory, const char *id, Reading *reading) {
  const CLAPPresetIndexer indexer = {
      {1, 2, 2},         "swift-audiotoolbox", "swift-audiotoolbox", "", "1", reading, declare_file_type, declare_place,
      declare_sound_pack, indexer_extension};
  reading->provider = factory->create(factory, &indexer, id);
  if (!reading->provider) return;
  const CLAPPresetProvider *provider = reading->provider;
  if (provider->init && provider->get_metadata && provider->init(provider)) {
    for (unsigned i = 0; i < reading->place_count; i++) {
      if (reading->places[i].kind == CLAPPresetInPlugIn) {
        read_place(reading, CLAPPresetInPlugIn, NULL);
      } else if (reading->places[i].kind == CLAPPresetInFile) {
        read_files(reading, reading->places[i].path, 0);
      }
    }
  }
  if (provider->destroy) provider->destroy(provider);
}

void clap_read_presets(
    const CLAPPresetFactory *factory, const char *plug_in_id, void *context,
    void (*add)(void *, const char *, uint32_t, const char *, const char *)) {
  if (!factory->count || !factory->get_descriptor || !factory->create) return;
  const uint32_t count = factory->count(factory);
  unsigned preset_count = 0, file_count = 0;
  for (uint32_t i = 0; i < count && i < most_declarations; i++) {
    const CLAPPresetProviderDescriptor *descriptor = factory->get_descriptor(factory, i);
    Reading *reading = descriptor && descriptor->id ? calloc(1, sizeof *reading) : NULL;
    if (!reading) continue;
    reading->plug_in_id = plug_in_id;
    reading->context = context;
    reading->add = add;
    reading->preset_count = preset_count;
    reading->file_count = file_count;
    read_provider(factory, descriptor->id, reading);
    preset_count = reading->preset_count;
    file_count = reading->file_count;
    for (unsigned each = 0; each < reading->extension_count; each++) free(reading->extensions[each]);
    for (unsigned each = 0; each < reading->place_count; each++) free(reading->places[each].path);
    free(reading);
  }
}

bool clap_load_preset(const CLAPInstance *instance, uint32_t kind, const char *path, const char *load_key) {
  const CLAPPlugIn *plug_in = clap_plug_in(instance);
  const CLAPPresetLoad *table = plug_in->get_extension(plug_in, CLAP_PRESET_LOAD);
  return table && table->from_location
      && table->from_location(plug_in, kind, path[0] ? path : NULL, load_key[0] ? load_key : NULL);
}
