// SPDX-License-Identifier: Apache-2.0
//
// The kernels that benefit from run-time dispatch. Each has a Swift version in SignalProcessing
// that gives the same bits: the reference in the tests, and the code for processors other than
// x86-64.

#ifndef CKERNELS_H
#define CKERNELS_H

#include "BiquadKernel.h"
#include "ConvolutionKernel.h"
#include "DelayKernel.h"
#include "DitherKernel.h"
#include "DynamicsKernel.h"
#include "HalvingKernel.h"
#include "MixKernel.h"
#include "ResamplingKernel.h"
#include "ReverbKernel.h"
#include "SampleKernel.h"
#include "SineKernel.h"
#include "StretchKernel.h"

#endif
