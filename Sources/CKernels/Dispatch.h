// SPDX-License-Identifier: Apache-2.0
//
// How a kernel is compiled for each generation of processor, and chosen when the program starts.

#ifndef KERNEL_DISPATCH_H
#define KERNEL_DISPATCH_H

// The choice needs glibc's indirect functions. Elsewhere the one version is the processor's
// baseline. KERNEL_BASELINE is for measuring what the choice earns. The choice is made before a
// sanitizer's runtime is there, whose calls it would contain.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define KERNEL_BASELINE 1
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(KERNEL_BASELINE)
#define KERNEL_DISPATCHED \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL_DISPATCHED
#endif

// Multiply and add stay two rounded operations: every processor, and the Swift twin, then give the
// same bits. It costs a fifth of the sine's speed and nothing of the resampler's.
#pragma clang fp contract(off)

#endif
