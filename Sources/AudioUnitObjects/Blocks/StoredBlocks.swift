// SPDX-License-Identifier: Apache-2.0

// Blocks in memory that render threads read. A block that is itself the value of a generic type, such
// as a pointer's, is wrapped again whenever it is read, on the heap; inside a structure it is not.

/// A block that renders a unit.
struct StoredRenderBlock {
  let call: AURenderBlock
}

/// A block of a subclass that renders with its events.
struct StoredInternalBlock {
  let call: AUInternalRenderBlock
}

/// A block that gets a unit's input; nil if there is none.
struct StoredPullBlock {
  let call: AURenderPullInputBlock?
}

/// A block that is called before and after a render.
struct StoredObserver {
  let call: AURenderObserver
}
