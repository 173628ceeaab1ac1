// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import BuiltInUnits

/// What has to stand before the first component is looked for.
enum Library {
  /// Registers the built-in components and installs the bridge to Core Foundation, once.
  static let start: Void = {
    Bridge.current = CoreFoundationBridge()
    Catalogue.register(in: .shared)
  }()
}
