// SPDX-License-Identifier: Apache-2.0

#ifndef SYS_SYSCTL_H
#define SYS_SYSCTL_H

// The properties of the machine that audio programs read: processors, memory, page size, model.

#include <CoreFoundation/CFSystemNames.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The first number of what is known about the kernel.
#define CTL_KERN 1
/// The first number of what is known about the machine.
#define CTL_HW 6
/// After CTL_KERN, the name of the system, a text: kern.ostype.
#define KERN_OSTYPE 1
/// After CTL_KERN, the version of the kernel, a text: kern.osrelease.
#define KERN_OSRELEASE 2
/// After CTL_HW, the kind of the machine, a text: hw.machine.
#define HW_MACHINE 1
/// After CTL_HW, the number of processors, four or eight bytes: hw.ncpu.
#define HW_NCPU 3
/// After CTL_HW, the size of a page in bytes, four or eight bytes: hw.pagesize.
#define HW_PAGESIZE 7
/// After CTL_HW, the size of the memory in bytes, eight bytes: hw.memsize.
#define HW_MEMSIZE 24
/// After CTL_HW, the number of processors that programs may use: hw.availcpu.
#define HW_AVAILCPU 25

/// Copies a value to memory, or returns its size if there is no memory.
static __inline__ int sysctl_copy_value(const void *value, size_t size, void *memory,
                                        size_t *memorySize) {
  if (!memorySize) return 0;
  if (memory) {
    if (*memorySize < size) {
      errno = ENOMEM;
      return -1;
    }
    memcpy(memory, value, size);
  }
  *memorySize = size;
  return 0;
}

/// Copies a number to four or eight bytes, depending on the size of the memory.
static __inline__ int sysctl_copy_number(int64_t number, void *memory, size_t *size) {
  const int32_t small_number = (int32_t)number;
  if (size && memory && *size >= sizeof number) {
    return sysctl_copy_value(&number, sizeof number, memory, size);
  }
  return sysctl_copy_value(&small_number, sizeof small_number, memory, size);
}

/// Reads a value by its name; values cannot be set. ENOENT for unknown names. [control thread]
static __inline__ int sysctlbyname(const char *name, void *memory, size_t *size, void *newValue,
                                   size_t newSize) {
  struct utsname system;
  (void)newSize;
  if (newValue) {
    errno = EPERM;
    return -1;
  }
  if (!strcmp(name, "hw.ncpu") || !strcmp(name, "hw.logicalcpu") || !strcmp(name, "hw.activecpu")
      || !strcmp(name, "hw.physicalcpu") || !strcmp(name, "hw.availcpu")) {
    return sysctl_copy_number(sysconf(_SC_NPROCESSORS_ONLN), memory, size);
  }
  if (!strcmp(name, "hw.pagesize")) {
    return sysctl_copy_number(sysconf(_SC_PAGESIZE), memory, size);
  }
  if (!strcmp(name, "hw.memsize")) {
    const int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return sysctl_copy_value(&bytes, sizeof bytes, memory, size);
  }
  if (uname(&system) == 0) {
    const char *text = !strcmp(name, "kern.ostype")                                 ? system.sysname
                       : !strcmp(name, "kern.osrelease")                            ? system.release
                       : !strcmp(name, "hw.machine") || !strcmp(name, "hw.model") ? system.machine
                                                                                   : NULL;
    if (text) return sysctl_copy_value(text, strlen(text) + 1, memory, size);
  }
  errno = ENOENT;
  return -1;
}

/// Like sysctlbyname, with numbers. [control thread]
static __inline__ int sysctl(const int *name, unsigned int count, void *memory, size_t *size,
                             const void *newValue, size_t newSize) {
  const char *text = NULL;
  (void)newSize;
  if (count == 2 && name[0] == CTL_HW) {
    switch (name[1]) {
      case HW_NCPU:
      case HW_AVAILCPU: text = "hw.ncpu"; break;
      case HW_PAGESIZE: text = "hw.pagesize"; break;
      case HW_MEMSIZE: text = "hw.memsize"; break;
      case HW_MACHINE: text = "hw.machine"; break;
      default: break;
    }
  } else if (count == 2 && name[0] == CTL_KERN) {
    text = name[1] == KERN_OSTYPE      ? "kern.ostype"
           : name[1] == KERN_OSRELEASE ? "kern.osrelease"
                                       : NULL;
  }
  if (newValue || !text) {
    errno = newValue ? EPERM : ENOENT;
    return -1;
  }
  return sysctlbyname(text, memory, size, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif
