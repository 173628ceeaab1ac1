// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_H
#define CORE_FOUNDATION_H

// The part of CoreFoundation that audio programs use, for C and C++ programs that link with the
// installed library. The functions are those of the open-source CoreFoundation, which the library
// contains; types and values have the same layout. Swift uses the toolchain's headers.

#include "CFSystemNames.h"

// Programs expect these from the umbrella header.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "CFArray.h"
#include "CFBase.h"
#include "CFBundle.h"
#include "CFByteOrder.h"
#include "CFData.h"
#include "CFDate.h"
#include "CFDictionary.h"
#include "CFError.h"
#include "CFLocale.h"
#include "CFNumber.h"
#include "CFNumberFormatter.h"
#include "CFPropertyList.h"
#include "CFRunLoop.h"
#include "CFString.h"
#include "CFURL.h"
#include "CFURLAccess.h"
#include "CFUUID.h"

#endif
