// SPDX-License-Identifier: Apache-2.0
//
// Filters of second-order sections; Biquad.c includes this for float and double.
//
// The sums are in double, also for float: a low cutoff needs more bits than a float has. Numbers
// between sections are rounded, so that the result does not depend on how a signal is divided into
// calls.

#if IS_DOUBLE
#define CASCADE struct vDSP_biquad_SetupStructD
#define CHANNELS struct vDSP_biquadm_SetupStructD
#else
#define CASCADE struct vDSP_biquad_SetupStruct
#define CHANNELS struct vDSP_biquadm_SetupStruct
#endif

CASCADE {
  long section_count;
  double coefficients[];
};

CASCADE *FUNCTION(vDSP_biquad_CreateSetup)(const double *Coefficients, vDSP_Length M) {
  if (M == 0 || M > MOST_SECTIONS) return NULL;
  CASCADE *setup = malloc(sizeof *setup + 5 * M * sizeof(double));
  if (!setup) return NULL;
  setup->section_count = (long)M;
  memcpy(setup->coefficients, Coefficients, 5 * M * sizeof(double));
  return setup;
}

void FUNCTION(vDSP_biquad_DestroySetup)(CASCADE *Setup) { free(Setup); }

void FUNCTION(vDSP_biquad)(const CASCADE *Setup, REAL *Delay, const REAL *X, vDSP_Stride IX,
                          REAL *Y, vDSP_Stride IY, vDSP_Length N) {
  const long sections = Setup->section_count;
  for (long n = 0; n < (long)N; n++) {
    REAL x = X[n * IX];
    const double *c = Setup->coefficients;
    REAL *delay = Delay;
    for (long m = 0; m < sections; m++, c += 5, delay += 2) {
      const double recursion = c[3] * (double)delay[3] + c[4] * (double)delay[2];
      const double input = c[0] * (double)x + (c[1] * (double)delay[1] + c[2] * (double)delay[0]);
      delay[0] = delay[1];
      delay[1] = x;
      x = (REAL)(input - recursion);
    }
    delay[0] = delay[1];
    delay[1] = x;
    Y[n * IY] = x;
  }
}

// MARK: Several channels

CHANNELS {
  long section_count, channel_count;
  /// Five for each section and channel.
  double *coefficients, *targets;
  /// Two for each section and channel, in the transposed direct form II.
  double *states;
  bool *active;
  bool moves;
  double rate, threshold;
};

CHANNELS *FUNCTION(vDSP_biquadm_CreateSetup)(const double *Coefficients, vDSP_Length M,
                                          vDSP_Length N) {
  if (M == 0 || N == 0 || M > MOST_SECTIONS || N > MOST_SECTIONS) return NULL;
  const size_t cells = M * N;
  CHANNELS *setup = calloc(1, sizeof *setup + 12 * cells * sizeof(double) + M);
  if (!setup) return NULL;
  setup->section_count = (long)M;
  setup->channel_count = (long)N;
  setup->coefficients = (double *)(setup + 1);
  setup->targets = setup->coefficients + 5 * cells;
  setup->states = setup->targets + 5 * cells;
  setup->active = (bool *)(setup->states + 2 * cells);
  memcpy(setup->coefficients, Coefficients, 5 * cells * sizeof(double));
  memcpy(setup->targets, Coefficients, 5 * cells * sizeof(double));
  for (vDSP_Length m = 0; m < M; m++) setup->active[m] = true;
  return setup;
}

void FUNCTION(vDSP_biquadm_DestroySetup)(CHANNELS *Setup) { free(Setup); }

void FUNCTION(vDSP_biquadm_ResetState)(CHANNELS *Setup) {
  const long count = 2 * Setup->section_count * Setup->channel_count;
  for (long k = 0; k < count; k++) Setup->states[k] = 0;
}

void FUNCTION(vDSP_biquadm_CopyState)(CHANNELS *Destination, const CHANNELS *Source) {
  if (Destination->section_count != Source->section_count ||
      Destination->channel_count != Source->channel_count) {
    return;
  }
  const long count = 2 * Source->section_count * Source->channel_count;
  memmove(Destination->states, Source->states, (size_t)count * sizeof(double));
}

// Moves the coefficients of one section of one channel; true if they have not yet arrived.
static bool OWN(move)(CHANNELS *setup, long cell) {
  double *c = setup->coefficients + 5 * cell;
  const double *target = setup->targets + 5 * cell;
  bool moves = false;
  for (int k = 0; k < 5; k++) {
    const double distance = (c[k] - target[k]) * setup->rate;
    const bool is_far = fabs(distance) > setup->threshold;
    c[k] = is_far ? target[k] + distance : target[k];
    moves |= is_far;
  }
  return moves;
}

static void OWN(filter)(const CHANNELS *setup, long cell, const REAL *x, long x_stride, REAL *y,
                        long y_stride, long count) {
  const double *c = setup->coefficients + 5 * cell;
  double *state = setup->states + 2 * cell;
  double s1 = state[0], s2 = state[1];
  for (long n = 0; n < count; n++) {
    const double input = (double)x[n * x_stride];
    const double output = c[0] * input + s1;
    s1 = (c[1] * input + s2) - c[3] * output;
    s2 = c[2] * input - c[4] * output;
    y[n * y_stride] = (REAL)output;
  }
  state[0] = s1;
  state[1] = s2;
}

void FUNCTION(vDSP_biquadm)(CHANNELS *Setup, const REAL **X, vDSP_Stride IX, REAL **Y,
                           vDSP_Stride IY, vDSP_Length N) {
  const long channels = Setup->channel_count, step = Setup->moves ? 1 : (long)N;
  for (long n = 0; n < (long)N; n += step) {
    bool moves = false;
    for (long h = 0; h < channels; h++) {
      const REAL *x = X[h] + n * IX;
      REAL *y = Y[h] + n * IY;
      long x_stride = IX;
      for (long m = 0; m < Setup->section_count; m++) {
        const long cell = m * channels + h;
        if (Setup->active[m]) {
          OWN(filter)(Setup, cell, x, x_stride, y, IY, step);
          x = y;
          x_stride = IY;
        }
        if (Setup->moves) moves |= OWN(move)(Setup, cell);
      }
      if (x != y) {
        for (long k = 0; k < step; k++) y[k * IY] = x[k * x_stride];
      }
    }
    Setup->moves = Setup->moves && moves;
  }
}

// Sets the coefficients that are not to move, or not far enough, and finds out whether others are.
static void OWN(begin_moves)(CHANNELS *setup) {
  const long count = 5 * setup->section_count * setup->channel_count;
  const bool moves = setup->rate != 0 && setup->threshold != 0;
  setup->moves = false;
  for (long k = 0; k < count; k++) {
    const double distance = fabs(setup->coefficients[k] - setup->targets[k]);
    if (moves && distance > setup->threshold) {
      setup->moves = true;
    } else {
      setup->coefficients[k] = setup->targets[k];
    }
  }
}

#define SET(name, Number)                                                                         \
  static void OWN(name)(CHANNELS * setup, double *cells, const Number *numbers,                   \
                        vDSP_Length start_section, vDSP_Length start_channel,                     \
                        vDSP_Length section_count, vDSP_Length channel_count) {                   \
    const vDSP_Length sections = (vDSP_Length)setup->section_count;                               \
    const vDSP_Length channels = (vDSP_Length)setup->channel_count;                               \
    for (vDSP_Length m = 0; m < section_count && start_section + m < sections; m++) {             \
      for (vDSP_Length h = 0; h < channel_count && start_channel + h < channels; h++) {           \
        const vDSP_Length cell = (start_section + m) * channels + start_channel + h;              \
        for (int k = 0; k < 5; k++) {                                                             \
          cells[5 * cell + k] = (double)numbers[5 * (m * channel_count + h) + k];                 \
        }                                                                                         \
      }                                                                                           \
    }                                                                                             \
  }
SET(set_double, double)
SET(set_single, float)
#undef SET

#define SETTERS(kind, Number, set)                                                                \
  void FUNCTION(vDSP_biquadm_SetCoefficients##kind)(                                                 \
      CHANNELS * Setup, const Number *Coefficients, vDSP_Length start_section,                    \
      vDSP_Length start_channel, vDSP_Length section_count, vDSP_Length channel_count) {          \
    OWN(set)                                                                                      \
    (Setup, Setup->coefficients, Coefficients, start_section, start_channel, section_count,       \
     channel_count);                                                                              \
    OWN(set)                                                                                      \
    (Setup, Setup->targets, Coefficients, start_section, start_channel, section_count,            \
     channel_count);                                                                              \
  }                                                                                               \
  void FUNCTION(vDSP_biquadm_SetTargets##kind)(                                                      \
      CHANNELS * Setup, const Number *Targets, REAL interp_rate, REAL interp_threshold,           \
      vDSP_Length start_section, vDSP_Length start_channel, vDSP_Length section_count,            \
      vDSP_Length channel_count) {                                                                \
    OWN(set)                                                                                      \
    (Setup, Setup->targets, Targets, start_section, start_channel, section_count, channel_count); \
    Setup->rate = interp_rate;                                                                    \
    Setup->threshold = interp_threshold;                                                          \
    OWN(begin_moves)(Setup);                                                                      \
  }
SETTERS(Double, double, set_double)
SETTERS(Single, float, set_single)
#undef SETTERS

void FUNCTION(vDSP_biquadm_SetActiveFilters)(CHANNELS *Setup, const bool *filter_states) {
  memcpy(Setup->active, filter_states, (size_t)Setup->section_count);
}

#undef CASCADE
#undef CHANNELS
