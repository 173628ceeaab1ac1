// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// A stream of packets, as in a file.
struct PacketStream {
  var format = AudioStreamBasicDescription()
  var data: [[UInt8]] = []
  var frames: [Int] = []
  var cookie: [UInt8] = []
  var primeInfo = AudioConverterPrimeInfo()
}

@Suite("Converter of compressed formats")
struct CodecTests {
  /// A compressed format with only the required fields.
  static func compressed(_ id: AudioFormatID, _ rate: Double, channels: Int = 2, flags: UInt32 = 0)
    -> AudioStreamBasicDescription
  {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: 0,
      mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: UInt32(channels),
      mBitsPerChannel: 0, mReserved: 0)
  }

  /// Two tones, one for each channel, as interleaved Float32.
  static func tones(_ frames: Int, _ rate: Double) -> [Float] {
    (0..<frames).flatMap { frame in
      [440.0, 660].map { Float(0.5 * sin(2 * .pi * $0 * Double(frame) / rate)) }
    }
  }

  /// Encodes all frames.
  static func encode(
    _ source: [UInt8], _ input: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription,
    packetsAtOnce: Int = 3, setting set: (Converter) throws(AudioError) -> Void = { _ in }
  ) throws -> PacketStream {
    let handle = try Converter.make(from: input, to: output)
    defer { try? Converter.dispose(handle) }
    let supply = Supply(source, frameSize: Int(input.mBytesPerFrame))
    var packets = PacketStream()
    try Converter.use(handle) { converter throws(AudioError) in
      try set(converter)
      packets.format = converter.outputFormat
      let call = InputCall(Supply.provideInput, supply.pointer, for: handle)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { memory.deallocate() }
      while true {
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 1 << 20, mData: memory))
        var count = UInt32(packetsAtOnce)
        var descriptions = Array(
          repeating: AudioStreamPacketDescription(), count: packetsAtOnce)
        try converter.fill(call, packets: &count, into: &list, descriptions: &descriptions)
        for description in descriptions.prefix(Int(count)) {
          packets.data.append(
            Array(
              UnsafeRawBufferPointer(
                start: memory + Int(description.mStartOffset),
                count: Int(description.mDataByteSize))))
          packets.frames.append(Int(description.mVariableFramesInPacket))
        }
        if count < packetsAtOnce { break }
      }
      var size = UInt32(8)
      try converter.read(kAudioConverterPrimeInfo, into: &packets.primeInfo, size: &size)
      if let size = try? converter.information(of: kAudioConverterCompressionMagicCookie).size {
        var cookie = [UInt8](repeating: 0, count: size)
        var bytes = UInt32(size)
        try converter.read(kAudioConverterCompressionMagicCookie, into: &cookie, size: &bytes)
        packets.cookie = cookie
      }
    }
    return packets
  }

  /// Decodes all packets.
  static func decode(
    _ packets: PacketStream, _ output: AudioStreamBasicDescription, framesAtOnce: Int = 1_000,
    packetsAtOnce: Int = 5
  ) throws -> [UInt8] {
    let handle = try Converter.make(from: packets.format, to: output)
    defer { try? Converter.dispose(handle) }
    let supply = Supply(packets, packetsAtOnce: packetsAtOnce)
    var data: [UInt8] = []
    try Converter.use(handle) { converter throws(AudioError) in
      if !packets.cookie.isEmpty {
        let cookie = packets.cookie
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: cookie.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: cookie)
        try converter.write(
          kAudioConverterDecompressionMagicCookie, UnsafeRawBufferPointer(memory))
      }
      let info = packets.primeInfo
      let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 4)
      defer { raw.deallocate() }
      raw.storeBytes(of: info, as: AudioConverterPrimeInfo.self)
      try converter.write(kAudioConverterPrimeInfo, UnsafeRawBufferPointer(raw))
      let call = InputCall(Supply.provideInput, supply.pointer, for: handle)
      let bytes = Int(output.mBytesPerFrame) * framesAtOnce
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      defer { memory.deallocate() }
      while true {
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 2, mDataByteSize: UInt32(bytes), mData: memory))
        var count = UInt32(framesAtOnce)
        try converter.fill(call, packets: &count, into: &list, descriptions: nil)
        data += UnsafeRawBufferPointer(
          start: memory, count: Int(count) * Int(output.mBytesPerFrame))
        if count < framesAtOnce { break }
      }
    }
    return data
  }

  static func floats(_ data: [UInt8]) -> [Float] {
    data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The level of the difference relative to the first signal, in decibels.
  static func difference(_ one: [Float], _ other: [Float]) -> Double {
    let error = zip(one, other).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
    let power = one.reduce(0.0) { $0 + pow(Double($1), 2) }
    return 10 * log10(error / power)
  }

  static let lossyFormats: [(AudioFormatID, Double, Double)] = [
    (kAudioFormatMPEG4AAC, 44_100, -20), (kAudioFormatMPEGLayer3, 44_100, -25),
    (kAudioFormatOpus, 48_000, -20), (CompressedFormat.vorbis, 44_100, -20),
    (kAudioFormatAppleIMA4, 44_100, -30), (kAudioFormatULaw, 8_000, -30),
    (kAudioFormatALaw, 8_000, -30),
  ]

  @Test(
    "returns each frame at its position, and no others", arguments: lossyFormats.indices,
    [1, 5_000, 44_100])
  func lossy(index: Int, frames: Int) throws {
    let (id, rate, bound) = Self.lossyFormats[index]
    let source = Self.tones(frames, rate)
    let bytes = source.withUnsafeBytes { Array($0) }
    let packets = try Self.encode(bytes, Linear.float(rate), Self.compressed(id, rate))
    let result = Self.floats(try Self.decode(packets, Linear.float(rate)))
    #expect(result.count == source.count)
    if frames == 44_100 { #expect(Self.difference(source, result) < bound) }
  }

  @Test(
    "preserves integers exactly", arguments: [kAudioFormatAppleLossless, kAudioFormatFLAC],
    [16, 24]
  )
  func lossless(id: AudioFormatID, bits: Int) throws {
    var random = Sequence64(state: 7)
    let source = (0..<10_000 * 2 * bits / 8).map { _ in UInt8.random(in: 0...255, using: &random) }
    let linear = Linear.format(48_000, bits: bits)
    let packets = try Self.encode(source, linear, Self.compressed(id, 48_000))
    #expect(!packets.cookie.isEmpty)
    let result = try Self.decode(packets, linear)
    #expect(result.count == source.count)
    #expect(zip(result, source).first { $0.0 != $0.1 } == nil)
  }

  @Test(
    "rounds to the nearest value with the bits that it preserves",
    arguments: [kAudioFormatAppleLossless, kAudioFormatFLAC], [(16, 1 as UInt32), (24, 3)])
  func rounding(id: AudioFormatID, kept: (bits: Int, flags: UInt32)) throws {
    let step = Float(sign: .plus, exponent: 1 - kept.bits, significand: 1)
    let steps: [Float] = [0, 0.25, 0.75, 1, -0.25, -0.75, 99.25, -99.75, 30_000.75, -30_000.25]
    let source = (0..<8_000).map { steps[$0 % steps.count] * step } + [2, 2, -2, -2]
    let packets = try Self.encode(
      source.withUnsafeBytes { Array($0) }, Linear.float(48_000),
      Self.compressed(id, 48_000, flags: kept.flags))
    let result = Self.floats(try Self.decode(packets, Linear.float(48_000)))
    let (highest, lowest) = (1 - step, -1 as Float)
    let expected = source.map { min(max(($0 / step).rounded() * step, lowest), highest) }
    #expect(result == expected)
  }

  @Test("yields the same samples however packets and frames are split")
  func cuts() throws {
    let source = Self.tones(20_000, 44_100).withUnsafeBytes { Array($0) }
    let output = Self.compressed(kAudioFormatMPEG4AAC, 44_100)
    let packets = try Self.encode(source, Linear.float(), output, packetsAtOnce: 1)
    #expect(try Self.encode(source, Linear.float(), output, packetsAtOnce: 7).data == packets.data)
    let whole = try Self.decode(
      packets, Linear.int16(48_000), framesAtOnce: 50_000, packetsAtOnce: 99)
    for cut in [1, 17, 511] {
      #expect(
        try Self.decode(packets, Linear.int16(48_000), framesAtOnce: 1_001, packetsAtOnce: cut)
          == whole)
    }
  }

  @Test("converts rate and channels before encoding and after decoding")
  func rates() throws {
    let source = Self.tones(44_100, 44_100).withUnsafeBytes { Array($0) }
    let packets = try Self.encode(
      source, Linear.float(), Self.compressed(kAudioFormatOpus, 48_000, channels: 1))
    let mono = Linear.float(22_050, channels: 1)
    #expect(try Self.decode(packets, mono).count / 4 == 22_050)
  }

  @Test("reports a broken packet")
  func broken() throws {
    let source = Self.tones(20_000, 44_100).withUnsafeBytes { Array($0) }
    var packets = try Self.encode(
      source, Linear.float(), Self.compressed(kAudioFormatMPEGLayer3, 44_100))
    packets.data[1] = [0, 0, 0]
    #expect(throws: AudioError.self) { let _ = try Self.decode(packets, Linear.float()) }
  }

  @Test(
    "is refused when there is no codec", arguments: [kAudioFormatQDesign, kAudioFormatMPEG4AAC_HE])
  func missing(id: AudioFormatID) {
    #expect(throws: AudioError.self) {
      let _ = try Converter.make(from: Linear.float(), to: Self.compressed(id, 44_100))
    }
  }
}

/// The data that an input function supplies: frames or packets.
final class Supply {
  private var pieces: [(bytes: [UInt8], packets: [AudioStreamPacketDescription], count: Int)] = []
  private var next = 0
  private var supplied: UnsafeMutableRawPointer?
  private var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

  init(_ bytes: [UInt8], frameSize: Int) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 700 * frameSize)
      pieces.append((Array(bytes[start..<end]), [], (end - start) / frameSize))
      start = end
    }
  }

  init(_ packets: PacketStream, packetsAtOnce: Int) {
    var index = 0
    while index < packets.data.count {
      var bytes: [UInt8] = []
      var descriptions: [AudioStreamPacketDescription] = []
      for packet in index..<min(packets.data.count, index + packetsAtOnce) {
        descriptions.append(
          AudioStreamPacketDescription(
            mStartOffset: Int64(bytes.count),
            mVariableFramesInPacket: UInt32(packets.frames[packet]),
            mDataByteSize: UInt32(packets.data[packet].count)))
        bytes += packets.data[packet]
      }
      pieces.append((bytes, descriptions, descriptions.count))
      index += packetsAtOnce
    }
  }

  deinit { release() }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func release() {
    supplied?.deallocate()
    descriptions?.deallocate()
    supplied = nil
    descriptions = nil
  }

  static let provideInput: AudioConverterComplexInputDataProc = {
    _, count, list, descriptions, userData in
    guard let userData else { return kAudio_ParamError }
    let supply = Unmanaged<Supply>.fromOpaque(userData).takeUnretainedValue()
    supply.release()
    guard supply.next < supply.pieces.count else {
      count.pointee = 0
      return noErr
    }
    let piece = supply.pieces[supply.next]
    supply.next += 1
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, piece.bytes.count), alignment: 16)
    memory.copyMemory(from: piece.bytes, byteCount: piece.bytes.count)
    supply.supplied = memory
    list.pointee.mBuffers.mData = memory
    list.pointee.mBuffers.mDataByteSize = UInt32(piece.bytes.count)
    count.pointee = UInt32(piece.count)
    if !piece.packets.isEmpty {
      let table = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
        capacity: piece.packets.count)
      table.initialize(from: piece.packets, count: piece.packets.count)
      supply.descriptions = table
      descriptions?.pointee = table
    }
    return noErr
  }
}
