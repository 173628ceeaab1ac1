// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import CoreAudio
import Foundation

/// The properties of units by their names.
enum UnitKeys {
  /// A property: its names, the first of which observers use.
  private struct Row {
    let names: [String]
    let path: PartialKeyPath<AUAudioUnit>
    let read: (AUAudioUnit) -> Any?
    /// Sets it; false if the value has another type. Nil if it cannot be set.
    var write: ((AUAudioUnit, Any?) -> Bool)?
  }

  // MARK: Kinds of properties

  private static func value<Value>(_ path: KeyPath<AUAudioUnit, Value>, _ names: String...) -> Row {
    Row(names: names, path: path, read: { $0[keyPath: path] })
  }

  private static func optional<Value>(
    _ path: KeyPath<AUAudioUnit, Value?>, _ names: String...
  ) -> Row {
    Row(names: names, path: path, read: { $0[keyPath: path] })
  }

  /// An optional property that can be set.
  private static func object<Value>(
    _ path: ReferenceWritableKeyPath<AUAudioUnit, Value?>, _ names: String...
  ) -> Row {
    Row(names: names, path: path, read: { $0[keyPath: path] }) { unit, new in
      let typed = new as? Value
      guard typed != nil || new == nil else { return false }
      unit[keyPath: path] = typed
      return true
    }
  }

  /// A number that can be set.
  private static func number<Value>(
    _ path: ReferenceWritableKeyPath<AUAudioUnit, Value>, _ names: String...,
    from convert: @escaping (NSNumber) -> Value
  ) -> Row {
    Row(names: names, path: path, read: { $0[keyPath: path] }) { unit, new in
      guard let number = KeyedNumber.of(new) else { return false }
      unit[keyPath: path] = convert(number)
      return true
    }
  }

  private static func flag(
    _ path: ReferenceWritableKeyPath<AUAudioUnit, Bool>, _ names: String...
  ) -> Row {
    Row(names: names, path: path, read: { $0[keyPath: path] }) { unit, new in
      guard let number = KeyedNumber.of(new) else { return false }
      unit[keyPath: path] = number.boolValue
      return true
    }
  }

  // MARK: The properties

  // Paths to properties, which capture nothing.
  nonisolated(unsafe) private static let rows: [Row] = [
    value(\.allParameterValues, "allParameterValues"),
    optional(\.audioUnitName, "audioUnitName"),
    optional(\.audioUnitShortName, "audioUnitShortName"),
    Row(
      names: ["AudioUnitMIDIProtocol", "audioUnitMIDIProtocol"], path: \.audioUnitMIDIProtocol,
      read: { $0.audioUnitMIDIProtocol.rawValue }),
    value(\.canPerformInput, "canPerformInput"), value(\.canPerformOutput, "canPerformOutput"),
    value(\.canProcessInPlace, "canProcessInPlace"),
    optional(\.channelCapabilities, "channelCapabilities"), object(\.channelMap, "channelMap"),
    value(\.component, "component"), value(\.componentDescription, "componentDescription"),
    optional(\.componentName, "componentName"), value(\.componentVersion, "componentVersion"),
    object(\.contextName, "contextName"), object(\.currentPreset, "currentPreset"),
    value(\.deviceID, "deviceID"), value(\.deviceInputLatency, "deviceInputLatency"),
    value(\.deviceOutputLatency, "deviceOutputLatency"),
    optional(\.factoryPresets, "factoryPresets"), object(\.fullState, "fullState"),
    object(\.fullStateForDocument, "fullStateForDocument"),
    Row(
      names: ["hostMIDIProtocol"], path: \.hostMIDIProtocol, read: { $0.hostMIDIProtocol.rawValue }),
    value(\.inputBusses, "inputBusses"), flag(\.isInputEnabled, "inputEnabled", "isInputEnabled"),
    value(\.isLoadedInProcess, "loadedInProcess", "isLoadedInProcess"),
    value(\.latency, "latency"), optional(\.manufacturerName, "manufacturerName"),
    number(\.maximumFramesToRender, "maximumFramesToRender", from: \.uint32Value),
    number(
      \.midiOutputBufferSizeHint, "MIDIOutputBufferSizeHint", "midiOutputBufferSizeHint",
      from: \.intValue),
    value(\.midiOutputNames, "MIDIOutputNames", "midiOutputNames"),
    value(\.isMusicDeviceOrEffect, "musicDeviceOrEffect", "isMusicDeviceOrEffect"),
    value(\.outputBusses, "outputBusses"),
    flag(\.isOutputEnabled, "outputEnabled", "isOutputEnabled"),
    object(\.parameterTree, "parameterTree"),
    value(\.providesUserInterface, "providesUserInterface"),
    flag(\.isRenderingOffline, "renderingOffline", "isRenderingOffline"),
    number(\.renderQuality, "renderQuality", from: \.intValue),
    value(\.renderResourcesAllocated, "renderResourcesAllocated"),
    value(\.isRunning, "running", "isRunning"), flag(\.shouldBypassEffect, "shouldBypassEffect"),
    value(\.supportsMPE, "supportsMPE"), value(\.supportsUserPresets, "supportsUserPresets"),
    value(\.tailTime, "tailTime"), value(\.userPresets, "userPresets"),
    value(\.virtualMIDICableCount, "virtualMIDICableCount"),
  ]

  private static func row(_ key: String) -> Row? { rows.first { $0.names.contains(key) } }

  /// The name of a property for observers; nil if it is none of these.
  static func name(of path: PartialKeyPath<AUAudioUnit>) -> String? {
    rows.first { $0.path == path }?.names[0]
  }

  /// The name of a property for observers; the same for a name that is none of these.
  static func name(_ key: String) -> String { row(key)?.names[0] ?? key }

  // MARK: Values

  /// The value of a property; nil for an unknown name.
  static func value(_ key: String, of unit: AUAudioUnit) -> Any? {
    row(key).flatMap { $0.read(unit) }
  }

  /// Sets a property; ends the program if it cannot be set or the value has another type.
  static func set(_ key: String, of unit: AUAudioUnit, to value: Any?) {
    guard row(key)?.write?(unit, value) == true else {
      fatalError(
        "\(type(of: unit)): the key \"\(key)\" cannot be set to \(value.map { "\($0)" } ?? "nil")")
    }
  }

  /// The value at the end of a path of names.
  static func value(path: String, of unit: AUAudioUnit) -> Any? {
    guard let dot = path.firstIndex(of: ".") else { return unit.value(forKey: path) }
    let rest = String(path[path.index(after: dot)...])
    switch unit.value(forKey: String(path[..<dot])) {
    case let node as AUParameterNode: return node.value(forKeyPath: rest)
    case let preset as AUAudioUnitPreset: return preset.value(forKey: rest)
    case let buses as AUAudioUnitBusArray: return buses.value(forKey: rest)
    case let state as [String: Any]: return state[rest]
    default: return nil
    }
  }

  /// Sets the value at the end of a path of names; ends the program if there is no such path.
  static func set(path: String, of unit: AUAudioUnit, to value: Any?) {
    guard let dot = path.firstIndex(of: ".") else { return unit.setValue(value, forKey: path) }
    let rest = String(path[path.index(after: dot)...])
    switch unit.value(forKey: String(path[..<dot])) {
    case let node as AUParameterNode: node.setValue(value, forKeyPath: rest)
    case let preset as AUAudioUnitPreset: preset.setValue(value, forKey: rest)
    default: fatalError("\(type(of: unit)): the key path \"\(path)\" cannot be set")
    }
  }
}
