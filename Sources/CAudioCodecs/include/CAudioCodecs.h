// SPDX-License-Identifier: Apache-2.0
//
// Libraries that read and write sound and what shapes it, opened at run time.
#pragma once
#include "LibAV.h"
#include "SOFA.h"
#include "Synth.h"
