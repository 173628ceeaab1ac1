// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_UMBRELLA_H
#define CARBON_UMBRELLA_H

// Audio programs include this umbrella header for CoreServices. It has no windows and events.
#include "../CoreServices/CoreServices.h"

#endif
