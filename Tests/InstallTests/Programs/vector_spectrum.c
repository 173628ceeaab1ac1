// SPDX-License-Identifier: Apache-2.0
// The loudest bin of a windowed tone, by vDSP and vForce.
// Prints bin 32, level -6.0 dB
#include <Accelerate/Accelerate.h>
#include <os/log.h>
#include <os/signpost.h>
#include <stdio.h>

#define LOG2N 10
#define COUNT (1 << LOG2N)

int main(void) {
  float phases[COUNT], samples[COUNT], window[COUNT], magnitudes[COUNT / 2];
  float reals[COUNT / 2], imaginaries[COUNT / 2];
  DSPSplitComplex split = {reals, imaginaries};
  const float start = 0, step = 2 * 3.14159265f * 32 / COUNT, half = 0.5f;
  const int count = COUNT;
  os_log_t log = os_log_create("org.example", "spectrum");
  os_signpost_id_t signpost = os_signpost_id_generate(log);
  FFTSetup setup = vDSP_create_fftsetup(LOG2N, kFFTRadix2);
  float level = 0, reference = 1;
  vDSP_Length bin = 0;
  if (!setup) return 1;

  os_signpost_interval_begin(log, signpost, "spectrum");
  vDSP_vramp(&start, &step, phases, 1, COUNT);
  vvsinf(samples, phases, &count);
  vDSP_vsmul(samples, 1, &half, samples, 1, COUNT);
  vDSP_hann_window(window, COUNT, vDSP_HANN_DENORM);
  vDSP_vmul(samples, 1, window, 1, samples, 1, COUNT);
  vDSP_ctoz((DSPComplex *)samples, 2, &split, 1, COUNT / 2);
  vDSP_fft_zrip(setup, &split, 1, LOG2N, FFT_FORWARD);
  vDSP_zvabs(&split, 1, magnitudes, 1, COUNT / 2);
  vDSP_maxvi(magnitudes, 1, &level, &bin, COUNT / 2);
  // Twice the sums, half the samples, and half of them lost in the window.
  level /= COUNT / 2;
  vDSP_vdbcon(&level, 1, &reference, &level, 1, 1, 1);
  os_signpost_interval_end(log, signpost, "spectrum", "%d", (int)bin);
  vDSP_destroy_fftsetup(setup);
  printf("bin %lu, level %.1f dB\n", bin, (double)level);
  return 0;
}
