// SPDX-License-Identifier: Apache-2.0

#ifndef LIBKERN_OS_TYPES_H
#define LIBKERN_OS_TYPES_H

#include <MacTypes.h>

#endif
