// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Converts the buffers of both kinds of queue: samples of linear PCM directly, other formats with
/// a codec.
final class BufferConversion {
  /// Nil when both formats are linear PCM.
  private let codec: Converter?
  private let samples: FrameConversion?
  private let sourceAddresses: UnsafeMutablePointer<UnsafeRawPointer>
  private let destinationAddresses: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// [control thread] Throws for formats that cannot be converted.
  init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
  ) throws(AudioError) {
    if source.mFormatID == kAudioFormatLinearPCM, destination.mFormatID == kAudioFormatLinearPCM {
      samples = try FrameConversion(
        .init(source: try StreamFormat(source), destination: try StreamFormat(destination)))
      codec = nil
    } else {
      do throws(AudioError) {
        codec = try Converter(from: source, to: destination)
      } catch { throw error.asStatus(.queueCodec) }
      samples = nil
    }
    let channels = Int(max(source.mChannelsPerFrame, destination.mChannelsPerFrame))
    sourceAddresses = .allocate(capacity: channels)
    destinationAddresses = .allocate(capacity: channels)
  }

  deinit {
    sourceAddresses.deallocate()
    destinationAddresses.deallocate()
  }

  var hasCodec: Bool { codec != nil }

  /// Runs `body` on the codec, if there is one.
  func withCodec(_ body: (Converter) throws(AudioError) -> Void) throws(AudioError) {
    if let codec { try body(codec) }
  }

  /// Clears the signal history.
  func reset() {
    try? codec?.reset()
  }

  /// Converts frames from buffers to buffers, without a codec.
  func convert(
    _ frames: Int, from start: Int = 0, of source: some Sequence<UnsafeRawPointer>,
    to destination: some Sequence<UnsafeMutableRawPointer>
  ) {
    for (index, address) in source.enumerated() { sourceAddresses[index] = address }
    for (index, address) in destination.enumerated() { destinationAddresses[index] = address }
    _ = samples?.convert(
      FrameSpan(sourceAddresses, from: start, count: frames),
      into: FrameRoom(destinationAddresses, from: 0, count: frames))
  }

  /// Runs the codec on the packets or frames of a feed. Returns how many it made, and the error that
  /// stopped it.
  func fill(
    _ count: Int, into list: UnsafeMutablePointer<AudioBufferList>,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? = nil,
    from feed: some ConverterInput
  ) -> (made: Int, failure: AudioError?) {
    guard let codec else { return (0, nil) }
    var made = UInt32(clamping: count)
    do throws(AudioError) {
      try codec.fill(feed, packets: &made, into: list, descriptions: descriptions)
      return (Int(made), nil)
    } catch {
      return (Int(made), error)
    }
  }
}
