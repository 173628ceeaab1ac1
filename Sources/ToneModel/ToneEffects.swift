// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// What an effect is called and how it is set, as people write it: "lpas,cutoff=800".
public struct ToneEffect: Equatable, Sendable {
  /// A name such as AULowpass, or the four letters of a subtype.
  public let name: String
  /// Parameters by name or number, with a number or the name of a value; "preset" is a factory preset.
  public let settings: [Setting]

  /// A parameter and what it gets.
  public struct Setting: Equatable, Sendable {
    let name: String
    let value: String
  }

  /// Reads a text; nil when it is not of the form NAME,PARAMETER=VALUE,…
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let settings = parts.dropFirst().map { part -> Setting? in
      let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
      return sides.count == 2 ? Setting(name: sides[0], value: sides[1]) : nil
    }
    guard !parts[0].isEmpty, !settings.contains(nil) else { return nil }
    name = parts[0]
    self.settings = settings.compactMap { $0 }
  }
}

/// Effects one after another, between what makes sound and what plays it.
public final class ToneEffects {
  /// What the first of them asks for samples.
  public enum Source {
    case callback(AURenderCallbackStruct)
    case unit(AudioUnit)
  }

  /// The units, initialized, in their order.
  private var units: [AudioUnit] = []
  private let peak: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] Makes the units and connects each to the one before it.
  ///
  /// - Parameters:
  ///   - effects: At least one.
  ///   - source: What the first of them asks for samples.
  ///   - sampleRate: Frames per second, of all of them.
  ///   - channelCount: Channels, of all of them.
  /// - Throws: Which effect or parameter there is not, and what there is instead.
  public init(
    _ effects: [ToneEffect], after source: Source, sampleRate: Double,
    channelCount: Int
  ) throws(ToneError) {
    peak = .allocate(capacity: 1)
    peak.initialize(to: Atomic(0))
    do throws(ToneError) {
      for effect in effects {
        let unit = try Self.make(effect, sampleRate, channelCount)
        units.append(unit)
        try Self.set(effect, of: unit)
      }
      for (index, unit) in units.enumerated() {
        if index > 0 {
          try Self.connect(units[index - 1], to: unit, effects[index].name)
        } else {
          switch source {
          case .unit(let source): try Self.connect(source, to: unit, effects[0].name)
          case .callback(var callback):
            try setProperty(
              unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &callback,
              "Can't connect the tone to \(effects[0].name)")
          }
        }
        try ToneError.check(AudioUnitInitialize(unit), "Can't initialize \(effects[index].name)")
      }
      if let last {
        try ToneError.check(
          AudioUnitAddRenderNotify(last, measureEffects, peak), "Can't follow the effects")
      }
    } catch {
      release()
      throw error
    }
  }

  deinit {
    release()
    peak.deinitialize(count: 1).deallocate()
  }

  /// The largest sample since the last call, linear.
  public func takePeak() -> Double {
    Double(Float(bitPattern: peak.pointee.exchange(0, ordering: .relaxed)))
  }

  /// The last of them, whose output is what is heard.
  public var last: AudioUnit? { units.last }

  /// [control thread] Feeds an input bus with the last of them.
  func connect(to unit: AudioUnit) throws(ToneError) {
    if let last { try Self.connect(last, to: unit, "the output") }
  }

  private func release() {
    for unit in units.reversed() {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    units = []
  }

  private static func connect(_ source: AudioUnit, to unit: AudioUnit, _ name: String)
    throws(ToneError)
  {
    var connection = AudioUnitConnection(
      sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: 0)
    try setProperty(
      unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, &connection,
      "Can't connect the effects to \(name)")
  }
}

// What people call things, and what there is.
extension ToneEffects {
  private static func make(_ effect: ToneEffect, _ sampleRate: Double, _ channelCount: Int)
    throws(ToneError) -> AudioUnit
  {
    let known = components()
    let wanted = plain(effect.name)
    let found =
      known.first { $0.code == effect.name }
      ?? known.first { plain($0.name) == wanted || plain($0.name) == "au" + wanted }
    guard let found else {
      let names = known.map { "\($0.code) (\($0.name))" }.joined(separator: ", ")
      throw ToneError("There is no effect \(effect.name); there are \(names)")
    }
    var instance: AudioUnit?
    try ToneError.check(
      AudioComponentInstanceNew(found.component, &instance), "Can't make \(found.name)")
    guard let unit = instance else { throw ToneError("Can't make \(found.name)") }
    do throws(ToneError) {
      var format = floatFormat(sampleRate: sampleRate, channelCount: channelCount)
      var frames = UInt32(ToneSource.maximumFrames)
      try setProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, &frames,
        "\(found.name) can't render \(frames) frames at once")
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        try setProperty(
          unit, kAudioUnitProperty_StreamFormat, scope, &format,
          "\(found.name) can't have \(channelCount) channels at \(sampleRate) Hz")
      }
      return unit
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
  }

  /// Every effect there is, by its subtype and its name without the maker's.
  private static func components() -> [(code: String, name: String, component: AudioComponent)] {
    var wanted = AudioComponentDescription()
    wanted.componentType = kAudioUnitType_Effect
    var found: [(String, String, AudioComponent)] = []
    var previous: AudioComponent?
    while let component = AudioComponentFindNext(previous, &wanted) {
      previous = component
      var description = AudioComponentDescription()
      var name: Unmanaged<CFString>?
      AudioComponentGetDescription(component, &description)
      AudioComponentCopyName(component, &name)
      let text = name.map { String(describing: $0.takeRetainedValue()) } ?? ""
      let code = [24, 16, 8, 0].map {
        UInt8(truncatingIfNeeded: description.componentSubType >> $0)
      }
      found.append(
        (
          String(decoding: code, as: UTF8.self),
          text.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? text,
          component
        ))
    }
    return found
  }

  private static func set(_ effect: ToneEffect, of unit: AudioUnit) throws(ToneError) {
    for setting in effect.settings {
      if plain(setting.name) == "preset" {
        try setPreset(setting.value, effect, unit)
        continue
      }
      let parameters = parameters(of: unit)
      let wanted = plain(setting.name)
      let found =
        parameters.first { plain($0.name) == wanted || "\($0.id)" == setting.name }
        ?? parameters.first { plain($0.name).hasPrefix(wanted) }
      guard let found else {
        let names = parameters.map(\.name).joined(separator: ", ")
        throw ToneError(
          "\(effect.name) has no parameter \(setting.name); it has "
            + (names.isEmpty ? "none" : names))
      }
      let value = try value(setting.value, of: found.id, unit, "\(effect.name): \(found.name)")
      guard value.isFinite, (found.least...found.most).contains(value) else {
        throw ToneError(
          "\(effect.name): \(found.name) is \(setting.value); from \(found.least) to "
            + "\(found.most) is possible")
      }
      try ToneError.check(
        AudioUnitSetParameter(unit, found.id, kAudioUnitScope_Global, 0, value, 0),
        "Can't set \(found.name) of \(effect.name)")
    }
  }

  /// A number, or the name of a value.
  private static func value(
    _ text: String, of id: AudioUnitParameterID, _ unit: AudioUnit, _ what: String
  ) throws(ToneError) -> Float {
    if let number = Float(text) { return number }
    let names = array(unit, kAudioUnitProperty_ParameterValueStrings, id)
    let strings = (0..<CFArrayGetCount(names)).compactMap { names[$0] as? String }
    guard let index = strings.firstIndex(where: { plain($0) == plain(text) }) else {
      throw ToneError(
        "\(what) is \(text): expected a number"
          + (strings.isEmpty ? "" : " or one of " + strings.joined(separator: ", ")))
    }
    return Float(index)
  }

  private static func setPreset(_ text: String, _ effect: ToneEffect, _ unit: AudioUnit)
    throws(ToneError)
  {
    let list = array(unit, kAudioUnitProperty_FactoryPresets)
    let presets = (0..<CFArrayGetCount(list)).compactMap { index in
      CFArrayGetValueAtIndex(list, index)?.assumingMemoryBound(to: AUPreset.self).pointee
    }
    let named = presets.map { ($0, $0.presetName.map { "\($0.takeUnretainedValue())" } ?? "") }
    let found = named.first { plain($0.1) == plain(text) || "\($0.0.presetNumber)" == text }
    guard var preset = found?.0 else {
      let names = named.map { $0.1 }.joined(separator: ", ")
      throw ToneError(
        "\(effect.name) has no preset \(text); it has " + (names.isEmpty ? "none" : names))
    }
    try setProperty(
      unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, &preset,
      "Can't set the preset \(text) of \(effect.name)")
  }

  private static func parameters(of unit: AudioUnit) -> [(
    id: AudioUnitParameterID, name: String, least: Float, most: Float
  )] {
    var size: UInt32 = 0
    guard
      AudioUnitGetPropertyInfo(
        unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, nil) == noErr
    else { return [] }
    var ids = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
    guard
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &ids, &size) == noErr
    else { return [] }
    return ids.compactMap { id in
      guard
        let info = property(
          unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global,
          AudioUnitParameterInfo(), id)
      else { return nil }
      let name = info.cfNameString.map { String(describing: $0.takeRetainedValue()) } ?? ""
      return (id, name, info.minValue, info.maxValue)
    }
  }

  /// The array behind a property, empty where there is none; the unit hands over a reference.
  private static func array(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ element: AudioUnitElement = 0
  ) -> CFArray {
    let array = property(unit, id, kAudioUnitScope_Global, Unmanaged<CFArray>?.none, element)
    return array??.takeRetainedValue() ?? NSArray()
  }

  /// A name without what people leave out or write otherwise.
  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}

/// Called before and after each render of the last effect. [render thread]
private func measureEffects(
  peak: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard flags.pointee.contains(.unitRenderAction_PostRender),
    let buffers = UnsafeMutableAudioBufferListPointer(data)
  else { return noErr }
  let peak = peak.assumingMemoryBound(to: Atomic<UInt32>.self)
  var largest = Float(bitPattern: peak.pointee.load(ordering: .relaxed))
  for buffer in buffers {
    guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
    for frame in 0..<Int(frameCount) { largest = max(largest, abs(samples[frame])) }
  }
  peak.pointee.store(largest.bitPattern, ordering: .relaxed)
  return noErr
}
