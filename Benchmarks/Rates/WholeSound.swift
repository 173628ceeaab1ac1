// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

/// A sound of two channels in memory that is converted at once, by an AudioConverter or by another
/// library. Making the converter is a part of it.
struct WholeSound {
  private static let seconds = 5
  private static let channels = 2
  private let rates: RatePair
  private let frames: Int
  private let outputFrames: Int
  private let input: Noise
  private let output: Noise

  init(_ rates: RatePair) {
    self.rates = rates
    frames = Self.seconds * rates.from
    outputFrames = Self.seconds * rates.to
    input = Noise(Self.channels * frames)
    output = Noise(Self.channels * (outputFrames + 8_192))
  }

  /// The row of a table: our qualities, and those of others as multiples.
  func row(_ peers: [RatePeer]) -> [String] {
    let qualities = ConversionQuality.allCases
    var works: [() -> Void] = []
    for quality in qualities { works.append { convert(quality) } }
    for peer in peers { works.append { convert(peer) } }
    let times = Stopwatch.inTurns(for: 3, works).map {
      $0 / Double(Self.channels * outputFrames)
    }
    let own = Dictionary(uniqueKeysWithValues: zip(qualities, times))
    return ["\(rates)"] + times.prefix(qualities.count).map { Report.cell($0) }
      + zip(peers, times.dropFirst(qualities.count)).map { peer, time in
        Report.multiple(time, of: own[peer.equal])
      }
  }

  private func convert(_ peer: RatePeer) {
    let conversion = peer.begin(rates, channels: Self.channels)
    let made = conversion.convert(
      input.samples, frames, into: output.samples, room: outputFrames + 4_096)
    conversion.convert(
      nil, 0, into: output.samples + Self.channels * made, room: outputFrames + 4_096 - made)
    conversion.end()
  }

  /// What the input function of a converter supplies.
  private struct Supply {
    var channels: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    var left: Int
  }

  private func convert(_ quality: ConversionQuality) {
    var formats = [rates.from, rates.to].map { rate in
      AudioStreamBasicDescription(
        mSampleRate: Double(rate), mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
        mChannelsPerFrame: UInt32(Self.channels), mBitsPerChannel: 32, mReserved: 0)
    }
    var made: AudioConverterRef?
    AudioConverterNew(&formats[0], &formats[1], &made)
    guard let converter = made else { fail("no converter of \(rates)") }
    defer { AudioConverterDispose(converter) }
    var value = Self.property(quality)
    AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &value)
    var supply = Supply(channels: (input.samples, input.samples + frames), left: frames)
    let list = AudioBufferList.allocate(maximumBuffers: Self.channels)
    defer { free(list.unsafeMutablePointer) }
    var packets = UInt32(outputFrames)
    for index in 0..<Self.channels {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: 4 * packets,
        mData: output.samples + index * outputFrames)
    }
    AudioConverterFillComplexBuffer(
      converter,
      { _, packets, list, _, context in
        guard let supply = context?.assumingMemoryBound(to: Supply.self) else { return -50 }
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        packets.pointee = min(packets.pointee, UInt32(supply.pointee.left))
        buffers[0].mData = UnsafeMutableRawPointer(supply.pointee.channels.0)
        buffers[1].mData = UnsafeMutableRawPointer(supply.pointee.channels.1)
        for index in 0..<2 { buffers[index].mDataByteSize = 4 * packets.pointee }
        supply.pointee.channels.0 += Int(packets.pointee)
        supply.pointee.channels.1 += Int(packets.pointee)
        supply.pointee.left -= Int(packets.pointee)
        return noErr
      }, &supply, &packets, list.unsafeMutablePointer, nil)
  }

  private static func property(_ quality: ConversionQuality) -> UInt32 {
    switch quality {
    case .low: UInt32(kAudioConverterQuality_Min)
    case .normal: UInt32(kAudioConverterQuality_Medium)
    case .high: UInt32(kAudioConverterQuality_High)
    case .mastering: UInt32(kAudioConverterQuality_Max)
    }
  }
}
