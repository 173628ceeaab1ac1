// SPDX-License-Identifier: Apache-2.0
//
// Compiles a kernel for each processor generation, and chooses a version when the program starts.

#ifndef KERNEL_DISPATCH_H
#define KERNEL_DISPATCH_H

// The choice needs glibc's indirect functions. Elsewhere there is one version, for the baseline
// processor. KERNEL_BASELINE is for measuring the benefit of dispatch. With sanitizers there is no
// dispatch: it would run, with their calls inside, before their runtime is loaded.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define KERNEL_BASELINE 1
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(KERNEL_BASELINE)
#define KERNEL_HAS_DISPATCH 1
#define KERNEL_DISPATCHED \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL_DISPATCHED
#endif

// Multiply and add stay two rounded operations, so that every processor and the plain Swift of the
// tests give the same bits. That costs a fifth of the sine's speed and nothing in the resampler.
#pragma clang fp contract(off)

#endif
