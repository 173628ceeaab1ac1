// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
@testable import BuiltInUnits
import Testing

/// An effect of the catalogue as the argument of a test.
struct EffectCase: CustomTestStringConvertible, Sendable {
  let definition: UnitDefinition

  var testDescription: String { definition.identity.name }

  /// All effects of the catalogue.
  static let all = Catalogue.effects.map(EffectCase.init)
  static let withPresets = all.filter { !$0.definition.factoryPresets.isEmpty }

  /// The supported channel counts up to eight.
  var channelCounts: [(input: Int, output: Int)] {
    guard let allowed = definition.channels else { return (1...8).map { ($0, $0) } }
    return allowed.flatMap { info -> [(Int, Int)] in
      let (input, output) = (Int(info.inChannels), Int(info.outChannels))
      if input < 0, output < 0 { return (1...8).map { ($0, $0) } }
      return [(input, output)]
    }
  }

  /// Stereo if supported.
  var defaultChannels: (input: Int, output: Int) {
    channelCounts.first { $0 == (2, 2) } ?? channelCounts.first ?? (2, 2)
  }

  /// Makes a unit that is not initialised.
  func make(rate: Double = 48_000, channels: (input: Int, output: Int)? = nil) throws
    -> EffectUnderTest
  { try EffectUnderTest(self, rate: rate, channels: channels ?? defaultChannels) }

  /// Makes an initialised unit.
  func makeReady(rate: Double = 48_000) throws -> EffectUnderTest {
    let unit = try make(rate: rate)
    try unit.host.initialize()
    return unit
  }
}

/// A unit of an effect with input from memory; only one thread renders at a time.
final class EffectUnderTest: @unchecked Sendable {
  static let maximumFrames = 4096

  let host: HostedUnit
  let definition: UnitDefinition
  let channels: (input: Int, output: Int)
  let rate: Double
  private let feed: Feed
  private var position = 0

  init(_ effect: EffectCase, rate: Double, channels: (input: Int, output: Int)) throws {
    let identity = effect.definition.identity
    definition = effect.definition
    self.channels = channels
    self.rate = rate
    host = try HostedUnit(
      identity.subType, type: identity.type, manufacturer: identity.manufacturer)
    feed = Feed(channels.input, Self.maximumFrames)
    try host.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(Self.maximumFrames))
    try host.setFormat(.linear(rate, channels: UInt32(channels.input)))
    try host.setFormat(.linear(rate, channels: UInt32(channels.output)), kAudioUnitScope_Output)
    host.retain(feed)
    try host.set(
      kAudioUnitProperty_SetRenderCallback, to: feed.callbackStruct, kAudioUnitScope_Input)
  }

  /// The latency in frames, and the tail in seconds.
  var latency: Int {
    get throws {
      Int((try host.get(kAudioUnitProperty_Latency, as: Float64(0)) * rate).rounded())
    }
  }
  var tail: Double {
    get throws {
      var size: UInt32 = 0
      let info = AudioUnitGetPropertyInfo(
        host.handle, kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, &size, nil)
      return info == noErr ? try host.get(kAudioUnitProperty_TailTime, as: Float64(0)) : 0
    }
  }

  var parameters: [AudioUnitParameterID] {
    get throws {
      try host.getArray(
        kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), kAudioUnitScope_Global, 0)
    }
  }

  func info(_ id: AudioUnitParameterID) throws -> AudioUnitParameterInfo {
    let info = try host.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), kAudioUnitScope_Global, id)
    if let name = info.__cfNameString { Unmanaged<AnyObject>.fromOpaque(name).release() }
    return info
  }

  var writable: [AudioUnitParameterID] {
    get throws { try parameters.filter { try info($0).flags.contains(.flag_IsWritable) } }
  }

  /// The name of a group of parameters.
  func clumpName(_ id: UInt32, length: Int32 = -1) throws -> String {
    let answer = try host.get(
      kAudioUnitProperty_ParameterClumpName,
      as: AudioUnitParameterNameInfo(inID: id, inDesiredLength: length, outName: nil))
    let name = try #require(answer.__outName)
    return "\(Unmanaged<AnyObject>.fromOpaque(name).takeRetainedValue())"
  }

  /// Schedules a ramp of a parameter that begins at a frame of the next render.
  func ramp(
    _ id: AudioUnitParameterID, from start: Float, to end: Float, at frame: Int = 0, frames: Int
  ) throws {
    var event = AudioUnitParameterEvent()
    event.parameter = id
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = Int32(frame)
    event.eventValues.ramp.durationInFrames = UInt32(frames)
    event.eventValues.ramp.startValue = start
    event.eventValues.ramp.endValue = end
    try check(AudioUnitScheduleParameters(host.handle, &event, 1))
  }

  func value(_ id: AudioUnitParameterID) throws -> Float {
    var value: Float = 0
    try check(AudioUnitGetParameter(host.handle, id, kAudioUnitScope_Global, 0, &value))
    return value
  }

  func set(_ id: AudioUnitParameterID, _ value: Float, offset: Int = 0) throws {
    try check(
      AudioUnitSetParameter(host.handle, id, kAudioUnitScope_Global, 0, value, UInt32(offset)))
  }

  func bypass(_ isOn: Bool) throws {
    try host.set(kAudioUnitProperty_BypassEffect, to: UInt32(isOn ? 1 : 0))
  }

  func reset() throws { try check(AudioUnitReset(host.handle, kAudioUnitScope_Global, 0)) }

  /// Sets every parameter to a fraction of its range, on its display scale.
  func changeParameters(_ part: Float = 0.7) throws {
    for id in try writable {
      let info = try info(id)
      var value = info.minValue + part * (info.maxValue - info.minValue)
      if info.flags.contains(.flag_DisplayLogarithmic), info.minValue > 0 {
        value = info.minValue * pow(info.maxValue / info.minValue, part)
      }
      if info.unit == .indexed { value = value.rounded() }
      if info.unit == .boolean { value = 1 - info.defaultValue }
      try set(id, value)
    }
  }

  /// Processes `input` on every channel, in slices of `slice` frames. `before` is called before
  /// each slice with its first frame.
  func render(
    _ input: [Float], slice: Int = 512, isSilent: Bool = false,
    before: (Int) throws -> Void = { _ in }
  ) throws -> [[Float]] {
    var output = Array(repeating: [Float](), count: channels.output)
    var frame = 0
    while frame < input.count {
      let frames = min(slice, input.count - frame)
      try before(frame)
      feed.isSilent = isSilent
      for index in 0..<frames { feed.samples[index] = input[frame + index] }
      let rendered = try renderSlice(frames)
      for channel in output.indices { output[channel] += rendered[channel] }
      frame += frames
    }
    return output
  }

  /// Whether the last render promised silence.
  private(set) var promisedSilence = false

  private func renderSlice(_ frames: Int) throws -> [[Float]] {
    let list = AudioBufferList.allocate(maximumBuffers: channels.output)
    defer { free(list.unsafeMutablePointer) }
    for index in list.indices {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    time.mSampleTime = Double(position)
    position += frames
    var flags = AudioUnitRenderActionFlags()
    try check(
      AudioUnitRender(
        host.handle, &flags, &time, 0, UInt32(frames), list.unsafeMutablePointer),
      "AudioUnitRender")
    promisedSilence = flags.contains(.unitRenderAction_OutputIsSilence)
    return list.map { Array(UnsafeMutableBufferPointer<Float>($0)) }
  }
}

/// Supplies samples with a render callback that allocates nothing.
final class Feed: @unchecked Sendable {
  let samples: UnsafeMutablePointer<Float>
  var isSilent = false
  private let channelCount: Int

  init(_ channelCount: Int, _ capacity: Int) {
    self.channelCount = channelCount
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
  }

  deinit { samples.deallocate() }

  var callbackStruct: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: Self.function, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }

  private static let function: AURenderCallback = { context, flags, _, _, frames, list in
    Unmanaged<Feed>.fromOpaque(context)._withUnsafeGuaranteedRef { feed in
      guard let list = UnsafeMutableAudioBufferListPointer(list) else { return -50 }
      for buffer in list {
        buffer.mData?.copyMemory(from: feed.samples, byteCount: 4 * Int(frames))
      }
      if feed.isSilent { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return noErr
    }
  }
}

extension [[Float]] {
  var peak: Float { joined().reduce(0) { Swift.max($0, $1.magnitude) } }
  var isFinite: Bool { joined().allSatisfy { $0.isFinite } }

  func dropping(_ frames: Int) -> Self { map { Array<Float>($0.dropFirst(frames)) } }
}

/// Noise at a level that overloads no unit.
func quietNoise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  noise(count, seed: seed).map { $0 / 4 }
}
