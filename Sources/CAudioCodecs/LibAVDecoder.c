// SPDX-License-Identifier: Apache-2.0
#include "LibAV.h"
#include "LibAVLibrary.h"

#if HAS_LIBAV

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct LibAVDecoder {
  const LibAVFunctions *av;
  const AVCodec *codec;
  /// The stream, with setup data of its own.
  LibAVStream stream;
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  /// The packet, followed by the zero bytes that the library requires.
  uint8_t *bytes;
  size_t byteCapacity;
  /// The decoded output: interleaved samples of four bytes.
  void *samples;
  size_t sampleCapacity;
  size_t frames;
  LibAVSample sample;
  int channels;
  int rate;
  int decodedChannels;
};

static void explain(const LibAVFunctions *av, int error, const char *what, char *reason, size_t reasonSize) {
  char text[128] = "";
  av->av_strerror(error, text, sizeof text);
  snprintf(reason, reasonSize, "%s (libavcodec: %s)", what, text);
}

/// Whether the library's decoder keeps a state when it is flushed: noise, windows, overlap.
static bool keeps_state(const AVCodec *codec) {
  return codec->id == AV_CODEC_ID_AAC || codec->id == AV_CODEC_ID_AC3 ||
         codec->id == AV_CODEC_ID_EAC3;
}

/// Opens a decoder of a stream; null after an error, which is 0 without memory.
static AVCodecContext *open_context(const LibAVFunctions *av, const AVCodec *codec,
                                    const LibAVStream *stream, int *error) {
  *error = 0;
  AVCodecContext *context = av->avcodec_alloc_context3(codec);
  if (!context) return NULL;
  // Broken packets are reported as errors, not in the library's log.
  context->log_level_offset = 64;
  context->thread_count = 1;
  context->sample_rate = stream->rate;
  context->bits_per_coded_sample = stream->bits;
  context->block_align = stream->blockBytes;
  // Frames are dropped where the file says so, not where the library guesses the encoder.
  context->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
  av->av_channel_layout_default(&context->ch_layout, stream->channels);
  // The noise of AC-3 then follows from each packet, not from all before.
  if (codec->priv_class && keeps_state(codec))
    av->av_opt_set_int(context->priv_data, "cons_noisegen", 1, 0);
  if (stream->setupSize) {
    context->extradata = av->av_mallocz(stream->setupSize + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!context->extradata) goto failure;
    memcpy(context->extradata, stream->setup, stream->setupSize);
    context->extradata_size = (int)stream->setupSize;
  }
  *error = av->avcodec_open2(context, codec, NULL);
  if (*error >= 0) return context;
failure:
  av->avcodec_free_context(&context);
  return NULL;
}

LibAVDecoder *libav_decoder(const LibAVStream *stream, char *reason, size_t reasonSize) {
  if (!libav_open(reason, reasonSize)) return NULL;
  const LibAVFunctions *av = libav_with(stream->codec, false);
  if (!av) {
    snprintf(reason, reasonSize, "libavcodec has no decoder %s", stream->codec);
    return NULL;
  }
  const AVCodec *codec = av->avcodec_find_decoder_by_name(stream->codec);
  LibAVDecoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) goto memory;
  decoder->av = av;
  decoder->codec = codec;
  decoder->packet = av->av_packet_alloc();
  decoder->frame = av->av_frame_alloc();
  if (!decoder->packet || !decoder->frame) goto memory;
  decoder->sample = stream->sample;
  decoder->channels = stream->channels;
  decoder->stream = *stream;
  decoder->stream.setup = NULL;
  if (stream->setupSize) {
    uint8_t *setup = malloc(stream->setupSize);
    if (!setup) goto memory;
    memcpy(setup, stream->setup, stream->setupSize);
    decoder->stream.setup = setup;
  }
  int error;
  decoder->context = open_context(av, codec, stream, &error);
  if (error < 0) {
    explain(av, error, "the decoder does not accept this stream", reason, reasonSize);
    libav_decoder_free(decoder);
    return NULL;
  }
  if (!decoder->context) goto memory;
  return decoder;
memory:
  snprintf(reason, reasonSize, "not enough memory for a decoder");
  libav_decoder_free(decoder);
  return NULL;
}

#define INLINE static inline __attribute__((always_inline))

/// Converts one sample to Float32, or to Int32 in its upper bits.
INLINE float as_float(const void *data, int format, size_t index) {
  switch (format) {
    case AV_SAMPLE_FMT_U8: return (((const uint8_t *)data)[index] - 128) * 0x1p-7f;
    case AV_SAMPLE_FMT_S16: return ((const int16_t *)data)[index] * 0x1p-15f;
    case AV_SAMPLE_FMT_S32: return (float)(((const int32_t *)data)[index] * 0x1p-31);
    case AV_SAMPLE_FMT_FLT: return ((const float *)data)[index];
    default: return (float)((const double *)data)[index];
  }
}

INLINE int32_t as_integer(const void *data, int format, size_t index) {
  switch (format) {
    case AV_SAMPLE_FMT_U8: return (int32_t)((uint32_t)(((const uint8_t *)data)[index] ^ 0x80) << 24);
    case AV_SAMPLE_FMT_S16: return (int32_t)((uint32_t)((const int16_t *)data)[index] << 16);
    case AV_SAMPLE_FMT_S32: return ((const int32_t *)data)[index];
    default: {
      double value = (double)as_float(data, format, index) * 0x1p31;
      if (!(value > -0x1p31)) return INT32_MIN;
      return value >= 0x1p31 ? INT32_MAX : (int32_t)value;
    }
  }
}

static int packed(int format) {
  switch (format) {
    case AV_SAMPLE_FMT_U8P: return AV_SAMPLE_FMT_U8;
    case AV_SAMPLE_FMT_S16P: return AV_SAMPLE_FMT_S16;
    case AV_SAMPLE_FMT_S32P: return AV_SAMPLE_FMT_S32;
    case AV_SAMPLE_FMT_FLTP: return AV_SAMPLE_FMT_FLT;
    case AV_SAMPLE_FMT_DBLP: return AV_SAMPLE_FMT_DBL;
    default: return format;
  }
}

// Copies the channel that begins at sample `first` of `data`. Its samples are `step` apart in
// `data`, and `channels` apart in `target`. `format` and `isFloat` are constants where this is
// inlined, so that the compiler can specialise the loop.
INLINE void copy_channel(void *target, size_t channels, const void *data, size_t first, size_t step,
                         size_t count, int format, bool isFloat) {
  for (size_t i = 0; i < count; i++) {
    if (isFloat)
      ((float *)target)[i * channels] = as_float(data, format, first + i * step);
    else
      ((int32_t *)target)[i * channels] = as_integer(data, format, first + i * step);
  }
}

INLINE void copy_format(void *target, size_t channels, const void *data, size_t first, size_t step,
                        size_t count, int format, bool isFloat) {
#define COPY(format) copy_channel(target, channels, data, first, step, count, format, isFloat)
  switch (format) {
    case AV_SAMPLE_FMT_U8: return COPY(AV_SAMPLE_FMT_U8);
    case AV_SAMPLE_FMT_S16: return COPY(AV_SAMPLE_FMT_S16);
    case AV_SAMPLE_FMT_S32: return COPY(AV_SAMPLE_FMT_S32);
    case AV_SAMPLE_FMT_FLT: return COPY(AV_SAMPLE_FMT_FLT);
    default: return COPY(AV_SAMPLE_FMT_DBL);
  }
#undef COPY
}

static void copy(void *target, size_t channels, const void *data, size_t first, size_t step,
                 size_t count, int format, bool isFloat) {
  if (isFloat)
    copy_format(target, channels, data, first, step, count, format, true);
  else
    copy_format(target, channels, data, first, step, count, format, false);
}

/// Interleaves two planes in one pass.
INLINE void copy_pair(void *target, const void *left, const void *right, size_t count, int format,
                      bool isFloat) {
  for (size_t i = 0; i < count; i++) {
    if (isFloat) {
      ((float *)target)[2 * i] = as_float(left, format, i);
      ((float *)target)[2 * i + 1] = as_float(right, format, i);
    } else {
      ((int32_t *)target)[2 * i] = as_integer(left, format, i);
      ((int32_t *)target)[2 * i + 1] = as_integer(right, format, i);
    }
  }
}

/// Copies a frame whose channels are those of the output; false if that takes a pass for each channel.
static bool copy_whole(void *target, const AVFrame *frame, bool isPlanar, int format, bool isFloat) {
  const size_t count = (size_t)frame->nb_samples, channels = (size_t)frame->ch_layout.nb_channels;
  if (!isPlanar || channels == 1) {
    const void *data = frame->extended_data[0];
    if (isFloat)
      copy_format(target, 1, data, 0, 1, count * channels, format, true);
    else
      copy_format(target, 1, data, 0, 1, count * channels, format, false);
    return true;
  }
  if (channels != 2) return false;
  const void *left = frame->extended_data[0], *right = frame->extended_data[1];
  if (format == AV_SAMPLE_FMT_FLT && isFloat)
    copy_pair(target, left, right, count, AV_SAMPLE_FMT_FLT, true);
  else if (format == AV_SAMPLE_FMT_S16 && !isFloat)
    copy_pair(target, left, right, count, AV_SAMPLE_FMT_S16, false);
  else if (format == AV_SAMPLE_FMT_S32 && !isFloat)
    copy_pair(target, left, right, count, AV_SAMPLE_FMT_S32, false);
  else
    return false;
  return true;
}

/// Appends the decoded frame to the output.
static bool append_frame(LibAVDecoder *decoder) {
  const LibAVFunctions *av = decoder->av;
  const AVFrame *frame = decoder->frame;
  const size_t count = (size_t)frame->nb_samples, channels = (size_t)decoder->channels;
  const size_t present = (size_t)frame->ch_layout.nb_channels;
  const size_t needed = (decoder->frames + count) * channels * 4;
  if (needed > decoder->sampleCapacity) {
    void *memory = realloc(decoder->samples, needed * 2);
    if (!memory) return false;
    decoder->samples = memory;
    decoder->sampleCapacity = needed * 2;
  }
  const bool isPlanar = av->av_sample_fmt_is_planar(frame->format);
  const int format = packed(frame->format);
  const bool isFloat = decoder->sample == LIBAV_FLOAT;
  int32_t *first = (int32_t *)decoder->samples + decoder->frames * channels;
  const bool isWhole = present == channels && copy_whole(first, frame, isPlanar, format, isFloat);
  for (size_t channel = 0; channel < channels && !isWhole; channel++) {
    // A stream may switch between mono and stereo: mono is copied to all channels.
    const size_t source = present == 1 ? 0 : channel;
    // Samples of both kinds have four bytes, and zero is silence in both.
    int32_t *target = first + channel;
    if (source >= present) {
      for (size_t i = 0; i < count; i++) target[i * channels] = 0;
      continue;
    }
    if (isPlanar)
      copy(target, channels, frame->extended_data[source], 0, 1, count, format, isFloat);
    else
      copy(target, channels, frame->extended_data[0], source, present, count, format, isFloat);
  }
  decoder->frames += count;
  decoder->rate = frame->sample_rate;
  decoder->decodedChannels = frame->ch_layout.nb_channels;
  return true;
}

long libav_decode(LibAVDecoder *decoder, const uint8_t *data, size_t size, const void **samples,
                  char *reason, size_t reasonSize) {
  const LibAVFunctions *av = decoder->av;
  decoder->frames = 0;
  int error = 0;
  if (data) {
    if (size + AV_INPUT_BUFFER_PADDING_SIZE > decoder->byteCapacity) {
      free(decoder->bytes);
      decoder->byteCapacity = 2 * size + AV_INPUT_BUFFER_PADDING_SIZE;
      decoder->bytes = malloc(decoder->byteCapacity);
    }
    if (!decoder->bytes) {
      decoder->byteCapacity = 0;
      snprintf(reason, reasonSize, "not enough memory for a packet");
      return -1;
    }
    memcpy(decoder->bytes, data, size);
    memset(decoder->bytes + size, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    decoder->packet->data = decoder->bytes;
    decoder->packet->size = (int)size;
    error = av->avcodec_send_packet(decoder->context, decoder->packet);
  } else {
    error = av->avcodec_send_packet(decoder->context, NULL);
  }
  if (error < 0 && error != AVERROR_EOF) {
    explain(av, error, "a packet cannot be decoded", reason, reasonSize);
    return -1;
  }
  while ((error = av->avcodec_receive_frame(decoder->context, decoder->frame)) >= 0) {
    const bool isAppended = append_frame(decoder);
    av->av_frame_unref(decoder->frame);
    if (!isAppended) {
      snprintf(reason, reasonSize, "not enough memory for the decoded frames");
      return -1;
    }
  }
  if (error != AVERROR(EAGAIN) && error != AVERROR_EOF) {
    explain(av, error, "a packet cannot be decoded", reason, reasonSize);
    return -1;
  }
  *samples = decoder->samples;
  return (long)decoder->frames;
}

int libav_decoded_rate(const LibAVDecoder *decoder) { return decoder->rate; }

int libav_decoded_channels(const LibAVDecoder *decoder) { return decoder->decodedChannels; }

void libav_decoder_reset(LibAVDecoder *decoder) {
  const LibAVFunctions *av = decoder->av;
  int error;
  AVCodecContext *fresh = keeps_state(decoder->codec)
                              ? open_context(av, decoder->codec, &decoder->stream, &error)
                              : NULL;
  if (!fresh) {
    av->avcodec_flush_buffers(decoder->context);
    return;
  }
  av->avcodec_free_context(&decoder->context);
  decoder->context = fresh;
}

void libav_decoder_free(LibAVDecoder *decoder) {
  if (!decoder) return;
  const LibAVFunctions *av = decoder->av;
  if (decoder->context) av->avcodec_free_context(&decoder->context);
  if (decoder->packet) av->av_packet_free(&decoder->packet);
  if (decoder->frame) av->av_frame_free(&decoder->frame);
  free((void *)decoder->stream.setup);
  free(decoder->bytes);
  free(decoder->samples);
  free(decoder);
}

#endif
