// SPDX-License-Identifier: Apache-2.0

#include "StretchKernel.h"

#include <math.h>

#include "Dispatch.h"
#include "Vectors.h"

// Loads and stores at any address are macros: the calling convention of a function with vector
// arguments or results would differ between processors.
typedef float Loose __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
#define load(source) (*(const Loose *)(source))
#define store(target, value) (*(Loose *)(target) = (value))
#define REVERSED(a) SHUFFLE(a, a, 7, 6, 5, 4, 3, 2, 1, 0)

// --- The transform ----------------------------------------------------------------------------

KERNEL_DISPATCHED
void kernel_stretch_window(float *even, float *odd, const float *samples, const float *window,
                           long count) {
  for (long k = 0; k < count; k += LANES) {
    const Floats a = load(samples + 2 * k), b = load(samples + 2 * k + LANES);
    store(even + k, SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14) * load(window + k));
    store(odd + k, SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15) * load(window + count + k));
  }
}

// Stockham's order: no separate reordering, and all lanes do the same.
KERNEL_DISPATCHED
void kernel_stretch_pass(float *restrict real, float *restrict imaginary,
                         const float *restrict fromReal, const float *restrict fromImaginary,
                         const float *restrict factors, long size, long stride) {
  const long n = LANES * stride;
  if (size == 2) {
    for (long q = 0; q < n; q += LANES) {
      const Floats ar = load(fromReal + q), ai = load(fromImaginary + q);
      const Floats br = load(fromReal + n + q), bi = load(fromImaginary + n + q);
      store(real + q, ar + br);
      store(imaginary + q, ai + bi);
      store(real + n + q, ar - br);
      store(imaginary + n + q, ai - bi);
    }
    return;
  }
  const long m = n * (size / 4);
  for (long p = 0; p < size / 4; p++, factors += 6) {
    const float w1r = factors[0], w1i = factors[1], w2r = factors[2], w2i = factors[3];
    const float w3r = factors[4], w3i = factors[5];
    const float *ar = fromReal + n * p, *ai = fromImaginary + n * p;
    float *outr = real + 4 * n * p, *outi = imaginary + 4 * n * p;
    for (long q = 0; q < n; q += LANES) {
      const Floats r0 = load(ar + q), r1 = load(ar + q + m), r2 = load(ar + q + 2 * m),
                   r3 = load(ar + q + 3 * m);
      const Floats i0 = load(ai + q), i1 = load(ai + q + m), i2 = load(ai + q + 2 * m),
                   i3 = load(ai + q + 3 * m);
      const Floats pr = r0 + r2, pi = i0 + i2, mr = r0 - r2, mi = i0 - i2;
      const Floats br = r1 + r3, bi = i1 + i3, jr = i3 - i1, ji = r1 - r3;
      store(outr + q, pr + br);
      store(outi + q, pi + bi);
      const Floats xr = mr - jr, xi = mi - ji;
      store(outr + q + n, xr * w1r - xi * w1i);
      store(outi + q + n, xr * w1i + xi * w1r);
      const Floats yr = pr - br, yi = pi - bi;
      store(outr + q + 2 * n, yr * w2r - yi * w2i);
      store(outi + q + 2 * n, yr * w2i + yi * w2r);
      const Floats zr = mr + jr, zi = mi + ji;
      store(outr + q + 3 * n, zr * w3r - zi * w3i);
      store(outi + q + 3 * n, zr * w3i + zi * w3r);
    }
  }
}

INLINE void transpose(Floats *r) {
  Floats t[8], u[8];
  for (int i = 0; i < 4; i++) {
    t[2 * i] = SHUFFLE(r[2 * i], r[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    t[2 * i + 1] = SHUFFLE(r[2 * i], r[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < 2; i++) {
      u[4 * h + 2 * i] = SHUFFLE(t[4 * h + i], t[4 * h + 2 + i], 0, 1, 8, 9, 4, 5, 12, 13);
      u[4 * h + 2 * i + 1] = SHUFFLE(t[4 * h + i], t[4 * h + 2 + i], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    r[i] = SHUFFLE(u[i], u[4 + i], 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = SHUFFLE(u[i], u[4 + i], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

KERNEL_DISPATCHED
void kernel_stretch_join(float *restrict real, float *restrict imaginary,
                         const float *restrict fromReal, const float *restrict fromImaginary,
                         const StretchTransform *transform) {
  const long m = transform->count / LANES;
  const float *wr = transform->lastReal, *wi = transform->lastImaginary;
  const float half = 0x1.6a09e6p-1f;
  for (long k = 0; k < m; k += LANES) {
    Floats r[8], i[8];
    for (int v = 0; v < 8; v++) {
      const long at = (k + v) * LANES;
      const Floats ar = load(fromReal + at), ai = load(fromImaginary + at);
      const Floats cr = load(wr + at), ci = load(wi + at);
      r[v] = ar * cr - ai * ci;
      i[v] = ar * ci + ai * cr;
    }
    transpose(r);
    transpose(i);
    // Transforms of four over the even and the odd rows, then of two.
    Floats e[8], o[8];
    for (int h = 0; h < 2; h++) {
      const Floats pr = r[h] + r[h + 4], pi = i[h] + i[h + 4];
      const Floats mr = r[h] - r[h + 4], mi = i[h] - i[h + 4];
      const Floats br = r[h + 2] + r[h + 6], bi = i[h + 2] + i[h + 6];
      const Floats jr = i[h + 6] - i[h + 2], ji = r[h + 2] - r[h + 6];
      e[h * 4] = pr + br, o[h * 4] = pi + bi;
      e[h * 4 + 1] = mr - jr, o[h * 4 + 1] = mi - ji;
      e[h * 4 + 2] = pr - br, o[h * 4 + 2] = pi - bi;
      e[h * 4 + 3] = mr + jr, o[h * 4 + 3] = mi + ji;
    }
    float *yr = real + k, *yi = imaginary + k;
    Floats zr = e[4], zi = o[4];
    store(yr, e[0] + zr), store(yi, o[0] + zi);
    store(yr + 4 * m, e[0] - zr), store(yi + 4 * m, o[0] - zi);
    zr = (e[5] + o[5]) * half, zi = (o[5] - e[5]) * half;
    store(yr + m, e[1] + zr), store(yi + m, o[1] + zi);
    store(yr + 5 * m, e[1] - zr), store(yi + 5 * m, o[1] - zi);
    zr = o[6], zi = -e[6];
    store(yr + 2 * m, e[2] + zr), store(yi + 2 * m, o[2] + zi);
    store(yr + 6 * m, e[2] - zr), store(yi + 6 * m, o[2] - zi);
    zr = (o[7] - e[7]) * half, zi = -(o[7] + e[7]) * half;
    store(yr + 3 * m, e[3] + zr), store(yi + 3 * m, o[3] + zi);
    store(yr + 7 * m, e[3] - zr), store(yi + 7 * m, o[3] - zi);
  }
}

KERNEL_DISPATCHED
void kernel_stretch_split(float *restrict real, float *restrict imaginary, float *restrict fromReal,
                          float *restrict fromImaginary, const StretchTransform *transform) {
  const long n = transform->count;
  fromReal[n] = fromReal[0], fromImaginary[n] = fromImaginary[0];
  for (long k = 0; k < n; k += LANES) {
    const Floats ar = load(fromReal + k), ai = load(fromImaginary + k);
    const Floats br0 = load(fromReal + n - k - 7), br = REVERSED(br0);
    const Floats bi0 = load(fromImaginary + n - k - 7), bi = REVERSED(bi0);
    const Floats wr = load(transform->splitReal + k), wi = load(transform->splitImaginary + k);
    const Floats sr = ar + br, si = ai - bi, dr = ai + bi, di = br - ar;
    store(real + k, 0.5f * (sr + (dr * wr - di * wi)));
    store(imaginary + k, 0.5f * (si + (dr * wi + di * wr)));
  }
  imaginary[0] = 0;
}

KERNEL_DISPATCHED
void kernel_stretch_merge(float *restrict real, float *restrict imaginary,
                          const float *restrict fromReal, const float *restrict fromImaginary,
                          const StretchTransform *transform) {
  const long n = transform->count;
  for (long k = 0; k < n; k += LANES) {
    const Floats ar = load(fromReal + k), ai = load(fromImaginary + k);
    const Floats br0 = load(fromReal + n - k - 7), br = REVERSED(br0);
    const Floats bi0 = load(fromImaginary + n - k - 7), bi = REVERSED(bi0);
    const Floats wr = load(transform->splitReal + k), wi = load(transform->splitImaginary + k);
    const Floats sr = ar + br, si = ai - bi, dr = ar - br, di = ai + bi;
    const Floats yr = dr * wr + di * wi, yi = di * wr - dr * wi;
    store(real + k, sr - yi);
    store(imaginary + k, si + yr);
  }
}

KERNEL_DISPATCHED
void kernel_stretch_add(float *samples, const float *even, const float *odd, const float *window,
                        long count) {
  for (long k = 0; k < count; k += LANES) {
    const Floats a = load(even + k) * load(window + k);
    const Floats b = load(odd + k) * load(window + count + k);
    float *x = samples + 2 * k;
    store(x, load(x) + SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
    store(x + LANES, load(x + LANES) + SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
  }
}

// --- Phases -----------------------------------------------------------------------------------

KERNEL_DISPATCHED
void kernel_stretch_products(float *power, float *real, float *imaginary, const float *xReal,
                             const float *xImaginary, const float *yReal, const float *yImaginary,
                             const float *bReal, const float *bImaginary, long count,
                             long isFirst) {
  for (long k = 0; k < count; k += LANES) {
    const Floats xr = load(xReal + k), xi = load(xImaginary + k);
    const Floats yr = load(yReal + k), yi = load(yImaginary + k);
    const Floats br = load(bReal + k), bi = load(bImaginary + k);
    Floats p = xr * xr + xi * xi, r = yr * br + yi * bi, i = yi * br - yr * bi;
    if (!isFirst) p = load(power + k) + p, r = load(real + k) + r, i = load(imaginary + k) + i;
    store(power + k, p);
    store(real + k, r);
    store(imaginary + k, i);
  }
}

KERNEL_DISPATCHED
long kernel_stretch_peaks(int32_t *peaks, const float *power, long first, long end) {
  long found = 0;
  for (long k = first; k < end; k++) {
    peaks[found] = (int32_t)k;
    found += (power[k] > power[k - 1]) & (power[k] > power[k - 2]) & (power[k] >= power[k + 1]) &
             (power[k] >= power[k + 2]);
  }
  return found;
}

INLINE void normalize(float *real, float *imaginary) {
  const float r = *real, i = *imaginary, square = r * r + i * i;
  if (square > 1e-30f) {
    const float scale = 1 / sqrtf(square);
    *real = r * scale, *imaginary = i * scale;
  } else {
    *real = 1, *imaginary = 0;
  }
}

KERNEL_DISPATCHED
long kernel_stretch_regions(float *rotationReal, float *rotationImaginary, const float *power,
                            const float *real, const float *imaginary, const int32_t *peaks,
                            long peakCount, long first, long end, long start, long count) {
  for (long i = first; i < end; i++) {
    const long peak = peaks[i];
    long border = count;
    if (i + 1 < peakCount) {
      float weakest = power[peak];
      border = peak;
      for (long k = peak + 1; k < peaks[i + 1]; k++) {
        const int isWeaker = power[k] < weakest;
        weakest = isWeaker ? power[k] : weakest;
        border = isWeaker ? k : border;
      }
    }
    float r = (real[peak - 1] + real[peak]) + real[peak + 1];
    float s = (imaginary[peak - 1] + imaginary[peak]) + imaginary[peak + 1];
    normalize(&r, &s);
    for (long k = start; k < border; k++) rotationReal[k] = r, rotationImaginary[k] = s;
    start = border;
  }
  return start;
}

KERNEL_DISPATCHED
void kernel_stretch_rotations(float *rotationReal, float *rotationImaginary, const float *real,
                              const float *imaginary, long count) {
  for (long k = 0; k < count; k++) {
    float r = real[k], i = imaginary[k];
    normalize(&r, &i);
    rotationReal[k] = r, rotationImaginary[k] = i;
  }
}

KERNEL_DISPATCHED
void kernel_stretch_rotate(float *yReal, float *yImaginary, const float *real,
                           const float *imaginary, const float *rotationReal,
                           const float *rotationImaginary, long count) {
  for (long k = 0; k < count; k += LANES) {
    const Floats a = load(real + k), b = load(imaginary + k);
    const Floats c = load(rotationReal + k), d = load(rotationImaginary + k);
    store(yReal + k, a * c - b * d);
    store(yImaginary + k, a * d + b * c);
  }
}

KERNEL_DISPATCHED
void kernel_stretch_rotate_before(float *yReal, float *yImaginary, const float *real,
                                  const float *imaginary, const float *beforeReal,
                                  const float *beforeImaginary, const float *keep,
                                  const float *rotationReal, const float *rotationImaginary,
                                  long count) {
  for (long k = 0; k < count; k += LANES) {
    const Floats c = load(rotationReal + k), d = load(rotationImaginary + k), u = load(keep + k);
    Floats q = load(beforeReal + k), r = load(beforeImaginary + k);
    Floats a = load(real + k) - q, b = load(imaginary + k) - r;
    q += a * u, r += b * u;
    a -= a * u, b -= b * u;
    store(yReal + k, (q * c - r * d) + a);
    store(yImaginary + k, (q * d + r * c) + b);
  }
}

// --- The time domain --------------------------------------------------------------------------

// The sums over the lanes of eight vectors, each in the same order.
INLINE void eight_sums(float *sums, Floats *a) {
  transpose(a);
  store(sums, ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7])));
}

KERNEL_DISPATCHED
void kernel_stretch_correlate(float *sums, const float *samples, const float *others, long count) {
  Floats a[8] = {{0}};
  for (long i = 0; i < count; i += LANES) {
    const Floats x = load(samples + i);
    for (int lag = 0; lag < 8; lag++) a[lag] += x * load(others + i + lag);
  }
  eight_sums(sums, a);
}

KERNEL_DISPATCHED
void kernel_stretch_halve(float *restrict halves, const float *restrict samples, float gain,
                          long count, long isFirst) {
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    const Floats a = load(samples + 2 * i), b = load(samples + 2 * i + LANES);
    const Floats sum = gain * (SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
                               SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
    store(halves + i, isFirst ? sum : load(halves + i) + sum);
  }
  for (; i < count; i++) {
    const float sum = gain * (samples[2 * i] + samples[2 * i + 1]);
    halves[i] = isFirst ? sum : halves[i] + sum;
  }
}

KERNEL_DISPATCHED
void kernel_stretch_energies(float *energies, const float *samples) {
  Floats a[8] = {{0}};
  for (long i = 0; i < 64; i += LANES) {
    const Floats x = load(samples + i), d = x - load(samples + i - 1);
    a[0] += x * x;
    a[1] += d * d;
  }
  float sums[LANES];
  eight_sums(sums, a);
  energies[0] += sums[0];
  energies[1] += sums[1];
}
