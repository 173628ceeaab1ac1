// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Chains of real units, compared with their formulas.
@Suite("Chains of units in a graph")
struct ChainTests {
  @Test("render what their formulas give: a file, a mixer, an equaliser, an output")
  func file() throws {
    let path = NSTemporaryDirectory() + "chain-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var random = RandomNumbers(5)
    let written = (0..<6_000).map { _ in Float(random.next(2_001)) / 1_000 - 1 }
    try write(written, to: path)

    let graph = try Graph()
    let mixer = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let equalizer = try graph.add(.apple(kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ))
    let output = try graph.addOutput()
    try graph.open()
    try check(graph.feed(mixer, 0, .playing(try read(path))))
    try check(
      AudioUnitSetParameter(
        graph.unit(mixer), kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5, 0))
    for (parameter, value) in [
      (kParametricEQParam_CenterFreq, 2_500), (kParametricEQParam_Q, 0.8),
      (kParametricEQParam_Gain, 9),
    ] as [(AudioUnitParameterID, Float)] {
      try graph.setParameter(equalizer, parameter, value)
    }
    try check(graph.connect(mixer, to: equalizer))
    try check(graph.connect(equalizer, to: output))
    try graph.initialize()
    let rendered = try graph.render(output, written.count, slice: 441)
    let bell = CookbookFilter.bell(2_500, q: Double(Float(0.8)), decibels: 9, rate: 44_100)
    let expected = bell.filter(Signal(written.map { 0.5 * Double($0) }, sampleRate: 44_100))
    #expect(zip(rendered, expected.samples).allSatisfy { abs(Double($0) - $1) < 1e-5 })
  }

  /// Writes a file with one channel at 44,100 Hz.
  private func write(_ samples: [Float], to path: String) throws {
    var samples = samples
    var writer = try SoundFileRecorder(path: path, sampleRate: 44_100, channelCount: 1)
    try samples.withUnsafeMutableBufferPointer { buffer in
      var channel = try #require(buffer.baseAddress)
      try writer.write(&channel, frameCount: buffer.count)
    }
    try writer.flush()
  }

  /// Reads a file with one channel by the library's own reader.
  private func read(_ path: String) throws -> [Float] {
    var reader = try SoundFileReader(path: path)
    var samples = [Float](repeating: 0, count: reader.frameCount)
    let count = try samples.withUnsafeMutableBufferPointer { buffer in
      var channel = try #require(buffer.baseAddress)
      return try reader.read(into: &channel, frameCount: buffer.count)
    }
    #expect(count == samples.count)
    return samples
  }

  @Test("continue the reverb after its source has ended, with the set decay time")
  func tail() throws {
    let graph = try Graph()
    let reverb = try graph.add(.apple(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
    let output = try graph.addOutput()
    try graph.open()
    try check(graph.connect(reverb, to: output))
    for (parameter, value) in [
      (kReverb2Param_DryWetMix, 100), (kReverb2Param_DecayTimeAt0Hz, 1),
      (kReverb2Param_DecayTimeAtNyquist, 1),
    ] as [(UInt32, Float)] { try graph.setParameter(reverb, parameter, value) }
    var random = RandomNumbers(6)
    try check(
      graph.feed(
        reverb, 0, .playing((0..<4_410).map { _ in Float(random.next(1_001)) / 1_000 - 0.5 })))
    try graph.initialize()
    let unit = try graph.unit(output)
    let slices = try (0..<100).map { try renderStereo(unit, 441, at: 441 * $0) }
    /// The mean power of slices of a hundredth of a second.
    func power(_ range: Range<Int>) -> Double {
      slices[range].reduce(0) { $0 + $1.reduce(0) { $0 + Double($1 * $1) } } / Double(range.count)
    }
    #expect(power(0..<10) > 1e-3)
    // The source ends at 0.1 s. Then the power falls by 60 dB per second.
    let decibels = 10 * log10(power(80..<90) / power(20..<30))
    #expect(abs(decibels + 36) < 6)
  }
}

extension Callback {
  /// Supplies samples on every channel, then silence.
  static func playing(_ samples: [Float]) -> Callback {
    Callback { time, _, list in
      for buffer in list {
        let target = UnsafeMutableBufferPointer<Float>(buffer)
        for index in target.indices {
          let frame = Int(time.mSampleTime) + index
          target[index] = samples.indices.contains(frame) ? samples[frame] : 0
        }
      }
    }
  }
}
