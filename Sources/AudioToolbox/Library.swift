// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import BuiltInUnits
import CoreFoundationBridge
import OutputUnits

/// What has to stand before the first component is looked for.
enum Library {
  /// Registers the built-in components and installs the bridge to Core Foundation, once.
  static let start: Void = {
    CoreFoundationBridge.install
    OutputCatalogue.register(in: .shared)
    Catalogue.register(in: .shared)
  }()
}
