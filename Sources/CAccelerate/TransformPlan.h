// SPDX-License-Identifier: Apache-2.0
//
// Plans of complex transforms: Stockham's transform, which needs no reordering, with radices four,
// two, three and five. Transforms.c includes this for float and double.
//
// Literature: Van Loan, "Computational Frameworks for the Fast Fourier Transform" (1992), 1.7. A
// pass of radix r takes s interleaved sequences of length l to r s sequences of length l / r.
// Element q of sequence p is at s p + q, so that the loops over q are vectors; the first pass,
// where s is 1, is a vector over p, and its results are interleaved.

#if IS_DOUBLE
#define LANES 4
#define EVERY_SECOND_LOW 0, 4, 1, 5
#define EVERY_SECOND_HIGH 2, 6, 3, 7
#define BACKWARDS 3, 2, 1, 0
#else
#define LANES 8
#define EVERY_SECOND_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define EVERY_SECOND_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#define BACKWARDS 7, 6, 5, 4, 3, 2, 1, 0
#endif

typedef REAL OWN(Vector) __attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL))));
typedef REAL OWN(Four) __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL))));

#define MOST_PASSES 32

typedef struct {
  long count;
  int pass_count;
  int radices[MOST_PASSES];
  // For each pass, (radix - 1) arrays of l / radix cosines, then as many of minus sines.
  REAL *factors[MOST_PASSES];
  // e^(-2πik / 2 count) for k up to count / 2: cosines, then minus sines. For real transforms.
  REAL *halves;
} OWN(Plan);

// The cosine or the negative sine of index / count turns, from an angle of at most an eighth.
static double OWN(turn)(long index, long count, bool is_sine) {
  index %= count;
  // sin(x) = cos(x - 1/4 turn).
  double eighths = 8.0 * (double)index / (double)count;
  if (is_sine) eighths -= 2;
  if (eighths < 0) eighths += 8;
  if (eighths > 4) eighths = 8 - eighths;
  const double sign = is_sine ? -1 : 1;
  if (eighths <= 1) return sign * cos(eighths * M_PI_4);
  if (eighths < 3) return sign * sin((2 - eighths) * M_PI_4);
  return sign * -cos((4 - eighths) * M_PI_4);
}

static void OWN(free_plan)(OWN(Plan) * plan) {
  for (int k = 0; k < plan->pass_count; k++) free(plan->factors[k]);
  free(plan->halves);
  *plan = (OWN(Plan)){0};
}

// Makes a plan for a product of powers of two, three and five; false if the memory is missing. The
// odd radices come last, where the loops are long.
static bool OWN(make_plan)(OWN(Plan) * plan, long count, bool is_real) {
  *plan = (OWN(Plan)){.count = count};
  for (long left = count; left > 1;) {
    const int radix = left % 4 == 0 ? 4 : left % 2 == 0 ? 2 : left % 3 == 0 ? 3 : 5;
    const long middle = left / radix;
    REAL *factors = malloc(2 * (size_t)(radix - 1) * (size_t)middle * sizeof(REAL));
    if (!factors) {
      OWN(free_plan)(plan);
      return false;
    }
    plan->radices[plan->pass_count] = radix;
    plan->factors[plan->pass_count++] = factors;
    for (int power = 1; power < radix; power++) {
      for (long p = 0; p < middle; p++) {
        const long at = (power - 1) * middle + p;
        factors[at] = (REAL)OWN(turn)(power * p, left, false);
        factors[(radix - 1) * middle + at] = (REAL)OWN(turn)(power * p, left, true);
      }
    }
    left = middle;
  }
  if (!is_real) return true;
  const long steps = count / 2 + 1;
  plan->halves = malloc(2 * (size_t)steps * sizeof(REAL));
  if (!plan->halves) {
    OWN(free_plan)(plan);
    return false;
  }
  for (long k = 0; k < steps; k++) {
    plan->halves[k] = (REAL)OWN(turn)(k, 2 * count, false);
    plan->halves[steps + k] = (REAL)OWN(turn)(k, 2 * count, true);
  }
  return true;
}

// MARK: Passes

// Both parts of numbers: split vectors.
typedef struct {
  REAL *restrict re;
  REAL *restrict im;
} OWN(Parts);

// z = x w for factors w.
#define TIMES(z, xr, xi, wr, wi)              \
  z##r = (xr) * (wr) - (xi) * (wi);           \
  z##i = (xr) * (wi) + (xi) * (wr)

// A butterfly of four: from a, b, c and d to w, x, y and z.
#define BUTTERFLY4(V, w1r, w1i, w2r, w2i, w3r, w3i)                            \
  const V sumr = ar + cr, sumi = ai + ci, differencer = ar - cr, differencei = ai - ci; \
  const V othersr = br + dr, othersi = bi + di;                                \
  /* -i (b - d) */                                                             \
  const V turnedr = bi - di, turnedi = dr - br;                                \
  const V wr = sumr + othersr, wi = sumi + othersi;                            \
  V xr, xi, yr, yi, zr, zi;                                                    \
  TIMES(x, differencer + turnedr, differencei + turnedi, w1r, w1i);            \
  TIMES(y, sumr - othersr, sumi - othersi, w2r, w2i);                          \
  TIMES(z, differencer - turnedr, differencei - turnedi, w3r, w3i)

#define LOADED(V, name, part, at) const V name = *(const V *)((part) + (at))
#define LOAD4(V, at, distance)                                                            \
  LOADED(V, ar, x.re, at);                                                                \
  LOADED(V, ai, x.im, at);                                                                \
  LOADED(V, br, x.re, (at) + (distance));                                                 \
  LOADED(V, bi, x.im, (at) + (distance));                                                 \
  LOADED(V, cr, x.re, (at) + 2 * (distance));                                             \
  LOADED(V, ci, x.im, (at) + 2 * (distance));                                             \
  LOADED(V, dr, x.re, (at) + 3 * (distance));                                             \
  LOADED(V, di, x.im, (at) + 3 * (distance))
#define STORE(V, part, at, value) *(V *)((part) + (at)) = value
#define STORE4(V, at, distance)                    \
  STORE(V, y.re, at, wr);                          \
  STORE(V, y.im, at, wi);                          \
  STORE(V, y.re, (at) + (distance), xr);           \
  STORE(V, y.im, (at) + (distance), xi);           \
  STORE(V, y.re, (at) + 2 * (distance), yr);       \
  STORE(V, y.im, (at) + 2 * (distance), yi);       \
  STORE(V, y.re, (at) + 3 * (distance), zr);       \
  STORE(V, y.im, (at) + 3 * (distance), zi)

// Four vectors to one sequence of fours: w0 x0 y0 z0 w1 x1 …
#define INTERLEAVE4(V, part, at, w, x, y, z)                                              \
  do {                                                                                    \
    const V wy = __builtin_shufflevector(w, y, EVERY_SECOND_LOW);                         \
    const V wy_high = __builtin_shufflevector(w, y, EVERY_SECOND_HIGH);                   \
    const V xz = __builtin_shufflevector(x, z, EVERY_SECOND_LOW);                         \
    const V xz_high = __builtin_shufflevector(x, z, EVERY_SECOND_HIGH);                   \
    STORE(V, part, at, __builtin_shufflevector(wy, xz, EVERY_SECOND_LOW));                \
    STORE(V, part, (at) + LANES, __builtin_shufflevector(wy, xz, EVERY_SECOND_HIGH));     \
    STORE(V, part, (at) + 2 * LANES, __builtin_shufflevector(wy_high, xz_high, EVERY_SECOND_LOW)); \
    STORE(V, part, (at) + 3 * LANES, __builtin_shufflevector(wy_high, xz_high, EVERY_SECOND_HIGH)); \
  } while (0)

INLINE void OWN(first4)(OWN(Parts) x, OWN(Parts) y, long middle, const REAL *factors) {
  const REAL *fr = factors, *fi = factors + 3 * middle;
  long p = 0;
  for (; p + LANES <= middle; p += LANES) {
    LOAD4(OWN(Vector), p, middle);
    LOADED(OWN(Vector), w1r, fr, p);
    LOADED(OWN(Vector), w1i, fi, p);
    LOADED(OWN(Vector), w2r, fr, p + middle);
    LOADED(OWN(Vector), w2i, fi, p + middle);
    LOADED(OWN(Vector), w3r, fr, p + 2 * middle);
    LOADED(OWN(Vector), w3i, fi, p + 2 * middle);
    BUTTERFLY4(OWN(Vector), w1r, w1i, w2r, w2i, w3r, w3i);
    INTERLEAVE4(OWN(Vector), y.re, 4 * p, wr, xr, yr, zr);
    INTERLEAVE4(OWN(Vector), y.im, 4 * p, wi, xi, yi, zi);
  }
  for (; p < middle; p++) {
    LOAD4(REAL, p, middle);
    BUTTERFLY4(REAL, fr[p], fi[p], fr[p + middle], fi[p + middle], fr[p + 2 * middle],
               fi[p + 2 * middle]);
    STORE4(REAL, 4 * p, 1);
  }
}

#define PASS4(V, lanes)                                                                      \
  for (long p = 0; p < middle; p++) {                                                        \
    const REAL w1r = factors[p], w2r = factors[p + middle], w3r = factors[p + 2 * middle];   \
    const REAL *sines = factors + 3 * middle;                                                \
    const REAL w1i = sines[p], w2i = sines[p + middle], w3i = sines[p + 2 * middle];         \
    for (long q = 0; q < s; q += lanes) {                                                    \
      LOAD4(V, s * p + q, s * middle);                                                       \
      BUTTERFLY4(V, w1r, w1i, w2r, w2i, w3r, w3i);                                           \
      STORE4(V, 4 * s * p + q, s);                                                           \
    }                                                                                        \
  }

// The last pass has no factors but one.
INLINE void OWN(last4)(OWN(Parts) x, OWN(Parts) y, long s) {
  for (long q = 0; q < s; q += LANES) {
    LOAD4(OWN(Vector), q, s);
    const OWN(Vector) sumr = ar + cr, sumi = ai + ci, differencer = ar - cr, differencei = ai - ci;
    const OWN(Vector) othersr = br + dr, othersi = bi + di, turnedr = bi - di, turnedi = dr - br;
    const OWN(Vector) wr = sumr + othersr, wi = sumi + othersi;
    const OWN(Vector) xr = differencer + turnedr, xi = differencei + turnedi;
    const OWN(Vector) yr = sumr - othersr, yi = sumi - othersi;
    const OWN(Vector) zr = differencer - turnedr, zi = differencei - turnedi;
    STORE4(OWN(Vector), q, s);
  }
}

INLINE void OWN(pass4)(OWN(Parts) x, OWN(Parts) y, long middle, long s, const REAL *factors) {
  if (s == 1) {
    OWN(first4)(x, y, middle, factors);
  } else if (middle == 1 && s % LANES == 0) {
    OWN(last4)(x, y, s);
  } else if (s % LANES == 0) {
    PASS4(OWN(Vector), LANES)
  } else if (s % 4 == 0) {
    PASS4(OWN(Four), 4)
  } else {
    PASS4(REAL, 1)
  }
}

INLINE void OWN(pass2)(OWN(Parts) x, OWN(Parts) y, long middle, long s, const REAL *factors) {
  for (long p = 0; p < middle; p++) {
    const REAL fr = factors[p], fi = factors[middle + p];
    const REAL *ar = x.re + s * p, *ai = x.im + s * p;
    const REAL *br = ar + s * middle, *bi = ai + s * middle;
    REAL *wr = y.re + 2 * s * p, *wi = y.im + 2 * s * p;
    VECTORISE for (long q = 0; q < s; q++) {
      const REAL dr = ar[q] - br[q], di = ai[q] - bi[q];
      wr[q] = ar[q] + br[q];
      wi[q] = ai[q] + bi[q];
      wr[s + q] = dr * fr - di * fi;
      wi[s + q] = dr * fi + di * fr;
    }
  }
}

// Each result of an odd radix r: the sum of its inputs, where input k turns by k j / r.
INLINE void OWN(pass_odd)(OWN(Parts) x, OWN(Parts) y, int radix, long middle, long s,
                          const REAL *factors) {
  static const double turns3[] = {1, -0.5, -0.5};
  static const double sines3[] = {0, -0.86602540378443864676, 0.86602540378443864676};
  static const double turns5[] = {1, 0.30901699437494742410, -0.80901699437494742410,
                                  -0.80901699437494742410, 0.30901699437494742410};
  static const double sines5[] = {0, -0.95105651629515357212, -0.58778525229247312917,
                                  0.58778525229247312917, 0.95105651629515357212};
  const double *turns = radix == 3 ? turns3 : turns5, *sines = radix == 3 ? sines3 : sines5;
  const long apart = s * middle;
  for (long p = 0; p < middle; p++) {
    for (int j = 0; j < radix; j++) {
      const REAL fr = j ? factors[(j - 1) * middle + p] : 1;
      const REAL fi = j ? factors[(radix - 1 + j - 1) * middle + p] : 0;
      REAL wr[5], wi[5];
      for (int k = 0; k < radix; k++) {
        wr[k] = (REAL)turns[k * j % radix];
        wi[k] = (REAL)sines[k * j % radix];
      }
      const REAL *xr = x.re + s * p, *xi = x.im + s * p;
      REAL *yr = y.re + s * (radix * p + j), *yi = y.im + s * (radix * p + j);
      VECTORISE for (long q = 0; q < s; q++) {
        REAL real = xr[q], imaginary = xi[q];
        for (int k = 1; k < radix; k++) {
          const REAL ar = xr[k * apart + q], ai = xi[k * apart + q];
          real += ar * wr[k] - ai * wi[k];
          imaginary += ar * wi[k] + ai * wr[k];
        }
        yr[q] = real * fr - imaginary * fi;
        yi[q] = real * fi + imaginary * fr;
      }
    }
  }
}

// Transforms the numbers of input to output, by way of other. All are as long as the plan; output
// and other may not be the input.
KERNEL_DISPATCHED
static void OWN(transform)(const OWN(Plan) * plan, REAL *input_re, REAL *input_im, REAL *output_re,
                           REAL *output_im, REAL *other_re, REAL *other_im) {
  OWN(Parts) from = {input_re, input_im};
  const OWN(Parts) ends[2] = {{output_re, output_im}, {other_re, other_im}};
  if (plan->pass_count == 0) {
    output_re[0] = input_re[0];
    output_im[0] = input_im[0];
    return;
  }
  long left = plan->count, s = 1;
  for (int pass = 0; pass < plan->pass_count; pass++) {
    const int radix = plan->radices[pass];
    const long middle = left / radix;
    // The last pass ends in output.
    const OWN(Parts) to = ends[(plan->pass_count - 1 - pass) % 2];
    if (radix == 4) {
      OWN(pass4)(from, to, middle, s, plan->factors[pass]);
    } else if (radix == 2) {
      OWN(pass2)(from, to, middle, s, plan->factors[pass]);
    } else if (radix == 3) {
      OWN(pass_odd)(from, to, 3, middle, s, plan->factors[pass]);
    } else {
      OWN(pass_odd)(from, to, 5, middle, s, plan->factors[pass]);
    }
    from = to;
    left = middle;
    s *= radix;
  }
}
