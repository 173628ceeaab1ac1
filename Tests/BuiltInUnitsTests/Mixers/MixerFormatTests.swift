// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Input formats of a mixer")
struct MixerFormatTests {
  private func feed(
    _ mixer: MixerHost, _ bus: UInt32, _ format: AudioStreamBasicDescription,
    _ sample: @escaping @Sendable (Int) -> Double
  ) throws -> HostCallback {
    try mixer.unit.setFormat(format, kAudioUnitScope_Input, bus)
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let scale = format.mBitsPerChannel == 16 ? 32_768.0 : 16_777_216
    let channels =
      format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
      ? 1 : Int(format.mChannelsPerFrame)
    let bytes = Int(format.mBytesPerFrame) / channels
    let callback = HostCallback { moment in
      guard let buffers = moment.buffers else { return kAudio_ParamError }
      for buffer in buffers {
        guard let data = buffer.mData, Int(buffer.mDataByteSize) == moment.frames * bytes * channels
        else { return kAudio_ParamError }
        for frame in 0..<moment.frames * channels {
          let value = sample(moment.position + frame / channels)
          if isFloat {
            data.storeBytes(of: Float(value), toByteOffset: frame * 4, as: Float.self)
          } else if bytes == 2 {
            data.storeBytes(of: Int16(value * scale), toByteOffset: frame * 2, as: Int16.self)
          } else {
            data.storeBytes(of: Int32(value * scale), toByteOffset: frame * 4, as: Int32.self)
          }
        }
      }
      return noErr
    }
    try mixer.unit.setCallback(callback, bus: bus)
    return callback
  }

  private static let signed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
  /// Float32, 16-bit integers, and 8.24 fixed point.
  private static let samples: [(bits: UInt32, flags: AudioFormatFlags)] = [
    (32, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked), (16, signed), (32, signed | 24 << 7),
  ]

  @Test(
    "converts every input from its own sample format, channels and rate",
    arguments: [48_000.0, 44_100, 22_050], [0, 1, 2])
  func conversion(rate: Double, kind: Int) throws {
    for channels in 1...2 as ClosedRange<UInt32> {
      for isInterleaved in [true, false] {
        let mixer = try MixerHost(inputs: 2)
        let format = AudioStreamBasicDescription.linear(
          rate, channels: channels, bits: Self.samples[kind].bits, flags: Self.samples[kind].flags,
          isInterleaved: isInterleaved)
        _ = try feed(mixer, 1, format) { 0.5 * sin(2 * .pi * 997 * Double($0) / rate) }
        try mixer.initialize()
        let rendered = try mixer.render(28_800)[0].dropping(4_800)
        let tone = rendered.tone(near: 997)
        // Within 0.01 %, and at its level.
        #expect(abs(tone.frequency - 997) < 0.0997)
        let level = channels == 2 ? 0.5 : 0.5 * 0.5.squareRoot()
        #expect(abs(tone.amplitude - level) < 1e-4)
        #expect(tone.distortionAndNoise < -80)
      }
    }
  }

  @Test("converts with the best quality while the host renders offline")
  func offline() throws {
    func render(quality: UInt32, isOffline: UInt32) throws -> [Float] {
      let mixer = try MixerHost(inputs: 1)
      _ = try feed(mixer, 0, .linear(44_100)) { sin(2 * .pi * 15_000 * Double($0) / 44_100) }
      try mixer.unit.set(kAudioUnitProperty_RenderQuality, to: quality)
      try mixer.unit.set(kAudioUnitProperty_OfflineRender, to: isOffline)
      try mixer.initialize()
      return try mixer.render(2_048)[0].floats
    }
    let best = try render(quality: 127, isOffline: 0)
    #expect(try render(quality: 0, isOffline: 1) == best)
    #expect(try render(quality: 0, isOffline: 0) != best)
  }

  @Test(
    "reports the latency of the conversion", arguments: [8_000.0, 44_100])
  func latency(rate: Double) throws {
    let mixer = try MixerHost(inputs: 2)
    #expect(try mixer.unit.get(kAudioUnitProperty_Latency, as: 0.0) == 0)
    _ = try feed(mixer, 0, .linear(rate)) { $0 == 0 ? 1 : 0 }
    try mixer.initialize()
    let latency = try mixer.unit.get(kAudioUnitProperty_Latency, as: 0.0)
    #expect(latency > 0)
    let place = try #require(try mixer.render(4_800)[0].indexOfPeak)
    #expect(abs(Double(place) - latency * 48_000) <= 1)
  }

  @Test("pulls a source at another rate in pieces no longer than the maximum slice")
  func pieces() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(256))
    let source = try feed(mixer, 0, .linear(192_000)) { _ in 0.5 }
    try mixer.initialize()
    _ = try mixer.render(2_560, slices: [256])
    #expect(source.calls.allSatisfy { $0.frames <= 256 })
    #expect(abs(source.frames - 4 * 2_560) < 1_200)
    var time = 0.0
    for call in source.calls {
      #expect(call.time.mSampleTime == time)
      time += Double(call.frames)
    }
  }

  @Test("refuses other channel counts, formats and rates with a reason")
  func refusals() throws {
    let mixer = try MixerHost(inputs: 1)
    func status(_ format: AudioStreamBasicDescription, _ scope: AudioUnitScope) -> OSStatus {
      mixer.unit.setting(kAudioUnitProperty_StreamFormat, to: format, scope, 0)
    }
    #expect(
      status(.linear(48_000, channels: 3), kAudioUnitScope_Input)
        == kAudioUnitErr_FormatNotSupported)
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    #expect("\(reason.map { "\($0)" } ?? "")".contains("expected 1 to 2 channels"))
    #expect(
      status(.linear(48_000, channels: 3), kAudioUnitScope_Output)
        == kAudioUnitErr_FormatNotSupported)
    var compressed = AudioStreamBasicDescription.linear(48_000)
    compressed.mFormatID = kAudioFormatMPEG4AAC
    #expect(status(compressed, kAudioUnitScope_Input) == kAudioUnitErr_FormatNotSupported)
    #expect(status(.linear(100), kAudioUnitScope_Input) == noErr)
    #expect(AudioUnitInitialize(mixer.unit.handle) == kAudioUnitErr_FormatNotSupported)
    #expect(status(.linear(44_100), kAudioUnitScope_Input) == noErr)
    try mixer.initialize()
    #expect(status(.linear(48_000), kAudioUnitScope_Input) == kAudioUnitErr_PropertyNotWritable)
  }

  @Test("adopts the format of a connection, and mixes it with callbacks")
  func connection() throws {
    let (mixer, tone) = (try MixerHost(inputs: 2), try HostedUnit.tone())
    try tone.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Output)
    try mixer.unit.connect(tone, to: 1)
    try mixer.feedSine(0, 3_000, amplitude: 0.25)
    let format = try mixer.unit.format(kAudioUnitScope_Input, 1)
    #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 1)
    #expect(
      mixer.unit.setting(
        kAudioUnitProperty_StreamFormat, to: AudioStreamBasicDescription.linear(48_000),
        kAudioUnitScope_Input, 1) == kAudioUnitErr_PropertyNotWritable)
    try tone.initialize()
    try mixer.initialize()
    let rendered = try mixer.render(52_800)[0].dropping(4_800)
    #expect(abs(rendered.tone(at: 440).amplitude - 0.25 * 0.5.squareRoot()) < 1e-4)
    #expect(abs(rendered.tone(at: 3_000).amplitude - 0.25) < 1e-4)
  }

  @Test("passes the rate that is set on its output to a connected unit")
  func outputRate() throws {
    let (mixer, output) = (
      try MixerHost(inputs: 1), try HostedUnit(kAudioUnitSubType_GenericOutput)
    )
    try mixer.unit.set(kAudioUnitProperty_SampleRate, to: 32_000.0, kAudioUnitScope_Output)
    try output.connect(mixer.unit)
    let format = try output.format()
    #expect(format.mSampleRate == 32_000 && format.mChannelsPerFrame == 2)
  }
}
