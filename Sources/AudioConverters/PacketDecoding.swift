// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The input of a compressed format: decodes packets as needed, drops the codec's priming and
/// padding, and queues the decoded frames.
final class PacketDecoding {
  let format: AudioStreamBasicDescription
  /// The output format.
  let decodedFormat: StreamFormat
  let codec: CompressedFormat
  private let store: FrameQueue
  /// Opened with the first packet, because a cookie may be set after the converter is made.
  private var decoder: (any PacketDecoder)?
  /// The magic cookie.
  var cookie: [UInt8] = [] {
    didSet { decoder = nil }
  }
  /// Frames to drop at the beginning and at the end; nil for the stream's own values.
  var primeInfo: AudioConverterPrimeInfo?
  /// Leading frames still to be dropped; nil before the first packet.
  private var framesToSkip: Int?
  /// The first waiting frame, valid until the next decoding.
  let buffer = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: 1)
  private(set) var hasFinished = false

  init(_ codec: CompressedFormat, _ format: AudioStreamBasicDescription) throws(AudioError) {
    try codec.require(encoder: false)
    self.codec = codec
    self.format = format
    decodedFormat = try codec.decodedFormat(format)
    store = FrameQueue(frameSize: decodedFormat.bytesPerFrame)
    buffer.initialize(to: UnsafeRawPointer(store.first))
  }

  deinit { buffer.deallocate() }

  /// Frames to drop at the end; held back until then.
  private var trailingFrames: Int { Int(primeInfo?.trailingFrames ?? 0) }

  /// Frames to drop at the beginning.
  func leadingFrameCount() -> Int {
    primeInfo.map { Int($0.leadingFrames) } ?? (try? opened())?.leadingFrames ?? 0
  }

  /// Frames ready for use.
  var count: Int { hasFinished ? store.count : max(0, store.count - trailingFrames) }

  func consume(_ frames: Int) { store.drop(frames) }

  /// Points `buffer` to the first queued frame.
  func updateBuffer() { buffer.pointee = UnsafeRawPointer(store.first) }

  func reset() {
    decoder?.reset()
    store.drop(store.count)
    framesToSkip = nil
    hasFinished = false
  }

  private func opened() throws(AudioError) -> any PacketDecoder {
    if let decoder { return decoder }
    let made = try codec.decoder(format, cookie: cookie)
    decoder = made
    return made
  }

  /// Decodes a packet or a run of packets. `frames`: how many of a packet are sound, according to its
  /// description; 0: all.
  func decode(_ packets: UnsafeRawBufferPointer, frames: Int) throws(AudioError) {
    let before = store.count
    try opened().decode(packets, into: store)
    if frames > 0, codec.mayEndWithinPacket {
      store.dropLast(max(0, store.count - before - frames))
    }
    skipLeading()
  }

  /// Called after the last packet.
  func finish() throws(AudioError) {
    guard !hasFinished else { return }
    hasFinished = true
    defer {
      skipLeading()
      store.dropLast(trailingFrames)
    }
    try decoder?.finish(into: store)
  }

  private func skipLeading() {
    let remaining = framesToSkip ?? leadingFrameCount()
    let dropped = min(remaining, store.count)
    store.drop(dropped)
    framesToSkip = remaining - dropped
  }
}
