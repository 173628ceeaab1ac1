// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio

/// What a node refers to: its parent, and the functions of the program. It never changes; a node
/// publishes another one.
final class NodeLinks: Publishable, @unchecked Sendable {
  /// The parts, for making links that differ in one of them.
  struct Parts {
    var parent: NodeCore?
    var valueObserver: AUImplementorValueObserver?
    var valueProvider: AUImplementorValueProvider?
    var stringFromValue: AUImplementorStringFromValueCallback?
    var valueFromString: AUImplementorValueFromStringCallback?
    var displayName: AUImplementorDisplayNameWithLengthCallback?
  }

  let parts: Parts

  init(_ parts: Parts) { self.parts = parts }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Does nothing: the links end with their last reference.
  func deallocate() {}
}
