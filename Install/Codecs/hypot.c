// SPDX-License-Identifier: Apache-2.0
// In place of the function in libm, whose current version needs glibc 2.35. Its arguments are values of sound, whose
// squares do not overflow.
#include <math.h>

double hypot(double x, double y) { return sqrt(x * x + y * y); }
