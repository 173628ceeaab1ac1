// SPDX-License-Identifier: Apache-2.0
//
// The attribute of every kernel's declaration.

#ifndef KERNEL_ATTRIBUTES_H
#define KERNEL_ATTRIBUTES_H

/// Tells Swift's checker that the function neither locks nor allocates.
#define KERNEL_REAL_TIME __attribute__((swift_attr("@_noLocks")))

#endif
