// SPDX-License-Identifier: Apache-2.0
//
// vDSP: signal processing on arrays of numbers. The names of arguments begin with two underscores,
// so that a program may have macros such as N, or I of <complex.h>; the texts leave them out.

#ifndef VECLIB_VDSP_H
#define VECLIB_VDSP_H

#include "vDSPArithmetic.h"
#include "vDSPBiquad.h"
#include "vDSPComplex.h"
#include "vDSPConversion.h"
#include "vDSPFilters.h"
#include "vDSPGeneration.h"
#include "vDSPLimits.h"
#include "vDSPReductions.h"
#include "vDSPTransforms.h"
#include "vDSPTypes.h"

#endif
