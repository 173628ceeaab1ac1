// SPDX-License-Identifier: Apache-2.0

#ifndef VECLIB_H
#define VECLIB_H

#include "vDSP.h"
#include "vForce.h"

#endif
