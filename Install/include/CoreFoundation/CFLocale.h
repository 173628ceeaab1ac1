// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_LOCALE_H
#define CORE_FOUNDATION_LOCALE_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

CFLocaleRef CFLocaleCopyCurrent(void);

CF_EXTERN_C_END

#endif
