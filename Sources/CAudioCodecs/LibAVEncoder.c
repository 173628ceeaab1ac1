// SPDX-License-Identifier: Apache-2.0
#include "LibAV.h"
#include "LibAVLibrary.h"
#include "Rounding.h"

#if HAS_LIBAV

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct LibAVEncoder {
  const LibAVFunctions *av;
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  LibAVSample sample;
  int64_t position;
  /// Computes the number of frames in a Vorbis packet; null for other codecs.
  AVVorbisParseContext *vorbis;
  bool has_begun;
  /// The decoder's setup data that the encoder reports at its end; null when it reports none.
  uint8_t *setup;
  size_t setupSize;
};

static void explain(const LibAVFunctions *av, int error, const char *what, char *reason, size_t reasonSize) {
  char text[128] = "";
  av->av_strerror(error, text, sizeof text);
  snprintf(reason, reasonSize, "%s (libavcodec: %s)", what, text);
}

/// The encoder's sample format that preserves the input: the first of the right kind, and for
/// integers of the right size.
static enum AVSampleFormat sample_format(const AVCodec *codec, const LibAVStream *stream) {
  const enum AVSampleFormat *formats = codec->sample_fmts;
  if (!formats) return AV_SAMPLE_FMT_FLT;
  for (const enum AVSampleFormat *f = formats; *f != AV_SAMPLE_FMT_NONE; f++) {
    const bool isShort = *f == AV_SAMPLE_FMT_S16 || *f == AV_SAMPLE_FMT_S16P;
    const bool isLong = *f == AV_SAMPLE_FMT_S32 || *f == AV_SAMPLE_FMT_S32P;
    const bool isFloat = *f == AV_SAMPLE_FMT_FLT || *f == AV_SAMPLE_FMT_FLTP;
    if (stream->sample == LIBAV_FLOAT ? isFloat : stream->bits > 16 ? isLong : isShort) return *f;
  }
  return formats[0];
}

/// Sets the bit rate mode, with the options of each encoder.
static void control_rate(const LibAVFunctions *av, AVCodecContext *context,
                         const LibAVStream *stream) {
  const char *codec = stream->codec;
  const int mode = stream->rateMode;
  const double quality = stream->variableQuality / 127.0;
  double own = -1;
  if (!strcmp(codec, "libmp3lame")) {
    if (mode == 1) av->av_opt_set_int(context->priv_data, "abr", 1, 0);
    // 0 is the best quality, 9 the worst.
    if (mode == 3) own = 9 * (1 - quality);
  } else if (!strcmp(codec, "libopus")) {
    const int vbr = mode == 0 ? 0 : mode == 2 ? 2 : 1;
    if (mode >= 0) av->av_opt_set_int(context->priv_data, "vbr", vbr, 0);
    // OPUS_APPLICATION_RESTRICTED_LOWDELAY: without lookahead for speech.
    if (stream->isShortDelay)
      av->av_opt_set_int(context->priv_data, "application", 2051, 0);
  } else if (!strcmp(codec, "libvorbis")) {
    if (mode == 0) context->rc_min_rate = context->rc_max_rate = stream->bitRate;
    if (mode == 3) own = 10 * quality;
  } else if (!strcmp(codec, "aac")) {
    if (mode == 3) own = 0.1 + 1.9 * quality;
  }
  if (own < 0) return;
  context->flags |= AV_CODEC_FLAG_QSCALE;
  context->global_quality = (int)(own * FF_QP2LAMBDA + 0.5);
}

/// Sets how much work the encoder does, with the options of each encoder.
static void control_work(AVCodecContext *context, const LibAVStream *stream) {
  const char *codec = stream->codec;
  if (!strcmp(codec, "alac"))
    context->compression_level = 2;
  else if (!strcmp(codec, "libmp3lame"))
    context->compression_level = (127 - stream->quality) * 6 / 127;
  else if (!strcmp(codec, "libopus"))
    context->compression_level = stream->quality >= 64 ? 10 : stream->quality * 10 / 64;
}

/// Sets a layout of this many channels that the encoder accepts.
static void set_layout(const LibAVFunctions *av, AVCodecContext *context, const AVCodec *codec,
                       int channels) {
  for (const AVChannelLayout *layout = codec->ch_layouts; layout && layout->nb_channels; layout++)
    if (layout->nb_channels == channels) {
      av->av_channel_layout_copy(&context->ch_layout, layout);
      return;
    }
  // Of three and four channels the default is one that few formats have.
  static const AVChannelLayout front = AV_CHANNEL_LAYOUT_SURROUND, quad = AV_CHANNEL_LAYOUT_QUAD;
  const bool isXiph = codec->id == AV_CODEC_ID_OPUS || codec->id == AV_CODEC_ID_VORBIS;
  if (channels == 3)
    av->av_channel_layout_copy(&context->ch_layout, &front);
  else if (channels == 4 && isXiph)
    av->av_channel_layout_copy(&context->ch_layout, &quad);
  else
    av->av_channel_layout_default(&context->ch_layout, channels);
}

LibAVEncoder *libav_encoder(const LibAVStream *stream, char *reason, size_t reasonSize) {
  if (!libav_open(reason, reasonSize)) return NULL;
  const LibAVFunctions *av = libav_with(stream->codec, true);
  if (!av) {
    snprintf(reason, reasonSize, "libavcodec has no encoder %s", stream->codec);
    return NULL;
  }
  const AVCodec *codec = av->avcodec_find_encoder_by_name(stream->codec);
  LibAVEncoder *encoder = calloc(1, sizeof *encoder);
  AVCodecContext *context = av->avcodec_alloc_context3(codec);
  if (!encoder || !context) goto memory;
  encoder->av = av;
  encoder->context = context;
  encoder->packet = av->av_packet_alloc();
  encoder->frame = av->av_frame_alloc();
  if (!encoder->packet || !encoder->frame) goto memory;
  encoder->sample = stream->sample;
  context->log_level_offset = 64;
  context->thread_count = 1;
  context->sample_rate = stream->rate;
  context->time_base = (AVRational){1, stream->rate};
  context->sample_fmt = sample_format(codec, stream);
  context->bits_per_raw_sample = stream->bits;
  if (stream->bitRate > 0) context->bit_rate = stream->bitRate;
  // The decoder's setup data is stored separately, not in the packets.
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  context->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
  control_work(context, stream);
  control_rate(av, context, stream);
  set_layout(av, context, codec, stream->channels);
  int error = av->avcodec_open2(context, codec, NULL);
  if (error < 0) {
    explain(av, error, "the encoder does not accept this stream", reason, reasonSize);
    libav_encoder_free(encoder);
    return NULL;
  }
  if (codec->id == AV_CODEC_ID_VORBIS) {
    encoder->vorbis = av->av_vorbis_parse_init(context->extradata, context->extradata_size);
    if (!encoder->vorbis) goto memory;
  }
  return encoder;
memory:
  snprintf(reason, reasonSize, "not enough memory for an encoder");
  if (!encoder) av->avcodec_free_context(&context);
  libav_encoder_free(encoder);
  return NULL;
}

int libav_encoder_pass(const LibAVEncoder *encoder) {
  const AVCodec *codec = encoder->context->codec;
  const bool isVariable = codec->capabilities & AV_CODEC_CAP_VARIABLE_FRAME_SIZE;
  return isVariable ? 0 : encoder->context->frame_size;
}

int libav_encoder_frames(const LibAVEncoder *encoder) {
  // Vorbis packets are longer than one pass of the encoder, and differ in length.
  return encoder->vorbis ? 0 : libav_encoder_pass(encoder);
}

int libav_encoder_delay(const LibAVEncoder *encoder) { return encoder->context->initial_padding; }

const uint8_t *libav_encoder_setup(const LibAVEncoder *encoder, size_t *size) {
  *size = encoder->setup ? encoder->setupSize : (size_t)encoder->context->extradata_size;
  return encoder->setup ? encoder->setup : encoder->context->extradata;
}

/// Stores the setup data that the encoder reports at its end, such as a checksum of the whole
/// input.
static void store_setup(LibAVEncoder *encoder) {
  for (int i = 0; i < encoder->packet->side_data_elems; i++) {
    const AVPacketSideData *side = &encoder->packet->side_data[i];
    if (side->type != AV_PKT_DATA_NEW_EXTRADATA || !side->size) continue;
    uint8_t *copy = realloc(encoder->setup, side->size);
    if (!copy) return;
    memcpy(copy, side->data, side->size);
    encoder->setup = copy;
    encoder->setupSize = side->size;
  }
}

/// Copies `count` samples, which are `step` apart, to a plane of the format.
static void fill_plane(void *plane, const void *samples, size_t first, size_t step, size_t count,
                       int format, int bits) {
  const int32_t *integers = (const int32_t *)samples + first;
  const float *floats = (const float *)samples + first;
  switch (format) {
    case AV_SAMPLE_FMT_S16:
    case AV_SAMPLE_FMT_S16P:
      for (size_t i = 0; i < count; i++)
        ((int16_t *)plane)[i] = (int16_t)(rounded(integers[i * step], 16) >> 16);
      break;
    case AV_SAMPLE_FMT_S32:
    case AV_SAMPLE_FMT_S32P:
      for (size_t i = 0; i < count; i++)
        ((int32_t *)plane)[i] = rounded(integers[i * step], bits);
      break;
    default:
      for (size_t i = 0; i < count; i++) ((float *)plane)[i] = floats[i * step];
  }
}

/// Copies samples into the frame's own format.
static void fill(LibAVEncoder *encoder, const void *samples, size_t frames) {
  const LibAVFunctions *av = encoder->av;
  AVFrame *frame = encoder->frame;
  const size_t channels = (size_t)encoder->context->ch_layout.nb_channels;
  const int bits = encoder->context->bits_per_raw_sample;
  // In one pass where the frame is interleaved, too.
  const bool isPlanar = av->av_sample_fmt_is_planar(frame->format);
  const size_t planes = isPlanar ? channels : 1, step = isPlanar ? channels : 1;
  for (size_t plane = 0; plane < planes; plane++)
    fill_plane(frame->extended_data[plane], samples, plane, step, frames * channels / planes,
               frame->format, bits);
}

bool libav_encode(LibAVEncoder *encoder, const void *samples, int frames, char *reason,
                  size_t reasonSize) {
  const LibAVFunctions *av = encoder->av;
  int error;
  if (!samples) {
    error = av->avcodec_send_frame(encoder->context, NULL);
  } else {
    AVFrame *frame = encoder->frame;
    frame->nb_samples = frames;
    frame->format = encoder->context->sample_fmt;
    frame->sample_rate = encoder->context->sample_rate;
    frame->pts = encoder->position;
    encoder->position += frames;
    error = av->av_channel_layout_copy(&frame->ch_layout, &encoder->context->ch_layout);
    if (error >= 0) error = av->av_frame_get_buffer(frame, 0);
    if (error >= 0) {
      fill(encoder, samples, (size_t)frames);
      error = av->avcodec_send_frame(encoder->context, frame);
    }
    av->av_frame_unref(frame);
  }
  if (error >= 0 || error == AVERROR_EOF) return true;
  explain(av, error, "frames cannot be encoded", reason, reasonSize);
  return false;
}

bool libav_packet(LibAVEncoder *encoder, const uint8_t **data, size_t *size, int *frames) {
  const LibAVFunctions *av = encoder->av;
  do {
    av->av_packet_unref(encoder->packet);
    if (av->avcodec_receive_packet(encoder->context, encoder->packet) < 0) return false;
    store_setup(encoder);
    // A packet without bytes contains only setup data.
  } while (!encoder->packet->size);
  *data = encoder->packet->data;
  *size = (size_t)encoder->packet->size;
  // `duration` excludes padding, but a lossy decoder outputs the whole packet. With a lossless
  // codec the last packet is shorter.
  const int size_of_all = libav_encoder_frames(encoder);
  *frames = size_of_all && encoder->sample == LIBAV_FLOAT ? size_of_all
                                                          : (int)encoder->packet->duration;
  if (encoder->vorbis) {
    const int count = av->av_vorbis_parse_frame(encoder->vorbis, *data, (int)*size);
    // The first packet only provides the overlap for the second.
    *frames = encoder->has_begun && count > 0 ? count : 0;
  }
  encoder->has_begun = true;
  return true;
}

void libav_encoder_free(LibAVEncoder *encoder) {
  if (!encoder) return;
  const LibAVFunctions *av = encoder->av;
  if (encoder->context) av->avcodec_free_context(&encoder->context);
  if (encoder->vorbis) av->av_vorbis_parse_free(&encoder->vorbis);
  if (encoder->packet) av->av_packet_free(&encoder->packet);
  if (encoder->frame) av->av_frame_free(&encoder->frame);
  free(encoder->setup);
  free(encoder);
}

#endif
