// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox

/// Makes packets of the format of a queue that records out of planar Float32.
final class BufferEncoder {
  private enum Method {
    case linear(FrameConverter)
    case packets(AudioConverterRef)
  }

  /// The format of the packets, every field filled in.
  let format: AudioStreamBasicDescription
  let largestPacket: Int
  private let method: Method
  private let channelCount: Int
  private let feed: UnsafeMutablePointer<FrameFeed>
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let places: UnsafeMutablePointer<UnsafeRawPointer>
  private let rooms: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Refuses a format that cannot be made.
  init(_ wanted: AudioStreamBasicDescription) throws(AudioError) {
    let planar = StreamFormat(
      sampleRate: wanted.mSampleRate, channelCount: Int(wanted.mChannelsPerFrame))
    if wanted.mFormatID == kAudioFormatLinearPCM {
      let target = try StreamFormat(wanted)
      method = .linear(try FrameConverter(.init(source: planar, destination: target)))
      format = wanted
      largestPacket = Int(wanted.mBytesPerPacket)
    } else {
      let handle: AudioConverterRef
      do throws(AudioError) {
        handle = try Converter.make(from: planar.description, to: wanted)
      } catch { throw error.asStatus(.queueCodec) }
      method = .packets(handle)
      var made = wanted
      var size: UInt32 = 0
      try Converter.use(handle) { converter throws(AudioError) in
        made = converter.outputFormat
        var bytes = UInt32(4)
        try converter.read(
          kAudioConverterPropertyMaximumOutputPacketSize, into: &size, size: &bytes)
      }
      format = made
      largestPacket = Int(size)
    }
    channelCount = planar.channelCount
    feed = .allocate(capacity: 1)
    feed.initialize(to: FrameFeed())
    list = .allocate(bufferCount: 1)
    places = .allocate(capacity: planar.channelCount)
    rooms = .allocate(capacity: 1)
  }

  deinit {
    if case .packets(let handle) = method { try? Converter.dispose(handle) }
    feed.deallocate()
    list.deallocate()
    places.deallocate()
    rooms.deallocate()
  }

  /// What a decoder will have to know; nil where that is nothing.
  func cookie() -> [UInt8]? {
    guard case .packets(let handle) = method else { return nil }
    var bytes: [UInt8]?
    try? Converter.use(handle) { converter throws(AudioError) in
      let count = try converter.information(of: kAudioConverterCompressionMagicCookie).size
      var memory = [UInt8](repeating: 0, count: max(count, 1))
      var size = UInt32(count)
      try converter.read(kAudioConverterCompressionMagicCookie, into: &memory, size: &size)
      bytes = Array(memory.prefix(Int(size)))
    }
    return bytes?.isEmpty == false ? bytes : nil
  }

  func reset() {
    feed.pointee = FrameFeed()
    guard case .packets(let handle) = method else { return }
    try? Converter.use(handle) { converter throws(AudioError) in try converter.reset() }
  }

  /// Packets made of frames, and how many of these were taken.
  struct Result {
    var taken = 0
    var packets = 0
    var byteCount = 0
    var failure: AudioError?
  }

  /// Makes packets of frames of `source`, as many as there is room for. `isAtEnd`: none come after them.
  func encode(
    _ source: PlanarBuffer, _ range: Range<Int>, into memory: UnsafeMutableRawPointer, room: Int,
    descriptions: (memory: UnsafeMutablePointer<AudioStreamPacketDescription>, count: Int)?,
    isEmpty: Bool, isAtEnd: Bool
  ) -> Result {
    switch method {
    case .linear(let converter):
      let count = min(range.count, room / max(largestPacket, 1))
      guard count > 0 else { return Result() }
      for channel in 0..<channelCount {
        places[channel] = UnsafeRawPointer(source.channels[channel])
      }
      rooms[0] = memory
      _ = converter.convert(
        FrameSpan(places, from: range.lowerBound, count: count),
        into: FrameRoom(rooms, from: 0, count: count))
      return Result(taken: count, packets: count, byteCount: count * largestPacket)
    case .packets(let handle):
      feed.pointee = FrameFeed(source, range, isAtEnd: isAtEnd)
      // A packet of any size has to fit, where it is not the first: of a small buffer it may.
      let fitting = max(room / max(largestPacket, 1), isEmpty ? 1 : 0)
      var packets = UInt32(clamping: min(descriptions?.count ?? fitting, fitting))
      guard packets > 0 else { return Result() }
      list.buffers[0] = AudioBuffer(
        mNumberChannels: 0, mDataByteSize: UInt32(room), mData: memory)
      var result = Result()
      do throws(AudioError) {
        try Converter.use(handle) { [list, feed] converter throws(AudioError) in
          try converter.fill(
            InputCall({ FrameFeed.supply($0, $1, $2, $3, $4) }, feed, for: handle),
            packets: &packets, into: list, descriptions: descriptions?.memory)
        }
      } catch {
        if error.status != PacketFeed.needsMore { result.failure = error }
      }
      result.taken = feed.pointee.taken
      result.packets = Int(packets)
      result.byteCount = packets > 0 ? Int(list.buffers[0].mDataByteSize) : 0
      return result
    }
  }
}

/// Frames, as a converter asks for them.
struct FrameFeed {
  private var source: PlanarBuffer?
  private var range = 0..<0
  private var isAtEnd = false
  private(set) var taken = 0

  init() {}

  init(_ source: PlanarBuffer, _ range: Range<Int>, isAtEnd: Bool) {
    self.source = source
    self.range = range
    self.isAtEnd = isAtEnd
  }

  /// The input function of the converter.
  static func supply(
    _: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
  ) -> OSStatus {
    guard let feed = context?.assumingMemoryBound(to: FrameFeed.self) else { return noErr }
    let count = min(Int(packets.pointee), feed.pointee.range.count - feed.pointee.taken)
    guard count > 0, let source = feed.pointee.source else {
      packets.pointee = 0
      return feed.pointee.isAtEnd ? noErr : PacketFeed.needsMore
    }
    let start = feed.pointee.range.lowerBound + feed.pointee.taken
    for channel in 0..<source.channelCount {
      list.buffers[channel].mData = UnsafeMutableRawPointer(source.channels[channel] + start)
      list.buffers[channel].mDataByteSize = UInt32(count * 4)
    }
    packets.pointee = UInt32(count)
    feed.pointee.taken += count
    return noErr
  }
}
