// SPDX-License-Identifier: Apache-2.0
//
// vForce: functions of each number of an array. n points to the number of elements; none are
// computed if it is not positive. Input and output may be the same memory. A name with f is for
// float.

#ifndef VECLIB_VFORCE_H
#define VECLIB_VFORCE_H

#include "vDSPTypes.h"

VDSP_BEGIN

/// y[i] is the least integer not below x[i]. [any thread]
VDSP_FUNCTION void vvceilf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvceil(double *y, const double *x, const int *n);

/// y[i] is the greatest integer not above x[i]. [any thread]
VDSP_FUNCTION void vvfloorf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvfloor(double *y, const double *x, const int *n);

/// y[i] is x[i] without its fraction. [any thread]
VDSP_FUNCTION void vvintf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvint(double *y, const double *x, const int *n);

/// y[i] is the integer nearest to x[i], the even one of two. [any thread]
VDSP_FUNCTION void vvnintf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvnint(double *y, const double *x, const int *n);

/// y[i] is |x[i]|. [any thread]
VDSP_FUNCTION void vvfabsf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvfabs(double *y, const double *x, const int *n);

/// y[i] is 1 / x[i]. [any thread]
VDSP_FUNCTION void vvrecf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvrec(double *y, const double *x, const int *n);

/// y[i] is the square root of x[i]. [any thread]
VDSP_FUNCTION void vvsqrtf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvsqrt(double *y, const double *x, const int *n);

/// y[i] is 1 / the square root of x[i]. [any thread]
VDSP_FUNCTION void vvrsqrtf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvrsqrt(double *y, const double *x, const int *n);

/// y[i] is the cube root of x[i]. [any thread]
VDSP_FUNCTION void vvcbrtf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvcbrt(double *y, const double *x, const int *n);

/// y[i] is e to the power of x[i]. [any thread]
VDSP_FUNCTION void vvexpf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvexp(double *y, const double *x, const int *n);

/// y[i] is 2 to the power of x[i]. [any thread]
VDSP_FUNCTION void vvexp2f(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvexp2(double *y, const double *x, const int *n);

/// y[i] is e to the power of x[i], minus 1. [any thread]
VDSP_FUNCTION void vvexpm1f(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvexpm1(double *y, const double *x, const int *n);

/// y[i] is the natural logarithm of x[i]. [any thread]
VDSP_FUNCTION void vvlogf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvlog(double *y, const double *x, const int *n);

/// y[i] is the logarithm of x[i] to the base 2. [any thread]
VDSP_FUNCTION void vvlog2f(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvlog2(double *y, const double *x, const int *n);

/// y[i] is the logarithm of x[i] to the base 10. [any thread]
VDSP_FUNCTION void vvlog10f(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvlog10(double *y, const double *x, const int *n);

/// y[i] is the natural logarithm of 1 + x[i]. [any thread]
VDSP_FUNCTION void vvlog1pf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvlog1p(double *y, const double *x, const int *n);

/// y[i] is the exponent of x[i]. [any thread]
VDSP_FUNCTION void vvlogbf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvlogb(double *y, const double *x, const int *n);

/// y[i] is the sine of x[i]. [any thread]
VDSP_FUNCTION void vvsinf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvsin(double *y, const double *x, const int *n);

/// y[i] is the cosine of x[i]. [any thread]
VDSP_FUNCTION void vvcosf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvcos(double *y, const double *x, const int *n);

/// y[i] is the tangent of x[i]. [any thread]
VDSP_FUNCTION void vvtanf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvtan(double *y, const double *x, const int *n);

/// y[i] is the sine of π x[i]. [any thread]
VDSP_FUNCTION void vvsinpif(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvsinpi(double *y, const double *x, const int *n);

/// y[i] is the cosine of π x[i]. [any thread]
VDSP_FUNCTION void vvcospif(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvcospi(double *y, const double *x, const int *n);

/// y[i] is the tangent of π x[i]. [any thread]
VDSP_FUNCTION void vvtanpif(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvtanpi(double *y, const double *x, const int *n);

/// y[i] is the arc sine of x[i]. [any thread]
VDSP_FUNCTION void vvasinf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvasin(double *y, const double *x, const int *n);

/// y[i] is the arc cosine of x[i]. [any thread]
VDSP_FUNCTION void vvacosf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvacos(double *y, const double *x, const int *n);

/// y[i] is the arc tangent of x[i]. [any thread]
VDSP_FUNCTION void vvatanf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvatan(double *y, const double *x, const int *n);

/// y[i] is the hyperbolic sine of x[i]. [any thread]
VDSP_FUNCTION void vvsinhf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvsinh(double *y, const double *x, const int *n);

/// y[i] is the hyperbolic cosine of x[i]. [any thread]
VDSP_FUNCTION void vvcoshf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvcosh(double *y, const double *x, const int *n);

/// y[i] is the hyperbolic tangent of x[i]. [any thread]
VDSP_FUNCTION void vvtanhf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvtanh(double *y, const double *x, const int *n);

/// y[i] is the inverse hyperbolic sine of x[i]. [any thread]
VDSP_FUNCTION void vvasinhf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvasinh(double *y, const double *x, const int *n);

/// y[i] is the inverse hyperbolic cosine of x[i]. [any thread]
VDSP_FUNCTION void vvacoshf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvacosh(double *y, const double *x, const int *n);

/// y[i] is the inverse hyperbolic tangent of x[i]. [any thread]
VDSP_FUNCTION void vvatanhf(float *y, const float *x, const int *n);
VDSP_FUNCTION void vvatanh(double *y, const double *x, const int *n);

/// z[i] is the angle of the point (x[i], y[i]). [any thread]
VDSP_FUNCTION void vvatan2f(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvatan2(double *z, const double *y, const double *x, const int *n);

/// z[i] is y[i] / x[i]. [any thread]
VDSP_FUNCTION void vvdivf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvdiv(double *z, const double *y, const double *x, const int *n);

/// z[i] is x[i] to the power of y[i]; the exponents are the second argument. [any thread]
VDSP_FUNCTION void vvpowf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvpow(double *z, const double *y, const double *x, const int *n);

/// z[i] is |y[i]| with the sign of x[i]. [any thread]
VDSP_FUNCTION void vvcopysignf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvcopysign(double *z, const double *y, const double *x, const int *n);

/// z[i] is the remainder of y[i] / x[i] with the sign of y[i]. [any thread]
VDSP_FUNCTION void vvfmodf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvfmod(double *z, const double *y, const double *x, const int *n);

/// z[i] is y[i] minus the multiple of x[i] that is nearest. [any thread]
VDSP_FUNCTION void vvremainderf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvremainder(double *z, const double *y, const double *x, const int *n);

/// z[i] is the number next to y[i] in the direction of x[i]. [any thread]
VDSP_FUNCTION void vvnextafterf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvnextafter(double *z, const double *y, const double *x, const int *n);

/// z[i] is x[i] to the power of *y: one exponent for all. [any thread]
VDSP_FUNCTION void vvpowsf(float *z, const float *y, const float *x, const int *n);
VDSP_FUNCTION void vvpows(double *z, const double *y, const double *x, const int *n);

/// z[i] is the sine and y[i] the cosine of x[i]; y and z are different memory. [any thread]
VDSP_FUNCTION void vvsincosf(float *z, float *y, const float *x, const int *n);
VDSP_FUNCTION void vvsincos(double *z, double *y, const double *x, const int *n);

VDSP_END

#endif
