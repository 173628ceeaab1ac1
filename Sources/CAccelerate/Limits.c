// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "LimitsTemplate.h"
#include "EachReal.h"
