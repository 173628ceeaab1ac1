// SPDX-License-Identifier: Apache-2.0
//
// Fills, ramps, windows, interpolation and running sums; Generation.c includes this for float and
// double.

VECTOR_DISPATCHED void NAME(vclr)(REAL *C, vDSP_Stride IC, vDSP_Length N) {
  EACH1(IC, { C[i * IC] = 0; });
}

VECTOR_DISPATCHED void NAME(vfill)(const REAL *A, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  const REAL a = *A;
  EACH1(IC, { C[i * IC] = a; });
}

// The result of a table with too few numbers.
static void OWN(fill)(REAL a, REAL *C, vDSP_Stride IC, vDSP_Length N) { NAME(vfill)(&a, C, IC, N); }

void NAME(mmov)(const REAL *A, REAL *C, vDSP_Length M, vDSP_Length N, vDSP_Length TA,
                vDSP_Length TC) {
  for (vDSP_Length row = 0; row < N; row++) memmove(C + row * TC, A + row * TA, M * sizeof(REAL));
}

VECTOR_DISPATCHED
void NAME(vramp)(const REAL *A, const REAL *B, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  const REAL start = *A, step = *B;
  EACH1(IC, { C[i * IC] = start + (REAL)i * step; });
}

VECTOR_DISPATCHED
void NAME(vgen)(const REAL *A, const REAL *B, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  const REAL start = *A, end = *B, step = N > 1 ? (end - start) / (REAL)(N - 1) : 0;
  EACH1(IC, { C[i * IC] = start + (REAL)i * step; });
  if (N > 1) C[((long)N - 1) * IC] = end;
}

void NAME(vgenp)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                 vDSP_Stride IC, vDSP_Length N, vDSP_Length M) {
  if (M == 0) {
    OWN(fill)(0, C, IC, N);
    return;
  }
  long next = 0;
  const long points = (long)M;
  for (long i = 0; i < (long)N; i++) {
    const REAL place = (REAL)i;
    while (next < points && B[next * IB] <= place) next++;
    if (next == 0) {
      C[i * IC] = A[0];
    } else if (next == points) {
      C[i * IC] = A[(points - 1) * IA];
    } else {
      const REAL from = B[(next - 1) * IB], to = B[next * IB];
      const REAL low = A[(next - 1) * IA], high = A[next * IA];
      C[i * IC] = low + (high - low) * (place - from) / (to - from);
    }
  }
}

// The gain of each element comes from its number, so that it does not drift.
VECTOR_DISPATCHED
void NAME(vrampmul)(const REAL *I, vDSP_Stride II, REAL *Start, const REAL *Step, REAL *O,
                    vDSP_Stride IO, vDSP_Length N) {
  const REAL start = *Start, step = *Step;
  EACH2(II, IO, { O[i * IO] = I[i * II] * (start + (REAL)i * step); });
  *Start = start + (REAL)N * step;
}

VECTOR_DISPATCHED
void NAME(vrampmuladd)(const REAL *I, vDSP_Stride II, REAL *Start, const REAL *Step, REAL *O,
                       vDSP_Stride IO, vDSP_Length N) {
  const REAL start = *Start, step = *Step;
  EACH2(II, IO, { O[i * IO] += I[i * II] * (start + (REAL)i * step); });
  *Start = start + (REAL)N * step;
}

VECTOR_DISPATCHED
void NAME(vrampmul2)(const REAL *I0, const REAL *I1, vDSP_Stride IS, REAL *Start, const REAL *Step,
                     REAL *O0, REAL *O1, vDSP_Stride OS, vDSP_Length N) {
  const REAL start = *Start, step = *Step;
  EACH2(IS, OS, {
    const REAL gain = start + (REAL)i * step;
    O0[i * OS] = I0[i * IS] * gain;
    O1[i * OS] = I1[i * IS] * gain;
  });
  *Start = start + (REAL)N * step;
}

VECTOR_DISPATCHED
void NAME(vrampmuladd2)(const REAL *I0, const REAL *I1, vDSP_Stride IS, REAL *Start,
                        const REAL *Step, REAL *O0, REAL *O1, vDSP_Stride OS, vDSP_Length N) {
  const REAL start = *Start, step = *Step;
  EACH2(IS, OS, {
    const REAL gain = start + (REAL)i * step;
    O0[i * OS] += I0[i * IS] * gain;
    O1[i * OS] += I1[i * IS] * gain;
  });
  *Start = start + (REAL)N * step;
}

VECTOR_DISPATCHED
void NAME(vtmerg)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                  vDSP_Stride IC, vDSP_Length N) {
  const REAL step = N > 1 ? 1 / (REAL)(N - 1) : 0;
  EACH3(IA, IB, IC, {
    const REAL a = A[i * IA];
    C[i * IC] = a + (B[i * IB] - a) * ((REAL)i * step);
  });
}

// MARK: Windows

// The sum of cosines c0 - c1 cos(x) + c2 cos(2x), computed in double.
static void OWN(window)(REAL *C, vDSP_Length N, int flag, double c0, double c1, double c2) {
  const vDSP_Length count = flag & vDSP_HALF_WINDOW ? (N + 1) / 2 : N;
  for (vDSP_Length i = 0; i < count; i++) {
    const double x = 2 * M_PI * (double)i / (double)N;
    C[i] = (REAL)(c0 - c1 * cos(x) + c2 * cos(2 * x));
  }
}

void NAME(hann_window)(REAL *C, vDSP_Length N, int Flag) {
  const double w = Flag & vDSP_HANN_NORM ? 0.81649658092772603273 : 0.5;
  OWN(window)(C, N, Flag, w, w, 0);
}

void NAME(hamm_window)(REAL *C, vDSP_Length N, int Flag) {
  OWN(window)(C, N, Flag, 0.54, 0.46, 0);
}

void NAME(blkman_window)(REAL *C, vDSP_Length N, int Flag) {
  OWN(window)(C, N, Flag, 0.42, 0.5, 0.08);
}

// MARK: Interpolation

// A place in a table of M elements, so that the element after it exists too; NaN is the first
// place.
#define LIMITED(place, first, last) \
  (!((place) > (REAL)(first)) ? (first) : (place) >= (REAL)(last) ? (last) : (long)(place))

void NAME(vlint)(const REAL *A, const REAL *B, vDSP_Stride IB, REAL *C, vDSP_Stride IC,
                 vDSP_Length N, vDSP_Length M) {
  if (M < 2) {
    OWN(fill)(M == 0 ? 0 : A[0], C, IC, N);
    return;
  }
  for (long i = 0; i < (long)N; i++) {
    const REAL place = B[i * IB];
    const long below = LIMITED(place, 0, (long)M - 2);
    C[i * IC] = A[below] + (place - (REAL)below) * (A[below + 1] - A[below]);
  }
}

void NAME(vqint)(const REAL *A, const REAL *B, vDSP_Stride IB, REAL *C, vDSP_Stride IC,
                 vDSP_Length N, vDSP_Length M) {
  if (M < 3) {
    OWN(fill)(M == 0 ? 0 : A[0], C, IC, N);
    return;
  }
  for (long i = 0; i < (long)N; i++) {
    const REAL place = B[i * IB];
    const long b = LIMITED(place, 1, (long)M - 2);
    const REAL f = place - (REAL)b;
    C[i * IC] =
        (A[b - 1] * (f * f - f) + A[b] * (2 - 2 * f * f) + A[b + 1] * (f * f + f)) / 2;
  }
}

void NAME(vtabi)(const REAL *A, vDSP_Stride IA, const REAL *S1, const REAL *S2, const REAL *C,
                 vDSP_Length M, REAL *D, vDSP_Stride ID, vDSP_Length N) {
  if (M == 0) {
    OWN(fill)(0, D, ID, N);
    return;
  }
  const REAL scale = *S1, offset = *S2, last = (REAL)(M - 1);
  for (long i = 0; i < (long)N; i++) {
    const REAL unlimited = A[i * IA] * scale + offset;
    const REAL place = unlimited > 0 ? (unlimited < last ? unlimited : last) : 0;
    const long below = LIMITED(place, 0, (long)M - 1);
    const long above = below + 1 < (long)M ? below + 1 : below;
    D[i * ID] = C[below] + (place - (REAL)below) * (C[above] - C[below]);
  }
}

void NAME(vpoly)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                 vDSP_Stride IC, vDSP_Length N, vDSP_Length P) {
  for (long i = 0; i < (long)N; i++) {
    const REAL b = B[i * IB];
    REAL sum = A[0];
    for (long p = 1; p <= (long)P; p++) sum = sum * b + A[p * IA];
    C[i * IC] = sum;
  }
}

// MARK: Sums

void NAME(vrsum)(const REAL *A, vDSP_Stride IA, const REAL *S, REAL *C, vDSP_Stride IC,
                 vDSP_Length N) {
  REAL sum = 0;
  for (long i = 0; i < (long)N; i++) {
    if (i > 0) sum += *S * A[i * IA];
    C[i * IC] = sum;
  }
}

void NAME(vtrapz)(const REAL *A, vDSP_Stride IA, const REAL *S, REAL *C, vDSP_Stride IC,
                  vDSP_Length N) {
  REAL sum = 0, last = 0;
  const REAL half = *S / 2;
  for (long i = 0; i < (long)N; i++) {
    const REAL a = A[i * IA];
    if (i > 0) sum += half * (last + a);
    last = a;
    C[i * IC] = sum;
  }
}

void NAME(vsimps)(const REAL *A, vDSP_Stride IA, const REAL *S, REAL *C, vDSP_Stride IC,
                  vDSP_Length N) {
  REAL before = 0, last = 0, sum_before = 0, sum = 0;
  const REAL step = *S;
  for (long i = 0; i < (long)N; i++) {
    const REAL a = A[i * IA];
    REAL next = 0;
    if (i == 1) next = step * (last + a) / 2;
    if (i > 1) next = sum_before + step * (before + 4 * last + a) / 3;
    before = last;
    last = a;
    sum_before = sum;
    sum = next;
    C[i * IC] = sum;
  }
}

// Each sum is computed anew every P results, so that errors do not add up. The number that leaves
// the window is kept, because its place may be that of a result.
void NAME(vswsum)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N,
                  vDSP_Length P) {
  const long width = (long)P;
  REAL sum = 0, oldest = 0;
  for (long i = 0; i < (long)N; i++) {
    if (width < 2 || i % width == 0) {
      sum = 0;
      for (long p = 0; p < width; p++) sum += A[(i + p) * IA];
    } else {
      sum += A[(i + width - 1) * IA] - oldest;
    }
    oldest = width > 0 ? A[i * IA] : 0;
    C[i * IC] = sum;
  }
}

// The maximum is sought again only when it has left the window.
void NAME(vswmax)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N,
                  vDSP_Length P) {
  const long width = (long)P;
  if (width == 0) {
    OWN(fill)(-(REAL)INFINITY, C, IC, N);
    return;
  }
  REAL greatest = 0;
  long place = -1;
  for (long i = 0; i < (long)N; i++) {
    const long newest = i + width - 1;
    if (place < i) {
      place = i;
      greatest = A[i * IA];
      for (long p = i + 1; p <= newest; p++) {
        if (A[p * IA] >= greatest) greatest = A[(place = p) * IA];
      }
    } else if (A[newest * IA] >= greatest) {
      greatest = A[(place = newest) * IA];
    }
    C[i * IC] = greatest;
  }
}

VECTOR_DISPATCHED
void NAME(vavlin)(const REAL *A, vDSP_Stride IA, const REAL *B, REAL *C, vDSP_Stride IC,
                  vDSP_Length N) {
  const REAL count = *B;
  EACH2(IA, IC, { C[i * IC] = (C[i * IC] * count + A[i * IA]) / (count + 1); });
}

#undef LIMITED
