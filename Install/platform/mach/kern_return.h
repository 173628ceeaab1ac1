// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_KERN_RETURN_H
#define MACH_KERN_RETURN_H

/// Status codes of the functions in <mach/…>.
typedef int kern_return_t;

/// The function has succeeded.
#define KERN_SUCCESS 0
/// An address is not one of this process.
#define KERN_INVALID_ADDRESS 1
/// The user has no permission.
#define KERN_PROTECTION_FAILURE 2
/// There are no free addresses.
#define KERN_NO_SPACE 3
/// An argument is invalid.
#define KERN_INVALID_ARGUMENT 4
/// The function has failed for another reason.
#define KERN_FAILURE 5
/// There is no memory.
#define KERN_RESOURCE_SHORTAGE 6
/// A wait was ended early.
#define KERN_ABORTED 14
/// What was waited for does not exist any more.
#define KERN_TERMINATED 37
/// The function cannot do that here.
#define KERN_NOT_SUPPORTED 46
/// The time is over.
#define KERN_OPERATION_TIMED_OUT 49

#endif
