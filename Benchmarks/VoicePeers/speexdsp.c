// SPDX-License-Identifier: Apache-2.0
// Processes a call with speexdsp's echo canceller and preprocessor.
//
//   speexdsp RATE DELAY FAR MICROPHONE OUT    raw Float32 files; the delay is in seconds
#include <math.h>
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
#include <stdio.h>
#include <stdlib.h>

// Reads samples as 16 bits; returns whether there were enough.
static int readSamples(FILE *file, spx_int16_t *samples, int count) {
  float *read = malloc((size_t)count * 4);
  int isWhole = fread(read, 4, (size_t)count, file) == (size_t)count;
  for (int i = 0; isWhole && i < count; i++)
    samples[i] = (spx_int16_t)lrintf(fminf(fmaxf(read[i], -1), 0.9999f) * 32768);
  free(read);
  return isWhole;
}

int main(int count, char **words) {
  if (count < 6) return 64;
  int rate = atoi(words[1]), frames = rate / 100, on = 1, echo = -40, noise = -15;
  // The canceller covers 200 ms, so the known delay is removed before.
  long delay = lrint((atof(words[2]) - 0.01) * rate);
  SpeexEchoState *canceller = speex_echo_state_init(frames, rate / 5);
  SpeexPreprocessState *rest = speex_preprocess_state_init(frames, rate);
  speex_echo_ctl(canceller, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
  speex_preprocess_ctl(rest, SPEEX_PREPROCESS_SET_ECHO_STATE, canceller);
  speex_preprocess_ctl(rest, SPEEX_PREPROCESS_SET_DENOISE, &on);
  speex_preprocess_ctl(rest, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &noise);
  speex_preprocess_ctl(rest, SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, &echo);

  FILE *far = fopen(words[3], "rb"), *microphone = fopen(words[4], "rb");
  FILE *out = fopen(words[5], "wb");
  if (!far || !microphone || !out) return 66;
  spx_int16_t *played = calloc((size_t)(frames + delay), 2), *recorded = calloc((size_t)frames, 2);
  spx_int16_t *cleaned = calloc((size_t)frames, 2);
  while (readSamples(far, played + delay, frames) && readSamples(microphone, recorded, frames)) {
    speex_echo_cancellation(canceller, recorded, played, cleaned);
    speex_preprocess_run(rest, cleaned);
    for (int i = 0; i < frames; i++) {
      float sample = cleaned[i] / 32768.0f;
      fwrite(&sample, 4, 1, out);
    }
    for (long i = 0; i < delay; i++) played[i] = played[i + frames];
  }
  return fclose(out) == 0 ? 0 : 74;
}
