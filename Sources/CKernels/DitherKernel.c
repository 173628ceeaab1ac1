// SPDX-License-Identifier: Apache-2.0

#include "DitherKernel.h"

#include "Dispatch.h"
#include "SampleKernel.h"
#include "Vectors.h"

// A block fits in the first-level cache.
#define BLOCK 256

// Adding this number leaves the nearest integer in a sum below 2^51.
#define WHOLE 0x1.8p52

/// Hashes of the next frames' numbers, `LANES` of them. The upper half of the number is the same for
/// all; `first` and `second` are the channel's keys.
INLINE UnsignedWords hash(uint32_t frame, uint32_t first, uint32_t second) {
  const UnsignedWords lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  UnsignedWords word = (frame + lanes) ^ first;
  word = (word ^ word >> 16) * 0x7feb352d;
  word ^= word >> 15 ^ second;
  word = word * 0x846ca68b;
  return word ^ word >> 16;
}

/// The difference of two uniform variables between 0 and 1, in units of 2^-16.
INLINE Words difference(UnsignedWords word) { return (Words)(word >> 16) - (Words)(word & 0xffff); }

/// The keys of a channel, and for how many frames they stay the same.
typedef struct {
  uint32_t first, second;
  long run;
} Keys;

INLINE Keys keys(const DitherLine *line, long count) {
  const uint64_t left = 0x100000000 - (line->frame & 0xffffffff);
  const uint64_t high = (line->frame >> 32) * 0x9e3779b97f4a7c15;
  return (Keys){(uint32_t)(line->key ^ high), (uint32_t)((line->key ^ high) >> 32),
                (uint64_t)count < left ? count : (long)left};
}

/// Noise of the next frames: the difference of two uniform variables between 0 and 1, made by a
/// hash of each frame's number.
INLINE void make_noise(double *noise, DitherLine *line, long count) {
  for (long i = 0; i < count;) {
    const Keys k = keys(line, count - i);
    for (long at = 0; at < k.run; at += LANES) {
      const Words d = difference(hash((uint32_t)(line->frame + (uint64_t)at), k.first, k.second));
      const Doubles values = CONVERT(d, Doubles) * 0x1p-16;
      const long rest = k.run - at;
      if (rest >= LANES)
        memcpy(noise + i + at, &values, sizeof values);
      else
        memcpy(noise + i + at, &values, (size_t)rest * 8);
    }
    line->frame += (uint64_t)k.run;
    i += k.run;
  }
}

#define SELECT_FLOATS(condition, yes, no) \
  ((Floats)(((Words)(yes) & (condition)) | ((Words)(no) & ~(condition))))

INLINE Floats within(Floats x, float lowest, float highest) {
  x = SELECT_FLOATS(x < lowest, (Floats){0} + lowest, x);
  return SELECT_FLOATS(x > highest, (Floats){0} + highest, x);
}

/// The nearest multiple of `unit`; adding a number leaves no smaller bits.
INLINE Floats nearest(Floats x, float unit) { return (x + 0x1.8p23f * unit) - 0x1.8p23f * unit; }

/// Adds noise to samples of at most 24 bits, and rounds to whole steps. What a sample is above an even
/// number of steps, in units of 2^-20, and the noise have few enough bits for their sum to be exact.
INLINE Floats round_flat(Floats x, UnsignedWords word, float scale, float limit) {
  x = within((Floats)((Words)x & (x == x)) * scale, -limit - 4, limit + 4);
  const Floats even = nearest(x, 2);
  const Floats rest = nearest(x - even, 0x1p-20f);
  const Floats noise = CONVERT(difference(word), Floats) * 0x1p-16f;
  return within(even + nearest(rest + noise, 1), -limit, limit - 1);
}

INLINE void dither_flat(float *out, const float *in, DitherLine *line, long count, float scale,
                        float limit) {
  const float step = 1 / scale;
  for (long i = 0; i < count;) {
    const Keys k = keys(line, count - i);
    for (long at = 0; at < k.run; at += LANES) {
      const UnsignedWords word = hash((uint32_t)(line->frame + (uint64_t)at), k.first, k.second);
      const long rest = k.run - at;
      const size_t size = rest >= LANES ? sizeof(Floats) : (size_t)rest * 4;
      Floats x = {0};
      if (rest >= LANES)
        memcpy(&x, in + i + at, sizeof x);
      else
        memcpy(&x, in + i + at, size);
      const Floats result = round_flat(x, word, scale, limit) * step;
      if (rest >= LANES)
        memcpy(out + i + at, &result, sizeof result);
      else
        memcpy(out + i + at, &result, size);
    }
    line->frame += (uint64_t)k.run;
    i += k.run;
  }
}

/// Whole steps of 16 bits of both channels, in words.
INLINE void dither_pairs(uint8_t *out, const float *left, const float *right, DitherLine *const *lines,
                         long count) {
  const Keys l = keys(lines[0], count), r = keys(lines[1], count);
  for (long i = 0; i < count; i += LANES) {
    const long rest = count - i;
    Floats x = {0}, y = {0};
    const size_t size = rest >= LANES ? sizeof x : (size_t)rest * 4;
    if (rest >= LANES) {
      memcpy(&x, left + i, sizeof x);
      memcpy(&y, right + i, sizeof y);
    } else {
      memcpy(&x, left + i, size);
      memcpy(&y, right + i, size);
    }
    const UnsignedWords a = hash((uint32_t)(lines[0]->frame + (uint64_t)i), l.first, l.second);
    const UnsignedWords b = hash((uint32_t)(lines[1]->frame + (uint64_t)i), r.first, r.second);
    const Words low = (Words)(round_flat(x, a, 0x1p15f, 0x1p15f) + 0x1.8p23f) & 0xffff;
    const UnsignedWords high =
        (UnsignedWords)(round_flat(y, b, 0x1p15f, 0x1p15f) + 0x1.8p23f) << 16;
    const UnsignedWords both = (UnsignedWords)low | high;
    if (rest >= LANES)
      memcpy(out + 4 * i, &both, sizeof both);
    else
      memcpy(out + 4 * i, &both, size);
  }
  for (int c = 0; c < 2; c++) lines[c]->frame += (uint64_t)count;
}

/// Rounds one sample, in steps, and stores its error. The term of the last error comes last,
/// because every sample has to wait for it.
INLINE double round_shaped(double sample, double noise, double *e, double limit) {
  const double older = ((-2.165 * e[1] + 1.959 * e[2]) + (-1.590 * e[3] + 0.6149 * e[4]));
  const double target = (sample - older) - 2.033 * e[0];
  double result = ((target + noise) + WHOLE) - WHOLE;
  double error = result - target;
  if (__builtin_expect(!(result >= -limit && result <= limit - 1), 0)) {
    result = target + noise < -limit ? -limit : limit - 1;
    // Clipping is not compensated.
    error = result - target;
    error = error < -2 ? -2 : error > 2 ? 2 : error;
  }
  e[4] = e[3], e[3] = e[2], e[2] = e[1], e[1] = e[0], e[0] = error;
  return result;
}

INLINE double steps(float sample, double scale) { return (sample == sample ? sample : 0) * scale; }

INLINE void dither(float *const *out, const float *const *in, const int channels, long count,
                   double scale, double limit, int isShaped, DitherLine *const *lines) {
  if (!isShaped) {
    for (int c = 0; c < channels; c++)
      dither_flat(out[c], in[c], lines[c], count, (float)scale, (float)limit);
    return;
  }
  double noise[2][BLOCK];
  const double step = 1 / scale;
  for (int c = 0; c < channels; c++) make_noise(noise[c], lines[c], count);
  double e[2][5];
  for (int c = 0; c < channels; c++) memcpy(e[c], lines[c]->errors, sizeof e[c]);
  for (long i = 0; i < count; i++) {
    for (int c = 0; c < channels; c++) {
      const double sample = steps(in[c][i], scale);
      out[c][i] = (float)(round_shaped(sample, noise[c][i], e[c], limit) * step);
    }
  }
  for (int c = 0; c < channels; c++) memcpy(lines[c]->errors, e[c], sizeof e[c]);
}

/// Whether samples fill their two bytes, least significant first, with silence at zero.
INLINE int is_plain_16(const SampleLayout *l, int32_t empty) {
  return l->bytes == 2 && l->bits == 16 && !l->isBigEndian && !l->flip && empty == 0 &&
         l->scale == 0x1p15f;
}

KERNEL_DISPATCHED
void kernel_encode_dithered(void *output, const float *const *input, long channels, long frames,
                            SampleLayout layout, int32_t empty, int32_t isShaped, void *lines,
                            long lineStride) {
  if (channels == 2 && !isShaped && is_plain_16(&layout, empty)) {
    DitherLine *both[2] = {lines, (DitherLine *)((char *)lines + lineStride)};
    for (long done = 0; done < frames;) {
      // In runs in which neither number's upper half changes.
      long run = keys(both[0], frames - done).run;
      run = keys(both[1], run).run;
      dither_pairs((uint8_t *)output + 4 * done, input[0] + done, input[1] + done, both, run);
      done += run;
    }
    return;
  }
  float block[BLOCK * 8];
  const float *rounded[BLOCK];
  const double scale = layout.scale / (double)(1LL << empty);
  const double limit = (double)(1LL << (layout.bits - 1)) / (double)(1LL << empty);
  const long blockFrames = channels <= 8 ? BLOCK : BLOCK * 8 / channels;
  for (long c = 0; c < channels; c++) rounded[c] = block + c * blockFrames;
  for (long done = 0; done < frames; done += blockFrames) {
    const long run = frames - done < blockFrames ? frames - done : blockFrames;
    for (long c = 0; c < channels;) {
      // Two channels at a time: the error of one is fed back while the other is rounded.
      const long other = c + 1 < channels ? c + 1 : c;
      float *out[2] = {block + c * blockFrames, block + other * blockFrames};
      const float *in[2] = {input[c] + done, input[other] + done};
      DitherLine *own[2] = {(DitherLine *)((char *)lines + c * lineStride),
                            (DitherLine *)((char *)lines + other * lineStride)};
      if (other > c)
        dither(out, in, 2, run, scale, limit, isShaped, own);
      else
        dither(out, in, 1, run, scale, limit, isShaped, own);
      c = other + 1;
    }
    kernel_encode_frames((char *)output + done * channels * layout.bytes, rounded, channels, run,
                         layout);
  }
}
