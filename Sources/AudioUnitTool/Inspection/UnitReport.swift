// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import ToneModel
import UnitTexts

/// Everything that a unit reports about itself.
struct UnitReport: Codable {
  /// A bus with its format.
  struct Element: Codable {
    let scope: String
    let element: UInt32
    let format: String
    let sampleRate: Double
    let channels: UInt32
  }

  /// A supported pair of channel counts; a negative count stands for any.
  struct Channels: Codable {
    let input: Int16
    let output: Int16
  }

  /// A property in one scope.
  struct Property: Codable {
    let id: AudioUnitPropertyID
    let name: String
    let scope: String
    /// The elements that have it.
    let elements: [UInt32]
    let type: String
    let size: Int
    let isReadable: Bool
    let isWritable: Bool
  }

  /// A parameter in one scope.
  struct Parameter: Codable {
    let id: AudioUnitParameterID
    let name: String
    let scope: String
    let unit: String
    let minimum: Float
    let maximum: Float
    let defaultValue: Float
    let flags: [String]
    /// The name of the parameter's group.
    let clump: String?
    let valueNames: [String]
  }

  /// A factory preset.
  struct Preset: Codable {
    let number: Int32
    let name: String
  }

  let component: ComponentReport
  let maximumFramesPerSlice: UInt32
  /// In seconds.
  let latency: Double
  let tailTime: Double
  let elements: [Element]
  let channels: [Channels]
  let parameters: [Parameter]
  let presets: [Preset]
  let properties: [Property]

  private static let scopes = [
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output,
  ]

  /// Makes an instance and reads everything from it.
  init(_ component: UnitComponent) throws {
    let temporary = try TemporaryUnit(component)
    let unit = temporary.unit
    let inspector = UnitInspector(unit: unit)
    self.component = ComponentReport(component, plugIn: .of(component.description))
    maximumFramesPerSlice = unit.value(kAudioUnitProperty_MaximumFramesPerSlice, over: 0) ?? 0
    latency = unit.value(kAudioUnitProperty_Latency, over: 0.0) ?? 0
    tailTime = unit.value(kAudioUnitProperty_TailTime, over: 0.0) ?? 0
    elements = [kAudioUnitScope_Input, kAudioUnitScope_Output].flatMap { scope in
      (0..<unit.elementCount(scope)).compactMap { Element(unit, scope, $0) }
    }
    let pairs = unit.values(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo())
    channels = pairs.map { Channels(input: $0.inChannels, output: $0.outChannels) }
    parameters = Self.scopes.flatMap { scope in
      unit.parameterDescriptions(scope).map { Parameter(unit, scope, $0) }
    }
    presets = unit.presets.map { Preset(number: $0.number, name: $0.name) }
    properties = PropertyEntry.all(of: unit).flatMap { entry in
      Self.scopes.compactMap { Property(inspector, entry, $0) }
    }
    withExtendedLifetime(temporary) {}
  }
}

extension UnitReport.Element {
  fileprivate init?(_ unit: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    guard let format = unit.streamDescription(scope, element) else { return nil }
    self.init(
      scope: CodeNames.scope(scope), element: element, format: Self.words(format),
      sampleRate: format.mSampleRate, channels: format.mChannelsPerFrame)
  }

  private static func words(_ format: AudioStreamBasicDescription) -> String {
    guard format.mFormatID == kAudioFormatLinearPCM else {
      return "\(FourCharacterCode(format.mFormatID))"
    }
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    return "\(format.mBitsPerChannel)-bit \(isFloat ? "float" : "integer"), "
      + (isPlanar ? "non-interleaved" : "interleaved")
  }
}

extension UnitReport.Property {
  fileprivate init?(
    _ inspector: UnitInspector, _ entry: PropertyEntry, _ scope: AudioUnitScope
  ) {
    let unit = inspector.unit
    let candidates =
      entry.isByParameter
      ? unit.parameterIDs(scope) : Array(0..<unit.elementCount(scope))
    let found = candidates.compactMap { element in
      inspector.info(entry.id, scope, element).map { (element: element, info: $0) }
    }
    guard let first = found.first else { return nil }
    self.init(
      id: entry.id, name: entry.name, scope: CodeNames.scope(scope), elements: found.map(\.element),
      type: entry.type, size: first.info.size,
      isReadable: found.contains { inspector.isReadable(entry, scope, $0.element) },
      isWritable: found.contains { $0.info.isWritable })
  }
}

extension UnitReport.Parameter {
  fileprivate init(
    _ unit: AudioUnit, _ scope: AudioUnitScope, _ parameter: ParameterDescription
  ) {
    let info = parameter.info
    self.init(
      id: parameter.id, name: parameter.name, scope: CodeNames.scope(scope),
      unit: parameter.unitName ?? CodeNames.unit(info.unit), minimum: info.minValue,
      maximum: info.maxValue, defaultValue: info.defaultValue, flags: CodeNames.flags(info.flags),
      clump: info.flags.contains(.flag_HasClump) ? unit.clumpName(info.clumpID, scope) : nil,
      valueNames: parameter.valueNames)
  }
}
