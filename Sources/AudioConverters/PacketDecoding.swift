// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox

/// Packets of a compressed format, decoded as needed: decoded frames wait here, without the codec's
/// priming and padding.
final class PacketDecoding {
  let format: AudioStreamBasicDescription
  /// The output format.
  let decodedFormat: StreamFormat
  private let codec: CompressedFormat
  private let store: FrameStore
  /// Opened with the first packet: a cookie may be set after the converter is made.
  private var decoder: (any PacketDecoder)?
  /// The file's description of the stream.
  var cookie: [UInt8] = [] {
    didSet { decoder = nil }
  }
  /// Frames to drop at the beginning and at the end; nil: as the stream says.
  var primeInfo: AudioConverterPrimeInfo?
  private var leadingFrames: Int?
  /// The first waiting frame, valid until the next decoding.
  let buffer = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: 1)
  private(set) var hasFinished = false

  init(_ codec: CompressedFormat, _ format: AudioStreamBasicDescription) throws(AudioError) {
    try codec.require(encoder: false)
    self.codec = codec
    self.format = format
    decodedFormat = try codec.decodedFormat(format)
    store = FrameStore(frameSize: decodedFormat.bytesPerFrame)
    buffer.initialize(to: UnsafeRawPointer(store.first))
  }

  deinit { buffer.deallocate() }

  /// Frames at the end that may not be sound, as far as known.
  private var trailingFrames: Int { Int(primeInfo?.trailingFrames ?? 0) }

  /// Frames to drop at the beginning.
  func leading() -> Int {
    primeInfo.map { Int($0.leadingFrames) } ?? (try? opened())?.leadingFrames ?? 0
  }

  /// Frames ready for use.
  var count: Int { hasFinished ? store.count : max(0, store.count - trailingFrames) }

  func use(_ frames: Int) { store.drop(frames) }

  /// Updates `buffer`.
  func find() { buffer.pointee = UnsafeRawPointer(store.first) }

  func reset() {
    decoder?.reset()
    store.drop(store.count)
    leadingFrames = nil
    hasFinished = false
  }

  private func opened() throws(AudioError) -> any PacketDecoder {
    if let decoder { return decoder }
    let made = try codec.decoder(format, cookie: cookie)
    decoder = made
    return made
  }

  /// Decodes a packet or a run of packets.
  func decode(_ packets: UnsafeRawBufferPointer) throws(AudioError) {
    try opened().decode(packets, into: store)
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
    let left = leadingFrames ?? leading()
    let dropped = min(left, store.count)
    store.drop(dropped)
    leadingFrames = left - dropped
  }
}
