// SPDX-License-Identifier: Apache-2.0

#ifndef APPLICATION_SERVICES_UMBRELLA_H
#define APPLICATION_SERVICES_UMBRELLA_H

// Audio programs include this umbrella for what CoreServices has; windows and events are not here.
#include "../CoreServices/CoreServices.h"

#endif
