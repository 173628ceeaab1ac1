// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing
import Synchronization

/// An AAC encoder followed by a decoder, on a thread beside the render thread.
final class AACRoundTrip: @unchecked Sendable {
  /// How the encoder spends bits.
  struct Settings: Equatable, Sendable {
    /// Indices into the names of `RoundTripAAC`.
    var strategy: Int
    var rate: Int

    /// The available bit rates, in bits per second and channel.
    static let bitRates = [
      8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 256,
    ].map { $0 * 1_000 }

    /// The settings as one word, for a render thread.
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

  /// Both codecs, from one start on.
  private struct Codec {
    let settings: Settings
    let encoder: any PacketEncoder
    let decoder: any PacketDecoder
    /// Coming frames that are the codec's delay rather than the sound.
    var leading: Int
  }

  /// The part that the kernel uses; lives as long as this object.
  let line: UnsafeMutablePointer<RoundTripLine>
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
  /// The last start that it has handled.
  private var beginning = 0
  private var reportedGaps = 0
  private let failure = Lock()
  private var reason: String?

  /// [control thread] Makes both codecs and starts their thread. `onGap` is called on it when the
  /// thread was late and interrupted the sound.
  init(
    _ format: StreamFormat, maximumFrames: Int, wishes: UInt32, pace: WorkSignal.Pace,
    onGap: @escaping () -> Void
  ) throws(AudioError) {
    self.format = format
    self.onGap = onGap
    let channels = format.channelCount
    let codec = try Self.make(Settings(word: wishes), format)
    frames = FrameQueue(frameSize: 4 * channels)
    memory = OwnedMemory()
    block = memory.array(RoundTripLine.block * channels, of: 0)
    previous = memory.array(RoundTripLine.block * channels, of: 0)
    // Its work needs `self`, which does not exist before the worker.
    let host = Host()
    worker = RenderWorker(
      "audio-aac", pause: Double(RoundTripLine.block) / format.sampleRate / 8
    ) { host.trip?.work() ?? false }
    worker.signal.pointee.pace.store(pace, ordering: .relaxed)
    line = memory.cell(
      RoundTripLine(channelCount: channels, maximumFrames: maximumFrames, worker.signal))
    line.pointee.wishes.store(wishes, ordering: .relaxed)
    self.codec = codec
    host.trip = self
    try worker.start()
  }

  deinit {
    end()
    memory.deallocate()
  }

  private final class Host: @unchecked Sendable {
    unowned(unsafe) var trip: AACRoundTrip?
  }

  /// [control thread] Ends the thread; nothing renders.
  func end() { worker.end() }

  /// [control thread] Sets how the program renders: paced by a device or not.
  func setPace(_ pace: WorkSignal.Pace) {
    worker.signal.pointee.pace.store(pace, ordering: .relaxed)
  }

  /// [any thread] The reason for the codec's last failure; nil: none.
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
    description.mChannelsPerFrame = UInt32(format.channelCount)
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
    let gaps = line.pointee.lateness.total.count
    if gaps != reportedGaps {
      reportedGaps = gaps
      onGap()
    }
    if let begin = line.pointee.restart(&beginning) {
      (position, output, codec) = (begin, begin, nil)
    }
    guard line.pointee.read(at: position, into: block) else { return false }
    let next = position + RoundTripLine.block
    do throws(AudioError) { try pass() } catch {
      failure.withLock { reason = error.text }
      Explanations.log("RoundTripAAC: \(error.text)")
      codec = nil
      position = next
      line.pointee.put(nil, position - output, at: output)
      output = position
    }
    line.pointee.encoded.store(position, ordering: .releasing)
    return true
  }

  /// Passes the block through the codecs, new ones if other settings are requested.
  private func pass() throws(AudioError) {
    let settings = Settings(word: line.pointee.wishes.load(ordering: .relaxed))
    let changes = codec.map { $0.settings != settings } ?? false
    if changes, let codec {
      // The old codec gets input after the change, and the new one before it, so that neither
      // begins or ends at the change.
      try codec.encoder.encode(block, count: RoundTripLine.block, into: packets)
      try codec.encoder.finish(into: packets)
      try decode(until: position)
      try codec.decoder.finish(into: frames)
      try decode(until: position)
      self.codec = nil
    }
    if codec == nil {
      // The frames that the previous codec did not return.
      line.pointee.put(nil, position - output, at: output)
      output = position
      frames.drop(frames.count)
      packets.removeAll()
      codec = try Self.make(settings, format)
      if changes {
        codec?.leading += RoundTripLine.block
        try codec?.encoder.encode(previous, count: RoundTripLine.block, into: packets)
      }
    }
    try codec?.encoder.encode(block, count: RoundTripLine.block, into: packets)
    previous.update(from: block, count: RoundTripLine.block * format.channelCount)
    position += RoundTripLine.block
    try decode(until: position)
  }

  /// Decodes the waiting packets, and writes the result up to a frame.
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
    line.pointee.put(frames.first.assumingMemoryBound(to: Float.self), count, at: output)
    frames.drop(count)
    output += count
  }
}

extension PacketDecoder {
  /// Decodes the first `size` of some bytes.
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
