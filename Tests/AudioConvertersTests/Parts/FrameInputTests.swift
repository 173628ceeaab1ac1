// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import Testing

@testable import AudioConverters

@Suite("Input of a converter")
struct FrameInputTests {
  private func samples(_ input: FrameInput) -> [Float] {
    let span = input.span()
    let start = span.buffers[0].assumingMemoryBound(to: Float.self) + span.start
    return Array(UnsafeBufferPointer(start: start, count: span.count))
  }

  @Test("keeps supplied frames until they are consumed")
  func frames() throws {
    let input = try FrameInput(Linear.float(channels: 1))
    let source = ConverterInputTests.Numbers([3, 2])
    #expect(input.count == 0 && !input.hasEnded)
    try input.supply(3, from: source)
    #expect(samples(input) == [0, 1, 2])
    input.consume(2)
    #expect(samples(input) == [2])
    // Frames are left, so the source is not asked.
    try input.supply(5, from: source)
    #expect(samples(input) == [2])
    input.consume(1)
    try input.supply(5, from: source)
    #expect(samples(input) == [3, 4] && !input.hasEnded)
  }

  @Test("has ended when the source supplies nothing, until it is reset")
  func end() throws {
    let input = try FrameInput(Linear.float(channels: 1))
    let source = ConverterInputTests.Numbers([1])
    try input.supply(1, from: source)
    input.consume(1)
    try input.supply(1, from: source)
    #expect(input.count == 0 && input.hasEnded)
    input.reset()
    #expect(!input.hasEnded)
  }

  @Test("reports the status of the source once its frames are consumed")
  func status() throws {
    let input = try FrameInput(Linear.float(channels: 1))
    let source = ConverterInputTests.Numbers([2, 2])
    source.stopping = 0
    try input.supply(2, from: source)
    input.consume(2)
    let failure = #expect(throws: AudioError.self) { try input.supply(1, from: source) }
    #expect(failure?.status == 1_234)
    try input.supply(2, from: source)
    #expect(samples(input) == [2, 3])
  }
}
