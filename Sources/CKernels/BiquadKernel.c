// SPDX-License-Identifier: Apache-2.0
//
// A section's output depends on its previous output, so that a single section waits for itself.
// Here all sections of a cascade work together, each one sample behind the section before it: lane
// k is k samples late. At both ends of a run, lanes without a sample keep their state.

#include "BiquadKernel.h"

#include <stdint.h>

#include "Dispatch.h"

#if defined(__x86_64__) && defined(__linux__) && !defined(KERNEL_BASELINE)
#define DISPATCHES 1
// Four lanes, even where eight are possible: the benefit of x86-64-v4 is its 32 registers, which
// hold ten sections of two channels. Eight lanes take half as long again.
#define TARGET_V4 __attribute__((target("arch=x86-64-v4,prefer-256-bit")))
#define TARGET_V3 __attribute__((target("arch=x86-64-v3")))
#endif

#define UNROLL _Pragma("clang loop unroll(full)")

// y = b0 x + s1; s1' = (c1 x + s2) - a1 s1; s2' = c2 x - a2 s1, for group g of channel h. The
// states are those of the transposed direct form II, and none of them waits for the output.
#define STEP(g, h)                     \
  Vector x = in[h][g];                 \
  Vector y = b0[g] * x + s1[h][g];     \
  Vector t1 = (c1[g] * x + s2[h][g]) - a1[g] * s1[h][g]; \
  Vector t2 = c2[g] * x - a2[g] * s1[h][g]; \
  out[h][g] = y

#define KEEP(new, old, on) (Vector)(((Mask)(new) & (on)) | ((Mask)(old) & ~(on)))

// Processes a run with GROUPS vectors of WIDTH lanes for each of CHANNELS channels.
#define BIQUADS(NAME, TARGET, WIDTH, GROUPS, CHANNELS, SHIFT)                                     \
  TARGET static void NAME(double *left, double *right, long count, BiquadLanes *lanes) {          \
    enum { last = WIDTH * GROUPS - 1 };                                                           \
    typedef double Vector __attribute__((vector_size(WIDTH * 8), aligned(8)));                    \
    typedef int64_t Mask __attribute__((vector_size(WIDTH * 8)));                                 \
    Vector b0[GROUPS], c1[GROUPS], c2[GROUPS], a1[GROUPS], a2[GROUPS];                            \
    Vector s1[CHANNELS][GROUPS], s2[CHANNELS][GROUPS];                                            \
    Vector in[CHANNELS][GROUPS], out[CHANNELS][GROUPS];                                           \
    Mask number[GROUPS];                                                                          \
    double *channels[2] = {left, right};                                                          \
    UNROLL for (int g = 0; g < GROUPS; g++) {                                                     \
      b0[g] = *(Vector *)(lanes->b0 + g * WIDTH);                                                 \
      c1[g] = *(Vector *)(lanes->c1 + g * WIDTH);                                                 \
      c2[g] = *(Vector *)(lanes->c2 + g * WIDTH);                                                 \
      a1[g] = *(Vector *)(lanes->a1 + g * WIDTH);                                                 \
      a2[g] = *(Vector *)(lanes->a2 + g * WIDTH);                                                 \
      for (int k = 0; k < WIDTH; k++) number[g][k] = g * WIDTH + k;                               \
      UNROLL for (int h = 0; h < CHANNELS; h++) {                                                 \
        s1[h][g] = *(Vector *)(lanes->s1[h] + g * WIDTH);                                         \
        s2[h][g] = *(Vector *)(lanes->s2[h] + g * WIDTH);                                         \
        out[h][g] = (Vector){0};                                                                  \
      }                                                                                           \
    }                                                                                             \
    long i = 0;                                                                                   \
    _Pragma("clang loop unroll(disable)") while (i < count + last) {                              \
      if (i >= last && i < count) {                                                               \
        _Pragma("clang loop unroll(disable)") for (; i < count; i++) {                            \
          UNROLL for (int h = 0; h < CHANNELS; h++) {                                             \
            SHIFT(in[h], out[h]);                                                                 \
            in[h][0][0] = channels[h][i];                                                         \
          }                                                                                       \
          UNROLL for (int g = 0; g < GROUPS; g++) {                                               \
            UNROLL for (int h = 0; h < CHANNELS; h++) {                                           \
              STEP(g, h);                                                                         \
              s1[h][g] = t1;                                                                      \
              s2[h][g] = t2;                                                                      \
            }                                                                                     \
          }                                                                                       \
          UNROLL for (int h = 0; h < CHANNELS; h++)                                               \
              channels[h][i - last] = out[h][GROUPS - 1][WIDTH - 1];                              \
        }                                                                                         \
        continue;                                                                                 \
      }                                                                                           \
      UNROLL for (int h = 0; h < CHANNELS; h++) {                                                 \
        SHIFT(in[h], out[h]);                                                                     \
        in[h][0][0] = i < count ? channels[h][i] : 0;                                             \
      }                                                                                           \
      UNROLL for (int g = 0; g < GROUPS; g++) {                                                   \
        Mask sample = i - number[g];                                                              \
        Mask on = (sample >= 0) & (sample < count);                                               \
        UNROLL for (int h = 0; h < CHANNELS; h++) {                                               \
          STEP(g, h);                                                                             \
          s1[h][g] = KEEP(t1, s1[h][g], on);                                                      \
          s2[h][g] = KEEP(t2, s2[h][g], on);                                                      \
        }                                                                                         \
      }                                                                                           \
      if (i >= last) {                                                                            \
        UNROLL for (int h = 0; h < CHANNELS; h++)                                                 \
            channels[h][i - last] = out[h][GROUPS - 1][WIDTH - 1];                                \
      }                                                                                           \
      i++;                                                                                        \
    }                                                                                             \
    UNROLL for (int g = 0; g < GROUPS; g++) {                                                     \
      UNROLL for (int h = 0; h < CHANNELS; h++) {                                                 \
        *(Vector *)(lanes->s1[h] + g * WIDTH) = s1[h][g];                                         \
        *(Vector *)(lanes->s2[h] + g * WIDTH) = s2[h][g];                                         \
      }                                                                                           \
    }                                                                                             \
  }

// The input of each lane: the output of the lane before it.
#define NEXT_2(a, b) __builtin_shufflevector(a, b, 1, 2)
#define FIRST_2(y) __builtin_shufflevector(y, y, 1, 0)
#define SHIFT_2_1(x, y) x[0] = FIRST_2(y[0])
#define SHIFT_2_2(x, y) x[1] = NEXT_2(y[0], y[1]); SHIFT_2_1(x, y)
#define SHIFT_2_3(x, y) x[2] = NEXT_2(y[1], y[2]); SHIFT_2_2(x, y)
#define SHIFT_2_4(x, y) x[3] = NEXT_2(y[2], y[3]); SHIFT_2_3(x, y)
#define SHIFT_2_5(x, y) x[4] = NEXT_2(y[3], y[4]); SHIFT_2_4(x, y)
#define NEXT_4(a, b) __builtin_shufflevector(a, b, 3, 4, 5, 6)
#define FIRST_4(y) __builtin_shufflevector(y, y, 3, 0, 1, 2)
#define SHIFT_4_1(x, y) x[0] = FIRST_4(y[0])
#define SHIFT_4_2(x, y) x[1] = NEXT_4(y[0], y[1]); SHIFT_4_1(x, y)
#define SHIFT_4_3(x, y) x[2] = NEXT_4(y[1], y[2]); SHIFT_4_2(x, y)
#define SHIFT_4_4(x, y) x[3] = NEXT_4(y[2], y[3]); SHIFT_4_3(x, y)

#define BOTH(NAME, TARGET, WIDTH, GROUPS)                                              \
  BIQUADS(NAME##_mono, TARGET, WIDTH, GROUPS, 1, SHIFT_##WIDTH##_##GROUPS)             \
  BIQUADS(NAME##_stereo, TARGET, WIDTH, GROUPS, 2, SHIFT_##WIDTH##_##GROUPS)           \
  TARGET static void NAME(double *left, double *right, long count, BiquadLanes *lanes) { \
    if (left == right) {                                                               \
      NAME##_mono(left, left, count, lanes);                                           \
    } else {                                                                           \
      NAME##_stereo(left, right, count, lanes);                                        \
    }                                                                                  \
  }

BOTH(biquads_v1_1, , 2, 1)
BOTH(biquads_v1_2, , 2, 2)
BOTH(biquads_v1_3, , 2, 3)
BOTH(biquads_v1_4, , 2, 4)
BOTH(biquads_v1_5, , 2, 5)
#ifdef DISPATCHES
BOTH(biquads_v3_1, TARGET_V3, 4, 1)
BOTH(biquads_v3_2, TARGET_V3, 4, 2)
BOTH(biquads_v3_3, TARGET_V3, 4, 3)
BOTH(biquads_v3_4, TARGET_V3, 4, 4)
BOTH(biquads_v4_1, TARGET_V4, 4, 1)
BOTH(biquads_v4_2, TARGET_V4, 4, 2)
BOTH(biquads_v4_3, TARGET_V4, 4, 3)
BOTH(biquads_v4_4, TARGET_V4, 4, 4)
#endif

typedef void Run(double *, double *, long, BiquadLanes *);

long kernel_biquad_generation(void) {
#ifdef DISPATCHES
  if (__builtin_cpu_supports("x86-64-v4")) return 4;
  if (__builtin_cpu_supports("x86-64-v3")) return 3;
#endif
  return 1;
}

void kernel_biquads(double *left, double *right, long count, BiquadLanes *lanes, long sections,
                    long generation) {
#ifdef DISPATCHES
  static Run *const v4[] = {biquads_v4_1, biquads_v4_2, biquads_v4_3, biquads_v4_4};
  static Run *const v3[] = {biquads_v3_1, biquads_v3_2, biquads_v3_3, biquads_v3_4};
  if (generation >= 3 && sections > 2) {
    (generation >= 4 ? v4 : v3)[(sections - 1) / 4](left, right, count, lanes);
    return;
  }
#endif
  static Run *const baseline[] = {biquads_v1_1, biquads_v1_2, biquads_v1_3, biquads_v1_4, biquads_v1_5};
  baseline[(sections - 1) / 2](left, right, count, lanes);
}
