// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// Descriptions and set-ups as parts of messages: the members of each type, in one order.

extension RemoteMessage {
  mutating func pass(_ plugIn: inout PlugInDescription) {
    pass(&plugIn.format)
    pass(&plugIn.identifier)
    pass(&plugIn.path)
    pass(&plugIn.name)
    pass(&plugIn.maker)
    pass(&plugIn.version)
    pass(&plugIn.kind)
    pass(&plugIn.inputs, empty: PlugInBus("", [])) { $0.pass(&$1) }
    pass(&plugIn.outputs, empty: PlugInBus("", [])) { $0.pass(&$1) }
    pass(&plugIn.acceptsMIDI)
    pass(&plugIn.sendsMIDI)
    pass(&plugIn.parameters, empty: PlugInParameter(0, port: 0, name: "")) { $0.pass(&$1) }
    pass(&plugIn.presets, empty: PlugInPreset("", "", [:])) { $0.pass(&$1) }
    let port = PlugInEventPort(
      port: 0, isInput: false, hasMIDI: false, hasPosition: false, bytes: 0)
    pass(&plugIn.eventPorts, empty: port) { $0.pass(&$1) }
    pass(&plugIn.latencyFrames, empty: 0) { $0.pass(&$1) }
    pass(&plugIn.features)
    pass(&plugIn.ownCodes, empty: PlugInCodes(type: 0, subType: 0, manufacturer: 0)) {
      $0.pass(&$1)
    }
    pass(&plugIn.refusals)
  }

  mutating func pass(_ bus: inout PlugInBus) {
    pass(&bus.name)
    pass(&bus.ports, empty: 0) { $0.pass(&$1) }
    pass(&bus.role)
  }

  mutating func pass(_ parameter: inout PlugInParameter) {
    pass(&parameter.id)
    pass(&parameter.port)
    pass(&parameter.symbol, empty: "") { $0.pass(&$1) }
    pass(&parameter.name)
    pass(&parameter.unit)
    pass(&parameter.unitName, empty: "") { $0.pass(&$1) }
    pass(&parameter.minimum)
    pass(&parameter.maximum)
    pass(&parameter.defaultValue)
    pass(&parameter.isInRates)
    pass(&parameter.defaultIsInRates)
    pass(&parameter.acceptsBelow)
    pass(&parameter.acceptsAbove)
    pass(&parameter.isInteger)
    pass(&parameter.isReadOnly)
    pass(&parameter.isLogarithmic)
    pass(&parameter.isHidden)
    pass(&parameter.isNotForRenders)
    pass(&parameter.purpose)
    pass(&parameter.points, empty: PlugInParameter.Point(value: 0, name: "")) {
      $0.pass(&$1.value)
      $0.pass(&$1.name)
    }
    pass(&parameter.hasTexts)
    pass(&parameter.group, empty: "") { $0.pass(&$1) }
  }

  mutating func pass(_ preset: inout PlugInPreset) {
    pass(&preset.name)
    pass(&preset.identifier)
    var values = preset.values.sorted { $0.key < $1.key }
    pass(&values, empty: (key: 0, value: 0)) {
      $0.pass(&$1.key)
      $0.pass(&$1.value)
    }
    preset.values = Dictionary(values.map { ($0.key, $0.value) }) { $1 }
  }

  mutating func pass(_ port: inout PlugInEventPort) {
    pass(&port.port)
    pass(&port.isInput)
    pass(&port.hasMIDI)
    pass(&port.hasPosition)
    pass(&port.bytes)
  }

  mutating func pass(_ codes: inout PlugInCodes) {
    pass(&codes.type)
    pass(&codes.subType)
    pass(&codes.manufacturer)
  }

  /// All but the requests, which have another way.
  mutating func pass(_ setup: inout InstanceSetup) {
    pass(&setup.sampleRate)
    pass(&setup.maximumFrames)
    pass(&setup.controls)
    pass(&setup.state, empty: []) { $0.pass(&$1) }
    pass(&setup.isOffline)
    pass(&setup.latencyFrames)
  }
}
