// SPDX-License-Identifier: Apache-2.0
//
// The transforms of vDSP over the plans of TransformPlan.h; Transforms.c includes this for float
// and double.

#include "TransformPlan.h"

#if IS_DOUBLE
#define SETUP struct OpaqueFFTSetupD
#define DFT_SETUP struct vDSP_DFT_SetupStructD
#else
#define SETUP struct OpaqueFFTSetup
#define DFT_SETUP struct vDSP_DFT_SetupStruct
#endif

// MARK: Memory for intermediate results

// Array k of memory that is divided into arrays of a length, with gaps: arrays that are a power of
// two apart would share the same lines of the cache.
#define PADDING 48
#define PART(k, length) (memory + (k) * ((length) + PADDING))

typedef struct {
  REAL *memory;
  size_t size;
  bool is_used;
} OWN(Work);

static REAL *OWN(allocate)(size_t size) { return aligned_alloc(64, (size + 63) / 64 * 64); }

static bool OWN(make_work)(OWN(Work) * work, long count) {
  *work = (OWN(Work)){.size = (4 * (size_t)count + 8 * PADDING) * sizeof(REAL)};
  work->memory = OWN(allocate)(work->size);
  return work->memory != NULL;
}

// The memory of the setup, or, if another thread uses that, new memory.
static REAL *OWN(begin)(OWN(Work) * work) {
  if (!__atomic_exchange_n(&work->is_used, true, __ATOMIC_ACQUIRE)) return work->memory;
  REAL *memory = OWN(allocate)(work->size);
  if (!memory) stop("no memory for a transform on a second thread");
  return memory;
}

static void OWN(end)(OWN(Work) * work, REAL *memory) {
  if (memory == work->memory) {
    __atomic_store_n(&work->is_used, false, __ATOMIC_RELEASE);
  } else {
    free(memory);
  }
}

// MARK: Complex numbers

// The parts of numbers, and their stride.
typedef struct {
  REAL *re, *im;
  long stride;
} OWN(Numbers);

static void OWN(copy)(OWN(Numbers) from, OWN(Numbers) to, long count) {
  if (from.stride == 1 && to.stride == 1) {
    memcpy(to.re, from.re, (size_t)count * sizeof(REAL));
    memcpy(to.im, from.im, (size_t)count * sizeof(REAL));
    return;
  }
  for (long i = 0; i < count; i++) {
    to.re[i * to.stride] = from.re[i * from.stride];
    to.im[i * to.stride] = from.im[i * from.stride];
  }
}

static bool OWN(meet)(OWN(Numbers) a, OWN(Numbers) b) {
  return a.re == b.re || a.im == b.im || a.re == b.im || a.im == b.re;
}

// Transforms in any place; memory has four arrays of the plan's length.
static void OWN(complex_transform)(const OWN(Plan) * plan, REAL *memory, OWN(Numbers) in,
                                   OWN(Numbers) out) {
  const long n = plan->count;
  const OWN(Numbers) first = {PART(0, n), PART(1, n), 1};
  const OWN(Numbers) second = {PART(2, n), PART(3, n), 1};
  const bool is_odd = plan->pass_count % 2 == 1, gathers = in.stride != 1;
  if (gathers) {
    OWN(copy)(in, first, n);
    in = first;
  }
  // An odd number of passes writes to the output in the first pass.
  if (out.stride == 1 && !(is_odd && OWN(meet)(in, out))) {
    OWN(transform)(plan, in.re, in.im, out.re, out.im, second.re, second.im);
    return;
  }
  const OWN(Numbers) result = gathers && is_odd ? second : first;
  const OWN(Numbers) other = gathers && is_odd ? first : second;
  OWN(transform)(plan, in.re, in.im, result.re, result.im, other.re, other.im);
  OWN(copy)(result, out, n);
}

// The inverse transform is the forward one with both parts exchanged.
static OWN(Numbers) OWN(directed)(const SPLIT *split, long stride, int direction) {
  if (direction == kFFTDirection_Forward) return (OWN(Numbers)){split->realp, split->imagp, stride};
  if (direction != kFFTDirection_Inverse) stop("the direction of a transform is 1 or -1");
  return (OWN(Numbers)){split->imagp, split->realp, stride};
}

// MARK: Real numbers

// From the transform of even and odd numbers, as real and imaginary parts, to the packed spectrum,
// times two.
KERNEL_DISPATCHED
static void OWN(split_forward)(const OWN(Plan) * plan, const REAL *zr, const REAL *zi, REAL *xr,
                               REAL *xi, long stride) {
  const long half = plan->count;
  const REAL *cosines = plan->halves, *sines = plan->halves + half / 2 + 1;
  long k = 1;
#define EVEN_AND_ODD(V, C, S)                                            \
  const V er = ar + br, ei = ai - bi, dr = ar - br, di = ai + bi;        \
  const V tr = di * (C) + dr * (S), ti = di * (S) - dr * (C)
  if (stride == 1) {
    for (; k + LANES <= half / 2; k += LANES) {
      const long mirror = half - k - (LANES - 1);
      LOADED(OWN(Vector), ar, zr, k);
      LOADED(OWN(Vector), ai, zi, k);
      LOADED(OWN(Vector), backwards_r, zr, mirror);
      LOADED(OWN(Vector), backwards_i, zi, mirror);
      const OWN(Vector) br = __builtin_shufflevector(backwards_r, backwards_r, BACKWARDS);
      const OWN(Vector) bi = __builtin_shufflevector(backwards_i, backwards_i, BACKWARDS);
      LOADED(OWN(Vector), c, cosines, k);
      LOADED(OWN(Vector), s, sines, k);
      EVEN_AND_ODD(OWN(Vector), c, s);
      const OWN(Vector) mr = er - tr, mi = ti - ei;
      STORE(OWN(Vector), xr, k, er + tr);
      STORE(OWN(Vector), xi, k, ei + ti);
      STORE(OWN(Vector), xr, mirror, __builtin_shufflevector(mr, mr, BACKWARDS));
      STORE(OWN(Vector), xi, mirror, __builtin_shufflevector(mi, mi, BACKWARDS));
    }
  }
  for (; k <= half / 2; k++) {
    const REAL ar = zr[k], ai = zi[k], br = zr[half - k], bi = zi[half - k];
    EVEN_AND_ODD(REAL, cosines[k], sines[k]);
    xr[k * stride] = er + tr;
    xi[k * stride] = ei + ti;
    xr[(half - k) * stride] = er - tr;
    xi[(half - k) * stride] = ti - ei;
  }
#undef EVEN_AND_ODD
  xr[0] = 2 * (zr[0] + zi[0]);
  xi[0] = 2 * (zr[0] - zi[0]);
}

// From the packed spectrum to the numbers whose inverse transform is the even and the odd numbers.
KERNEL_DISPATCHED
static void OWN(split_inverse)(const OWN(Plan) * plan, const REAL *xr, const REAL *xi, long stride,
                               REAL *zr, REAL *zi) {
  const long half = plan->count;
  const REAL *cosines = plan->halves, *sines = plan->halves + half / 2 + 1;
  long k = 1;
#define EVEN_AND_ODD(V, C, S)                                            \
  const V er = ar + br, ei = ai - bi, dr = ar - br, di = ai + bi;        \
  const V or = dr * (C) + di * (S), oi = di * (C) - dr * (S)
  if (stride == 1) {
    for (; k + LANES <= half / 2; k += LANES) {
      const long mirror = half - k - (LANES - 1);
      LOADED(OWN(Vector), ar, xr, k);
      LOADED(OWN(Vector), ai, xi, k);
      LOADED(OWN(Vector), backwards_r, xr, mirror);
      LOADED(OWN(Vector), backwards_i, xi, mirror);
      const OWN(Vector) br = __builtin_shufflevector(backwards_r, backwards_r, BACKWARDS);
      const OWN(Vector) bi = __builtin_shufflevector(backwards_i, backwards_i, BACKWARDS);
      LOADED(OWN(Vector), c, cosines, k);
      LOADED(OWN(Vector), s, sines, k);
      EVEN_AND_ODD(OWN(Vector), c, s);
      const OWN(Vector) mr = er + oi, mi = or - ei;
      STORE(OWN(Vector), zr, k, er - oi);
      STORE(OWN(Vector), zi, k, ei + or);
      STORE(OWN(Vector), zr, mirror, __builtin_shufflevector(mr, mr, BACKWARDS));
      STORE(OWN(Vector), zi, mirror, __builtin_shufflevector(mi, mi, BACKWARDS));
    }
  }
  for (; k <= half / 2; k++) {
    const REAL ar = xr[k * stride], ai = xi[k * stride];
    const REAL br = xr[(half - k) * stride], bi = xi[(half - k) * stride];
    EVEN_AND_ODD(REAL, cosines[k], sines[k]);
    zr[k] = er - oi;
    zi[k] = ei + or;
    zr[half - k] = er + oi;
    zi[half - k] = or - ei;
  }
#undef EVEN_AND_ODD
  zr[0] = xr[0] + xi[0];
  zi[0] = xr[0] - xi[0];
}

// Memory has eight arrays of the plan's length, which is half the number of real numbers.
static void OWN(real_transform)(const OWN(Plan) * plan, REAL *memory, OWN(Numbers) in,
                                OWN(Numbers) out, int direction) {
  const long half = plan->count;
  REAL *const zr = PART(4, half), *const zi = PART(5, half);
  if (direction == kFFTDirection_Forward) {
    OWN(complex_transform)(plan, memory, in, (OWN(Numbers)){zr, zi, 1});
    OWN(split_forward)(plan, zr, zi, out.re, out.im, out.stride);
  } else if (direction == kFFTDirection_Inverse) {
    OWN(split_inverse)(plan, in.re, in.im, in.stride, zr, zi);
    // With both parts exchanged.
    OWN(complex_transform)
    (plan, memory, (OWN(Numbers)){zi, zr, 1}, (OWN(Numbers)){out.im, out.re, out.stride});
  } else {
    stop("the direction of a transform is 1 or -1");
  }
}

// MARK: Powers of two

SETUP {
  long most;
  OWN(Plan) plans[GREATEST_LOG2N + 1];
  OWN(Work) work;
};

void FUNCTION(vDSP_destroy_fftsetup)(SETUP *Setup) {
  if (!Setup) return;
  for (long k = 0; k <= Setup->most; k++) OWN(free_plan)(&Setup->plans[k]);
  free(Setup->work.memory);
  free(Setup);
}

SETUP *FUNCTION(vDSP_create_fftsetup)(vDSP_Length Log2n, FFTRadix Radix) {
  if (Log2n > GREATEST_LOG2N || Radix < kFFTRadix2 || Radix > kFFTRadix5) return NULL;
  SETUP *setup = calloc(1, sizeof *setup);
  if (!setup) return NULL;
  setup->most = (long)Log2n;
  bool is_made = OWN(make_work)(&setup->work, 1L << Log2n);
  for (long k = 0; k <= setup->most; k++) {
    is_made = is_made && OWN(make_plan)(&setup->plans[k], 1L << k, k < setup->most);
  }
  if (is_made) return setup;
  FUNCTION(vDSP_destroy_fftsetup)(setup);
  return NULL;
}

static const OWN(Plan) * OWN(plan_for)(const SETUP *setup, vDSP_Length log2n, long halvings) {
  if (log2n > (vDSP_Length)setup->most) stop("a transform is longer than its setup");
  if ((long)log2n < halvings) stop("a real transform has at least two numbers");
  return &setup->plans[(long)log2n - halvings];
}

void NAME(fft_zop)(SETUP *Setup, const SPLIT *A, vDSP_Stride IA, const SPLIT *C, vDSP_Stride IC,
                   vDSP_Length Log2N, FFTDirection Direction) {
  NAME(fftm_zop)(Setup, A, IA, 0, C, IC, 0, Log2N, 1, Direction);
}

void NAME(fft_zip)(SETUP *Setup, const SPLIT *C, vDSP_Stride IC, vDSP_Length Log2N,
                   FFTDirection Direction) {
  NAME(fftm_zop)(Setup, C, IC, 0, C, IC, 0, Log2N, 1, Direction);
}

void NAME(fft_zrop)(SETUP *Setup, const SPLIT *A, vDSP_Stride IA, const SPLIT *C, vDSP_Stride IC,
                    vDSP_Length Log2N, FFTDirection Direction) {
  NAME(fftm_zrop)(Setup, A, IA, 0, C, IC, 0, Log2N, 1, Direction);
}

void NAME(fft_zrip)(SETUP *Setup, const SPLIT *C, vDSP_Stride IC, vDSP_Length Log2N,
                    FFTDirection Direction) {
  NAME(fftm_zrop)(Setup, C, IC, 0, C, IC, 0, Log2N, 1, Direction);
}

#include "BufferedTransforms.h"

void NAME(fftm_zip)(SETUP *Setup, const SPLIT *C, vDSP_Stride IC, vDSP_Stride IM, vDSP_Length Log2N,
                    vDSP_Length M, FFTDirection Direction) {
  NAME(fftm_zop)(Setup, C, IC, IM, C, IC, IM, Log2N, M, Direction);
}

void NAME(fftm_zrip)(SETUP *Setup, const SPLIT *C, vDSP_Stride IC, vDSP_Stride IM,
                     vDSP_Length Log2N, vDSP_Length M, FFTDirection Direction) {
  NAME(fftm_zrop)(Setup, C, IC, IM, C, IC, IM, Log2N, M, Direction);
}

void NAME(fftm_zop)(SETUP *Setup, const SPLIT *A, vDSP_Stride IA, vDSP_Stride IMA, const SPLIT *C,
                    vDSP_Stride IC, vDSP_Stride IMC, vDSP_Length Log2N, vDSP_Length M,
                    FFTDirection Direction) {
  const OWN(Plan) *plan = OWN(plan_for)(Setup, Log2N, 0);
  REAL *memory = OWN(begin)(&Setup->work);
  for (long m = 0; m < (long)M; m++) {
    const SPLIT from = {A->realp + m * IMA, A->imagp + m * IMA};
    const SPLIT to = {C->realp + m * IMC, C->imagp + m * IMC};
    OWN(complex_transform)
    (plan, memory, OWN(directed)(&from, IA, Direction), OWN(directed)(&to, IC, Direction));
  }
  OWN(end)(&Setup->work, memory);
}

void NAME(fftm_zrop)(SETUP *Setup, const SPLIT *A, vDSP_Stride IA, vDSP_Stride IMA, const SPLIT *C,
                     vDSP_Stride IC, vDSP_Stride IMC, vDSP_Length Log2N, vDSP_Length M,
                     FFTDirection Direction) {
  const OWN(Plan) *plan = OWN(plan_for)(Setup, Log2N, 1);
  REAL *memory = OWN(begin)(&Setup->work);
  for (long m = 0; m < (long)M; m++) {
    OWN(real_transform)
    (plan, memory, (OWN(Numbers)){A->realp + m * IMA, A->imagp + m * IMA, IA},
     (OWN(Numbers)){C->realp + m * IMC, C->imagp + m * IMC, IC}, Direction);
  }
  OWN(end)(&Setup->work, memory);
}

// MARK: Lengths with the factors three and five

DFT_SETUP {
  // The complex length of the plan is half that of a real or a cosine transform.
  OWN(Plan) plan;
  OWN(Work) work;
  bool is_real;
  int direction;
  // For cosine transforms: their type, otherwise 0; and cosines, then minus sines.
  int cosine_type;
  REAL *turns;
};

void FUNCTION(vDSP_DFT_DestroySetup)(DFT_SETUP *Setup) {
  if (!Setup) return;
  OWN(free_plan)(&Setup->plan);
  free(Setup->work.memory);
  free(Setup->turns);
  free(Setup);
}

// A setup for complex numbers, or for twice as many real ones.
static DFT_SETUP *OWN(make_setup)(vDSP_Length count, bool is_real, int direction) {
  if (direction != vDSP_DFT_FORWARD && direction != vDSP_DFT_INVERSE) return NULL;
  DFT_SETUP *setup = calloc(1, sizeof *setup);
  if (!setup) return NULL;
  setup->is_real = is_real;
  setup->direction = direction;
  if (OWN(make_plan)(&setup->plan, (long)count, is_real) &&
      OWN(make_work)(&setup->work, (long)count * (is_real ? 2 : 1))) {
    return setup;
  }
  FUNCTION(vDSP_DFT_DestroySetup)(setup);
  return NULL;
}

DFT_SETUP *FUNCTION(vDSP_DFT_zop_CreateSetup)(DFT_SETUP *Previous, vDSP_Length Length,
                                              vDSP_DFT_Direction Direction) {
  (void)Previous;
  if (!is_transform_length(Length, 8)) return NULL;
  return OWN(make_setup)(Length, false, Direction);
}

DFT_SETUP *FUNCTION(vDSP_DFT_zrop_CreateSetup)(DFT_SETUP *Previous, vDSP_Length Length,
                                               vDSP_DFT_Direction Direction) {
  (void)Previous;
  if (!is_transform_length(Length, 16)) return NULL;
  return OWN(make_setup)(Length / 2, true, Direction);
}

// Transforms in the direction of the setup.
static void OWN(execute)(const DFT_SETUP *setup, SPLIT from, SPLIT to, long stride) {
  // Only the flag of the work memory changes.
  OWN(Work) *work = (OWN(Work) *)&setup->work;
  REAL *memory = OWN(begin)(work);
  if (setup->is_real) {
    OWN(real_transform)
    (&setup->plan, memory, (OWN(Numbers)){from.realp, from.imagp, stride},
     (OWN(Numbers)){to.realp, to.imagp, stride}, setup->direction);
  } else {
    OWN(complex_transform)
    (&setup->plan, memory, OWN(directed)(&from, stride, setup->direction),
     OWN(directed)(&to, stride, setup->direction));
  }
  OWN(end)(work, memory);
}

void FUNCTION(vDSP_DFT_Execute)(const DFT_SETUP *Setup, const REAL *Ir, const REAL *Ii, REAL *Or,
                                REAL *Oi) {
  if (Setup->cosine_type) stop("vDSP_DFT_Execute has a setup of vDSP_DCT_CreateSetup");
  OWN(execute)(Setup, (SPLIT){(REAL *)Ir, (REAL *)Ii}, (SPLIT){Or, Oi}, 1);
}

#include "InterleavedTransforms.h"
#if !IS_DOUBLE
#include "CosineTransform.h"
#endif

#undef SETUP
#undef DFT_SETUP
#undef PADDING
#undef PART
#undef LANES
#undef EVERY_SECOND_LOW
#undef EVERY_SECOND_HIGH
#undef BACKWARDS
#undef MOST_PASSES
#undef TIMES
#undef BUTTERFLY4
#undef LOADED
#undef LOAD4
#undef STORE
#undef STORE4
#undef INTERLEAVE4
#undef PASS4
