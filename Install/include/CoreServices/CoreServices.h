// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_SERVICES_H
#define CORE_SERVICES_H

// The part of this umbrella header that audio programs use.

#include "../AssertMacros.h"
#include "../AvailabilityMacros.h"
#include "../CarbonCore/Components.h"
#include "../CarbonCore/DriverServices.h"
#include "../CarbonCore/Endian.h"
#include "../CarbonCore/Files.h"
#include "../CarbonCore/MacErrors.h"
#include "../CarbonCore/MacMemory.h"
#include "../CoreFoundation/CoreFoundation.h"
#include "../MacTypes.h"

#endif
