// SPDX-License-Identifier: Apache-2.0
// The functions of libavcodec and libavutil that this target calls. Scripts/codecs exports those that are
// listed here.
#pragma once
#if __has_include(<libavcodec/avcodec.h>)
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/version.h>
#endif

// The first version with AVChannelLayout.
#if defined(LIBAVUTIL_VERSION_INT) && LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100)
#define HAS_LIBAV 1
#include "Loader.h"

#define CODEC_FUNCTIONS(F) \
  F(avcodec_version) F(avcodec_find_decoder_by_name) F(avcodec_find_encoder_by_name) \
  F(avcodec_alloc_context3) F(avcodec_free_context) F(avcodec_open2) F(avcodec_send_packet) \
  F(avcodec_receive_frame) F(avcodec_send_frame) F(avcodec_receive_packet) \
  F(avcodec_flush_buffers) F(av_packet_alloc) F(av_packet_free) F(av_packet_unref) \
  F(av_vorbis_parse_init) F(av_vorbis_parse_frame) F(av_vorbis_parse_free)
#define UTILITY_FUNCTIONS(F) \
  F(av_frame_alloc) F(av_frame_free) F(av_frame_unref) F(av_frame_get_buffer) F(av_mallocz) \
  F(av_channel_layout_default) F(av_channel_layout_copy) F(av_strerror) F(av_opt_set_int) \
  F(av_sample_fmt_is_planar)

/// The functions of one libavcodec, and of the libavutil that it uses.
typedef struct LibAVFunctions {
  CODEC_FUNCTIONS(LIBRARY_MEMBER)
  UTILITY_FUNCTIONS(LIBRARY_MEMBER)
} LibAVFunctions;

/// The first libavcodec that has a codec: the one beside this library, whose bytes are the same on every
/// machine, or the installed one. Null if neither has it. [control thread]
const LibAVFunctions *libav_with(const char *codec, bool isEncoder);
#else
#define HAS_LIBAV 0
#endif
