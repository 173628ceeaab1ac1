// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox

/// Makes planar Float32 of the buffers of a queue that plays, one after another.
final class BufferDecoder {
  /// The most frames that one call makes.
  static let chunk = 512

  /// What was made last.
  let output: PlanarBuffer
  private enum Method {
    case linear(FrameConverter)
    case packets(AudioConverterRef)
  }
  private let method: Method
  private let bytesPerFrame: Int
  private let feed: UnsafeMutablePointer<PacketFeed>
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let places: UnsafeMutablePointer<UnsafeRawPointer>
  private let rooms: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Refuses a format that cannot be decoded.
  init(_ format: AudioStreamBasicDescription) throws(AudioError) {
    let planar = StreamFormat(
      sampleRate: format.mSampleRate, channelCount: Int(format.mChannelsPerFrame))
    if format.mFormatID == kAudioFormatLinearPCM {
      let source = try StreamFormat(format)
      method = .linear(try FrameConverter(.init(source: source, destination: planar)))
    } else {
      let converter: AudioConverterRef
      do throws(AudioError) {
        converter = try Converter.make(from: format, to: planar.description)
      } catch { throw error.asStatus(.queueCodec) }
      // Frames are left out where the program says so, and nowhere else.
      var none = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)
      withUnsafeBytes(of: &none) { bytes in
        try? Converter.use(converter) { converter throws(AudioError) in
          try converter.write(kAudioConverterPrimeInfo, bytes)
        }
      }
      method = .packets(converter)
    }
    bytesPerFrame = Int(format.mBytesPerFrame)
    output = PlanarBuffer(channelCount: planar.channelCount, capacity: Self.chunk)
    feed = .allocate(capacity: 1)
    feed.initialize(to: PacketFeed(format))
    list = .allocate(bufferCount: planar.channelCount)
    places = .allocate(capacity: 1)
    rooms = .allocate(capacity: planar.channelCount)
  }

  deinit {
    if case .packets(let converter) = method { try? Converter.dispose(converter) }
    output.deallocate()
    feed.deallocate()
    list.deallocate()
    places.deallocate()
    rooms.deallocate()
  }

  /// What a decoder has to know.
  func setCookie(_ bytes: UnsafeRawBufferPointer) throws(AudioError) {
    guard case .packets(let converter) = method else { return }
    try Converter.use(converter) { converter throws(AudioError) in
      try converter.write(kAudioConverterDecompressionMagicCookie, bytes)
    }
  }

  /// A buffer begins. Its memory stays until it is finished.
  func begin(_ buffer: PlayedBuffer) {
    feed.pointee.begin(buffer)
  }

  /// Makes frames, at most `chunk`, in `output`; whether the buffer is used up. An error ends one packet.
  func decode() -> (frames: Int, isFinished: Bool, failure: AudioError?) {
    switch method {
    case .linear(let converter):
      let left = (feed.pointee.byteCount - feed.pointee.offset) / max(bytesPerFrame, 1)
      let count = min(left, Self.chunk)
      guard count > 0 else { return (0, true, nil) }
      places[0] = UnsafeRawPointer(feed.pointee.data) + feed.pointee.offset
      for channel in 0..<output.channelCount {
        rooms[channel] = UnsafeMutableRawPointer(output.channels[channel])
      }
      _ = converter.convert(
        FrameSpan(places, from: 0, count: count), into: FrameRoom(rooms, from: 0, count: count))
      feed.pointee.offset += count * bytesPerFrame
      return (count, count == left, nil)
    case .packets(let converter):
      feed.pointee.isAtEnd = false
      let (made, failure) = fill(converter)
      if let failure, failure.status != PacketFeed.needsMore {
        return (made, false, failure)
      }
      return (made, failure != nil, nil)
    }
  }

  /// After the last packet: makes what the codec still holds, in `output`; whether that was all.
  func drain() -> (frames: Int, isFinished: Bool) {
    guard case .packets(let converter) = method else { return (0, true) }
    feed.pointee.isAtEnd = true
    let (made, failure) = fill(converter)
    guard made < Self.chunk || failure != nil else { return (made, false) }
    reset()
    return (made, true)
  }

  /// Forgets the signal.
  func reset() {
    feed.pointee.end()
    guard case .packets(let converter) = method else { return }
    try? Converter.use(converter) { converter throws(AudioError) in try converter.reset() }
  }

  private func fill(_ converter: AudioConverterRef) -> (made: Int, failure: AudioError?) {
    list.point(at: UnsafePointer(output.channels), frames: Self.chunk)
    var count = UInt32(Self.chunk)
    do throws(AudioError) {
      try Converter.use(converter) { [list, feed] object throws(AudioError) in
        try object.fill(
          InputCall({ PacketFeed.supply($0, $1, $2, $3, $4) }, feed, for: converter),
          packets: &count, into: list, descriptions: nil)
      }
      return (Int(count), nil)
    } catch {
      return (Int(count), error)
    }
  }
}

/// The packets of a buffer, as a converter asks for them.
struct PacketFeed {
  /// What a converter is told where the buffer is used up and the stream is not.
  static let needsMore: OSStatus = 0x6d6f7265  // 'more'

  private let bytesPerPacket: Int
  fileprivate(set) var data: UnsafeMutableRawPointer
  private(set) var byteCount = 0
  var offset = 0
  var isAtEnd = false
  private var next = 0
  private var descriptions: [AudioStreamPacketDescription] = []
  private var description = AudioStreamPacketDescription()

  init(_ format: AudioStreamBasicDescription) {
    bytesPerPacket = Int(format.mBytesPerPacket)
    data = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
  }

  mutating func begin(_ buffer: PlayedBuffer) {
    data = buffer.buffer.reference.pointee.mAudioData
    byteCount = buffer.byteCount
    descriptions = buffer.descriptions
    (offset, next) = (0, 0)
  }

  mutating func end() {
    (byteCount, offset, next) = (0, 0, 0)
    descriptions = []
  }

  /// Where the next packets lie, at most so many.
  private mutating func take(_ wanted: Int) -> (bytes: UnsafeMutableRawPointer, size: Int, Int)? {
    if descriptions.isEmpty, bytesPerPacket > 0 {
      let count = min(wanted, (byteCount - offset) / bytesPerPacket)
      guard count > 0 else { return nil }
      defer { offset += count * bytesPerPacket }
      return (data + offset, count * bytesPerPacket, count)
    }
    while next < descriptions.count {
      let packet = descriptions[next]
      next += 1
      let (start, size) = (packet.mStartOffset, Int64(packet.mDataByteSize))
      // A packet that does not lie in the buffer is none.
      guard size > 0, start >= 0, start <= Int64(byteCount) - size else { continue }
      description = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: packet.mVariableFramesInPacket,
        mDataByteSize: packet.mDataByteSize)
      return (data + Int(start), Int(size), 1)
    }
    return nil
  }

  /// The input function of the converter.
  static func supply(
    _: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ outDescriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
  ) -> OSStatus {
    guard let feed = context?.assumingMemoryBound(to: PacketFeed.self),
      let found = feed.pointee.take(Int(packets.pointee))
    else {
      packets.pointee = 0
      let isAtEnd = context?.assumingMemoryBound(to: PacketFeed.self).pointee.isAtEnd ?? true
      return isAtEnd ? noErr : needsMore
    }
    list.buffers[0].mData = found.bytes
    list.buffers[0].mDataByteSize = UInt32(found.size)
    packets.pointee = UInt32(found.2)
    if feed.pointee.bytesPerPacket == 0 || !feed.pointee.descriptions.isEmpty {
      let offset = MemoryLayout<PacketFeed>.offset(of: \.description) ?? 0
      outDescriptions?.pointee = (UnsafeMutableRawPointer(feed) + offset)
        .assumingMemoryBound(to: AudioStreamPacketDescription.self)
    }
    return noErr
  }
}
