// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "BiquadTemplate.h"
// A limit that keeps sizes far from overflow.
#define MOST_SECTIONS 65536
#include "EachReal.h"
