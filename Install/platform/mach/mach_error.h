// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_ERROR_H
#define MACH_MACH_ERROR_H

#include <stdio.h>

#include "kern_return.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A status code, as the functions of this header take it.
typedef kern_return_t mach_error_t;

/// The text of a status code. [any thread]
static __inline__ const char *mach_error_string(mach_error_t result) {
  switch (result) {
    case KERN_SUCCESS: return "(os/kern) successful";
    case KERN_PROTECTION_FAILURE: return "(os/kern) not permitted";
    case KERN_INVALID_ARGUMENT: return "(os/kern) invalid argument";
    case KERN_RESOURCE_SHORTAGE: return "(os/kern) no memory";
    case KERN_NOT_SUPPORTED: return "(os/kern) not supported";
    case KERN_OPERATION_TIMED_OUT: return "(os/kern) timed out";
    default: return "(os/kern) failure";
  }
}

/// Prints a text and the text of a status code to standard error. [control thread]
static __inline__ void mach_error(const char *text, mach_error_t result) {
  fprintf(stderr, "%s %s\n", text, mach_error_string(result));
}

#ifdef __cplusplus
}
#endif

#endif
