// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing
import Synchronization

/// An AAC encoder followed by a decoder, on a separate thread.
final class AACWorker: @unchecked Sendable {
  /// How the encoder spends bits.
  struct Settings: Equatable, Sendable {
    /// Indices into the names of `RoundTripAAC`.
    var strategy: Int
    var rate: Int

    /// The available bit rates, in bits per second and channel.
    static let bitRates = [
      8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 256,
    ].map { $0 * 1_000 }

    /// The settings as one word, which a render thread can store atomically.
    @_noLocks
    static func word(strategy: Float, rate: Float) -> UInt32 {
      UInt32(strategy + 0.5) << 8 | UInt32(rate + 0.5)
    }

    init(word: UInt32) {
      strategy = min(Int(word >> 8), 2)
      rate = min(Int(word & 0xFF), Self.bitRates.count - 1)
    }

    /// The settings for the encoder.
    func encoder(channelCount: Int) -> EncoderSettings {
      var settings = EncoderSettings()
      switch strategy {
      case 0: settings.rateMode = UInt32(kAudioCodecBitRateControlMode_Constant)
      case 1: settings.rateMode = UInt32(kAudioCodecBitRateControlMode_LongTermAverage)
      default:
        settings.rateMode = UInt32(kAudioCodecBitRateControlMode_Variable)
        settings.variableQuality = rate * 127 / (Self.bitRates.count - 1)
      }
      settings.bitRate = Self.bitRates[rate] * channelCount
      return settings
    }
  }

  /// An encoder and decoder with the same settings.
  private struct Codec {
    let settings: Settings
    let encoder: any PacketEncoder
    let decoder: any PacketDecoder
    /// Decoded frames still to be dropped: the codec's delay.
    var leading: Int
  }

  /// The part that the kernel uses; it exists as long as this object.
  let rings: UnsafeMutablePointer<RoundTripRings>
  private let format: StreamFormat
  private let worker: RenderWorker
  private let onGap: () -> Void
  private var codec: Codec?
  private let packets = PacketQueue()
  private let frames: FrameQueue
  private let memory: OwnedMemory
  /// The current block and the previous one.
  private let block: UnsafeMutablePointer<Float>
  private let previous: UnsafeMutablePointer<Float>
  private var bytes: [UInt8] = []
  /// The next frame to enter the codec, and the next one to leave it.
  private var position = 0
  private var output = 0
  /// The last restart word that was handled.
  private var handledRestart = 0
  private var reportedGaps = 0
  private let failure = Lock()
  private var reason: String?

  /// [control thread] Makes both codecs and starts their thread. `onGap` is called on that thread
  /// after it was late and caused a gap in the sound.
  init(
    _ format: StreamFormat, maximumFrames: Int, settings: UInt32, pace: WorkSignal.Pace,
    onGap: @escaping () -> Void
  ) throws(AudioError) {
    self.format = format
    self.onGap = onGap
    let channels = format.channelCount
    let codec = try Self.make(Settings(word: settings), format)
    frames = FrameQueue(frameSize: 4 * channels)
    memory = OwnedMemory()
    block = memory.array(RoundTripRings.block * channels, of: 0)
    previous = memory.array(RoundTripRings.block * channels, of: 0)
    // The worker's closure needs `self`, which does not exist yet.
    let host = Host()
    worker = RenderWorker(
      "audio-aac", pause: Double(RoundTripRings.block) / format.sampleRate / 8
    ) { host.trip?.work() ?? false }
    worker.signal.pointee.pace.store(pace, ordering: .relaxed)
    rings = memory.cell(
      RoundTripRings(channelCount: channels, maximumFrames: maximumFrames, worker.signal))
    rings.pointee.requestedSettings.store(settings, ordering: .relaxed)
    self.codec = codec
    host.trip = self
    try worker.start()
  }

  deinit {
    end()
    memory.deallocate()
  }

  private final class Host: @unchecked Sendable {
    unowned(unsafe) var trip: AACWorker?
  }

  /// [control thread] Ends the thread. Nothing may render meanwhile.
  func end() { worker.end() }

  /// [control thread] Sets whether a device paces the program's renders.
  func setPace(_ pace: WorkSignal.Pace) {
    worker.signal.pointee.pace.store(pace, ordering: .relaxed)
  }

  /// [any thread] The reason for the codec's last failure; nil if there was none.
  var failureReason: String? { failure.withLock { reason } }

  private static func make(_ settings: Settings, _ format: StreamFormat) throws(AudioError) -> Codec
  {
    guard let aac = CompressedFormat.of(kAudioFormatMPEG4AAC) else { throw .failedInitialization }
    var description = AudioStreamBasicDescription()
    description.mFormatID = kAudioFormatMPEG4AAC
    // A rate that AAC does not support is encoded with the tables of the nearest one; the frames
    // are unchanged.
    let rate = format.sampleRate
    description.mSampleRate =
      aac.sampleRates.min { abs($0 - rate) < abs($1 - rate) } ?? format.sampleRate
    description.mChannelsPerFrame = UInt32(clamping: format.channelCount)
    description = aac.complete(description)
    let encoder = try aac.encoder(
      description, settings.encoder(channelCount: format.channelCount))
    let decoder = try aac.decoder(description, cookie: encoder.cookie)
    return Codec(
      settings: settings, encoder: encoder, decoder: decoder, leading: encoder.delayFrames)
  }

  // MARK: The worker

  /// [worker] Encodes and decodes the next block; false when there is none.
  private func work() -> Bool {
    let gaps = rings.pointee.lateness.total.count
    if gaps != reportedGaps {
      reportedGaps = gaps
      onGap()
    }
    if let restartFrame = rings.pointee.restart(&handledRestart) {
      (position, output, codec) = (restartFrame, restartFrame, nil)
    }
    guard rings.pointee.read(at: position, into: block) else { return false }
    let next = position + RoundTripRings.block
    do throws(AudioError) { try pass() } catch {
      failure.withLock { reason = error.text }
      Explanations.log("RoundTripAAC: \(error.text)")
      codec = nil
      position = next
      rings.pointee.write(nil, position - output, at: output)
      output = position
    }
    rings.pointee.encoded.store(position, ordering: .releasing)
    return true
  }

  /// Passes the block through the codecs. Replaces them first if other settings are requested.
  private func pass() throws(AudioError) {
    let settings = Settings(word: rings.pointee.requestedSettings.load(ordering: .relaxed))
    let changes = codec.map { $0.settings != settings } ?? false
    if changes, let codec {
      // The old codec also encodes a block after the change, and the new one a block before it, so
      // that neither begins or ends at the change.
      try codec.encoder.encode(block, count: RoundTripRings.block, into: packets)
      try codec.encoder.finish(into: packets)
      try decode(until: position)
      try codec.decoder.finish(into: frames)
      try decode(until: position)
      self.codec = nil
    }
    if codec == nil {
      // Silence for the frames that the previous codec did not return.
      rings.pointee.write(nil, position - output, at: output)
      output = position
      frames.drop(frames.count)
      packets.removeAll()
      codec = try Self.make(settings, format)
      if changes {
        codec?.leading += RoundTripRings.block
        try codec?.encoder.encode(previous, count: RoundTripRings.block, into: packets)
      }
    }
    try codec?.encoder.encode(block, count: RoundTripRings.block, into: packets)
    previous.update(from: block, count: RoundTripRings.block * format.channelCount)
    position += RoundTripRings.block
    try decode(until: position)
  }

  /// Decodes the waiting packets and writes the result, up to frame `end`.
  private func decode(until end: Int) throws(AudioError) {
    while let packet = packets.first {
      if bytes.count < packet.size { bytes = [UInt8](repeating: 0, count: 2 * packet.size) }
      bytes.withUnsafeMutableBytes { $0.baseAddress.map { packets.moveFirst(to: $0) } }
      try codec?.decoder.decode(packet.size, of: bytes, into: frames)
    }
    let leading = min(codec?.leading ?? 0, frames.count)
    frames.drop(leading)
    codec?.leading -= leading
    let count = min(frames.count, end - output)
    guard count > 0 else { return }
    rings.pointee.write(frames.first.assumingMemoryBound(to: Float.self), count, at: output)
    frames.drop(count)
    output += count
  }
}

extension PacketDecoder {
  /// Decodes the first `size` of `bytes`.
  fileprivate func decode(_ size: Int, of bytes: [UInt8], into frames: FrameQueue)
    throws(AudioError)
  {
    let failure = bytes.withUnsafeBytes { all -> AudioError? in
      do throws(AudioError) {
        try decode(UnsafeRawBufferPointer(rebasing: all.prefix(size)), into: frames)
        return nil
      } catch { return error }
    }
    if let failure { throw failure }
  }
}
