// SPDX-License-Identifier: Apache-2.0
//
// The kernels that benefit from run-time dispatch. They compile for every processor: on others than
// x86-64, one version is all there is. The tests compare each with plain Swift, to the bit.

#ifndef CKERNELS_H
#define CKERNELS_H

#include "BiquadKernel.h"
#include "ConvolutionKernel.h"
#include "DelayKernel.h"
#include "DitherKernel.h"
#include "DynamicsKernel.h"
#include "HalvingKernel.h"
#include "HistoryMemory.h"
#include "MixKernel.h"
#include "ResamplingKernel.h"
#include "ReverbKernel.h"
#include "SampleKernel.h"
#include "ShapingKernel.h"
#include "SineKernel.h"
#include "StretchKernel.h"

#endif
