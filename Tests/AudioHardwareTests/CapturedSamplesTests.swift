// SPDX-License-Identifier: Apache-2.0
@testable import AudioHardware
import AudioTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Captured samples for later reading")
struct CapturedSamplesTests {
  /// A channel whose frame n is n.
  private final class Counting: @unchecked Sendable {
    let samples: UnsafeMutablePointer<Float>
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ count: Int) {
      samples = .allocate(capacity: count)
      for frame in 0..<count { (samples + frame).initialize(to: Float(frame)) }
      channels = .allocate(capacity: 1)
      channels.initialize(to: samples)
    }

    deinit {
      samples.deallocate()
      channels.deallocate()
    }
  }

  @Test("the frames of calls of every length are kept", arguments: [1, 512, 16_384, 65_536])
  func lengths(frames: Int) {
    let input = Counting(3 * frames)
    let captured = CapturedSamples(channelCount: 1, sampleRate: 1_000, maximumFrames: frames)
    for call in 0..<3 {
      captured.write(
        UnsafePointer(input.channels), from: call * frames, frames: frames,
        sampleTime: Double(call * frames))
    }
    let range = captured.range
    #expect(range.upperBound == 3 * frames && range.count >= frames)
    var read = [Float](repeating: -1, count: range.count)
    captured.copy(0, from: range.lowerBound, frames: range.count, to: &read, stride: 1)
    #expect(read == range.map(Float.init))
  }

  @Test("of a call that is longer than expected, the last frames are kept")
  func longCall() {
    let input = Counting(20_000)
    let captured = CapturedSamples(channelCount: 1, sampleRate: 100, maximumFrames: 512)
    captured.write(UnsafePointer(input.channels), from: 0, frames: 20_000, sampleTime: 100)
    let range = captured.range
    #expect(range.upperBound == 20_100 && !range.isEmpty)
    var read = [Float](repeating: -1, count: range.count)
    captured.copy(0, from: range.lowerBound, frames: range.count, to: &read, stride: 1)
    #expect(read == range.map { Float($0 - 100) })
  }

  @Test("a reader never meets the begin of one run with the end of another")
  func gaps() {
    let input = Counting(64)
    let captured = CapturedSamples(channelCount: 1, sampleRate: 1_000, maximumFrames: 64)
    #expect(captured.range.isEmpty)
    let flag = Flag()
    let reader = OwnThread { () -> Int in
      var longest = 0
      // A range whose ends cross would end the process.
      while !flag.isOver.load(ordering: .relaxed) { longest = max(longest, captured.range.count) }
      return longest
    }
    var time = 1_000.0
    for round in 0..<200_000 {
      captured.write(UnsafePointer(input.channels), from: 0, frames: 64, sampleTime: time)
      time += round % 2 == 0 ? 64 : 5_000
    }
    flag.isOver.store(true, ordering: .relaxed)
    #expect(reader.join() <= 128)
  }

  private final class Flag: Sendable { let isOver = Atomic(false) }

  @Test("sample times that are no numbers are ignored", arguments: [.nan, .infinity, -1, 1e300])
  func nonsense(time: Double) {
    let input = Counting(8)
    let captured = CapturedSamples(channelCount: 1, sampleRate: 1_000, maximumFrames: 64)
    captured.write(UnsafePointer(input.channels), from: 0, frames: 8, sampleTime: time)
    #expect(captured.range.isEmpty)
  }
}
