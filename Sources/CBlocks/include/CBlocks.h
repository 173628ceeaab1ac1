// SPDX-License-Identifier: Apache-2.0
// The blocks of C programs (clang's -fblocks), which a function gets as pointers. They are on the stack
// until they are copied, and Swift, which retains them, ignores where the copy is.
//
//   let heap = block_copy(pointer)
//   defer { block_release(heap) }
//   let block = unsafeBitCast(heap, to: (@convention(block) (Int32) -> Void).self)
#pragma once

/// [control thread] The block on the heap, to be released.
const void *_Nonnull block_copy(const void *_Nonnull block);

/// [control thread] Releases a block.
void block_release(const void *_Nonnull block);
