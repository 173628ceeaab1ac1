// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioUnitCore
import CAudioToolbox

extension UnitDefinition {
  /// The definition of a unit that hosts a plug-in: in this process, or in one of its own.
  public static func hosting(_ plugIn: PlugInDescription) -> UnitDefinition {
    hosting(plugIn, apart: nil)
  }

  package static func hosting(_ plugIn: PlugInDescription, apart: OwnProcess?) -> UnitDefinition {
    let codes =
      plugIn.codes ?? PlugInCodes(type: kAudioUnitType_Effect, subType: 0, manufacturer: 0)
    let shape = HostedShape(plugIn)
    var definition: UnitDefinition =
      shape.isEffect ? .effect(HostedEffect.self) : .mixer(HostedMixer.self)
    definition = definition.described(
      Identity(codes.type, codes.subType, plugIn.name, manufacturer: codes.manufacturer),
      parameters: plugIn.parameterDefinitions,
      elements: ElementCounts(inputs: plugIn.inputs.count, outputs: shape.outputs.count),
      channels: shape.channels,
      factoryPresets: plugIn.presets.enumerated().map { number, preset in
        FactoryPreset(Int32(clamping: number), preset.name, preset.values)
      })
    definition.needsFirstInput =
      [kAudioUnitType_Effect, kAudioUnitType_MusicEffect].contains(codes.type)
      && plugIn.inputs.first?.role == .sound
    definition.makeUnit = {
      plugIn.acceptsMIDI || plugIn.sendsMIDI
        ? HostedMIDIUnit(component: $0, definition: $1, plugIn, apart)
        : HostedUnit(component: $0, definition: $1, plugIn, apart)
    }
    return definition
  }
}

extension PlugInDescription {
  /// The parameters that hosts see, in the order in which the kernel reads them.
  var visibleParameters: [PlugInParameter] { parameters.filter(\.isVisible) }

  var parameterDefinitions: [ParameterDefinition] {
    var groups: [String] = []
    return visibleParameters.map { parameter in
      var spec = parameter.spec(at: StreamFormat.standard.sampleRate)
      if let group = parameter.group {
        let known = groups.firstIndex(of: group)
        if known == nil { groups.append(group) }
        spec = spec.inClump(UInt32(known ?? groups.count - 1) + 1, group)
      }
      return ParameterDefinition(id: parameter.id, spec: spec)
    }
  }
}

extension PlugInParameter {
  /// The default in the unit of the parameter.
  func defaultValue(at sampleRate: Double) -> Float {
    let range = range(at: sampleRate)
    let value = defaultIsInRates ? defaultValue * Float(sampleRate) : defaultValue
    let whole = isInteger ? value.rounded() : value
    return whole.isFinite
      ? min(max(whole, range.lowerBound), range.upperBound) : range.lowerBound
  }

  /// The range in the unit of the parameter; never empty, and with finite ends.
  func range(at sampleRate: Double) -> ClosedRange<Float> {
    let factor = isInRates ? Float(sampleRate) : 1
    let low = minimum.isFinite ? minimum : 0
    let high = maximum.isFinite ? maximum : 1
    let all = Float.greatestFiniteMagnitude
    func multiple(_ bound: Float) -> Float { min(max(bound * factor, -all), all) }
    return multiple(min(low, high))...multiple(max(low, high))
  }

  /// The parameter of the unit.
  func spec(at sampleRate: Double) -> ParameterSpec {
    let range = range(at: sampleRate)
    var names: [String] = []
    if isNumbered(in: range) { names = points.map(\.name) }
    var unit = AudioUnitParameterUnit(rawValue: unit) ?? .generic
    if unit == .generic, isIndexed(in: range) { unit = .indexed }
    var display: AudioUnitParameterOptions = []
    if isLogarithmic, range.lowerBound > 0 { display.insert(.flag_DisplayLogarithmic) }
    if isHidden { display.insert(.flag_ExpertMode) }
    if isNotForRenders { display.insert(.flag_NonRealTime) }
    if hasTexts { display.insert(.flag_ValuesHaveStrings) }
    var spec = ParameterSpec(
      name, unit, range, default: defaultValue(at: sampleRate),
      limit: isInRates ? .multiples(min(minimum, maximum)...max(minimum, maximum)) : .fixed,
      display: display, isReadOnly: isReadOnly, valueNames: names)
    if names.isEmpty {
      spec = spec.naming(points.map { ParameterSpec.NamedValue($0.value, $0.name) })
    }
    if let unitName { spec = spec.measured(in: unitName) }
    if acceptsBelow || acceptsAbove, !isInRates {
      let all = Float.greatestFiniteMagnitude
      spec = spec.accepting(
        (acceptsBelow ? -all : range.lowerBound)...(acceptsAbove ? all : range.upperBound))
    }
    return spec
  }

  /// Whether the named values are the integers of the range.
  private func isNumbered(in range: ClosedRange<Float>) -> Bool {
    guard !points.isEmpty, Float(points.count) == range.upperBound - range.lowerBound + 1 else {
      return false
    }
    return points.enumerated().allSatisfy { $1.value == range.lowerBound + Float($0) }
  }

  private func isIndexed(in range: ClosedRange<Float>) -> Bool {
    isInteger && range.upperBound - range.lowerBound <= 128 || !points.isEmpty
  }
}
