// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// A component that comes with the library.
struct BuiltIn: CustomTestStringConvertible, Sendable {
  var type: OSType
  var subType: OSType
  var manufacturer: OSType
  var name: String

  var testDescription: String { name }

  /// Every component except those that tests register.
  static let all: [BuiltIn] = {
    var (query, found, previous) = (AudioComponentDescription(), [BuiltIn](), AudioComponent?.none)
    while let component = AudioComponentFindNext(previous, &query) {
      previous = component
      var (description, name) = (AudioComponentDescription(), Unmanaged<CFString>?.none)
      _ = AudioComponentGetDescription(component, &description)
      _ = AudioComponentCopyName(component, &name)
      let text = name?.takeRetainedValue().description ?? ""
      guard text.hasPrefix("Apple: ") || text.hasPrefix("swift-audiotoolbox: "),
        isUsable(component, description)
      else { continue }
      found.append(
        BuiltIn(
          type: description.componentType, subType: description.componentSubType,
          manufacturer: description.componentManufacturer, name: text))
    }
    return found
  }()

  /// Whether the machine has the library and the sound bank that an instrument needs.
  private static func isUsable(
    _ component: AudioComponent, _ description: AudioComponentDescription
  ) -> Bool {
    guard description.componentType == kAudioUnitType_MusicDevice,
      let unit = try? Instance(component)
    else { return true }
    return AudioUnitInitialize(unit.unit) != kAudioUnitErr_FailedInitialization
  }

  /// The units that render on request, without a device.
  static let rendering = all.filter {
    $0.type != kAudioUnitType_Output || $0.subType == kAudioUnitSubType_GenericOutput
  }

  func instance() throws -> Instance { try Instance(type, subType, manufacturer) }
}

/// Properties that every built-in unit has in common.
@Suite("Every built-in unit")
struct CatalogueTests {
  private static let scopes = [
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output,
  ]

  /// Scope and identifier of every parameter.
  private func parameters(_ instance: Instance) -> [(AudioUnitScope, AudioUnitParameterID)] {
    Self.scopes.flatMap { scope in
      instance.array(kAudioUnitProperty_ParameterList, of: AudioUnitParameterID.self, scope)
        .map { (scope, $0) }
    }
  }

  private func info(_ instance: Instance, _ scope: AudioUnitScope, _ id: AudioUnitParameterID)
    -> AudioUnitParameterInfo
  {
    var info = AudioUnitParameterInfo()
    #expect(instance.get(kAudioUnitProperty_ParameterInfo, into: &info, scope, id) == noErr)
    return info
  }

  private func initialized(_ unit: BuiltIn) throws -> Instance {
    let instance = try unit.instance()
    let impulse: AURenderCallback = { _, _, time, _, frames, data in
      guard let buffers = UnsafeMutableAudioBufferListPointer(data) else {
        return kAudio_ParamError
      }
      for buffer in buffers {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        samples.update(repeating: 0)
        let index = -Int(time.pointee.mSampleTime)
        if samples.indices.contains(index) { samples[index] = 1 }
      }
      return noErr
    }
    _ = instance.feed(impulse, NSObject())
    #expect(AudioUnitInitialize(instance.unit) == noErr)
    return instance
  }

  @Test("starts at its reported defaults, each within its range", arguments: BuiltIn.all)
  func defaults(unit: BuiltIn) throws {
    let instance = try unit.instance()
    for (scope, id) in parameters(instance) {
      let info = info(instance, scope, id)
      // A list may have one entry.
      #expect(info.minValue < info.maxValue || info.unit == .indexed)
      #expect((info.minValue...info.maxValue).contains(info.defaultValue))
      #expect(instance.value(id, scope) == info.defaultValue)
      #expect(info.cfNameString?.takeRetainedValue().length ?? 0 > 0)
      #expect(info.flags.contains(.flag_IsReadable) && info.flags.contains(.flag_HasCFNameString))
    }
  }

  @Test("refuses parameters that it does not list", arguments: BuiltIn.all)
  func unknownParameters(unit: BuiltIn) throws {
    let instance = try unit.instance()
    let known = parameters(instance)
    var value: Float = 0
    for id in [0, 1, 77, 4_000, .max] as [AudioUnitParameterID]
    where !known.contains(where: { $0 == (kAudioUnitScope_Global, id) }) {
      let global = kAudioUnitScope_Global
      #expect(
        AudioUnitGetParameter(instance.unit, id, global, 0, &value)
          == kAudioUnitErr_InvalidParameter)
      #expect(
        AudioUnitSetParameter(instance.unit, id, global, 0, 0, 0)
          == kAudioUnitErr_InvalidParameter)
    }
  }

  @Test("names each step of a parameter whose values have names", arguments: BuiltIn.all)
  func valueNames(unit: BuiltIn) throws {
    let instance = try unit.instance()
    for (scope, id) in parameters(instance) {
      let info = info(instance, scope, id)
      info.cfNameString?.release()
      guard info.flags.contains(.flag_ValuesHaveStrings) else { continue }
      var names: Unmanaged<CFArray>?
      #expect(
        instance.get(kAudioUnitProperty_ParameterValueStrings, into: &names, scope, id) == noErr)
      let count = names?.takeRetainedValue().count
      #expect(count == Int(info.maxValue - info.minValue) + 1)
    }
  }

  @Test("saves a state that another instance of it restores", arguments: BuiltIn.all)
  func state(unit: BuiltIn) throws {
    let (one, other) = (try unit.instance(), try unit.instance())
    for (scope, id) in parameters(one) {
      let info = info(one, scope, id)
      info.cfNameString?.release()
      let value = info.minValue + (info.maxValue - info.minValue) * 0.25
      _ = AudioUnitSetParameter(one.unit, id, scope, 0, value, 0)
    }
    var state: Unmanaged<CFDictionary>?
    #expect(one.get(kAudioUnitProperty_ClassInfo, into: &state) == noErr)
    let saved = try #require(state?.takeRetainedValue())
    #expect(other.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(saved)) == noErr)
    var again: Unmanaged<CFDictionary>?
    #expect(other.get(kAudioUnitProperty_ClassInfo, into: &again) == noErr)
    #expect(again?.takeRetainedValue() == saved)
    for (scope, id) in parameters(one) { #expect(one.value(id, scope) == other.value(id, scope)) }
  }

  @Test(
    "answers every known property with a value or an error, at its length", arguments: BuiltIn.all)
  func properties(unit: BuiltIn) throws {
    let instance = try unit.instance()
    let ids: [ClosedRange<AudioUnitPropertyID>] = [
      0...110, 1_000...1_010, 2_000...2_020, 2_200...2_210, 3_000...3_120,
    ]
    for id in ids.joined() {
      for scope in 0...8 as ClosedRange<AudioUnitScope> {
        for element in [0, 1, 9, .max] as [AudioUnitElement] {
          var (size, writable) = (UInt32(1), true)
          let known = AudioUnitGetPropertyInfo(instance.unit, id, scope, element, &size, &writable)
          guard known == noErr else {
            #expect(size == 0 && !writable)
            continue
          }
          // These properties read pointers from the caller's memory, which would be null.
          guard ![33, 38].contains(id) else { continue }
          var bytes = [UInt8](repeating: 0, count: 1 << 15)
          var count = UInt32(bytes.count)
          let status = AudioUnitGetProperty(instance.unit, id, scope, element, &bytes, &count)
          #expect(count == (status == noErr ? size : 1 << 15), "property \(id), scope \(scope)")
        }
      }
    }
  }

  @Test("renders the same output at any slice size", arguments: BuiltIn.rendering)
  func sliceSize(unit: BuiltIn) throws {
    var latency: Float64 = 0
    #expect(try unit.instance().get(kAudioUnitProperty_Latency, into: &latency) == noErr)
    let end = 3_000 + Int(latency * 44_100)
    func signal(_ slices: [Int]) throws -> [[Float]] {
      let instance = try initialized(unit)
      var (channels, time) = ([[Float]](repeating: [], count: 2), 0)
      while time < end {
        for slice in slices where time < end {
          let frames = min(slice, end - time)
          for (index, samples) in try instance.render(frames, at: Double(time)).enumerated() {
            channels[index] += samples
          }
          time += frames
        }
      }
      return channels
    }
    let whole = try signal([1000])
    #expect(try signal([1]) == whole)
    #expect(try signal([7, 512, 64, 1]) == whole)
  }

  @Test("renders after a reset what a new unit renders", arguments: BuiltIn.rendering)
  func reset(unit: BuiltIn) throws {
    let instance = try initialized(unit)
    let fresh = try instance.render(512, at: 0)
    _ = try instance.render(700, at: 512)
    #expect(AudioUnitReset(instance.unit, kAudioUnitScope_Global, 0) == noErr)
    #expect(try instance.render(512, at: 0) == fresh)
  }

  @Test("delays by its reported latency", arguments: BuiltIn.rendering)
  func latency(unit: BuiltIn) throws {
    // The effects have a stricter test of their own: their impulse response need not peak
    // immediately.
    guard unit.type != kAudioUnitType_Generator, unit.type != kAudioUnitType_Effect else { return }
    let instance = try initialized(unit)
    // Reverbs and delays pass only the dry signal, which has the same latency.
    for (scope, id) in parameters(instance) {
      let info = info(instance, scope, id)
      guard info.unit == .equalPowerCrossfade else { continue }
      #expect(AudioUnitSetParameter(instance.unit, id, scope, 0, info.minValue, 0) == noErr)
    }
    var latency: Float64 = -1
    #expect(instance.get(kAudioUnitProperty_Latency, into: &latency) == noErr)
    var samples: [Float] = []
    while Double(samples.count) < latency * 44_100 + 1 {
      samples += try instance.render(1024, at: Double(samples.count))[0]
    }
    let peak = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }
    #expect(peak == Int((latency * 44_100).rounded()))
  }

  @Test("stays finite and responsive at any parameter values", arguments: BuiltIn.rendering)
  func extremes(unit: BuiltIn) throws {
    let instance = try initialized(unit)
    let extremes: [Float] = [
      0, -1, 1e30, -1e30, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude,
    ]
    var time = 0.0
    for (scope, id) in parameters(instance) {
      let info = info(instance, scope, id)
      info.cfNameString?.release()
      guard info.flags.contains(.flag_IsWritable) else { continue }
      for value in extremes {
        #expect(AudioUnitSetParameter(instance.unit, id, scope, 0, value, 0) == noErr)
        _ = try instance.render(64, at: time)
        time += 64
      }
      _ = AudioUnitSetParameter(instance.unit, id, scope, 0, info.defaultValue, 0)
    }
    #expect(try instance.render(64, at: time).joined().allSatisfy { $0.isFinite })
  }

  @Test("stays finite and responsive during ramps between any values", arguments: BuiltIn.rendering)
  func extremeRamps(unit: BuiltIn) throws {
    let instance = try initialized(unit)
    var time = 0.0
    for (scope, id) in parameters(instance) {
      let info = info(instance, scope, id)
      info.cfNameString?.release()
      guard info.flags.contains(.flag_IsWritable) else { continue }
      let ends: [(Float, Float)] = [(3e38, -3e38), (-3e38, 3e38), (info.defaultValue, 1e9)]
      for (start, end) in ends {
        var event = AudioUnitParameterEvent()
        (event.scope, event.parameter, event.eventType) = (scope, id, .parameterEvent_Ramped)
        event.eventValues.ramp.durationInFrames = 96
        (event.eventValues.ramp.startValue, event.eventValues.ramp.endValue) = (start, end)
        #expect(AudioUnitScheduleParameters(instance.unit, &event, 1) == noErr)
        for _ in 0..<2 {
          let samples = try instance.render(64, at: time)
          #expect(samples.joined().allSatisfy { $0.isFinite }, "parameter \(id), \(start)")
          time += 64
        }
      }
      _ = AudioUnitSetParameter(instance.unit, id, scope, 0, info.defaultValue, 0)
    }
  }

  @Test(
    "has the shared properties where they have an effect, and explains where not",
    arguments: BuiltIn.all)
  func sharedProperties(unit: BuiltIn) throws {
    let instance = try unit.instance()
    let isDevice =
      unit.type == kAudioUnitType_Output && !BuiltIn.rendering.contains { $0.name == unit.name }
    let isGeneric = unit.type == kAudioUnitType_Output && !isDevice
    let converts =
      unit.type == kAudioUnitType_Output
      || unit.type == kAudioUnitType_Mixer && unit.subType != kAudioUnitSubType_MultiSplitter
      || unit.subType == kAudioUnitSubType_Varispeed
      || unit.subType == kAudioUnitSubType_AUConverter
    let readsFiles = unit.subType == kAudioUnitSubType_AudioFilePlayer
    let isDeferred = unit.subType == kAudioUnitSubType_DeferredRenderer
    let rendersAhead = isDeferred || unit.subType == kAudioUnitSubType_RoundTripAAC
    let acceptsExternalBuffer =
      unit.type != kAudioUnitType_Generator && unit.type != kAudioUnitType_MusicDevice
      && !isDevice && !isGeneric && !isDeferred
      && unit.subType != kAudioUnitSubType_AUConverter
    let (global, output) = (kAudioUnitScope_Global, kAudioUnitScope_Output)
    let rows: [(AudioUnitPropertyID, AudioUnitScope, has: Bool)] = [
      (kAudioUnitProperty_RenderQuality, global, converts),
      (
        kAudioUnitProperty_OfflineRender, global,
        converts && !isDevice || readsFiles || rendersAhead
      ),
      (kAudioUnitProperty_SetExternalBuffer, global, acceptsExternalBuffer),
      (kAudioUnitProperty_PresentationLatency, output, isDevice),
      (kAudioUnitProperty_HostCallbacks, global, false),
    ]
    for (id, scope, has) in rows {
      let bytes = [UInt8](repeating: 0, count: 40)
      var size: UInt32 = 0
      let status = AudioUnitGetPropertyInfo(instance.unit, id, scope, 0, &size, nil)
      #expect(status == (has ? noErr : kAudioUnitErr_InvalidProperty), "property \(id)")
      guard !has else { continue }
      #expect(
        AudioUnitSetProperty(instance.unit, id, scope, 0, bytes, 4) == kAudioUnitErr_InvalidProperty
      )
      let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description ?? ""
      #expect(text.contains("is not one of its properties: "), "\(text)")
    }
  }

  @Test(
    "with a long signal history refuses channel counts and rates that would need too much memory",
    arguments: [
      kAudioUnitSubType_Delay, kAudioUnitSubType_SampleDelay, kAudioUnitSubType_Distortion,
    ])
  func largest(subType: OSType) throws {
    let instance = try Instance(kAudioUnitType_Effect, subType)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let format = stereoFormat(2_999_999, channels: 1_024)
      #expect(instance.set(kAudioUnitProperty_StreamFormat, format, scope) == noErr)
    }
    #expect(instance.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(64)) == noErr)
    #expect(AudioUnitInitialize(instance.unit) == kAudio_MemFullError)
    let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description ?? ""
    #expect(text.contains(" GiB would be needed"), "\(text)")
    var seconds = -1.0
    #expect(instance.get(kAudioUnitProperty_Latency, into: &seconds) == noErr)
  }

  @Test("can be initialized again and again, in many instances", arguments: BuiltIn.all)
  func repeatedInitialization(unit: BuiltIn) throws {
    for _ in 0..<8 {
      let instance = try unit.instance()
      for _ in 0..<3 {
        #expect(AudioUnitInitialize(instance.unit) == noErr)
        #expect(AudioUnitUninitialize(instance.unit) == noErr)
      }
    }
  }
}
