// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

/// The filter is that of the example FilterUnit.
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
      effect, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 1_234, 0)
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

  private func register() {
    AUAudioUnit.registerSubclass(
      LowPass.self, as: LowPass.codes, name: "Tests: Filter", version: 0x0001_0000)
  }

  @Test("equals the built-in one to the bit, in a graph")
  func bits() throws {
    register()
    let own = try render(LowPass.codes)
    let builtIn = try render(.apple(kAudioUnitSubType_LowPassFilter))
    #expect(own.count == 2_412)
    #expect(own.contains { abs($0) > 0.01 })
    #expect(own.map(\.bitPattern) == builtIn.map(\.bitPattern))
  }

  /// Its answer to a step in three renders, with scheduled changes of the cutoff, which is 1 kHz at first.
  private func answer(
    of unit: AUAudioUnit, _ schedule: (AUScheduleParameterBlock, AUParameterAddress) -> Void
  ) throws -> [Float] {
    let cutoff = try #require(unit.parameterTree?.allParameters.first)
    cutoff.value = 1_000
    try unit.allocateRenderResources()
    schedule(unit.scheduleParameterBlock, cutoff.address)
    return try unit.render(64) + unit.render(8, at: 64) + unit.render(64, at: 72)
  }

  @Test("follows a ramp at each of its frames, across renders, from Swift and through C")
  func ramp() throws {
    register()
    // The values of the frames are exact numbers.
    let frames = try answer(of: LowPass(componentDescription: LowPass.codes)) { schedule, cutoff in
      for frame in 0...64 {
        schedule(AUEventSampleTime(37 + frame), 0, cutoff, 1_000 + 125 * AUValue(frame))
      }
    }
    for unit in [
      try LowPass(componentDescription: LowPass.codes),
      try AUAudioUnitV2Bridge(componentDescription: LowPass.codes),
    ] {
      let ramp = try answer(of: unit) { schedule, cutoff in schedule(37, 64, cutoff, 9_000) }
      #expect(ramp.map(\.bitPattern) == frames.map(\.bitPattern), "\(unit)")
      #expect(unit.parameterTree?.allParameters.first?.value == 9_000)
    }
    let without = try answer(of: LowPass(componentDescription: LowPass.codes)) { _, _ in }
    #expect(without[...37] == frames[...37] && without[39] != frames[39])
  }
}
