// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns

/// States of LV2 plug-ins: what a preset contains, and what an instance saves as text.
struct LV2State {
  private let world: LilvWorldBox

  init(_ world: LilvWorldBox) { self.world = world }

  /// The values of the parameters of a preset.
  func values(ofPreset preset: OpaquePointer) -> [UInt32: Float] {
    let state = world.lilv.lilv_state_new_from_world(world.world, lv2_map_feature(), preset)
    guard let state else { return [:] }
    defer { world.lilv.lilv_state_free(state) }
    let values = PortValues()
    world.lilv.lilv_state_emit_port_values(state, PortValues.set, values.context)
    return values.values
  }

  /// What a preset contains in addition to values, as text; nil if that is nothing.
  func text(ofPreset preset: OpaquePointer) -> String? {
    let state = world.lilv.lilv_state_new_from_world(world.world, lv2_map_feature(), preset)
    guard let state else { return nil }
    defer { world.lilv.lilv_state_free(state) }
    return text(state)
  }

  /// What an instance saves in addition to values, as text; nil if that is nothing.
  func text(of instance: UnsafeMutablePointer<LilvInstance>, _ plugIn: OpaquePointer) -> String? {
    // Plain data that can be moved to other machines.
    let portable: UInt32 = 1 | 2
    let state = world.lilv.lilv_state_new_from_instance(
      plugIn, instance, lv2_map_feature(), nil, nil, nil, nil, nil, nil, portable, nil)
    guard let state else { return nil }
    defer { world.lilv.lilv_state_free(state) }
    return text(state)
  }

  private func text(_ state: OpaquePointer) -> String? {
    guard world.lilv.lilv_state_get_num_properties(state) > 0 else { return nil }
    let text = world.lilv.lilv_state_to_string(
      world.world, lv2_map_feature(), lv2_unmap_feature(), state, "urn:state", nil)
    guard let text else { return nil }
    defer { world.lilv.lilv_free(text) }
    return String(cString: text)
  }

  /// Whether a text can be read.
  func canRead(_ text: String) -> Bool {
    let state = world.lilv.lilv_state_new_from_string(world.world, lv2_map_feature(), text)
    guard let state else { return false }
    world.lilv.lilv_state_free(state)
    return true
  }

  /// Restores a text; false if it cannot be read.
  func restore(_ text: String, to instance: UnsafeMutablePointer<LilvInstance>) -> Bool {
    let state = world.lilv.lilv_state_new_from_string(world.world, lv2_map_feature(), text)
    guard let state else { return false }
    defer { world.lilv.lilv_state_free(state) }
    world.lilv.lilv_state_restore(state, instance, nil, nil, 0, nil)
    return true
  }
}

/// Receives the values of ports from lilv.
private final class PortValues {
  var values: [UInt32: Float] = [:]

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let set: LilvSetPortValue = { symbol, context, value, size, type in
    guard let symbol, let context, let value, let type = lv2_unmap(type) else { return }
    let receiver = Unmanaged<PortValues>.fromOpaque(context).takeUnretainedValue()
    let kind = String(cString: type).split(separator: "#").last
    let number: Float? =
      switch (kind, size) {
      case ("Float", 4): value.loadUnaligned(as: Float.self)
      case ("Double", 8): Float(value.loadUnaligned(as: Double.self))
      case ("Int", 4), ("Bool", 4): Float(value.loadUnaligned(as: Int32.self))
      case ("Long", 8): Float(value.loadUnaligned(as: Int64.self))
      default: nil
      }
    guard let number, number.isFinite else { return }
    receiver.values[PlugInDescription.hash32(String(cString: symbol).utf8)] = number
  }
}
