// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "ReductionsTemplate.h"
#include "EachReal.h"
