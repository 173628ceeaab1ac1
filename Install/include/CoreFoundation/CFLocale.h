// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_LOCALE_H
#define CORE_FOUNDATION_LOCALE_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// The user's language and region, which the caller releases.
CFLocaleRef CFLocaleCopyCurrent(void);

CF_EXTERN_C_END

#endif
