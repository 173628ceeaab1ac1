// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "ComplexTemplate.h"
#include "EachReal.h"
