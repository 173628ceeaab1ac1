// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "FiltersTemplate.h"
#include "EachReal.h"
