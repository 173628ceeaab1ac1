// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_DATE_H
#define CORE_FOUNDATION_DATE_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// Seconds.
typedef double CFTimeInterval;
/// Seconds since the start of the year 2001, UTC.
typedef CFTimeInterval CFAbsoluteTime;
CFAbsoluteTime CFAbsoluteTimeGetCurrent(void);

CF_EXTERN_C_END

#endif
