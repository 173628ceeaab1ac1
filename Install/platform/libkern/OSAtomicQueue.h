// SPDX-License-Identifier: Apache-2.0

#ifndef LIBKERN_OS_ATOMIC_QUEUE_H
#define LIBKERN_OS_ATOMIC_QUEUE_H

#include "OSAtomic.h"

#endif
