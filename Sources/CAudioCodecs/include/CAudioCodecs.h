// SPDX-License-Identifier: Apache-2.0
//
// Libraries for compressed sound, head-related impulse responses and instruments, opened at run
// time.
#pragma once
#include "FLACDecoder.h"
#include "FLACEncoder.h"
#include "LibAV.h"
#include "SOFA.h"
#include "Synth.h"
