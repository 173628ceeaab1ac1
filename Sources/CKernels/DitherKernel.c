// SPDX-License-Identifier: Apache-2.0

#include "DitherKernel.h"

#include "Dispatch.h"
#include "SampleKernel.h"
#include "Vectors.h"

// A block fits in the first-level cache.
#define BLOCK 256

typedef int64_t LongWords __attribute__((vector_size(LANES * 8)));

#define SELECT(condition, yes, no) \
  ((Doubles)(((LongWords)(yes) & (condition)) | ((LongWords)(no) & ~(condition))))

// Adding this number leaves the nearest integer in a sum below 2^51.
#define WHOLE 0x1.8p52

/// Noise of the next frames: the difference of two uniform variables between 0 and 1, made by a
/// hash of each frame's number.
INLINE void make_noise(double *noise, DitherLine *line, long count) {
  const UnsignedWords lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  for (long i = 0; i < count;) {
    // The upper half of the number stays the same for a run of frames.
    const uint64_t left = 0x100000000 - (line->frame & 0xffffffff);
    const long run = (uint64_t)(count - i) < left ? count - i : (long)left;
    const uint64_t high = (line->frame >> 32) * 0x9e3779b97f4a7c15;
    const uint32_t first = (uint32_t)(line->key ^ high);
    const uint32_t second = (uint32_t)((line->key ^ high) >> 32);
    for (long at = 0; at < run; at += LANES) {
      UnsignedWords word = ((uint32_t)(line->frame + (uint64_t)at) + lanes) ^ first;
      word = (word ^ word >> 16) * 0x7feb352d;
      word ^= word >> 15 ^ second;
      word = word * 0x846ca68b;
      word ^= word >> 16;
      const Words difference = (Words)(word >> 16) - (Words)(word & 0xffff);
      const Doubles values = __builtin_convertvector(difference, Doubles) * 0x1p-16;
      const long rest = run - at;
      if (rest >= LANES)
        memcpy(noise + i + at, &values, sizeof values);
      else
        memcpy(noise + i + at, &values, (size_t)rest * 8);
    }
    line->frame += (uint64_t)run;
    i += run;
  }
}

INLINE void round_flat(float *out, const float *in, const double *noise, long count, double scale,
                       double limit) {
  const double step = 1 / scale;
  const Doubles lowest = (Doubles){0} - limit, highest = (Doubles){0} + (limit - 1);
  long i = 0;
  for (; i < count; i += LANES) {
    const long rest = count - i;
    Floats x = {0};
    Doubles n = {0};
    if (rest >= LANES) {
      memcpy(&x, in + i, sizeof x);
      memcpy(&n, noise + i, sizeof n);
    } else {
      memcpy(&x, in + i, (size_t)rest * 4);
      memcpy(&n, noise + i, (size_t)rest * 8);
    }
    x = (Floats)((Words)x & (x == x));
    Doubles d = __builtin_convertvector(x, Doubles) * scale + n;
    d = SELECT(d < lowest, lowest, d);
    d = SELECT(d > highest, highest, d);
    d = ((d + WHOLE) - WHOLE) * step;
    const Floats result = __builtin_convertvector(d, Floats);
    if (rest >= LANES)
      memcpy(out + i, &result, sizeof result);
    else
      memcpy(out + i, &result, (size_t)rest * 4);
  }
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
  double noise[2][BLOCK];
  const double step = 1 / scale;
  for (int c = 0; c < channels; c++) make_noise(noise[c], lines[c], count);
  if (!isShaped) {
    for (int c = 0; c < channels; c++) round_flat(out[c], in[c], noise[c], count, scale, limit);
    return;
  }
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

KERNEL_DISPATCHED
void kernel_encode_dithered(void *output, const float *const *input, long channels, long frames,
                            SampleLayout layout, int32_t empty, int32_t isShaped, void *lines,
                            long lineStride) {
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
