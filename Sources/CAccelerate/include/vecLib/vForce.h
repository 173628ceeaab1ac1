// SPDX-License-Identifier: Apache-2.0
//
// vForce: functions of each number of an array. n points to the number of elements; none are
// computed if it is not positive. Input and output may be the same memory. A name with f is for
// float. The names of arguments begin with two underscores, which the texts leave out.

#ifndef VECLIB_VFORCE_H
#define VECLIB_VFORCE_H

#include "vDSPTypes.h"

VDSP_BEGIN

/// y[i] is the least integer not below x[i]. [any thread]
VDSP_FUNCTION void vvceilf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvceil(double *__y, const double *__x, const int *__n);

/// y[i] is the greatest integer not above x[i]. [any thread]
VDSP_FUNCTION void vvfloorf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvfloor(double *__y, const double *__x, const int *__n);

/// y[i] is x[i] without its fraction. [any thread]
VDSP_FUNCTION void vvintf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvint(double *__y, const double *__x, const int *__n);

/// y[i] is the integer nearest to x[i], the even one of two. [any thread]
VDSP_FUNCTION void vvnintf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvnint(double *__y, const double *__x, const int *__n);

/// y[i] is |x[i]|. [any thread]
VDSP_FUNCTION void vvfabsf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvfabs(double *__y, const double *__x, const int *__n);

/// y[i] is 1 / x[i]. [any thread]
VDSP_FUNCTION void vvrecf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvrec(double *__y, const double *__x, const int *__n);

/// y[i] is the square root of x[i]. [any thread]
VDSP_FUNCTION void vvsqrtf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvsqrt(double *__y, const double *__x, const int *__n);

/// y[i] is 1 / the square root of x[i]. [any thread]
VDSP_FUNCTION void vvrsqrtf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvrsqrt(double *__y, const double *__x, const int *__n);

/// y[i] is the cube root of x[i]. [any thread]
VDSP_FUNCTION void vvcbrtf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvcbrt(double *__y, const double *__x, const int *__n);

/// y[i] is e to the power of x[i]. [any thread]
VDSP_FUNCTION void vvexpf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvexp(double *__y, const double *__x, const int *__n);

/// y[i] is 2 to the power of x[i]. [any thread]
VDSP_FUNCTION void vvexp2f(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvexp2(double *__y, const double *__x, const int *__n);

/// y[i] is e to the power of x[i], minus 1. [any thread]
VDSP_FUNCTION void vvexpm1f(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvexpm1(double *__y, const double *__x, const int *__n);

/// y[i] is the natural logarithm of x[i]. [any thread]
VDSP_FUNCTION void vvlogf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvlog(double *__y, const double *__x, const int *__n);

/// y[i] is the logarithm of x[i] to the base 2. [any thread]
VDSP_FUNCTION void vvlog2f(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvlog2(double *__y, const double *__x, const int *__n);

/// y[i] is the logarithm of x[i] to the base 10. [any thread]
VDSP_FUNCTION void vvlog10f(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvlog10(double *__y, const double *__x, const int *__n);

/// y[i] is the natural logarithm of 1 + x[i]. [any thread]
VDSP_FUNCTION void vvlog1pf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvlog1p(double *__y, const double *__x, const int *__n);

/// y[i] is the exponent of x[i]. [any thread]
VDSP_FUNCTION void vvlogbf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvlogb(double *__y, const double *__x, const int *__n);

/// y[i] is the sine of x[i]. [any thread]
VDSP_FUNCTION void vvsinf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvsin(double *__y, const double *__x, const int *__n);

/// y[i] is the cosine of x[i]. [any thread]
VDSP_FUNCTION void vvcosf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvcos(double *__y, const double *__x, const int *__n);

/// y[i] is the tangent of x[i]. [any thread]
VDSP_FUNCTION void vvtanf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvtan(double *__y, const double *__x, const int *__n);

/// y[i] is the sine of π x[i]. [any thread]
VDSP_FUNCTION void vvsinpif(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvsinpi(double *__y, const double *__x, const int *__n);

/// y[i] is the cosine of π x[i]. [any thread]
VDSP_FUNCTION void vvcospif(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvcospi(double *__y, const double *__x, const int *__n);

/// y[i] is the tangent of π x[i]. [any thread]
VDSP_FUNCTION void vvtanpif(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvtanpi(double *__y, const double *__x, const int *__n);

/// y[i] is the arc sine of x[i]. [any thread]
VDSP_FUNCTION void vvasinf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvasin(double *__y, const double *__x, const int *__n);

/// y[i] is the arc cosine of x[i]. [any thread]
VDSP_FUNCTION void vvacosf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvacos(double *__y, const double *__x, const int *__n);

/// y[i] is the arc tangent of x[i]. [any thread]
VDSP_FUNCTION void vvatanf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvatan(double *__y, const double *__x, const int *__n);

/// y[i] is the hyperbolic sine of x[i]. [any thread]
VDSP_FUNCTION void vvsinhf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvsinh(double *__y, const double *__x, const int *__n);

/// y[i] is the hyperbolic cosine of x[i]. [any thread]
VDSP_FUNCTION void vvcoshf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvcosh(double *__y, const double *__x, const int *__n);

/// y[i] is the hyperbolic tangent of x[i]. [any thread]
VDSP_FUNCTION void vvtanhf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvtanh(double *__y, const double *__x, const int *__n);

/// y[i] is the inverse hyperbolic sine of x[i]. [any thread]
VDSP_FUNCTION void vvasinhf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvasinh(double *__y, const double *__x, const int *__n);

/// y[i] is the inverse hyperbolic cosine of x[i]. [any thread]
VDSP_FUNCTION void vvacoshf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvacosh(double *__y, const double *__x, const int *__n);

/// y[i] is the inverse hyperbolic tangent of x[i]. [any thread]
VDSP_FUNCTION void vvatanhf(float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvatanh(double *__y, const double *__x, const int *__n);

/// z[i] is the angle of the point (x[i], y[i]). [any thread]
VDSP_FUNCTION void vvatan2f(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvatan2(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is y[i] / x[i]. [any thread]
VDSP_FUNCTION void vvdivf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvdiv(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is x[i] to the power of y[i]; the exponents are the second argument. [any thread]
VDSP_FUNCTION void vvpowf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvpow(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is |y[i]| with the sign of x[i]. [any thread]
VDSP_FUNCTION void vvcopysignf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvcopysign(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is the remainder of y[i] / x[i] with the sign of y[i]. [any thread]
VDSP_FUNCTION void vvfmodf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvfmod(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is y[i] minus the multiple of x[i] that is nearest. [any thread]
VDSP_FUNCTION void vvremainderf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvremainder(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is the number next to y[i] in the direction of x[i]. [any thread]
VDSP_FUNCTION void vvnextafterf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvnextafter(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is x[i] to the power of *y: one exponent for all. [any thread]
VDSP_FUNCTION void vvpowsf(float *__z, const float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvpows(double *__z, const double *__y, const double *__x, const int *__n);

/// z[i] is the sine and y[i] the cosine of x[i]; y and z are different memory. [any thread]
VDSP_FUNCTION void vvsincosf(float *__z, float *__y, const float *__x, const int *__n);
VDSP_FUNCTION void vvsincos(double *__z, double *__y, const double *__x, const int *__n);

VDSP_END

#endif
