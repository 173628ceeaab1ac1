// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A format of integers, with what a test needs to write and read its samples.
private struct IntegerFormat: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bits: UInt32
  let fraction: UInt32
  let isInterleaved: Bool

  static let all: [Self] = [
    .init(testDescription: "8.24", bits: 32, fraction: 24, isInterleaved: false),
    .init(testDescription: "16 bit", bits: 16, fraction: 15, isInterleaved: false),
    .init(testDescription: "16 bit, interleaved", bits: 16, fraction: 15, isInterleaved: true),
  ]

  /// Two steps of the samples, on the way in and on the way out, and what a unit's gain makes of them.
  var tolerance: Double { 4 / scale }
  var scale: Double { Double(1 << fraction) }
  var bytes: Int { Int(bits) / 8 }

  func description(_ channels: UInt32) -> AudioStreamBasicDescription {
    let fixed = fraction == 24 ? AudioFormatFlags(24 << 7) : 0
    return .linear(
      48_000, channels: channels, bits: bits,
      flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | fixed,
      isInterleaved: isInterleaved)
  }

  func store(_ value: Double, _ data: UnsafeMutableRawPointer, at place: Int) {
    let number = Int32((value * scale).rounded())
    if bits == 16 {
      data.storeBytes(of: Int16(number), toByteOffset: 2 * place, as: Int16.self)
    } else {
      data.storeBytes(of: number, toByteOffset: 4 * place, as: Int32.self)
    }
  }

  func load(_ data: UnsafeMutableRawPointer, at place: Int) -> Double {
    let number =
      bits == 16
      ? Int32(data.load(fromByteOffset: 2 * place, as: Int16.self))
      : data.load(fromByteOffset: 4 * place, as: Int32.self)
    return Double(number) / scale
  }

  /// A buffer list for frames of two channels, without memory if there is none.
  func list(_ memory: UnsafeMutableRawPointer?, _ frames: Int)
    -> UnsafeMutableAudioBufferListPointer
  {
    let list = AudioBufferList.allocate(maximumBuffers: isInterleaved ? 1 : 2)
    let size = frames * bytes * (isInterleaved ? 2 : 1)
    for index in 0..<list.count {
      list[index] = AudioBuffer(
        mNumberChannels: isInterleaved ? 2 : 1, mDataByteSize: UInt32(size),
        mData: memory.map { $0 + index * size })
    }
    return list
  }

  /// The samples of one channel of a list.
  func samples(
    _ channel: Int, of list: UnsafeMutableAudioBufferListPointer, _ frames: Int
  ) -> [Double] {
    guard let data = list[isInterleaved ? 0 : channel].mData else { return [] }
    return (0..<frames).map { load(data, at: isInterleaved ? 2 * $0 + channel : $0) }
  }
}

@Suite("Integer formats of effects and mixers")
struct EffectFormatTests {
  private static let frames = 512
  private static let effects = [
    kAudioUnitSubType_AUiPodEQ, kAudioUnitSubType_LowPassFilter, kAudioUnitSubType_Delay,
    kAudioUnitSubType_PeakLimiter, kAudioUnitSubType_Reverb2,
  ]

  /// Different on each channel.
  private static func sine(_ channel: Int, _ frame: Int) -> Double {
    0.25 * sin(2 * .pi * (channel == 0 ? 440 : 997) * Double(frame) / 48_000)
  }

  /// A callback that writes the sines in a format.
  private func source(_ format: IntegerFormat) -> HostCallback {
    HostCallback { moment in
      guard let buffers = moment.buffers else { return kAudio_ParamError }
      for (index, buffer) in buffers.enumerated() {
        guard let data = buffer.mData else { return kAudio_ParamError }
        for frame in 0..<moment.frames {
          if format.isInterleaved {
            for channel in 0..<2 {
              format.store(
                Self.sine(channel, moment.position + frame), data, at: 2 * frame + channel)
            }
          } else {
            format.store(Self.sine(index, moment.position + frame), data, at: frame)
          }
        }
      }
      return noErr
    }
  }

  /// Both channels of four renders of a unit.
  private func render(
    _ unit: HostedUnit, _ format: IntegerFormat, providesMemory: Bool = true
  ) throws -> [[Double]] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * Self.frames, alignment: 8)
    defer { memory.deallocate() }
    var channels: [[Double]] = [[], []]
    for slice in 0..<4 {
      let list = format.list(providesMemory ? memory : nil, Self.frames)
      defer { free(list.unsafeMutablePointer) }
      var flags = AudioUnitRenderActionFlags()
      var time = AudioTimeStamp()
      (time.mSampleTime, time.mFlags) = (Double(slice * Self.frames), .sampleTimeValid)
      try check(
        AudioUnitRender(
          unit.handle, &flags, &time, 0, UInt32(Self.frames), list.unsafeMutablePointer))
      for channel in 0..<2 {
        channels[channel] += format.samples(channel, of: list, Self.frames)
      }
    }
    return channels
  }

  /// What a unit makes of the sines in Float32.
  private func reference(_ subType: OSType) throws -> [[Double]] {
    let host = try MixerHost(subType, type: kAudioUnitType_Effect)
    try host.feed(0) { Float(Self.sine($0, $1)) }
    try host.initialize()
    return try host.render(4 * Self.frames, slices: [Self.frames]).map(\.samples)
  }

  private func effect(_ subType: OSType, _ format: IntegerFormat) throws -> HostedUnit {
    let unit = try HostedUnit(subType, type: kAudioUnitType_Effect)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setFormat(format.description(2), scope)
    }
    try unit.setCallback(source(format))
    try unit.initialize()
    return unit
  }

  @Test(
    "an effect sounds as in Float32, up to the rounding of samples", arguments: effects,
    IntegerFormat.all)
  private func bothSides(subType: OSType, format: IntegerFormat) throws {
    let expected = try reference(subType)
    for providesMemory in [true, false] {
      let rendered = try render(
        try effect(subType, format), format, providesMemory: providesMemory)
      for channel in 0..<2 {
        let difference = zip(rendered[channel], expected[channel]).map { abs($0 - $1) }.max()
        #expect(try #require(difference) < format.tolerance)
      }
    }
  }

  @Test("the sides of an effect may differ", arguments: IntegerFormat.all)
  private func oneSide(format: IntegerFormat) throws {
    let expected = try reference(kAudioUnitSubType_AUiPodEQ)
    let unit = try HostedUnit(kAudioUnitSubType_AUiPodEQ, type: kAudioUnitType_Effect)
    try unit.setFormat(.linear(48_000))
    try unit.setFormat(format.description(2), kAudioUnitScope_Output)
    try unit.setCallback(
      HostCallback { moment in
        moment.fill { Float(Self.sine($0, $1)) }
        return noErr
      })
    try unit.initialize()
    let rendered = try render(unit, format)
    for channel in 0..<2 {
      let difference = zip(rendered[channel], expected[channel]).map { abs($0 - $1) }.max()
      #expect(try #require(difference) < format.tolerance)
    }
  }

  @Test("an effect processes the caller's samples in place", arguments: IntegerFormat.all)
  private func inPlace(format: IntegerFormat) throws {
    let expected = try reference(kAudioUnitSubType_LowPassFilter)
    let unit = try effect(kAudioUnitSubType_LowPassFilter, format)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * Self.frames, alignment: 8)
    defer { memory.deallocate() }
    let list = format.list(memory, Self.frames)
    defer { free(list.unsafeMutablePointer) }
    for frame in 0..<Self.frames {
      for channel in 0..<2 {
        guard let data = list[format.isInterleaved ? 0 : channel].mData else { continue }
        format.store(
          Self.sine(channel, frame), data, at: format.isInterleaved ? 2 * frame + channel : frame)
      }
    }
    var flags = AudioUnitRenderActionFlags()
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    func process(_ frames: Int) -> OSStatus {
      AudioUnitProcess(unit.handle, &flags, &time, UInt32(frames), list.unsafeMutablePointer)
    }
    #expect(process(Self.frames + 1) == kAudio_ParamError, "more frames than the list has")
    try check(process(Self.frames))
    for channel in 0..<2 {
      let rendered = format.samples(channel, of: list, Self.frames)
      let difference = zip(rendered, expected[channel]).map { abs($0 - $1) }.max()
      #expect(try #require(difference) < format.tolerance)
    }
  }

  @Test("a mixer writes integers, and adopts the format of an effect", arguments: IntegerFormat.all)
  private func mixer(format: IntegerFormat) throws {
    let (mixer, equalizer) = (
      try HostedUnit(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer),
      try effect(kAudioUnitSubType_AUiPodEQ, format)
    )
    try mixer.setFormat(format.description(2), kAudioUnitScope_Output)
    try mixer.connect(equalizer)
    let adopted = try mixer.format()
    #expect(adopted.mBitsPerChannel == format.bits)
    #expect(adopted.mFormatFlags == format.description(2).mFormatFlags)
    try mixer.initialize()
    let rendered = try render(mixer, format)
    for channel in 0..<2 {
      let difference = rendered[channel].enumerated().map {
        abs($0.element - Self.sine(channel, $0.offset))
      }.max()
      #expect(try #require(difference) < format.tolerance)
    }
  }

  @Test("rates must still be equal on both sides of an effect")
  func rates() throws {
    let unit = try HostedUnit(kAudioUnitSubType_AUiPodEQ, type: kAudioUnitType_Effect)
    var format = IntegerFormat.all[0].description(2)
    try unit.setFormat(format, kAudioUnitScope_Output)
    format.mSampleRate = 44_100
    try unit.setFormat(format)
    #expect(AudioUnitInitialize(unit.handle) == kAudioUnitErr_FormatNotSupported)
  }
}
