// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Encodes planar Float32 to packets of a recording queue's format.
final class BufferEncoder {
  /// The format of the packets, every field filled in.
  let format: AudioStreamBasicDescription
  let largestPacket: Int
  private let conversion: BufferConversion
  private let channelCount: Int
  private var feed = FrameFeed()
  private let list: UnsafeMutablePointer<AudioBufferList>

  /// [control thread] Throws for a format that cannot be encoded.
  init(_ requested: AudioStreamBasicDescription) throws(AudioError) {
    let planar = StreamFormat(
      sampleRate: requested.mSampleRate, channelCount: Int(requested.mChannelsPerFrame))
    conversion = try BufferConversion(from: planar.description, to: requested)
    var (made, size) = (requested, requested.mBytesPerPacket)
    try conversion.withCodec { codec throws(AudioError) in
      made = codec.outputFormat
      var bytes = UInt32(4)
      try codec.read(kAudioConverterPropertyMaximumOutputPacketSize, into: &size, size: &bytes)
    }
    format = made
    largestPacket = Int(size)
    channelCount = planar.channelCount
    list = .allocate(bufferCount: 1)
  }

  deinit { list.deallocate() }

  /// The magic cookie for a decoder; nil if none is needed.
  func cookie() -> [UInt8]? {
    var bytes: [UInt8]?
    try? conversion.withCodec { codec throws(AudioError) in
      let count = try codec.information(of: kAudioConverterCompressionMagicCookie).size
      var memory = [UInt8](repeating: 0, count: max(count, 1))
      var size = UInt32(clamping: memory.count)
      try codec.read(kAudioConverterCompressionMagicCookie, into: &memory, size: &size)
      bytes = Array(memory.prefix(Int(size)))
    }
    return bytes?.isEmpty == false ? bytes : nil
  }

  func reset() {
    feed = FrameFeed()
    conversion.reset()
  }

  /// The packets made, and the frames they used.
  struct Result {
    var consumedFrames = 0
    var packets = 0
    var byteCount = 0
    var failure: AudioError?
  }

  /// Encodes frames of `source` to as many packets as fit. `isEmpty`: the buffer has no packet yet.
  /// `isAtEnd`: no frames follow.
  func encode(
    _ source: PlanarBuffer, _ range: Range<Int>, into memory: UnsafeMutableRawPointer, room: Int,
    descriptions: (memory: UnsafeMutablePointer<AudioStreamPacketDescription>, count: Int)?,
    isEmpty: Bool, isAtEnd: Bool
  ) -> Result {
    guard conversion.hasCodec else {
      let count = min(range.count, room / max(largestPacket, 1))
      guard count > 0 else { return Result() }
      conversion.convert(
        count, from: range.lowerBound,
        of: (0..<channelCount).lazy.map { UnsafeRawPointer(source.channels[$0]) },
        to: CollectionOfOne(memory))
      return Result(consumedFrames: count, packets: count, byteCount: count * largestPacket)
    }
    feed = FrameFeed(source, range, isAtEnd: isAtEnd)
    // A packet of the largest size must fit. The first packet is tried in any case: its buffer may
    // be small.
    let fitting = max(room / max(largestPacket, 1), isEmpty ? 1 : 0)
    let requested = min(descriptions?.count ?? fitting, fitting)
    guard requested > 0 else { return Result() }
    list.buffers[0] = AudioBuffer(
      mNumberChannels: 0, mDataByteSize: UInt32(clamping: room), mData: memory)
    let (packets, failure) = conversion.fill(
      requested, into: list, descriptions: descriptions?.memory, from: feed)
    return Result(
      consumedFrames: feed.consumedFrames, packets: packets,
      byteCount: packets > 0 ? Int(list.buffers[0].mDataByteSize) : 0,
      failure: failure?.status == PacketFeed.needsMore ? nil : failure)
  }
}
