// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import CBlockKernel
import Foundation
import Testing

/// The types of the blocks in C.
private typealias PullBlock =
  @convention(block) (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>,
    AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>
  ) -> AUAudioUnitStatus
private typealias Block =
  @convention(block) (
    UnsafeMutablePointer<AudioUnitRenderActionFlags>, UnsafePointer<AudioTimeStamp>,
    AUAudioFrameCount, Int, UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AURenderEvent>?,
    PullBlock?
  ) -> AUAudioUnitStatus

/// A gate whose sound a block of C++ computes.
private final class Gate: AUAudioUnit {
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?
  private let block = unsafeBitCast(make_gate_block(0.6), to: Block.self)

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var internalRenderBlock: AUInternalRenderBlock {
    { [block] flags, time, frames, bus, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      let source: PullBlock = { pull($0, $1, $2, $3, $4) }
      return block(flags, time, frames, bus, output, events, source)
    }
  }
}

@Suite("A render block in C++")
struct CppBlockTests {
  @Test("pulls its input and gets events at their frames")
  func renders() async throws {
    let unit: Gate = try await AUAudioUnit.registered("cpp1")
    try unit.allocateRenderResources()
    #expect(try unit.render(8, input: 0.5) == [Float](repeating: 0, count: 8))
    #expect(try unit.render(8, input: 0.75) == [Float](repeating: 0.75, count: 8))
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate + 5, 0, 0, 0.1)
    #expect(
      try unit.render(8, at: 100, input: 0.5) == [0, 0, 0, 0, 0, 0.5, 0.5, 0.5])
  }
}
