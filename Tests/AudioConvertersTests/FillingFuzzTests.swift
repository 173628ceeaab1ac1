// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

/// Compares conversion in pieces of any size with conversion as a whole.
@Suite("Fuzz: converter that is filled")
struct FillingFuzzTests {
  /// The settings that affect samples.
  private struct Settings {
    let quality: UInt32
    let complexity: UInt32
    let priming: UInt32
    let phase: Double
    let dithering: UInt32

    init(_ random: inout Sequence64) {
      // Converters share filter tables. Few settings, as most of the time would be spent on tables.
      quality = random.next() % 4 == 0 ? UInt32(random.next() % 128) : 64
      complexity = UInt32(
        [
          kAudioConverterSampleRateConverterComplexity_Normal,
          kAudioConverterSampleRateConverterComplexity_Normal,
          kAudioConverterSampleRateConverterComplexity_Linear,
          kAudioConverterSampleRateConverterComplexity_Mastering,
        ][Int(random.next() % 4)])
      priming = UInt32(random.next() % 3)
      phase = random.next() % 2 == 0 ? 0 : Double(random.next() % 8) / 8
      dithering = UInt32(random.next() % 3)
    }

    func apply(to program: ConverterProgram) throws(AudioError) {
      try program.set(kAudioConverterSampleRateConverterQuality, quality)
      try program.set(kAudioConverterSampleRateConverterComplexity, complexity)
      try program.set(kAudioConverterPrimeMethod, priming)
      try program.set(kAudioConverterSampleRateConverterInitialPhase, phase)
      try program.set(kAudioConverterPropertyDithering, dithering)
    }
  }

  @Test(
    "yields what a model yields, with any input sizes, any output sizes, errors and an end",
    arguments: FillingTests.pairs.indices)
  func model(index: Int) throws {
    let (input, output) = FillingTests.pairs[index]
    for round in 0..<max(1, rounds / FillingTests.pairs.count) {
      var random = Sequence64(state: UInt64(round) &* 77 &+ UInt64(index))
      let frames = Int.random(in: 0...3_000, using: &random)
      let settings = Settings(&random)
      let model = try FillingTests.program(input, output, frames: frames, seed: UInt64(round))
      try settings.apply(to: model)
      let expected = FillingTests.whole(model)
      let program = try FillingTests.program(input, output, frames: frames, seed: UInt64(round))
      try settings.apply(to: program)
      // The input may fail, with or without frames, and then continue.
      let generator = UnsafeMutablePointer<Sequence64>.allocate(capacity: 1)
      generator.initialize(to: random)
      defer { generator.deallocate() }
      var isFailing = false
      var failures = 0
      program.supply = { requested in
        isFailing =
          program.position < frames && Int.random(in: 0..<5, using: &generator.pointee) == 0
        if isFailing, Bool.random(using: &generator.pointee) { return 0 }
        return Int.random(in: 1...max(1, 2 * requested), using: &generator.pointee)
      }
      program.status = {
        if isFailing { failures += 1 }
        return isFailing ? 1_234 : noErr
      }
      var data: [[UInt8]] = Array(repeating: [], count: program.outputBuffers)
      var reportedFailures = 0
      while true {
        let count = Int.random(in: 1...1_200, using: &random)
        let (piece, status) = program.fill(count)
        for (buffer, bytes) in piece.enumerated() { data[buffer] += bytes }
        #expect(status == noErr || status == 1_234)
        if status == 1_234 { reportedFailures += 1 }
        if status == noErr, piece[0].count < count * Int(output.mBytesPerFrame) { break }
      }
      #expect(data == expected)
      #expect(reportedFailures == failures)
      // After the end there is no output, and the input function is not called.
      let calls = program.callCount
      #expect(program.fill(10).data[0].isEmpty)
      #expect(program.callCount == calls)
    }
  }
}
