// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Converts the buffers of a playback queue to planar Float32, one after another.
final class BufferDecoder {
  /// The most frames of one call.
  static let chunk = 512

  /// The last output.
  let output: PlanarBuffer
  private let conversion: BufferConversion
  private let bytesPerFrame: Int
  private let feed: PacketFeed
  private let list: UnsafeMutablePointer<AudioBufferList>

  /// [control thread] Throws for a format that cannot be decoded.
  init(_ format: AudioStreamBasicDescription) throws(AudioError) {
    let planar = StreamFormat(
      sampleRate: format.mSampleRate, channelCount: Int(format.mChannelsPerFrame))
    conversion = try BufferConversion(from: format, to: planar.description)
    bytesPerFrame = Int(format.mBytesPerFrame)
    output = PlanarBuffer(channelCount: planar.channelCount, capacity: Self.chunk)
    feed = PacketFeed(format)
    list = .allocate(bufferCount: planar.channelCount)
    // Only the program's trimming drops frames, not the codec's priming.
    var none = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)
    withUnsafeBytes(of: &none) { bytes in
      try? conversion.withCodec { codec throws(AudioError) in
        try codec.write(kAudioConverterPrimeInfo, bytes)
      }
    }
  }

  deinit {
    output.deallocate()
    list.deallocate()
  }

  /// Sets the magic cookie of the decoder.
  func setCookie(_ bytes: UnsafeRawBufferPointer) throws(AudioError) {
    try conversion.withCodec { codec throws(AudioError) in
      try codec.write(kAudioConverterDecompressionMagicCookie, bytes)
    }
  }

  /// Begins a buffer; its memory must stay valid until all of it is decoded.
  func begin(_ buffer: EnqueuedBuffer) {
    feed.begin(buffer)
  }

  /// Decodes at most `chunk` frames to `output`; returns whether the buffer is used up. An error
  /// skips one packet.
  func decode() -> (frames: Int, isFinished: Bool, failure: AudioError?) {
    if conversion.hasCodec {
      feed.isAtEnd = false
      let before = feed.progress
      let (made, failure) = fill()
      if let failure, failure.status != PacketFeed.needsMore {
        // A decoder that accepts no packet fails for all of the buffer.
        return (made, made == 0 && feed.progress == before, failure)
      }
      return (made, failure != nil, nil)
    }
    let left = (feed.byteCount - feed.offset) / max(bytesPerFrame, 1)
    let count = min(left, Self.chunk)
    guard count > 0 else { return (0, true, nil) }
    conversion.convert(
      count, of: CollectionOfOne(UnsafeRawPointer(feed.data) + feed.offset),
      to: (0..<output.channelCount).lazy.map { [output] in
        UnsafeMutableRawPointer(output.channels[$0])
      })
    feed.offset += count * bytesPerFrame
    return (count, count == left, nil)
  }

  /// Writes the frames still in the codec to `output`, after the last packet; returns whether none
  /// is left.
  func drain() -> (frames: Int, isFinished: Bool) {
    guard conversion.hasCodec else { return (0, true) }
    feed.isAtEnd = true
    let (made, failure) = fill()
    guard made < Self.chunk || failure != nil else { return (made, false) }
    reset()
    return (made, true)
  }

  /// Clears the signal history.
  func reset() {
    feed.end()
    conversion.reset()
  }

  private func fill() -> (made: Int, failure: AudioError?) {
    list.point(at: UnsafePointer(output.channels), frames: Self.chunk)
    return conversion.fill(Self.chunk, into: list, from: feed)
  }
}
