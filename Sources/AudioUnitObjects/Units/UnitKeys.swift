// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import Foundation

/// The properties of units by their names.
enum UnitKeys {
  /// The value of a property; nil for an unknown name.
  static func value(_ key: String, of unit: AUAudioUnit) -> Any? {
    switch key {
    case "allParameterValues": unit.allParameterValues
    case "audioUnitName": unit.audioUnitName
    case "audioUnitShortName": unit.audioUnitShortName
    case "AudioUnitMIDIProtocol": unit.audioUnitMIDIProtocol.rawValue
    case "canPerformInput": unit.canPerformInput
    case "canPerformOutput": unit.canPerformOutput
    case "canProcessInPlace": unit.canProcessInPlace
    case "channelCapabilities": unit.channelCapabilities
    case "channelMap": unit.channelMap
    case "componentName": unit.componentName
    case "componentVersion": unit.componentVersion
    case "contextName": unit.contextName
    case "currentPreset": unit.currentPreset
    case "deviceID": unit.deviceID
    case "deviceInputLatency": unit.deviceInputLatency
    case "deviceOutputLatency": unit.deviceOutputLatency
    case "factoryPresets": unit.factoryPresets
    case "fullState": unit.fullState
    case "fullStateForDocument": unit.fullStateForDocument
    case "hostMIDIProtocol": unit.hostMIDIProtocol.rawValue
    case "inputBusses": unit.inputBusses
    case "inputEnabled": unit.isInputEnabled
    case "latency": unit.latency
    case "manufacturerName": unit.manufacturerName
    case "maximumFramesToRender": unit.maximumFramesToRender
    case "MIDIOutputNames": unit.midiOutputNames
    case "musicDeviceOrEffect": unit.isMusicDeviceOrEffect
    case "outputBusses": unit.outputBusses
    case "outputEnabled": unit.isOutputEnabled
    case "parameterTree": unit.parameterTree
    case "providesUserInterface": unit.providesUserInterface
    case "renderingOffline": unit.isRenderingOffline
    case "renderQuality": unit.renderQuality
    case "renderResourcesAllocated": unit.renderResourcesAllocated
    case "running": unit.isRunning
    case "shouldBypassEffect": unit.shouldBypassEffect
    case "supportsMPE": unit.supportsMPE
    case "supportsUserPresets": unit.supportsUserPresets
    case "tailTime": unit.tailTime
    case "userPresets": unit.userPresets
    case "virtualMIDICableCount": unit.virtualMIDICableCount
    default: nil
    }
  }

  /// The property of C units that a property is for listeners; nil if there is none.
  static func listened(_ key: String) -> AudioUnitPropertyID? {
    switch key {
    // Hosts then read all values anew.
    case "allParameterValues", "parameterTree": kAudioUnitProperty_ParameterList
    case "channelCapabilities": kAudioUnitProperty_SupportedNumChannels
    case "contextName": kAudioUnitProperty_ContextName
    case "currentPreset": kAudioUnitProperty_PresentPreset
    case "factoryPresets": kAudioUnitProperty_FactoryPresets
    case "latency": kAudioUnitProperty_Latency
    case "shouldBypassEffect": kAudioUnitProperty_BypassEffect
    case "supportsMPE": kAudioUnitProperty_SupportsMPE
    case "tailTime": kAudioUnitProperty_TailTime
    default: nil
    }
  }

  /// The value at the end of a path of names.
  static func value(path: String, of unit: AUAudioUnit) -> Any? {
    guard let dot = path.firstIndex(of: ".") else { return unit.value(forKey: path) }
    let rest = String(path[path.index(after: dot)...])
    switch unit.value(forKey: String(path[..<dot])) {
    case let node as AUParameterNode: return node.value(forKeyPath: rest)
    case let preset as AUAudioUnitPreset: return preset.value(forKey: rest)
    case let state as [String: Any]: return state[rest]
    default: return nil
    }
  }

  /// Sets a property; ends the program if it cannot be set or the value has another type.
  static func set(_ key: String, of unit: AUAudioUnit, to value: Any?) {
    let isSet: Bool
    switch key {
    case "channelMap": isSet = assign(value as? [NSNumber], of: value) { unit.channelMap = $0 }
    case "contextName": isSet = assign(value as? String, of: value) { unit.contextName = $0 }
    case "currentPreset":
      isSet = assign(value as? AUAudioUnitPreset, of: value) { unit.currentPreset = $0 }
    case "fullState": isSet = assign(value as? [String: Any], of: value) { unit.fullState = $0 }
    case "fullStateForDocument":
      isSet = assign(value as? [String: Any], of: value) { unit.fullStateForDocument = $0 }
    case "parameterTree":
      isSet = assign(value as? AUParameterTree, of: value) { unit.parameterTree = $0 }
    case "inputEnabled": isSet = assign(number(value)) { unit.isInputEnabled = $0.boolValue }
    case "outputEnabled": isSet = assign(number(value)) { unit.isOutputEnabled = $0.boolValue }
    case "maximumFramesToRender":
      isSet = assign(number(value)) { unit.maximumFramesToRender = $0.uint32Value }
    case "renderingOffline":
      isSet = assign(number(value)) { unit.isRenderingOffline = $0.boolValue }
    case "renderQuality": isSet = assign(number(value)) { unit.renderQuality = $0.intValue }
    case "shouldBypassEffect":
      isSet = assign(number(value)) { unit.shouldBypassEffect = $0.boolValue }
    default: isSet = false
    }
    guard isSet else {
      fatalError(
        "\(type(of: unit)): the key \"\(key)\" cannot be set to \(value.map { "\($0)" } ?? "nil")")
    }
  }

  /// Sets an optional property; false if the value has another type.
  private static func assign<Value>(
    _ typed: Value?, of value: Any?, _ set: (Value?) -> Void
  ) -> Bool {
    guard typed != nil || value == nil else { return false }
    set(typed)
    return true
  }

  /// Sets a number; false if the value is none.
  private static func assign(_ number: NSNumber?, _ set: (NSNumber) -> Void) -> Bool {
    guard let number else { return false }
    set(number)
    return true
  }

  private static func number(_ value: Any?) -> NSNumber? {
    switch value {
    case let number as NSNumber: number
    case let number as Bool: NSNumber(value: number)
    case let number as any BinaryInteger: NSNumber(value: Int(clamping: number))
    case let number as any BinaryFloatingPoint: NSNumber(value: Double(number))
    default: nil
    }
  }
}
