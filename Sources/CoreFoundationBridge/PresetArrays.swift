// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CoreFoundation
import Foundation

/// Factory presets in the form of the C API: arrays of pointers to `AUPreset`.
///
/// Hosts keep such pointers. So each preset is allocated once, and lives as long as the process.
final class PresetArrays: Sendable {
  static let shared = PresetArrays()

  private let laidDown = Guarded<[String: UInt]>([:])

  /// A new CFArray that the caller owns.
  func array(of presets: [FactoryPreset]) -> UnsafeRawPointer {
    var pointers = presets.map { UnsafeRawPointer(pointer(to: $0)) as UnsafeRawPointer? }
    // No callbacks, because the values are not objects.
    let array = CFArrayCreate(nil, &pointers, pointers.count, nil)
    return UnsafeRawPointer(Unmanaged.passRetained(array as AnyObject).toOpaque())
  }

  private func pointer(to preset: FactoryPreset) -> UnsafeMutablePointer<AUPreset> {
    laidDown.withLock { laidDown in
      let key = "\(preset.number) \(preset.name)"
      if let known = laidDown[key].flatMap({ UnsafeMutablePointer<AUPreset>(bitPattern: $0) }) {
        return known
      }
      let pointer = UnsafeMutablePointer<AUPreset>.allocate(capacity: 1)
      var value = AUPreset()
      value.presetNumber = preset.number
      value.__presetName = Bridge.current.retainedString(preset.name)
      pointer.initialize(to: value)
      laidDown[key] = UInt(bitPattern: pointer)
      return pointer
    }
  }
}
