// SPDX-License-Identifier: Apache-2.0
//
// Times FFTW with measured plans: fftw.c LOG2N prints nanoseconds for a transform of complex numbers in
// float, of real numbers in float, and of complex numbers in double. It loads the libraries at run time, so
// that their headers are not needed.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *(*Plan)(int, void *, void *, int, unsigned);
typedef void *(*RealPlan)(int, void *, void *, unsigned);
typedef void (*Execute)(void *);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The median of seven runs of about 10 ms.
static void show(const char *name, Execute execute, void *plan) {
  if (!plan) exit(1);
  long count = 1;
  double times[7];
  for (double spent = 0; spent < 1e7; count *= 2) {
    const double start = now();
    for (long k = 0; k < count; k++) execute(plan);
    spent = now() - start;
  }
  for (int run = 0; run < 7; run++) {
    const double start = now();
    for (long k = 0; k < count; k++) execute(plan);
    times[run] = (now() - start) / (double)count;
  }
  qsort(times, 7, sizeof *times, compare);
  printf("%s\t%f\n", name, times[3]);
}

int main(int count, char **arguments) {
  const int length = 1 << (count > 1 ? atoi(arguments[1]) : 10);
  void *single = dlopen("libfftw3f.so.3", RTLD_NOW), *both = dlopen("libfftw3.so.3", RTLD_NOW);
  if (!single || !both) return 1;
  void *memory = aligned_alloc(64, (size_t)length * 32);
  if (!memory) return 1;
  // A plan is measured, which overwrites the memory: it is zero afterwards.
  const Plan plan = (Plan)dlsym(single, "fftwf_plan_dft_1d");
  const RealPlan real = (RealPlan)dlsym(single, "fftwf_plan_dft_r2c_1d");
  const Plan wide = (Plan)dlsym(both, "fftw_plan_dft_1d");
  void *plans[] = {plan(length, memory, memory, -1, 0), real(length, memory, memory, 0),
                   wide(length, memory, memory, -1, 0)};
  memset(memory, 0, (size_t)length * 32);
  show("complex", (Execute)dlsym(single, "fftwf_execute"), plans[0]);
  show("real", (Execute)dlsym(single, "fftwf_execute"), plans[1]);
  show("complex, double", (Execute)dlsym(both, "fftw_execute"), plans[2]);
  return 0;
}
