// SPDX-License-Identifier: Apache-2.0

import SignalProcessing
import Testing

@Suite("Channel map")
struct ChannelMapTests {
  @Test("copies mono to both channels of stereo")
  func monoToStereo() {
    #expect(apply(ChannelMap(inputChannelCount: 1, outputChannelCount: 2)) == [1, 1])
  }

  @Test("averages stereo to mono")
  func stereoToMono() {
    #expect(apply(ChannelMap(inputChannelCount: 2, outputChannelCount: 1)) == [1.5])
  }

  @Test("maps channel by channel, with silence for missing channels")
  func channelByChannel() {
    #expect(apply(ChannelMap(inputChannelCount: 2, outputChannelCount: 4)) == [1, 2, 0, 0])
    #expect(apply(ChannelMap(inputChannelCount: 4, outputChannelCount: 2)) == [1, 2])
    #expect(apply(ChannelMap(inputChannelCount: 1, outputChannelCount: 3)) == [1, 0, 0])
    #expect(apply(ChannelMap(inputChannelCount: 0, outputChannelCount: 2)) == [0, 0])
  }

  @Test("follows an explicit map, in which -1 and missing channels are silent")
  func explicit() {
    #expect(apply(ChannelMap([1, 0, -1, 7, 1], inputChannelCount: 2)) == [2, 1, 0, 0, 2])
  }

  @Test("mixes with a gain from each input to each output channel")
  func mix() {
    let map = ChannelMap(
      gains: [0.5, 0, 0.25, 1, 0, -1], inputChannelCount: 3, outputChannelCount: 2)
    #expect(apply(map) == [1, -1])
    #expect(
      ChannelMap(gains: [1], inputChannelCount: 1, outputChannelCount: 1).source(of: 0) == nil)
    // Missing gains are none.
    #expect(apply(ChannelMap(gains: [1], inputChannelCount: 2, outputChannelCount: 2)) == [1, 0])
  }

  /// First sample of each output channel, for inputs of 1, 2, 3…
  private func apply(_ map: borrowing ChannelMap) -> [Float] {
    let frames = 3
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 100)
    defer { memory.deallocate() }
    memory.initialize(repeating: .nan, count: 100)
    var inputs: [UnsafePointer<Float>] = []
    for channel in 0..<map.inputChannelCount {
      let start = memory + channel * frames
      start.update(repeating: Float(channel + 1), count: frames)
      inputs.append(UnsafePointer(start))
    }
    let outputs = (0..<map.outputChannelCount).map { memory + 50 + $0 * frames }
    map.apply(inputs, to: outputs, frameCount: frames)
    for output in outputs { #expect(output[0] == output[frames - 1]) }
    return outputs.map { $0[0] }
  }
}
