// SPDX-License-Identifier: Apache-2.0
//
// The parts of Accelerate that audio programs use: vDSP and vForce.

#ifndef ACCELERATE_H
#define ACCELERATE_H

#include "../vecLib/vecLib.h"

#endif
