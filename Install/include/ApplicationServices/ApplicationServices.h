// SPDX-License-Identifier: Apache-2.0

#ifndef APPLICATION_SERVICES_UMBRELLA_H
#define APPLICATION_SERVICES_UMBRELLA_H

// Audio programs include this umbrella header for CoreServices. It has no windows and events.
#include "../CoreServices/CoreServices.h"

#endif
