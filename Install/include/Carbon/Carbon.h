// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_UMBRELLA_H
#define CARBON_UMBRELLA_H

// Audio programs include this umbrella for what CoreServices has; windows and events are not here.
#include "../CoreServices/CoreServices.h"

#endif
