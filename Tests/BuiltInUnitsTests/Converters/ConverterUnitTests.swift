// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

@Suite("Converter unit")
struct ConverterUnitTests {
  /// A sample format.
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bits: UInt32
    var bytes: UInt32?
    var flags: AudioFormatFlags
    var isInterleaved = false
    /// The largest error of a sample.
    var step: Float

    func format(_ rate: Double, channels: UInt32) -> AudioStreamBasicDescription {
      .linear(
        rate, channels: channels, bits: bits, bytes: bytes, flags: flags,
        isInterleaved: isInterleaved)
    }
  }

  static let kinds: [Kind] = {
    let float = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    let integer = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    return [
      Kind(testDescription: "Float32", bits: 32, flags: float, step: 0),
      Kind(
        testDescription: "Float32 interleaved", bits: 32, flags: float, isInterleaved: true,
        step: 0),
      Kind(testDescription: "Float64", bits: 64, flags: float, step: 0),
      Kind(
        testDescription: "Int16", bits: 16, flags: integer, isInterleaved: true, step: 1 / 32_768),
      Kind(testDescription: "Int16 planar", bits: 16, flags: integer, step: 1 / 32_768),
      Kind(
        testDescription: "Int24", bits: 24, flags: integer, isInterleaved: true, step: 1 / 8_388_608
      ),
      Kind(testDescription: "Int32", bits: 32, flags: integer, step: 1 / 8_388_608),
      Kind(
        testDescription: "8.24", bits: 32, flags: integer | 24 << 7, isInterleaved: true,
        step: 1 / 8_388_608),
    ]
  }()

  private func sample(_ channel: Int, _ frame: Int) -> Float {
    Float((frame * 37 + channel * 11) % 1_000 - 500) / 512
  }

  private func converter(
    _ input: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription
  ) throws -> HostedUnit {
    let unit = try HostedUnit(
      kAudioUnitSubType_AUConverter, type: kAudioUnitType_FormatConverter)
    try unit.setFormat(input, kAudioUnitScope_Input)
    try unit.setFormat(output, kAudioUnitScope_Output)
    return unit
  }

  /// Renders planar Float32; returns each channel.
  private func render(_ unit: HostedUnit, _ frames: Int, channels: Int, slice: Int) throws
    -> [[Float]]
  {
    var result = [[Float]](repeating: [], count: channels)
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    while result[0].count < frames {
      let count = min(slice, frames - result[0].count)
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: nil)
      }
      try check(
        AudioUnitRender(
          unit.handle, nil, &stamp, 0, UInt32(count), list.unsafeMutablePointer))
      for channel in 0..<channels {
        let samples = try #require(list[channel].mData).assumingMemoryBound(to: Float.self)
        result[channel] += UnsafeBufferPointer(start: samples, count: count)
      }
      stamp.mSampleTime += Double(count)
    }
    return result
  }

  @Test("converts Float32 to any format and back within one step of its samples", arguments: kinds)
  func roundTrips(kind: Kind) throws {
    let plain = AudioStreamBasicDescription.linear(48_000)
    let forward = try converter(plain, kind.format(48_000, channels: 2))
    let inverse = try converter(kind.format(48_000, channels: 2), plain)
    try forward.setCallback(
      HostCallback { moment in
        moment.fill(sample)
        return noErr
      })
    try inverse.connect(forward)
    try forward.initialize()
    try inverse.initialize()
    let output = try render(inverse, 3_000, channels: 2, slice: 500)
    for channel in 0..<2 {
      let worst = (0..<3_000).map { abs(output[channel][$0] - sample(channel, $0)) }.max() ?? 1
      #expect(worst <= kind.step)
    }
  }

  @Test("converts the sample rate, independently of the slice", arguments: [480, 64, 37])
  func rates(slice: Int) throws {
    let unit = try converter(.linear(44_100, channels: 1), .linear(48_000, channels: 2))
    let callback = HostCallback { moment in
      moment.fill { _, frame in Float(sin(2 * .pi * 997 * Double(frame) / 44_100)) / 2 }
      return noErr
    }
    try unit.setCallback(callback)
    try unit.set(kAudioUnitProperty_RenderQuality, to: UInt32(127))
    try unit.initialize()
    let output = try render(unit, 9_600, channels: 2, slice: slice)
    #expect(output[0] == output[1])
    // There is no delay.
    let worst = (200..<9_600).map { frame in
      abs(output[0][frame] - Float(sin(2 * .pi * 997 * Double(frame) / 48_000)) / 2)
    }.max()
    #expect(try #require(worst) < 1e-6)
    #expect(try unit.get(kAudioUnitProperty_Latency, as: 1.0) == 0)
  }

  @Test(
    "pulls no more than the maximum at a time, and counts the source's time in the source's frames")
  func pulls() throws {
    let unit = try converter(.linear(96_000), .linear(48_000))
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(256))
    let callback = HostCallback { moment in
      moment.fill(sample)
      return noErr
    }
    try unit.setCallback(callback)
    try unit.initialize()
    _ = try render(unit, 2_560, channels: 2, slice: 256)
    let calls = callback.calls
    #expect(calls.allSatisfy { $0.frames <= 256 })
    var time = 0.0
    for call in calls {
      #expect(call.time.mSampleTime == time)
      time += Double(call.frames)
    }
  }

  @Test("routes channels by a map, and renders the same frames again for a repeated request")
  func channelMap() throws {
    let unit = try converter(.linear(48_000), .linear(48_000, channels: 3))
    try check(
      unit.setArray(
        kAudioOutputUnitProperty_ChannelMap, to: [1, -1, 0] as [Int32], kAudioUnitScope_Output, 0))
    let callback = HostCallback { moment in
      moment.fill(sample)
      return noErr
    }
    try unit.setCallback(callback)
    try unit.initialize()
    let output = try render(unit, 512, channels: 3, slice: 512)
    #expect(output[0] == (0..<512).map { sample(1, $0) })
    #expect(output[1] == [Float](repeating: 0, count: 512))
    #expect(output[2] == (0..<512).map { sample(0, $0) })
    // The same time as the last slice: the source is not pulled again.
    #expect(try render(unit, 512, channels: 3, slice: 512) == output)
    #expect(callback.calls.count == 1)
  }

  @Test("does not use the heap, and passes errors of its source on")
  func heapAndErrors() throws {
    let unit = try converter(
      .linear(44_100, bits: 16, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked),
      .linear(48_000))
    let silence: AURenderCallback = { _, flags, _, _, _, _ in
      flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    try unit.set(
      kAudioUnitProperty_SetRenderCallback,
      to: AURenderCallbackStruct(inputProc: silence, inputProcRefCon: nil), kAudioUnitScope_Input)
    try unit.initialize()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let before = heap_operations()
    for _ in 0..<50 {
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4_000, mData: nil)
      }
      AudioUnitRender(unit.handle, nil, &stamp, 0, 1_000, list.unsafeMutablePointer)
      stamp.mSampleTime += 1_000
    }
    #expect(heap_operations() == before)
    #expect(try unit.lastRenderError == noErr)
    try unit.setCallback(HostCallback { _ in 77 })
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4_000, mData: nil)
    }
    stamp.mSampleTime += 1_000
    #expect(AudioUnitRender(unit.handle, nil, &stamp, 0, 1_000, list.unsafeMutablePointer) == 77)
  }
}
