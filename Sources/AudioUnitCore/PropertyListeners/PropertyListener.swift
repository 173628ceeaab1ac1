// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox

/// A host's function that is called when a property of a unit has changed.
public struct PropertyListener: @unchecked Sendable {
  public var function: AudioUnitPropertyListenerProc
  public var userData: UnsafeMutableRawPointer?
  /// Whether removing it waits for a running call; false for our own functions, which handle that
  /// themselves.
  let isAwaited: Bool

  public init(
    _ function: @escaping AudioUnitPropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
    isAwaited: Bool = true
  ) {
    self.function = function
    self.userData = userData
    self.isAwaited = isAwaited
  }

  /// Whether both have the same function and, with `matchingUserData`, the same data.
  func isSame(_ other: PropertyListener, matchingUserData: Bool) -> Bool {
    unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other.function, to: UInt.self)
      && (!matchingUserData || userData == other.userData)
  }

  /// Calls the host's function.
  func call(_ unit: AudioUnit, _ address: PropertyAddress) {
    // The context may be null, if the host passed null.
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, AudioUnit, AudioUnitPropertyID, AudioUnitScope, AudioUnitElement
      ) -> Void
    unsafeBitCast(function, to: Function.self)(
      userData, unit, address.id, address.scope, address.element)
  }
}
