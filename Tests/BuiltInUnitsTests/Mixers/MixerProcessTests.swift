// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Mixing the caller's buffers")
struct MixerProcessTests {
  /// Processes lists of 64 frames; returns the samples of two output channels.
  private func process(_ unit: HostedUnit, _ inputs: [UnsafePointer<AudioBufferList>]) -> (
    status: OSStatus, samples: [[Float]]
  ) {
    let output = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(output.unsafeMutablePointer) }
    for channel in 0..<2 {
      output[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: nil)
    }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    var sources = inputs
    var target = output.unsafeMutablePointer
    let status = AudioUnitProcessMultiple(
      unit.handle, nil, &stamp, 64, UInt32(sources.count), &sources, 1, &target)
    guard status == noErr else { return (status, []) }
    return (status, output.map { Array(UnsafeBufferPointer<Float>($0)) })
  }

  /// A list with one buffer of these samples.
  private func list<Sample>(_ samples: [Sample], channels: UInt32 = 1)
    -> UnsafeMutableAudioBufferListPointer
  {
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    let bytes = samples.count * MemoryLayout<Sample>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    samples.withUnsafeBytes {
      if let base = $0.baseAddress { memory.copyMemory(from: base, byteCount: bytes) }
    }
    list[0] = AudioBuffer(
      mNumberChannels: channels, mDataByteSize: UInt32(bytes), mData: memory)
    return list
  }

  private func release(_ list: UnsafeMutableAudioBufferListPointer) {
    list[0].mData?.deallocate()
    free(list.unsafeMutablePointer)
  }

  private let signed = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked

  @Test(
    "converts each list from the format of its bus",
    arguments: [kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer])
  func formats(subType: OSType) throws {
    let mixer = try MixerHost(subType, inputs: 3)
    try mixer.unit.setFormat(
      .linear(48_000, channels: 2, bits: 16, flags: signed, isInterleaved: true),
      kAudioUnitScope_Input, 0)
    try mixer.unit.setFormat(.linear(48_000, channels: 1), kAudioUnitScope_Input, 1)
    try mixer.unit.setFormat(
      .linear(48_000, channels: 1, bits: 32, flags: signed | 24 << 7, isInterleaved: true),
      kAudioUnitScope_Input, 2)
    try mixer.initialize()
    let integers = list((0..<64).flatMap { [Int16(256 * $0), Int16(-128 * $0)] }, channels: 2)
    let floats = list((0..<64).map { Float($0) / 256 })
    let fixed = list((0..<64).map { Int32($0 << 16) })
    defer { for list in [integers, floats, fixed] { release(list) } }
    let (status, samples) = process(
      mixer.unit, [integers, floats, fixed].map { UnsafePointer($0.unsafeMutablePointer) })
    try #require(status == noErr)
    for frame in 0..<64 {
      let place = Double(frame)
      let (left, right) = (Double(samples[0][frame]), Double(samples[1][frame]))
      // Both mono inputs are in the middle.
      let middle = 0.5.squareRoot() * place / 128
      #expect(abs(left - (place / 128 + middle)) < 1e-6)
      #expect(abs(right - (middle - place / 256)) < 1e-6)
    }
  }

  @Test("places the inputs of a 3D mixer", arguments: Mixer3DKind.all)
  func spatial(kind: Mixer3DKind) throws {
    let mixer = try MixerHost(kind.subType, inputs: 1)
    try mixer.set(AudioUnitParameterID(k3DMixerParam_Azimuth), 90)
    try mixer.initialize()
    let source = list((0..<64).map { Float($0) })
    defer { release(source) }
    for _ in 0..<2 {
      let (status, samples) = process(mixer.unit, [UnsafePointer(source.unsafeMutablePointer)])
      try #require(status == noErr)
      #expect(samples[1] == (0..<64).map { Float($0) })
      #expect(samples[0].allSatisfy { abs($0) < 1e-5 })
    }
  }

  @Test("refuses lists that are too short, of another form, or of another rate")
  func refusals() throws {
    let mixer = try MixerHost(inputs: 1)
    try mixer.unit.setFormat(
      .linear(48_000, channels: 1, bits: 16, flags: signed, isInterleaved: true),
      kAudioUnitScope_Input)
    try mixer.initialize()
    let short = list([Int16](repeating: 0, count: 63))
    let planar = AudioBufferList.allocate(maximumBuffers: 2)
    defer {
      release(short)
      free(planar.unsafeMutablePointer)
    }
    for list in [short, planar] {
      #expect(
        process(mixer.unit, [UnsafePointer(list.unsafeMutablePointer)]).status == kAudio_ParamError)
    }
    let other = try MixerHost(inputs: 1)
    try other.unit.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Input)
    try other.initialize()
    let floats = list([Float](repeating: 0, count: 64))
    defer { release(floats) }
    #expect(
      process(other.unit, [UnsafePointer(floats.unsafeMutablePointer)]).status
        == kAudioUnitErr_FormatNotSupported)
  }
}
