// SPDX-License-Identifier: Apache-2.0
//
// What every kernel's declaration and definition share.

#ifndef KERNEL_ATTRIBUTES_H
#define KERNEL_ATTRIBUTES_H

/// Promises Swift's checker that the function neither locks nor allocates.
#define KERNEL_REAL_TIME __attribute__((swift_attr("@_noLocks")))

#endif
