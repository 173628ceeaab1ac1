// SPDX-License-Identifier: Apache-2.0

#ifndef SYS_SYSCTL_H
#define SYS_SYSCTL_H

// What audio programs ask of the machine by these calls: processors, memory, pages, model.

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

#define CTL_KERN 1
#define CTL_HW 6
#define KERN_OSTYPE 1
#define KERN_OSRELEASE 2
#define HW_MACHINE 1
#define HW_NCPU 3
#define HW_PAGESIZE 7
#define HW_MEMSIZE 24
#define HW_AVAILCPU 25

/// Hands out a value, or its size when there is no place for it.
static __inline__ int sysctl_give(const void *value, size_t size, void *place, size_t *placeSize) {
  if (!placeSize) return 0;
  if (place) {
    if (*placeSize < size) {
      errno = ENOMEM;
      return -1;
    }
    memcpy(place, value, size);
  }
  *placeSize = size;
  return 0;
}

/// Hands out a number in as many bytes as there is place for: four or eight.
static __inline__ int sysctl_give_number(int64_t number, void *place, size_t *size) {
  const int32_t small_number = (int32_t)number;
  if (size && place && *size >= sizeof number) {
    return sysctl_give(&number, sizeof number, place, size);
  }
  return sysctl_give(&small_number, sizeof small_number, place, size);
}

/// A value by its name; nothing can be written. ENOENT for names that are not known. [control thread]
static __inline__ int sysctlbyname(const char *name, void *place, size_t *size, void *newValue,
                                   size_t newSize) {
  struct utsname system;
  (void)newSize;
  if (newValue) {
    errno = EPERM;
    return -1;
  }
  if (!strcmp(name, "hw.ncpu") || !strcmp(name, "hw.logicalcpu") || !strcmp(name, "hw.activecpu")
      || !strcmp(name, "hw.physicalcpu") || !strcmp(name, "hw.availcpu")) {
    return sysctl_give_number(sysconf(_SC_NPROCESSORS_ONLN), place, size);
  }
  if (!strcmp(name, "hw.pagesize")) {
    return sysctl_give_number(sysconf(_SC_PAGESIZE), place, size);
  }
  if (!strcmp(name, "hw.memsize")) {
    const int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return sysctl_give(&bytes, sizeof bytes, place, size);
  }
  if (uname(&system) == 0) {
    const char *text = !strcmp(name, "kern.ostype")                                 ? system.sysname
                       : !strcmp(name, "kern.osrelease")                            ? system.release
                       : !strcmp(name, "hw.machine") || !strcmp(name, "hw.model") ? system.machine
                                                                                   : NULL;
    if (text) return sysctl_give(text, strlen(text) + 1, place, size);
  }
  errno = ENOENT;
  return -1;
}

/// As sysctlbyname, by numbers. [control thread]
static __inline__ int sysctl(const int *name, unsigned int count, void *place, size_t *size,
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
  return sysctlbyname(text, place, size, NULL, 0);
}

#ifdef __cplusplus
}
#endif

#endif
