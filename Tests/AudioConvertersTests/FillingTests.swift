// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// The number of random trials; `make fuzz` sets more.
let rounds =
  ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap(Int.init) ?? 300

/// Random numbers that are the same in each run.
struct Sequence64: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
  }
}

@Suite("Converter that is filled")
struct FillingTests {
  static func program(
    _ input: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription, frames: Int,
    seed: UInt64 = 1
  ) throws -> ConverterProgram {
    let program = try ConverterProgram(input, output)
    var random = Sequence64(state: seed)
    program.frameCount = frames
    program.source = (0..<program.inputBuffers).map { _ in
      if input.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
        let count = frames * Int(input.mBytesPerFrame) / 4
        let samples = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
        return samples.withUnsafeBytes { Array($0) }
      }
      return (0..<frames * Int(input.mBytesPerFrame)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    return program
  }

  static func whole(_ program: ConverterProgram) -> [[UInt8]] {
    var data: [[UInt8]] = Array(repeating: [], count: program.outputBuffers)
    while true {
      let (piece, status) = program.fill(1_000)
      #expect(status == noErr)
      for (index, bytes) in piece.enumerated() { data[index] += bytes }
      if piece[0].isEmpty { return data }
    }
  }

  static let pairs: [(AudioStreamBasicDescription, AudioStreamBasicDescription)] = [
    (Linear.int16(), Linear.float(planar: true)),
    (Linear.float(), Linear.int16(channels: 1)),
    (Linear.float(44_100), Linear.float(48_000, planar: true)),
    (Linear.int16(48_000), Linear.int16(44_100, channels: 1)),
    (Linear.float(96_000, channels: 1), Linear.float(8_000)),
    (Linear.float(8_000, channels: 1), Linear.int16(192_000)),
    (Linear.float(44_099.7), Linear.float(48_000)),
  ]

  @Test(
    "yields as many frames as the input lasts", arguments: pairs.indices,
    [0, 1, 2, 100, 4_410])
  func length(index: Int, frames: Int) throws {
    let (input, output) = Self.pairs[index]
    let data = Self.whole(try Self.program(input, output, frames: frames))
    let exact = Double(frames) * output.mSampleRate / input.mSampleRate
    #expect(data[0].count / Int(output.mBytesPerFrame) == Int((exact - 1e-6).rounded(.up)))
  }

  @Test(
    "yields each frame at its time",
    arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100)])
  func time(from: Double, to: Double) throws {
    let program = try ConverterProgram(
      Linear.float(from, channels: 1), Linear.float(to, channels: 1))
    let frames = 8_000
    let samples = (0..<frames).map { Float(sin(2 * .pi * 997 * Double($0) / from)) }
    program.source = [samples.withUnsafeBytes { Array($0) }]
    program.frameCount = frames
    let data = Self.whole(program)[0]
    let output = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    for frame in 1_000..<output.count - 1_000 {
      #expect(abs(Double(output[frame]) - sin(2 * .pi * 997 * Double(frame) / to)) < 1e-4)
    }
  }

  @Test("begins at the initial phase, and yields as many frames as begin within the input")
  func initialPhase() throws {
    let program = try ConverterProgram(
      Linear.float(44_100, channels: 1), Linear.float(48_000, channels: 1))
    try program.set(kAudioConverterSampleRateConverterInitialPhase, 0.5)
    #expect(try program.get(kAudioConverterSampleRateConverterInitialPhase, 0.0) == 0.5)
    let frames = 8_000
    let samples = (0..<frames).map { Float(sin(2 * .pi * 997 * Double($0) / 44_100)) }
    program.source = [samples.withUnsafeBytes { Array($0) }]
    program.frameCount = frames
    let data = Self.whole(program)[0]
    let output = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(output.count == Int((7_999.5 * 48 / 44.1).rounded(.up)))
    for frame in 1_000..<output.count - 1_000 {
      let time = Double(frame) / 48_000 + 0.5 / 44_100
      #expect(abs(Double(output[frame]) - sin(2 * .pi * 997 * time)) < 1e-4)
    }
    for phase in [-0.1, 1, .nan] {
      #expect(throws: AudioError.self) {
        try program.set(kAudioConverterSampleRateConverterInitialPhase, phase)
      }
    }
  }

  @Test("rings only after an impulse with minimum phase, and on both sides with linear phase")
  func minimumPhase() throws {
    func energyBefore(_ complexity: UInt32) throws -> Double {
      let program = try ConverterProgram(
        Linear.float(44_100, channels: 1), Linear.float(48_000, channels: 1))
      try program.set(kAudioConverterSampleRateConverterComplexity, complexity)
      var samples = [Float](repeating: 0, count: 4_000)
      samples[2_000] = 1
      program.source = [samples.withUnsafeBytes { Array($0) }]
      program.frameCount = 4_000
      let data = Self.whole(program)[0]
      let output = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let position = Int(2_000 * 48 / 44.1) - 3
      let before = output[..<position].reduce(0.0) { $0 + Double($1 * $1) }
      return before / output.reduce(0.0) { $0 + Double($1 * $1) }
    }
    let linear = try energyBefore(UInt32(kAudioConverterSampleRateConverterComplexity_Normal))
    let minimum = try energyBefore(
      UInt32(kAudioConverterSampleRateConverterComplexity_MinimumPhase))
    #expect(linear > 0.001)
    #expect(minimum < 1e-6)
  }

  @Test("clears the signal history at a reset, also after the end")
  func reset() throws {
    let program = try Self.program(Linear.float(), Linear.float(48_000), frames: 700)
    let first = Self.whole(program)
    program.position = 0
    try Converter.use(program.handle) { converter throws(AudioError) in try converter.reset() }
    #expect(Self.whole(program) == first)
  }

  @Test("delays the output by what it does not read ahead, with no priming")
  func noPriming() throws {
    let program = try Self.program(
      Linear.float(channels: 1), Linear.float(48_000, channels: 1), frames: 2_000)
    try program.set(kAudioConverterPrimeMethod, UInt32(kConverterPrimeMethod_None))
    let info = try program.get(kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
    #expect(info.leadingFrames == 0)
    let count = Self.whole(program)[0].count / 4
    #expect(count == Int((Double(2_000 + Int(info.trailingFrames)) * 48 / 44.1).rounded(.up)))
  }

  @Test("begins later with leading frames, and ends at the same time")
  func leadingFrames() throws {
    let normal = Self.whole(
      try Self.program(Linear.float(channels: 1), Linear.float(48_000, channels: 1), frames: 2_000))
    let program = try Self.program(
      Linear.float(channels: 1), Linear.float(48_000, channels: 1), frames: 2_000)
    try program.set(kAudioConverterPrimeMethod, UInt32(kConverterPrimeMethod_Pre))
    let info = try program.get(kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
    let data = Self.whole(program)
    #expect(info.leadingFrames > 0)
    let missing = normal[0].count - data[0].count
    #expect(abs(Double(missing / 4) * 44.1 / 48 - Double(info.leadingFrames)) <= 1)
    #expect(Array(normal[0][missing...]) == data[0])
  }

  @Test("routes channels by a map, and mixes them by a matrix")
  func mixing() throws {
    let frames: [Float] = [0.25, -0.5, 0.125, 1]
    func run(_ set: (ConverterProgram) throws -> Void) throws -> [Float] {
      let program = try ConverterProgram(Linear.float(), Linear.float(channels: 3))
      program.source = [frames.withUnsafeBytes { Array($0) }]
      program.frameCount = 2
      try set(program)
      return program.fill(2).data[0].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    #expect(try run { _ in } == [0.25, -0.5, 0, 0.125, 1, 0])
    #expect(
      try run { try $0.set(kAudioConverterChannelMap, array: [1, -1, 0] as [Int32]) }
        == [-0.5, 0, 0.25, 1, 0, 0.125])
    #expect(
      try run {
        try $0.set(kAudioConverterPropertyChannelMixMap, array: [1, 0.5, 0, 0, 0.5, 1] as [Float])
      } == [0.25, -0.125, -0.5, 0.125, 0.5625, 1])
  }

  @Test("plays mono on both of two channels")
  func mono() throws {
    let program = try ConverterProgram(Linear.float(channels: 1), Linear.float())
    program.source = [([0.5, -1] as [Float]).withUnsafeBytes { Array($0) }]
    program.frameCount = 2
    let data = program.fill(2).data[0]
    #expect(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } == [0.5, 0.5, -1, -1])
  }
}
