// SPDX-License-Identifier: Apache-2.0
// Processes a call with PipeWire's echo canceller: its plugin, used as its module uses it.
//
//   pipewire RATE DELAY FAR MICROPHONE OUT    raw Float32 files; the delay is ignored
#include <dlfcn.h>
#include <spa/interfaces/audio/aec.h>
#include <spa/param/audio/raw.h>
#include <spa/support/plugin.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  if (count < 6) return 64;
  void *library = dlopen(PLUGIN, RTLD_NOW);
  if (!library) return 69;
  spa_handle_factory_enum_func_t next =
      (spa_handle_factory_enum_func_t)dlsym(library, SPA_HANDLE_FACTORY_ENUM_FUNC_NAME);
  const struct spa_handle_factory *factory;
  uint32_t index = 0;
  if (!next || next(&factory, &index) <= 0) return 69;
  struct spa_handle *handle = calloc(1, spa_handle_factory_get_size(factory, 0));
  if (spa_handle_factory_init(factory, handle, 0, 0, 0) < 0) return 69;
  void *interface;
  if (spa_handle_get_interface(handle, SPA_TYPE_INTERFACE_AUDIO_AEC, &interface) < 0) return 69;
  struct spa_audio_aec *canceller = interface;

  struct spa_dict arguments = SPA_DICT_INIT(0, 0);
  unsigned rate = (unsigned)atoi(words[1]), frames = rate / 100;
  struct spa_audio_info_raw info = SPA_AUDIO_INFO_RAW_INIT(
      .format = SPA_AUDIO_FORMAT_F32P, .rate = rate, .channels = 1);
  info.position[0] = SPA_AUDIO_CHANNEL_MONO;
  if (spa_audio_aec_init(canceller, &arguments, &info) < 0) return 69;
  spa_audio_aec_activate(canceller);

  FILE *far = fopen(words[3], "rb"), *microphone = fopen(words[4], "rb");
  FILE *out = fopen(words[5], "wb");
  if (!far || !microphone || !out) return 66;
  float *played = calloc(frames, 4), *recorded = calloc(frames, 4), *cleaned = calloc(frames, 4);
  while (fread(played, 4, frames, far) == frames && fread(recorded, 4, frames, microphone) == frames) {
    const float *record[] = {recorded}, *play[] = {played};
    float *result[] = {cleaned};
    if (spa_audio_aec_run(canceller, record, play, result, frames) < 0) return 70;
    fwrite(cleaned, 4, frames, out);
  }
  return fclose(out) == 0 ? 0 : 74;
}
