// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension ComponentRegistry {
  /// The version of every built-in component: 1.0.0.
  private static let builtInVersion: UInt32 = 0x0001_0000

  /// [control thread] Adds a component of this library.
  package func register(
    _ identity: Identity, _ make: @escaping @Sendable (Component) -> UnitInstance
  ) {
    let maker =
      identity.manufacturer == kAudioUnitManufacturer_Apple ? "Apple" : "swift-audiotoolbox"
    let component = Component(
      AudioComponentDescription(
        componentType: identity.type, componentSubType: identity.subType,
        componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0),
      name: "\(maker): \(identity.name)", version: Self.builtInVersion
    ) { component, _ throws(AudioError) in make(component) }
    // Refused only if a host has already registered the same codes; its component remains.
    _ = try? register(component)
  }
}
