// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// All that a unit says of itself.
struct UnitReport: Codable {
  /// A bus with its format.
  struct Element: Codable {
    let scope: String
    let element: UInt32
    let format: String
    let sampleRate: Double
    let channels: UInt32
  }

  /// Numbers of channels that go together; a negative one stands for any.
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
    /// The name of the group that it is in.
    let clump: String?
    let valueNames: [String]
  }

  /// A preset that comes with the unit.
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

  /// Makes a unit and asks it.
  init(_ component: AudioComponent) throws {
    let unit = try UnitInspector(component)
    self.component = try ComponentReport(component)
    maximumFramesPerSlice =
      unit.value(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0)) ?? 0
    latency = unit.value(kAudioUnitProperty_Latency, over: 0.0) ?? 0
    tailTime = unit.value(kAudioUnitProperty_TailTime, over: 0.0) ?? 0
    elements = [kAudioUnitScope_Input, kAudioUnitScope_Output].flatMap { scope in
      (0..<unit.elementCount(scope)).compactMap { Element(unit, scope, $0) }
    }
    channels = unit.values(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo()).map {
      Channels(input: $0.inChannels, output: $0.outChannels)
    }
    parameters = Self.scopes.flatMap { scope in
      unit.parameters(scope).compactMap { Parameter(unit, scope, $0) }
    }
    presets = Preset.all(of: unit)
    properties = PropertyEntry.all.flatMap { entry in
      Self.scopes.compactMap { Property(unit, entry, $0) }
    }
  }
}

extension UnitReport.Element {
  fileprivate init?(_ unit: UnitInspector, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    guard
      let format = unit.value(
        kAudioUnitProperty_StreamFormat, scope, element, over: AudioStreamBasicDescription())
    else { return nil }
    self.init(
      scope: Words.scope(scope), element: element, format: Self.words(format),
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
  fileprivate init?(_ unit: UnitInspector, _ entry: PropertyEntry, _ scope: AudioUnitScope) {
    let candidates =
      entry.isByParameter ? unit.parameters(scope) : Array(0..<unit.elementCount(scope))
    let found = candidates.compactMap { element in
      unit.info(entry.id, scope, element).map { (element: element, info: $0) }
    }
    guard let first = found.first else { return nil }
    self.init(
      id: entry.id, name: entry.name, scope: Words.scope(scope), elements: found.map(\.element),
      type: entry.type, size: first.info.size,
      isReadable: found.contains { unit.isReadable(entry, scope, $0.element) },
      isWritable: found.contains { $0.info.isWritable })
  }
}

extension UnitReport.Parameter {
  fileprivate init?(_ unit: UnitInspector, _ scope: AudioUnitScope, _ id: AudioUnitParameterID) {
    guard
      let info = unit.value(
        kAudioUnitProperty_ParameterInfo, scope, id, over: AudioUnitParameterInfo())
    else { return nil }
    let isReleased = info.flags.contains(.flag_CFNameRelease)
    let name =
      isReleased ? info.cfNameString?.takeRetainedValue() : info.cfNameString?.takeUnretainedValue()
    let custom = info.unit == .customUnit ? info.unitName?.takeUnretainedValue() : nil
    let names = unit.array(kAudioUnitProperty_ParameterValueStrings, scope, id) ?? []
    let clump =
      info.flags.contains(.flag_HasClump)
      ? unit.value(
        kAudioUnitProperty_ParameterClumpName, scope,
        over: AudioUnitParameterNameInfo(
          inID: info.clumpID, inDesiredLength: Int32(kAudioUnitParameterName_Full), outName: nil))
      : nil
    self.init(
      id: id, name: name.map { String(describing: $0) } ?? "", scope: Words.scope(scope),
      unit: custom.map { String(describing: $0) } ?? Words.unit(info.unit), minimum: info.minValue,
      maximum: info.maxValue, defaultValue: info.defaultValue, flags: Words.flags(info.flags),
      clump: clump?.outName.map { String(describing: $0.takeRetainedValue()) },
      valueNames: names.map { String(describing: $0) })
  }
}

extension UnitReport.Preset {
  fileprivate static func all(of unit: UnitInspector) -> [UnitReport.Preset] {
    guard let array = unit.array(kAudioUnitProperty_FactoryPresets) else { return [] }
    return (0..<CFArrayGetCount(array)).compactMap { index in
      guard let pointer = CFArrayGetValueAtIndex(array, index) else { return nil }
      let preset = pointer.assumingMemoryBound(to: AUPreset.self).pointee
      let name = preset.presetName?.takeUnretainedValue()
      return UnitReport.Preset(
        number: preset.presetNumber, name: name.map { String(describing: $0) } ?? "")
    }
  }
}
