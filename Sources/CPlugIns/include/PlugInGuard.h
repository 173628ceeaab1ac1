// SPDX-License-Identifier: Apache-2.0
// What a call of a plug-in may change behind a program's back, and must not: the modes of the processor's
// floating-point unit, and the locale.
#pragma once
#include <stdint.h>

#define PLUG_IN_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// The modes of the floating-point unit.
typedef struct FloatingPointModes {
  uint64_t control;
  uint32_t x87;
} FloatingPointModes;

/// The modes of this thread. [any thread]
PLUG_IN_NO_LOCKS static inline FloatingPointModes floating_point_modes(void) {
  FloatingPointModes modes = {0, 0};
#if defined(__x86_64__)
  modes.control = __builtin_ia32_stmxcsr();
  uint16_t word;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  modes.x87 = word;
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(modes.control));
#endif
  return modes;
}

/// Restores the modes, if a call has changed them. [any thread]
PLUG_IN_NO_LOCKS static inline void floating_point_restore(FloatingPointModes modes) {
  FloatingPointModes now = floating_point_modes();
#if defined(__x86_64__)
  // The lowest six bits only report what has happened.
  if ((now.control ^ modes.control) & ~0x3full) __builtin_ia32_ldmxcsr((unsigned)modes.control);
  if (now.x87 != modes.x87) {
    uint16_t word = (uint16_t)modes.x87;
    __asm__ volatile("fldcw %0" : : "m"(word));
  }
#elif defined(__aarch64__)
  if (now.control != modes.control) __asm__ volatile("msr fpcr, %0" : : "r"(modes.control));
#endif
}

/// The name of the program's locale, to be passed to `locale_restore`, which frees it. [control thread]
char *_Nullable locale_name(void);

/// Sets the locale of the program again if it has another name now. [control thread]
void locale_restore(char *_Nullable name);
