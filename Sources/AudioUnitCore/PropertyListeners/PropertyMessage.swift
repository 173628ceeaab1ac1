// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Reports that a global property of a unit changed while it rendered.
struct PropertyMessage: BitwiseCopyable {
  /// The unit's handle.
  let handle: UInt
  let property: AudioUnitPropertyID

  @_noLocks
  init(_ handle: UInt, _ property: AudioUnitPropertyID) {
    self.handle = handle
    self.property = property
  }
}
