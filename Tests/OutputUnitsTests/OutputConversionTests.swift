// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A linear PCM format. Tests write and read its samples independently of the library.
struct SampleCoding: Sendable, CustomTestStringConvertible {
  var name: String
  var bits: UInt32
  var flags: AudioFormatFlags
  /// The integer that represents 1, as a power of two; zero for floats.
  var scale: Int

  var testDescription: String { name }
  var bytes: Int { Int(bits / 8) }
  var isBigEndian: Bool { flags & kAudioFormatFlagIsBigEndian != 0 }

  private static let float = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
  private static let integer = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked

  static let all: [SampleCoding] = [
    .init(name: "Float32", bits: 32, flags: float, scale: 0),
    .init(
      name: "Float32 big-endian", bits: 32, flags: float | kAudioFormatFlagIsBigEndian, scale: 0),
    .init(name: "Float64", bits: 64, flags: float, scale: 0),
    .init(name: "Int16", bits: 16, flags: integer, scale: 15),
    .init(
      name: "Int16 big-endian", bits: 16, flags: integer | kAudioFormatFlagIsBigEndian, scale: 15),
    .init(name: "Int24", bits: 24, flags: integer, scale: 23),
    .init(
      name: "Int24 big-endian", bits: 24, flags: integer | kAudioFormatFlagIsBigEndian, scale: 23),
    .init(name: "Int32", bits: 32, flags: integer, scale: 31),
    .init(name: "8.24", bits: 32, flags: integer | 24 << 7, scale: 24),
  ]

  func format(_ rate: Double, channels: UInt32, isInterleaved: Bool) -> AudioStreamBasicDescription
  {
    .linear(rate, channels: channels, bits: bits, flags: flags, isInterleaved: isInterleaved)
  }

  /// The sample rounded to this coding, within its range.
  func quantized(_ sample: Float) -> Float {
    guard scale > 0 else { return sample }
    return Float(Double(word(sample)) / Double(sign: .plus, exponent: scale, significand: 1))
  }

  private func word(_ sample: Float) -> Int64 {
    let limit = Double(sign: .plus, exponent: Int(bits) - 1, significand: 1)
    let scaled = (Double(sample) * Double(sign: .plus, exponent: scale, significand: 1))
      .rounded(.toNearestOrEven)
    return Int64(min(max(scaled, -limit), limit - 1))
  }

  func write(_ sample: Float, to place: UnsafeMutableRawPointer) {
    let pattern: UInt64 =
      scale > 0
      ? UInt64(bitPattern: word(sample))
      : bits == 64 ? Double(sample).bitPattern : UInt64(sample.bitPattern)
    for byte in 0..<bytes {
      let shift = 8 * (isBigEndian ? bytes - 1 - byte : byte)
      place.storeBytes(
        of: UInt8(truncatingIfNeeded: pattern >> UInt64(shift)), toByteOffset: byte, as: UInt8.self)
    }
  }

  func read(_ place: UnsafeRawPointer) -> Float {
    var pattern: UInt64 = 0
    for byte in 0..<bytes {
      let shift = 8 * (isBigEndian ? bytes - 1 - byte : byte)
      pattern |= UInt64(place.load(fromByteOffset: byte, as: UInt8.self)) << UInt64(shift)
    }
    if scale == 0 {
      return bits == 64
        ? Float(Double(bitPattern: pattern))
        : Float(bitPattern: UInt32(truncatingIfNeeded: pattern))
    }
    let up = UInt64(64 - bits)
    let word = Int64(bitPattern: pattern << up) >> Int64(up)
    return Float(Double(word) / Double(sign: .plus, exponent: scale, significand: 1))
  }

  /// The address of a sample in a buffer list.
  func place(
    _ list: UnsafeMutableAudioBufferListPointer, _ channel: Int, _ frame: Int, _ count: Int
  )
    -> UnsafeMutableRawPointer?
  {
    list.count == 1
      ? list[0].mData.map { $0 + (frame * count + channel) * bytes }
      : list[channel].mData.map { $0 + frame * bytes }
  }
}

@Suite("Output unit, between formats")
struct OutputConversionTests {
  @Test(
    "plays every sample format", arguments: SampleCoding.all, [true, false])
  func plays(coding: SampleCoding, isInterleaved: Bool) throws {
    let tape = Tape()
    let samples = [noise(3_000).map { $0 * 1.5 }, noise(3_000, seed: 2)]
    let callback = HostCallback { moment in
      guard let list = moment.buffers else { return noErr }
      for channel in 0..<2 {
        for frame in 0..<moment.frames {
          let position = moment.position + frame
          guard let place = coding.place(list, channel, frame, 2) else { continue }
          coding.write(position < 3_000 ? samples[channel][position] : 0, to: place)
        }
      }
      if moment.position > 3_000 { usleep(1_000) }
      return noErr
    }
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.setFormat(coding.format(44_100, channels: 2, isInterleaved: isInterleaved))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 4_000 })
      try unit.stop()
    }
    let recorded = try tape.samples()
    for channel in 0..<2 {
      #expect(Array(recorded[channel].prefix(3_000)) == samples[channel].map(coding.quantized))
    }
  }

  /// How a callback supplies its samples.
  enum Giving: CaseIterable {
    case filling, pointing, silent
  }

  @Test(
    "plays unconverted samples from the callback's memory too, and promised silence",
    arguments: Giving.allCases)
  func unconverted(giving: Giving) throws {
    let tape = Tape()
    let samples = [noise(3_000), noise(3_000, seed: 2)]
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4_096)
    memory.initialize(repeating: 0, count: 2 * 4_096)
    defer { memory.deallocate() }
    nonisolated(unsafe) let own = memory
    let callback = HostCallback { moment in
      if moment.position > 3_000 { usleep(1_000) }
      guard let buffers = moment.buffers else { return noErr }
      if giving == .pointing {
        for channel in 0..<2 {
          buffers[channel].mData = UnsafeMutableRawPointer(own + channel * 4_096)
        }
      }
      moment.fill { channel, frame in frame < 3_000 ? samples[channel][frame] : 0 }
      if giving == .silent { moment.flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return noErr
    }
    try onDevice(tape, rate: 44_100, frames: 700) {
      let unit = try HostedUnit()
      try unit.setFormat(.linear(44_100, channels: 2))
      try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(512))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 4_000 })
      try unit.stop()
    }
    let recorded = try tape.samples()
    for channel in 0..<2 {
      let expected = giving == .silent ? samples[channel].map { _ in 0 } : samples[channel]
      #expect(Array(recorded[channel].prefix(3_000)) == expected)
    }
  }

  @Test(
    "captures every sample format", arguments: SampleCoding.all, [true, false])
  func captures(coding: SampleCoding, isInterleaved: Bool) throws {
    let samples = [noise(3_000).map { $0 * 1.5 }, noise(3_000, seed: 2)]
    let input = try Tape(samples, sampleRate: 44_100)
    let capture = Capture(coding: coding, channels: 2, isInterleaved: isInterleaved)
    try onDevice(input: input, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.enable(input: true, output: false)
      try unit.setFormat(
        coding.format(44_100, channels: 2, isInterleaved: isInterleaved), kAudioUnitScope_Output, 1)
      try capture.run(unit, frames: 3_000)
    }
    for channel in 0..<2 {
      #expect(
        Array(capture.samples[channel].prefix(3_000)) == samples[channel].map(coding.quantized))
    }
  }

  static let rates: [Double] = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000]

  @Test("plays between all rates without an alias or an image", arguments: rates, rates)
  func playsRates(program: Double, device: Double) throws {
    for frequency in Self.frequencies(from: program, to: device) {
      let tape = Tape()
      let callback = HostCallback { moment in
        moment.fill { _, frame in
          Float(0.5 * sin(2 * .pi * (frequency * Double(frame) / program)))
        }
        return noErr
      }
      try onDevice(tape, rate: device) {
        let unit = try HostedUnit()
        try unit.setFormat(.linear(program, channels: 1))
        try unit.setCallback(callback)
        try unit.initialize()
        try unit.start()
        #expect(wait { Double(callback.frames) * device / program > 80_000 })
        try unit.stop()
      }
      try expectClean(try tape.signal(), frequency, below: min(program, device) / 2)
    }
  }

  @Test("captures between all rates without an alias or an image", arguments: rates, rates)
  func capturesRates(program: Double, device: Double) throws {
    for frequency in Self.frequencies(from: device, to: program) {
      let count = Int(80_000 * device / program) + 8_192
      let tone = Signal.sine(frequency, amplitude: 0.5, sampleRate: device, count: count)
      let input = try Tape([tone.floats], sampleRate: device)
      let capture = Capture(coding: SampleCoding.all[0], channels: 1, isInterleaved: false)
      try onDevice(input: input, rate: device, inputEnd: .silence) {
        let unit = try HostedUnit()
        try unit.enable(input: true, output: false)
        try unit.setFormat(.linear(program, channels: 1), kAudioUnitScope_Output, 1)
        try capture.run(unit, frames: 78_000)
      }
      let captured = Signal(capture.samples[0], sampleRate: program)
      try expectClean(captured, frequency, below: min(program, device) / 2)
    }
  }

  /// A tone below half of both rates and, if the rate decreases, one that must be suppressed.
  private static func frequencies(from: Double, to: Double) -> [Double] {
    let low = (0.2 * min(from, to)).rounded() + 1
    return from > to * 1.2 ? [low, (0.55 * to).rounded()] : [low]
  }

  private func expectClean(_ signal: Signal, _ frequency: Double, below limit: Double) throws {
    try #require(signal.count >= 12_000 + 65_536)
    let settled = signal[12_000..<12_000 + 65_536]
    let spectrum = Spectrum(settled)
    if frequency < limit {
      #expect(abs(decibels(settled.tone(at: frequency).amplitude / 0.5)) < 0.1)
      #expect(decibels(spectrum.highest(except: [frequency]).amplitude / 0.5) < -100)
    } else {
      // An alias near half the rate, above the audible range, may remain.
      #expect(decibels(spectrum.highest(below: 0.9 * limit).amplitude / 0.5) < -100)
    }
  }

  struct Channels: Sendable {
    var program: Int
    var device: Int
    /// The weights of the program's channels in each device channel.
    var weights: [[Float]]
  }

  @Test(
    "plays between channel counts",
    arguments: [
      Channels(program: 1, device: 2, weights: [[1], [1]]),
      Channels(program: 2, device: 1, weights: [[0.5, 0.5]]),
      Channels(program: 2, device: 4, weights: [[1, 0], [0, 1], [0, 0], [0, 0]]),
      Channels(
        program: 4, device: 2,
        weights: [[1, 0, 0.707_106_77, 0], [0, 1, 0, 0.707_106_77]]),
      Channels(
        program: 4, device: 4,
        weights: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    ])
  func channels(_ setup: Channels) throws {
    let tape = Tape()
    let samples = (0..<setup.program).map { noise(2_000, seed: UInt64($0 + 1)) }
    try onDevice(tape, rate: 44_100, channels: setup.device) {
      let unit = try HostedUnit()
      try unit.setFormat(.linear(44_100, channels: UInt32(setup.program)))
      try play(samples, on: unit)
    }
    let recorded = try tape.samples()
    for (channel, weights) in setup.weights.enumerated() {
      let expected = (0..<2_000).map { frame in
        zip(weights, samples).reduce(Float(0)) { $0 + $1.0 * $1.1[frame] }
      }
      // The order of a sum may differ, except where a channel is copied.
      let tolerance: Float = weights.allSatisfy { $0 == 0 || $0 == 1 } ? 0 : 1e-6
      let isExpected = zip(recorded[channel], expected).allSatisfy { abs($0 - $1) <= tolerance }
      #expect(isExpected && recorded[channel].count >= 2_000)
    }
  }
}

/// Captures the input with an input callback.
final class Capture: @unchecked Sendable {
  private(set) var samples: [[Float]]
  private(set) var statuses: Set<OSStatus> = []
  private let coding: SampleCoding
  private let channels: Int
  private let isInterleaved: Bool
  private let box = UnitBox()
  private(set) var callback = HostCallback()

  init(coding: SampleCoding, channels: Int, isInterleaved: Bool) {
    self.coding = coding
    self.channels = channels
    self.isInterleaved = isInterleaved
    samples = Array(repeating: [], count: channels)
    callback = HostCallback { [unowned self] in capture($0) }
  }

  /// Runs a unit whose input is enabled until `frames` frames were captured.
  func run(_ unit: HostedUnit, frames: Int) throws {
    box.set(unit.handle)
    unit.retain(self)
    try unit.setInputCallback(callback, element: 1)
    try unit.initialize()
    try unit.start()
    #expect(wait { callback.frames >= frames })
    try unit.stop()
  }

  private func capture(_ moment: CallbackArguments) -> OSStatus {
    let count = isInterleaved ? 1 : channels
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer { free(list.unsafeMutablePointer) }
    for index in 0..<count {
      list[index] = AudioBuffer(
        mNumberChannels: UInt32(isInterleaved ? channels : 1), mDataByteSize: 0, mData: nil)
    }
    var flags = AudioUnitRenderActionFlags()
    let status = AudioUnitRender(
      box.handle, &flags, moment.time, 1, UInt32(moment.frames), list.unsafeMutablePointer)
    statuses.insert(status)
    guard status == noErr else { return status }
    if moment.position > 200_000 { usleep(1_000) }
    for channel in 0..<channels {
      for frame in 0..<moment.frames {
        guard let place = coding.place(list, channel, frame, channels) else { continue }
        samples[channel].append(coding.read(place))
      }
    }
    return moment.list == nil ? noErr : -1
  }
}
