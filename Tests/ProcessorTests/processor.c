// SPDX-License-Identifier: Apache-2.0
// Prints what the processor has of the extensions that the library and libm make use of, and a hash of the
// exponentials and sines of many numbers, whose bits depend on which of them libm uses.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2")) fputs("SSE4.2 ", stdout);
  if (__builtin_cpu_supports("avx2")) fputs("AVX2 ", stdout);
  if (__builtin_cpu_supports("fma")) fputs("FMA ", stdout);
  if (__builtin_cpu_supports("avx512f")) fputs("AVX-512 ", stdout);
  uint64_t hash = 0xCBF29CE484222325;
  for (int i = 1; i <= 200000; i++) {
    volatile double number = i * 0.000123;
    const double values[2] = {exp(number), sin(number)};
    uint64_t bits[2];
    memcpy(bits, values, sizeof bits);
    for (int k = 0; k < 2; k++) hash = (hash ^ bits[k]) * 0x100000001B3;
  }
  printf("%016" PRIx64 "\n", hash);
}
