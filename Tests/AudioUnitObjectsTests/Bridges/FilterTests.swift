// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import AudioUnitObjects
import Foundation
import SignalProcessing
import Testing

/// A filter with the coefficients of the built-in low-pass filter.
private final class DesignedFilter: AUAudioUnit {
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?

  static let cutoff: Float = 1_234

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }

  override var internalRenderBlock: AUInternalRenderBlock {
    let design = FilterDesign(sampleRate: 44_100)
    let filter = design.lowPass(Double(Self.cutoff), q: FilterDesign.q(resonance: 0)).biquad
    let (b0, a1, a2) = (filter.b0, filter.a1, filter.a2)
    let (c1, c2) = (filter.b1 - filter.a1 * filter.b0, filter.b2 - filter.a2 * filter.b0)
    let state = UnsafeMutablePointer<(Double, Double)>.allocate(capacity: 1)
    state.initialize(to: (0, 0))
    return { flags, time, frames, _, output, _, pull in
      guard let status = pull?(flags, time, frames, 0, output), status == noErr,
        let samples = UnsafeMutableAudioBufferListPointer(output)[0].mData?
          .assumingMemoryBound(to: Float.self)
      else { return kAudioUnitErr_NoConnection }
      var (s1, s2) = state.pointee
      for frame in 0..<Int(frames) {
        let x = Double(samples[frame])
        let y = b0 * x + s1
        (s1, s2) = ((c1 * x + s2) - a1 * s1, c2 * x - a2 * s1)
        samples[frame] = Float(y)
      }
      state.pointee = (s1, s2)
      return noErr
    }
  }
}

@Suite("A filter written in Swift")
struct FilterTests {
  /// Noise through an effect in a graph, with slices of changing sizes.
  private func render(_ codes: AudioComponentDescription) throws -> [Float] {
    var (graph, node, unit, codes) = (AUGraph?.none, AUNode(), AudioUnit?.none, codes)
    try check(NewAUGraph(&graph))
    let made = try #require(graph)
    defer { DisposeAUGraph(made) }
    try check(AUGraphAddNode(made, &codes, &node))
    var (output, head) = (AUNode(), AudioUnit?.none)
    var outputCodes = AudioComponentDescription.apple(
      kAudioUnitSubType_GenericOutput, type: kAudioUnitType_Output)
    try check(AUGraphAddNode(made, &outputCodes, &output))
    try check(AUGraphOpen(made))
    try check(AUGraphNodeInfo(made, output, nil, &head))
    let last = try #require(head)
    try check(AUGraphNodeInfo(made, node, nil, &unit))
    let effect = try #require(unit)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try check(
      AudioUnitGetProperty(
        effect, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size))
    format.mChannelsPerFrame = 1
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try check(
        AudioUnitSetProperty(effect, kAudioUnitProperty_StreamFormat, scope, 0, &format, size))
    }
    try check(
      AudioUnitSetProperty(
        last, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, size))
    try check(AUGraphConnectNodeInput(made, node, 0, output, 0))
    var callback = AURenderCallbackStruct(
      inputProc: { _, _, time, _, frames, list in
        guard let list = UnsafeMutableAudioBufferListPointer(list) else { return kAudio_ParamError }
        let samples = list[0].mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) {
          let number = UInt64(time.pointee.mSampleTime) &+ UInt64(frame)
          let noise = (number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407) >> 33
          samples?[frame] = Float(noise % 65_536) / 32_768 - 1
        }
        return noErr
      }, inputProcRefCon: UnsafeMutableRawPointer(effect))
    try check(AUGraphSetNodeInputCallback(made, node, 0, &callback))
    AudioUnitSetParameter(
      effect, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, DesignedFilter.cutoff, 0)
    try check(AUGraphInitialize(made))
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, samples) = (AudioTimeStamp(), [Float]())
    stamp.mFlags = .sampleTimeValid
    for frames in [512, 1, 64, 511, 300, 512, 512] as [UInt32] {
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      try check(AudioUnitRender(last, nil, &stamp, 0, frames, list.unsafeMutablePointer))
      samples += UnsafeBufferPointer<Float>(list[0])
      stamp.mSampleTime += Double(frames)
    }
    return samples
  }

  @Test("equals the built-in one to the bit, in a graph")
  func bits() throws {
    AUAudioUnit.registerSubclass(
      DesignedFilter.self, as: .test("flt1"), name: "Tests: Filter", version: 1)
    let own = try render(.test("flt1"))
    let builtIn = try render(.apple(kAudioUnitSubType_LowPassFilter))
    #expect(own.count == 2_412)
    #expect(own.contains { abs($0) > 0.01 })
    #expect(own.map(\.bitPattern) == builtIn.map(\.bitPattern))
  }
}
