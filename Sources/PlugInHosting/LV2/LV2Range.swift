// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Range, default, unit and named values of an LV2 control.
struct LV2Range {
  private let world: LilvWorldBox
  private let plugIn: OpaquePointer
  private let port: OpaquePointer

  init(_ world: LilvWorldBox, _ plugIn: OpaquePointer, _ port: OpaquePointer) {
    self.world = world
    self.plugIn = plugIn
    self.port = port
  }

  private func has(_ property: String) -> Bool {
    world.lilv.lilv_port_has_property(plugIn, port, world.uri(property))
  }

  /// Sets them.
  func apply(to parameter: inout PlugInParameter) {
    let (value, lowest, highest) = bounds()
    (parameter.acceptsBelow, parameter.acceptsAbove) = (lowest == nil, highest == nil)
    parameter.isInRates = has(LV2Terms.core + "sampleRate") && (lowest != nil || highest != nil)
    let around = parameter.isInRates ? 0 : value ?? 0
    var low = lowest ?? min(0, around, highest.map { $0 - 1 } ?? 0)
    var high = highest ?? max(1, around, low + 1)
    if low > high { (low, high) = (high, low) }
    (parameter.minimum, parameter.maximum) = (low, high)
    parameter.defaultValue = value ?? min(max(0, low), high)
    // Some give the default in Hz.
    parameter.defaultIsInRates =
      parameter.isInRates && (low...high).contains(parameter.defaultValue)
    parameter.isInteger = has(LV2Terms.core + "integer")
    parameter.isLogarithmic = has(LV2Terms.properties + "logarithmic") && low > 0
    setUnit(&parameter)
    if has(LV2Terms.core + "toggled") {
      parameter.unit = AudioUnitParameterUnit.boolean.rawValue
      (parameter.minimum, parameter.maximum) = (min(low, 0), max(high, 1))
      (parameter.acceptsBelow, parameter.acceptsAbove) = (false, false)
    }
    parameter.points = points(low, high)
  }

  private func bounds() -> (value: Float?, lowest: Float?, highest: Float?) {
    var (value, lowest, highest): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    world.lilv.lilv_port_get_range(plugIn, port, &value, &lowest, &highest)
    defer { for node in [value, lowest, highest] { world.lilv.lilv_node_free(node) } }
    func finite(_ node: OpaquePointer?) -> Float? {
      world.number(node).flatMap { $0.isFinite ? $0 : nil }
    }
    return (finite(value), finite(lowest), finite(highest))
  }

  private func setUnit(_ parameter: inout PlugInParameter) {
    let node = world.lilv.lilv_port_get(plugIn, port, world.uri(LV2Terms.units + "unit"))
    defer { world.lilv.lilv_node_free(node) }
    guard let node else { return }
    let known = world.lilv.lilv_node_is_uri(node) ? world.text(node).flatMap(LV2Terms.unit) : nil
    if let known {
      (parameter.unit, parameter.unitName) = (known.unit.rawValue, known.name)
    } else if let symbol = world.text(of: node, LV2Terms.units + "symbol") {
      parameter.unit = AudioUnitParameterUnit.customUnit.rawValue
      parameter.unitName = symbol
    }
  }

  /// The named values within the range, in ascending order.
  private func points(_ low: Float, _ high: Float) -> [PlugInParameter.Point] {
    let lilv = world.lilv
    guard let list = lilv.lilv_port_get_scale_points(plugIn, port) else { return [] }
    defer { lilv.lilv_scale_points_free(list) }
    var found: [PlugInParameter.Point] = []
    var position = lilv.lilv_scale_points_begin(list)
    while !lilv.lilv_scale_points_is_end(list, position) {
      let point = lilv.lilv_scale_points_get(list, position)
      if let value = world.number(lilv.lilv_scale_point_get_value(point)),
        let name = world.text(lilv.lilv_scale_point_get_label(point)), low...high ~= value,
        !found.contains(where: { $0.value == value })
      {
        found.append(PlugInParameter.Point(value: value, name: name))
      }
      position = lilv.lilv_scale_points_next(list, position)
    }
    return found.sorted { $0.value < $1.value }
  }
}
