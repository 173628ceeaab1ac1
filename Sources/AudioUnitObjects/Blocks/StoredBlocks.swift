// SPDX-License-Identifier: Apache-2.0

// Blocks in memory that render threads read. A block that is itself the value of a generic type, such
// as a pointer's, is wrapped again whenever it is read, on the heap; inside a structure it is not.

struct StoredRenderBlock {
  let call: AURenderBlock
}

struct StoredInternalBlock {
  let call: AUInternalRenderBlock
}

struct StoredPullBlock {
  let call: AURenderPullInputBlock?
}

struct StoredObserver {
  let call: AURenderObserver
}
