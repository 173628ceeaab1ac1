// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_MAC_MEMORY_H
#define CARBON_CORE_MAC_MEMORY_H

// Handles, in which older functions return text: pointers to a pointer, with the size stored beside
// it. Blocks do not move until they are resized.

#include "../MacTypes.h"

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The block to which a handle points.
struct CarbonBlock {
  /// The first byte.
  Ptr start;
  /// In bytes.
  Size size;
};

/// Allocates a block of zeros; null if there is no memory. [control thread]
static __inline__ Handle NewHandleClear(Size byteCount) {
  struct CarbonBlock *block = (struct CarbonBlock *)malloc(sizeof *block);
  if (!block) return NULL;
  block->start = (Ptr)calloc(1, byteCount > 0 ? (size_t)byteCount : 1);
  block->size = byteCount;
  if (!block->start) {
    free(block);
    return NULL;
  }
  return &block->start;
}

/// As NewHandleClear. [control thread]
static __inline__ Handle NewHandle(Size byteCount) { return NewHandleClear(byteCount); }

/// Frees a block. [control thread]
static __inline__ void DisposeHandle(Handle handle) {
  if (!handle) return;
  free(*handle);
  free((struct CarbonBlock *)handle);
}

/// The size of a block in bytes. [any thread]
static __inline__ Size GetHandleSize(Handle handle) {
  return handle ? ((struct CarbonBlock *)handle)->size : 0;
}

/// Resizes a block; leaves it unchanged if there is no memory. [control thread]
static __inline__ void SetHandleSize(Handle handle, Size byteCount) {
  Ptr start = (Ptr)realloc(*handle, byteCount > 0 ? (size_t)byteCount : 1);
  if (!start) return;
  *handle = start;
  ((struct CarbonBlock *)handle)->size = byteCount;
}

/// Does nothing, because blocks do not move by themselves.
static __inline__ void HLock(Handle handle) { (void)handle; }
static __inline__ void HUnlock(Handle handle) { (void)handle; }

/// Allocates memory that does not move. [control thread]
static __inline__ Ptr NewPtr(Size byteCount) { return (Ptr)malloc((size_t)byteCount); }
static __inline__ Ptr NewPtrClear(Size byteCount) { return (Ptr)calloc(1, (size_t)byteCount); }
static __inline__ void DisposePtr(Ptr pointer) { free(pointer); }

#ifdef __cplusplus
}
#endif

#endif
