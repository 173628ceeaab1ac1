// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_SYSTEM_NAMES_H
#define CORE_FOUNDATION_SYSTEM_NAMES_H

// With -std=c99 and similar options, glibc hides names that are not in the C standard: M_PI,
// PATH_MAX, usleep. Apple's headers do not hide them, and programs rely on that. So every header
// that includes a system header includes this one first.

#if defined(__STRICT_ANSI__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1
#ifdef _FEATURES_H
// The program has included a system header before this one. Names that it hid stay hidden, except
// these.
#undef _FEATURES_H
#include <features.h>
#ifndef __cplusplus
extern int usleep(unsigned int __useconds);
extern char *strdup(const char *__s);
extern long int syscall(long int __sysno, ...);
#endif
#endif
#endif

#include <limits.h>
#include <math.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif

#endif
