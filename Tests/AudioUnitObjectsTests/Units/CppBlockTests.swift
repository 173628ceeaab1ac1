// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import CAllocationProbe
import CBlockKernel
import Foundation
import Testing

/// A gate whose sound a block of C++ computes.
private final class Gate: AUAudioUnit {
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?
  // The block itself, not a closure around it, so that a render wraps nothing.
  private let block = unsafeBitCast(make_gate_block(0.6), to: AUInternalRenderBlock.self)

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
  override var internalRenderBlock: AUInternalRenderBlock { block }
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

  @Test("does not use the heap", .enabled(if: heap_is_counted()))
  func heap() async throws {
    let unit: Gate = try await AUAudioUnit.registered("cpp2")
    try unit.allocateRenderResources()
    let render = unit.renderBlock
    let pull: AURenderPullInputBlock = { _, _, _, _, _ in noErr }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    samples.initialize(repeating: 0.5, count: 128)
    defer { samples.deallocate() }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: 256, mData: samples + 64 * channel)
    }
    var (flags, stamp) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
    stamp.mFlags = .sampleTimeValid
    let before = heap_operations()
    for _ in 0..<100 { _ = render(&flags, &stamp, 64, 0, list.unsafeMutablePointer, pull) }
    #expect(heap_operations() == before)
  }
}
