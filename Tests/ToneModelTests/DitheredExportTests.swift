// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Export with a dither")
struct DitheredExportTests {
  /// The left channel of an export, read back.
  private func written(
    _ tone: Tone, _ name: String, bits: Int?, shaped: Bool = false, seconds: Double = 2
  ) throws -> Signal {
    let path = NSTemporaryDirectory() + "\(UUID().uuidString)-\(name)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var export = ToneExport([tone], seconds: seconds)
    export.bits = bits
    export.hasShapedDither = shaped
    try export.write(to: path)
    var reader = try SoundFileReader(path: path)
    let count = reader.frameCount
    let (left, right) = (
      UnsafeMutablePointer<Float>.allocate(capacity: count),
      UnsafeMutablePointer<Float>.allocate(capacity: count)
    )
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
    defer {
      left.deallocate()
      right.deallocate()
      channels.deallocate()
    }
    channels.initialize(to: left)
    channels.advanced(by: 1).initialize(to: right)
    let read = try reader.read(into: channels, frameCount: count)
    return Signal((0..<read).map { left[$0] })
  }

  /// The level of a signal without its tone, in dBFS.
  private func rest(_ signal: Signal, _ frequency: Double) -> Double {
    signal.distortionAndNoise(at: frequency) + decibels(signal.tone(at: frequency).amplitude)
      - decibels(2.0.squareRoot())
  }

  @Test("adds nothing but the noise of the dither", arguments: [16, 24])
  func noiseFloor(bits: Int) throws {
    let signal = try written(Tone(frequency: 997, level: -20), "t.wav", bits: bits)
    #expect(abs(decibels(signal.tone(at: 997).amplitude) + 20) < 0.001)
    // The error of rounding with triangular dither has the power of half a step.
    let floor = decibels(exp2(-Double(bits)))
    #expect(abs(rest(signal, 997) - floor) < 0.4)
    // Every sample is a multiple of the step.
    let steps = exp2(Double(bits - 1))
    #expect(signal.samples.allSatisfy { ($0 * steps).rounded() == $0 * steps })
  }

  @Test("a tone far below the last bit is still there, at its level")
  func linearity() throws {
    let signal = try written(Tone(frequency: 1_000, level: -110), "t.wav", bits: 16, seconds: 10)
    #expect(abs(decibels(signal.tone(at: 1_000).amplitude) + 110) < 0.4)
    // It has no harmonics, which would exceed the noise, 57 dB below its power here.
    for harmonic in [3_000.0, 5_000, 7_000] {
      #expect(decibels(signal.tone(at: harmonic).amplitude) < -130)
    }
  }

  @Test("a shaped dither has less noise where hearing is sensitive")
  func shaped() throws {
    let edges = [2_000.0, 4_000]
    let flat = try written(Tone(level: -60), "t.wav", bits: 16, seconds: 4)
    let shaped = try written(Tone(level: -60), "t.wav", bits: 16, shaped: true, seconds: 4)
    let difference =
      shaped.powerDensities(between: edges)[0] - flat.powerDensities(between: edges)[0]
    #expect(difference < -10)
  }

  @Test(
    "every file type has the same samples",
    arguments: ["aiff", "caf", "w64", "rf64", "au", "flac"])
  func kinds(ending: String) throws {
    let tone = Tone(frequency: 440, level: -3)
    for bits in [16, 24] {
      let wave = try written(tone, "t.wav", bits: bits, seconds: 0.2)
      #expect(try written(tone, "t.\(ending)", bits: bits, seconds: 0.2).samples == wave.samples)
    }
  }

  @Test("without bits samples are unchanged")
  func float() throws {
    let signal = try written(Tone(frequency: 997, level: -20), "t.wav", bits: nil)
    #expect(signal.distortionAndNoise(at: 997) < -145)
  }

  @Test("other bits are refused")
  func mistakes() {
    var export = ToneExport([Tone()], seconds: 0.1)
    export.bits = 12
    #expect(throws: ToneError.self) { try export.write(to: "/tmp/never.wav") }
  }
}
