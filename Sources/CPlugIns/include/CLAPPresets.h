// SPDX-License-Identifier: Apache-2.0
// The presets that a CLAP library describes by its factory for their discovery, and how the host reads them.
#pragma once
#include "CLAPInstance.h"

#define CLAP_PRESET_FACTORY "clap.preset-discovery-factory/2"

typedef struct CLAPPresetProviderDescriptor {
  CLAPVersion version;
  const char *_Nullable id;
  const char *_Nullable name;
  const char *_Nullable vendor;
} CLAPPresetProviderDescriptor;

typedef struct CLAPUniversalId {
  /// "clap".
  const char *_Nullable abi;
  const char *_Nullable id;
} CLAPUniversalId;

/// What a provider says about the presets of a file.
typedef struct CLAPPresetReceiver {
  void *_Nullable context;
  void (*_Nonnull on_error)(
      const struct CLAPPresetReceiver *_Nonnull receiver, int32_t os_error, const char *_Nullable message);
  bool (*_Nonnull begin_preset)(
      const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable name, const char *_Nullable load_key);
  void (*_Nonnull add_plug_in)(
      const struct CLAPPresetReceiver *_Nonnull receiver, const CLAPUniversalId *_Nullable id);
  void (*_Nonnull set_sound_pack)(const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable id);
  void (*_Nonnull set_flags)(const struct CLAPPresetReceiver *_Nonnull receiver, uint32_t flags);
  void (*_Nonnull add_creator)(const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable creator);
  void (*_Nonnull set_description)(const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable text);
  void (*_Nonnull set_times)(
      const struct CLAPPresetReceiver *_Nonnull receiver, uint64_t creation, uint64_t modification);
  void (*_Nonnull add_feature)(const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable feature);
  void (*_Nonnull add_extra)(
      const struct CLAPPresetReceiver *_Nonnull receiver, const char *_Nullable key, const char *_Nullable value);
} CLAPPresetReceiver;

typedef struct CLAPPresetProvider {
  const CLAPPresetProviderDescriptor *_Nullable descriptor;
  void *_Nullable context;
  bool (*_Nullable init)(const struct CLAPPresetProvider *_Nonnull provider);
  void (*_Nullable destroy)(const struct CLAPPresetProvider *_Nonnull provider);
  bool (*_Nullable get_metadata)(
      const struct CLAPPresetProvider *_Nonnull provider, uint32_t kind, const char *_Nullable location,
      const CLAPPresetReceiver *_Nonnull receiver);
  const void *_Nullable (*_Nullable get_extension)(
      const struct CLAPPresetProvider *_Nonnull provider, const char *_Nonnull id);
} CLAPPresetProvider;

typedef struct CLAPPresetFileType {
  const char *_Nullable name;
  const char *_Nullable description;
  /// Without the dot; null or empty: any file.
  const char *_Nullable extension;
} CLAPPresetFileType;

typedef struct CLAPPresetPlace {
  uint32_t flags;
  const char *_Nullable name;
  /// One of CLAPPresetLocation.
  uint32_t kind;
  /// A file or a folder; null in the plug-in.
  const char *_Nullable path;
} CLAPPresetPlace;

/// What a provider declares.
typedef struct CLAPPresetIndexer {
  CLAPVersion version;
  const char *_Nullable name;
  const char *_Nullable vendor;
  const char *_Nullable url;
  const char *_Nullable indexer_version;
  void *_Nullable context;
  bool (*_Nonnull declare_file_type)(
      const struct CLAPPresetIndexer *_Nonnull indexer, const CLAPPresetFileType *_Nullable type);
  bool (*_Nonnull declare_place)(
      const struct CLAPPresetIndexer *_Nonnull indexer, const CLAPPresetPlace *_Nullable place);
  bool (*_Nonnull declare_sound_pack)(
      const struct CLAPPresetIndexer *_Nonnull indexer, const void *_Nullable pack);
  const void *_Nullable (*_Nonnull get_extension)(
      const struct CLAPPresetIndexer *_Nonnull indexer, const char *_Nonnull id);
} CLAPPresetIndexer;

typedef struct CLAPPresetFactory {
  uint32_t (*_Nullable count)(const struct CLAPPresetFactory *_Nonnull factory);
  const CLAPPresetProviderDescriptor *_Nullable (*_Nullable get_descriptor)(
      const struct CLAPPresetFactory *_Nonnull factory, uint32_t index);
  const CLAPPresetProvider *_Nullable (*_Nullable create)(
      const struct CLAPPresetFactory *_Nonnull factory, const CLAPPresetIndexer *_Nonnull indexer,
      const char *_Nonnull id);
} CLAPPresetFactory;

/// Calls `add` for each preset of a plug-in: 4096 at most, in 10000 files at most. [main thread]
void clap_read_presets(
    const CLAPPresetFactory *_Nonnull factory, const char *_Nonnull plug_in_id, void *_Nonnull context,
    void (*_Nonnull add)(
        void *_Nonnull context, const char *_Nonnull name, uint32_t kind, const char *_Nonnull path,
        const char *_Nonnull load_key));

/// Loads a preset into an instance; empty texts are none. False: that failed. [main thread]
bool clap_load_preset(
    const CLAPInstance *_Nonnull instance, uint32_t kind, const char *_Nonnull path, const char *_Nonnull load_key);
