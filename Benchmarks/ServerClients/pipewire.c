// SPDX-License-Identifier: Apache-2.0
// The smallest client that plays two channels to a PipeWire server: smallest FRAMES.
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <string.h>

static struct pw_stream *stream;
static float table[8192];

static void process(void *data) {
  (void)data;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer(stream);
  if (!buffer) return;
  for (uint32_t i = 0; i < buffer->buffer->n_datas; i++) {
    struct spa_data *d = &buffer->buffer->datas[i];
    uint32_t frames = SPA_MIN(SPA_MIN(buffer->requested, 8192), d->maxsize / 4);
    memcpy(d->data, table, frames * 4);
    d->chunk->offset = 0;
    d->chunk->stride = 4;
    d->chunk->size = frames * 4;
  }
  pw_stream_queue_buffer(stream, buffer);
}

static const struct pw_stream_events events = {PW_VERSION_STREAM_EVENTS, .process = process};

int main(int count, char **words) {
  pw_init(NULL, NULL);
  struct pw_main_loop *loop = pw_main_loop_new(NULL);
  struct pw_properties *props = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY,
                                                  "Playback", PW_KEY_NODE_NAME, "smallest", NULL);
  pw_properties_setf(props, PW_KEY_NODE_LATENCY, "%s/48000", count > 1 ? words[1] : "1024");
  stream = pw_stream_new_simple(pw_main_loop_get_loop(loop), "smallest", props, &events, NULL);
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  struct spa_audio_info_raw info = {.format = SPA_AUDIO_FORMAT_F32P, .rate = 48000, .channels = 2,
                                    .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR}};
  const struct spa_pod *format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
  pw_stream_connect(stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                    PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS |
                      PW_STREAM_FLAG_RT_PROCESS,
                    &format, 1);
  return pw_main_loop_run(loop);
}
