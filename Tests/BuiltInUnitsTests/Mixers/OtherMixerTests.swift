// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Stereo mixer")
struct StereoMixerTests {
  private let volume = AudioUnitParameterID(kStereoMixerParam_Volume)
  private let pan = AudioUnitParameterID(kStereoMixerParam_Pan)

  @Test("has faders with a cubic law", arguments: [0, 0.25, 0.5, 0.9, 1, 1.1])
  func faders(position: Double) throws {
    let mixer = try MixerHost(kAudioUnitSubType_StereoMixer, inputs: 2)
    try mixer.feedSine(0, 1_000)
    try mixer.feedSine(1, 3_000)
    try mixer.set(volume, Float(position))
    try mixer.set(volume, 0.8, kAudioUnitScope_Output)
    try mixer.initialize()
    let rendered = try mixer.render(4_800)[0]
    let output = 0.5 * pow(0.8, 3)
    #expect(abs(rendered.tone(at: 1_000).amplitude - output * pow(position, 3)) < 1e-6)
    #expect(abs(rendered.tone(at: 3_000).amplitude - output) < 1e-6)
  }

  @Test("pans from 0 to 1 at constant power", arguments: [0, 0.2, 0.5, 0.7, 1])
  func panning(place: Double) throws {
    let mixer = try MixerHost(kAudioUnitSubType_StereoMixer, inputs: 1)
    try mixer.feedSine(0, 1_000, channels: 1)
    #expect(try mixer.value(pan) == 0.5)
    try mixer.set(pan, Float(place))
    try mixer.initialize()
    let rendered = try mixer.render(4_800).map { $0.tone(at: 1_000).amplitude }
    #expect(abs(rendered[0] - 0.5 * cos(place * .pi / 2)) < 1e-6)
    #expect(abs(rendered[1] - 0.5 * sin(place * .pi / 2)) < 1e-6)
  }

  @Test("follows a ramp of a fader with the cubic law")
  func ramp() throws {
    let mixer = try MixerHost(kAudioUnitSubType_StereoMixer, inputs: 1)
    try mixer.feed(0) { _, _ in 1 }
    try mixer.initialize()
    try mixer.schedule(volume, from: 0, to: 1, at: 0, frames: 2_000)
    let rendered = try mixer.render(2_400, slices: [512, 100])[0].samples
    for frame in 0..<2_400 {
      #expect(abs(rendered[frame] - pow(min(Double(frame) / 2_000, 1), 3)) < 1e-4)
    }
  }

  @Test("meters its inputs")
  func meters() throws {
    let mixer = try MixerHost(kAudioUnitSubType_StereoMixer, inputs: 1)
    try mixer.feedSine(0, 1_000)
    try mixer.set(volume, 0.5)
    try mixer.unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), kAudioUnitScope_Input)
    try mixer.initialize()
    _ = try mixer.render(48_000)
    #expect(abs(try mixer.value(kStereoMixerParam_PrePeakHoldLevel + 1) + 6.0206) < 0.01)
    #expect(abs(try mixer.value(kStereoMixerParam_PostPeakHoldLevel) + 24.0824) < 0.01)
  }
}

@Suite("Splitters and merger")
struct SplitterTests {
  @Test("copy the input unchanged to every output, and pull it once", arguments: [1, 2, 3])
  func splitting(outputs: Int) throws {
    let isMulti = outputs != 2
    let splitter = try HostedUnit(
      isMulti ? kAudioUnitSubType_MultiSplitter : kAudioUnitSubType_Splitter,
      type: isMulti ? kAudioUnitType_Mixer : kAudioUnitType_FormatConverter)
    if isMulti {
      try splitter.set(
        kAudioUnitProperty_ElementCount, to: UInt32(outputs), kAudioUnitScope_Output)
    } else {
      #expect(
        splitter.setting(kAudioUnitProperty_ElementCount, to: UInt32(3), kAudioUnitScope_Output)
          == kAudioUnitErr_PropertyNotWritable)
    }
    let source = HostCallback { moment in
      moment.fill { channel, frame in Float(frame) + 0.25 * Float(channel) }
      return noErr
    }
    try splitter.setCallback(source)
    try splitter.initialize()
    for slice in 0..<3 {
      for bus in 0..<outputs {
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        for channel in 0..<2 {
          list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        }
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (Double(slice * 64), .sampleTimeValid)
        try check(
          AudioUnitRender(
            splitter.handle, nil, &stamp, UInt32(bus), 64, list.unsafeMutablePointer))
        for channel in 0..<2 {
          let samples = Array(UnsafeBufferPointer<Float>(list[channel]))
          #expect(samples == (0..<64).map { Float(64 * slice + $0) + 0.25 * Float(channel) })
        }
      }
    }
    #expect(source.frames == 192)
  }

  @Test("refuse outputs that differ from the input in channels or rate")
  func refusals() throws {
    let splitter = try HostedUnit(
      kAudioUnitSubType_Splitter, type: kAudioUnitType_FormatConverter)
    for format in [AudioStreamBasicDescription.linear(44_100, channels: 1), .linear(48_000)] {
      try splitter.setFormat(format, kAudioUnitScope_Output, 1)
      #expect(AudioUnitInitialize(splitter.handle) == kAudioUnitErr_FormatNotSupported)
    }
    try splitter.setFormat(.linear(44_100), kAudioUnitScope_Output, 1)
    try splitter.initialize()
  }

  @Test("add two inputs with equal channel counts, or concatenate their channels")
  func merging() throws {
    for channels in [2, 3] as [UInt32] {
      let merger = try MixerHost(kAudioUnitSubType_Merger, type: kAudioUnitType_FormatConverter)
      try merger.unit.setFormat(.linear(48_000, channels: channels), kAudioUnitScope_Output)
      try merger.feed(0) { channel, _ in 0.25 + Float(channel) }
      try merger.feed(1, channels: channels == 2 ? 2 : 1) { channel, _ in 0.5 + Float(channel) }
      try merger.initialize()
      let rendered = try merger.render(64, channels: Int(channels)).map { $0.samples[63] }
      #expect(rendered == (channels == 2 ? [0.75, 2.75] : [0.25, 1.25, 0.5]))
    }
    let merger = try MixerHost(kAudioUnitSubType_Merger, type: kAudioUnitType_FormatConverter)
    try merger.unit.setFormat(.linear(48_000, channels: 3), kAudioUnitScope_Output)
    #expect(AudioUnitInitialize(merger.unit.handle) == kAudioUnitErr_FormatNotSupported)
  }

  @Test("keep no samples of an input that failed and was removed", arguments: [false, true])
  func failedInput(pointsElsewhere: Bool) throws {
    let merger = try MixerHost(kAudioUnitSubType_Merger, type: kAudioUnitType_FormatConverter)
    try merger.unit.setFormat(.linear(48_000, channels: 2), kAudioUnitScope_Output)
    try merger.feed(0) { _, _ in 0.25 }
    try merger.initialize()
    #expect(try merger.render(64, slices: [64])[0].samples[63] == 0.25)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 64)
    memory.initialize(repeating: 8, count: 64)
    defer { memory.deallocate() }
    let place = UInt(bitPattern: memory)
    let failing = HostCallback { moment in
      moment.fill { _, _ in 8 }
      guard pointsElsewhere else { return kAudioUnitErr_NoConnection }
      moment.buffers?[0].mData = UnsafeMutableRawPointer(bitPattern: place)
      moment.buffers?[1].mData = nil
      return noErr
    }
    try merger.unit.setCallback(failing, bus: 1)
    #expect(throws: (any Error).self) { try merger.render(64, slices: [64]) }
    try merger.unit.setCallback(nil, bus: 1)
    for channel in try merger.render(256, slices: [64]) {
      #expect(channel.samples.allSatisfy { $0 == 0.25 })
    }
  }
}

@Suite("Matrix mixer")
struct MatrixMixerTests {
  private let volume = AudioUnitParameterID(kMatrixMixerParam_Volume)
  private let enable = AudioUnitParameterID(kMatrixMixerParam_Enable)
  private let global = AudioUnitScope(kAudioUnitScope_Global)
  private let input = AudioUnitScope(kAudioUnitScope_Input)
  private let output = AudioUnitScope(kAudioUnitScope_Output)

  /// A mixer with a stereo and a mono input and a stereo and a mono output; every input channel has
  /// a different tone.
  private func mixer() throws -> MixerHost {
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 2)
    try mixer.unit.set(kAudioUnitProperty_ElementCount, to: UInt32(2), output)
    try mixer.unit.setFormat(.linear(48_000, channels: 1), output, 1)
    try mixer.feed(0) { channel, frame in Self.tone(channel, frame) }
    try mixer.feed(1, channels: 1) { _, frame in Self.tone(2, frame) }
    return mixer
  }

  private static let frequencies = [1_000.0, 2_000, 3_000]

  private static func tone(_ channel: Int, _ frame: Int) -> Float {
    Float(0.25 * sin(2 * .pi * frequencies[channel] * Double(frame) / 48_000))
  }

  /// The gains from the three input channels to each channel of an output bus.
  private func gains(_ mixer: MixerHost, bus: UInt32) throws -> [[Double]] {
    let channels = bus == 0 ? 2 : 1
    _ = try mixer.render(480, bus: bus, channels: channels)
    return try mixer.render(4_800, bus: bus, channels: channels).map { signal in
      Self.frequencies.map { signal.tone(at: $0).amplitude / 0.25 }
    }
  }

  @Test("multiplies the volumes of input, crosspoint, output and master")
  func routes() throws {
    let mixer = try mixer()
    try mixer.initialize()
    #expect(try mixer.value(volume, global, 0xFFFF_FFFF) == 1)
    #expect(try mixer.value(volume, input, 0) == 0 && mixer.value(volume, global, 0) == 0)
    #expect(try gains(mixer, bus: 0).joined().allSatisfy { $0 < 1e-9 })
    // Channel 1 of the inputs to channels 0 and 2 of the outputs, channel 2 to channel 1.
    try mixer.set(volume, 0.5, input, 1)
    try mixer.set(volume, 0.8, global, 2 << 16 | 0xFFFF)
    for channel in 0..<3 as Range<UInt32> { try mixer.set(volume, 1, output, channel) }
    try mixer.set(volume, 0.6, global, 1 << 16 | 0)
    try mixer.set(volume, 1, global, 1 << 16 | 2)
    try mixer.set(volume, 1, global, 2 << 16 | 1)
    try mixer.set(volume, 0.9, global, 0xFFFF_0000 | 1)
    try mixer.set(volume, 0.5, global, 0xFFFF_FFFF)
    #expect(try mixer.value(volume, input, 2) == 0.8 && mixer.value(volume, output, 1) == 0.9)
    let (stereo, mono) = (try gains(mixer, bus: 0), try gains(mixer, bus: 1))
    let expected = [[0, 0.15, 0], [0, 0, 0.36]]
    for (channel, row) in expected.enumerated() {
      for (tone, gain) in row.enumerated() { #expect(abs(stereo[channel][tone] - gain) < 1e-6) }
    }
    #expect(abs(mono[0][1] - 0.25) < 1e-6 && mono[0][0] < 1e-6 && mono[0][2] < 1e-6)
    try mixer.set(enable, 0, input, 1)
    #expect(try gains(mixer, bus: 1)[0][1] < 1e-9)
    try mixer.set(enable, 1, input, 1)
    try mixer.set(enable, 0, output, 2)
    #expect(try gains(mixer, bus: 1)[0][1] < 1e-9)
    #expect(abs(try gains(mixer, bus: 0)[0][1] - 0.15) < 1e-6)
  }

  @Test("has its levels and dimensions as one property")
  func levels() throws {
    let mixer = try mixer()
    #expect(
      try mixer.unit.getArray(kAudioUnitProperty_MatrixDimensions, of: UInt32(0), global, 0)
        == [3, 3])
    let levels: [Float] = [1, 0, 0, 1, 0, 0.5, 0, 1, 0, 0, 0.25, 1, 1, 1, 1, 0.5]
    #expect(
      mixer.unit.setArray(kAudioUnitProperty_MatrixLevels, to: levels, global, 0) == noErr)
    #expect(
      try mixer.unit.getArray(kAudioUnitProperty_MatrixLevels, of: Float(0), global, 0) == levels)
    #expect(try mixer.value(volume, global, 1 << 16 | 1) == 0.5)
    #expect(
      mixer.unit.setArray(kAudioUnitProperty_MatrixLevels, to: [Float(1)], global, 0)
        == kAudioUnitErr_InvalidPropertyValue)
    try mixer.initialize()
    let gains = try gains(mixer, bus: 0)
    #expect(abs(gains[0][0] - 0.5) < 1e-6 && abs(gains[1][1] - 0.25) < 1e-6)
  }

  @Test("ramps a crosspoint frame by frame, and fades after an immediate change")
  func ramps() throws {
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 1)
    try mixer.feed(0) { _, _ in 1 }
    for channel in 0..<2 as Range<UInt32> {
      try mixer.set(volume, 1, input, channel)
      try mixer.set(volume, 1, output, channel)
    }
    try mixer.initialize()
    _ = try mixer.render(64)
    try mixer.schedule(volume, from: 0, to: 0.5, at: 100, frames: 1_000, global, 0)
    try mixer.schedule(volume, to: 1, at: 33, global, 1 << 16 | 1)
    let rendered = try mixer.render(2_000, slices: [512, 7])
    for frame in 0..<2_000 {
      #expect(
        abs(rendered[0].samples[frame] - 0.5 * min(max(Double(frame - 100) / 1_000, 0), 1)) < 2e-6)
      #expect(abs(rendered[1].samples[frame] - fadeWeight(Double(frame - 33) / 240)) < 1e-5)
    }
  }

  @Test("refuses unknown channels and parameters, and keeps values when channels are added")
  func addresses() throws {
    let mixer = try mixer()
    func status(
      _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
    ) -> OSStatus { AudioUnitSetParameter(mixer.unit.handle, id, scope, element, 1, 0) }
    #expect(status(volume, input, 3) == kAudioUnitErr_InvalidElement)
    #expect(status(volume, global, 3 << 16) == kAudioUnitErr_InvalidElement)
    #expect(status(volume, global, 3) == kAudioUnitErr_InvalidElement)
    #expect(status(enable, global, 0) == kAudioUnitErr_InvalidParameter)
    #expect(status(7, input, 0) == kAudioUnitErr_InvalidParameter)
    #expect(status(volume, kAudioUnitScope_Group, 0) == kAudioUnitErr_InvalidScope)
    try mixer.set(volume, 0.7, global, 2 << 16 | 1)
    try mixer.set(volume, 0.3, output, 2)
    // Another channel is inserted before them: existing channels keep their values.
    try mixer.unit.setFormat(.linear(48_000), input, 1)
    #expect(status(volume, input, 3) == noErr)
    #expect(try mixer.value(volume, global, 2 << 16 | 1) == 0.7)
    #expect(try mixer.value(volume, output, 2) == 0.3)
  }

  @Test("saves every crosspoint in its state")
  func state() throws {
    let (one, other) = (try mixer(), try mixer())
    try one.set(volume, 0.7, global, 2 << 16 | 1)
    try one.set(enable, 0, input, 2)
    let state = try one.unit.get(
      kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none, global)
    try other.unit.set(kAudioUnitProperty_ClassInfo, to: state)
    #expect(try other.value(volume, global, 2 << 16 | 1) == 0.7)
    #expect(try other.value(enable, input, 2) == 0)
    if let state { Unmanaged<NSDictionary>.fromOpaque(state).release() }
  }

  @Test("refuses to be initialised beyond its capacity")
  func capacity() throws {
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 1)
    try mixer.unit.setFormat(.linear(48_000, channels: 300), input)
    try mixer.unit.setFormat(.linear(48_000, channels: 300), output)
    #expect(AudioUnitInitialize(mixer.unit.handle) == kAudioUnitErr_FormatNotSupported)
    let reason = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
    #expect("\(reason.map { "\($0)" } ?? "")".contains("65536"))
  }
}
