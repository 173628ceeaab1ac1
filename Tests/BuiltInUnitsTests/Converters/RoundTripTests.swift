// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

private let hasAAC = CompressedFormat.of(kAudioFormatMPEG4AAC)?.canEncode ?? false

@Suite("AAC and back", .enabled(if: hasAAC))
struct RoundTripTests {
  private let global = kAudioUnitScope_Global

  private func host(rate: Double = 48_000) throws -> MixerHost {
    try MixerHost(
      kAudioUnitSubType_RoundTripAAC, type: kAudioUnitType_FormatConverter, sampleRate: rate)
  }

  /// The ratio of the signal to the difference between output and input, in dB.
  private func noise(_ host: MixerHost, after wait: Int = 12_000) throws -> Double {
    let latency = Int((try host.latency).rounded())
    try host.feed(0) { channel, frame in Self.chord(channel, frame) }
    try host.initialize()
    let output = try host.render(wait + 24_000)[0].samples
    var (signal, rest) = (0.0, 0.0)
    for frame in wait..<wait + 24_000 {
      let expected = Double(Self.chord(0, frame - latency))
      signal += expected * expected
      rest += (output[frame] - expected) * (output[frame] - expected)
    }
    return 10 * log10(signal / rest)
  }

  private static func chord(_ channel: Int, _ frame: Int) -> Float {
    let time = Double(frame) / 48_000
    return Float(
      [220.0, 277, 330, 1_661, 5_003].reduce(0) {
        $0 + 0.1 * sin(2 * .pi * $1 * (1 + 0.01 * Double(channel)) * time)
      })
  }

  @Test("returns the signal in time, with less noise at higher bit rates")
  func quality() throws {
    var last = 5.0
    for index in [8, 13] as [Float] {
      let host = try host()
      try host.set(kRoundTripAACParam_RateOrQuality, index, global)
      let noise = try noise(host)
      #expect(noise > last + 3)
      last = noise
    }
  }

  @Test("supports three strategies of spending bits", arguments: [0, 1, 2] as [Float])
  func strategies(strategy: Float) throws {
    let host = try host()
    try host.set(kRoundTripAACParam_EncodingStrategy, strategy, global)
    #expect(try noise(host) > 10)
  }

  @Test(
    "a click arrives exactly after the latency",
    arguments: [48_000, 44_100, 16_000, 192_000] as [Double])
  func click(rate: Double) throws {
    let host = try host(rate: rate)
    try host.set(kRoundTripAACParam_RateOrQuality, rate < 20_000 ? 6 : 14, global)
    try host.feed(0) { _, frame in frame == 5_000 ? 0.9 : 0 }
    try host.initialize()
    let latency = Int((try host.latency).rounded())
    let output = try host.render(5_000 + latency + 4_000, slices: [500, 64])[0].samples
    let peak = output.indices.max { abs(output[$0]) < abs(output[$1]) }
    #expect(peak == 5_000 + latency)
    // It has no long tail, and no long pre-echo.
    #expect(output[..<(5_000 + latency - 2_100)].allSatisfy { abs($0) < 1e-4 })
    #expect(output[(5_000 + latency + 2_100)...].allSatisfy { abs($0) < 1e-4 })
  }

  @Test("does not depend on the slices, or on the signal before a reset")
  func slices() throws {
    // Whole blocks, so that the reset is at the end of one.
    func rendered(_ host: MixerHost, _ slices: [Int]) throws -> [Double] {
      Array(try host.render(20 * 1_024, slices: slices)[1].samples)
    }
    let one = try host()
    try one.feed(0) { Self.chord($0, $1) }
    try one.initialize()
    let expected = try rendered(one, [512])
    let other = try host()
    try other.feed(0) { Self.chord($0, $1) }
    try other.initialize()
    #expect(try rendered(other, [1, 64, 1_156, 333]) == expected)
    try check(AudioUnitReset(one.unit.handle, global, 0))
    try one.feed(0) { Self.chord($0, $1) }
    #expect(try rendered(one, [700]) == expected)
  }

  @Test("the bit rate changes while it plays, without moving the sound")
  func change() throws {
    let host = try host()
    try host.feedSine(0, 1_000)
    try host.initialize()
    _ = try host.render(24_000)
    for index in [15, 9, 12] as [Float] {
      try host.set(kRoundTripAACParam_RateOrQuality, index, global)
      let output = try host.render(24_000)[0]
      // An abrupt change would be 20 times as sharp as the tone.
      #expect(output.largestBend(frequency: 1_000, amplitude: 0.5) < 5)
      let tone = output.dropping(12_000).tone(near: 1_000)
      #expect(abs(tone.frequency - 1_000) < 0.01 && abs(tone.amplitude - 0.5) < 0.02)
    }
  }

  @Test("continues after NaN")
  func nanRecovery() throws {
    let host = try host()
    try host.feed(0) { _, frame in
      frame == 10_000 ? .nan : frame == 10_500 ? .infinity : Float(sin(Double(frame) / 10) / 2)
    }
    try host.initialize()
    let output = try host.render(48_000)[0]
    #expect(output.samples.allSatisfy { $0.isFinite })
    #expect(abs(output.dropping(36_000).tone(near: 48_000 / 20 / .pi).amplitude - 0.5) < 0.02)
  }

  @Test("keeps the channels apart", arguments: [1, 6] as [UInt32])
  func channels(count: UInt32) throws {
    let host = try host()
    try host.unit.setFormat(.linear(48_000, channels: count), kAudioUnitScope_Output, 0)
    // The fourth of six channels carries only low frequencies.
    try host.feed(0, channels: count) { channel, frame in
      Float(sin(2 * .pi * Double(40 + 10 * channel) * Double(frame) / 48_000) / 2)
    }
    try host.initialize()
    let output = try host.render(72_000, channels: Int(count))
    for channel in 0..<Int(count) {
      let tone = output[channel].dropping(24_000).tone(near: Double(40 + 10 * channel))
      #expect(abs(tone.amplitude - 0.5) < 0.05, "channel \(channel)")
    }
  }

  @Test("refuses unsupported channel counts with a reason")
  func refusals() throws {
    let host = try host()
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try host.unit.setFormat(.linear(48_000, channels: 7), scope, 0)
    }
    #expect(AudioUnitInitialize(host.unit.handle) == kAudioUnitErr_FailedInitialization)
    #expect(lastReason().contains("7 channels"))
  }

  /// A callback in plain memory.
  private static let steps: AURenderCallback = { _, _, time, _, frames, data in
    guard let data = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    for buffer in data {
      let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
      let first = Int(time.pointee.mSampleTime)
      for frame in 0..<Int(frames) { samples?[frame] = (first + frame) % 100 < 50 ? 0.5 : -0.5 }
    }
    return noErr
  }

  @Test("renders without using the heap at the pace of a device, and counts gaps")
  func heap() throws {
    let host = try host()
    try host.unit.set(
      kAudioUnitProperty_SetRenderCallback,
      to: AURenderCallbackStruct(inputProc: Self.steps, inputProcRefCon: nil),
      kAudioUnitScope_Input)
    try host.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(0))
    try host.initialize()
    // Far faster than the codec can encode.
    #expect(try heapOperations(rendering: host.unit, slices: 2_000, of: 512) == 0)
    #expect(
      try host.unit.get(kAUDiagnosticsProperty_Xruns, as: AUDiagnosticsXruns()).mCount >= 1)
    // In time again, once the codec has enough time.
    var isInTime = false
    for _ in 0..<20_000 where !isInTime {
      let output = try host.render(512)[0].samples
      isInTime = output.contains { abs($0) > 0.2 }
      usleep(5_000)
    }
    #expect(isInTime)
  }
}
