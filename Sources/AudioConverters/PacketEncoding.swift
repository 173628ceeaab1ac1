// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The output of a compressed format: gathers frames for the next pass of the encoder, and
/// queues its packets.
final class PacketEncoding {
  let codec: CompressedFormat
  private let format: AudioStreamBasicDescription
  private(set) var encoder: any PacketEncoder
  let packets = PacketQueue()
  private let memory: OwnedMemory
  /// Memory for the frames of a pass, and how many are in it.
  let buffer: UnsafeMutablePointer<UnsafeMutableRawPointer>
  var gathered = 0
  private(set) var hasFinished = false
  /// Frames encoded so far.
  private(set) var framesIn = 0
  private var framesOut = 0
  private(set) var settings = EncoderSettings()

  init(_ codec: CompressedFormat, _ format: AudioStreamBasicDescription, bits: Int)
    throws(AudioError)
  {
    try codec.require(encoder: true)
    self.codec = codec
    self.format = format
    settings.bits = bits
    encoder = try codec.encoder(format, settings)
    memory = OwnedMemory()
    // The largest pass of any encoder, so that the memory also fits after `reopen`.
    let byteCount = max(encoder.framesPerPass, 32_768) * encoder.format.bytesPerFrame
    buffer = memory.cell(UnsafeMutableRawPointer(memory.room(byteCount, for: UInt8.self)))
  }

  deinit {
    logRepairs()
    memory.deallocate()
  }

  /// Logs how many samples the encoder could not take as they were.
  private func logRepairs() {
    for sentence in encoder.repairs.sentences { Explanations.log("\(codec.name): \(sentence)") }
  }

  /// Reopens the encoder, with changed settings or for a new stream.
  func reopen(_ change: (inout EncoderSettings) -> Void = { _ in }) throws(AudioError) {
    var changed = settings
    change(&changed)
    let reopened = try codec.encoder(format, changed)
    logRepairs()
    encoder = reopened
    settings = changed
    packets.removeAll()
    gathered = 0
    hasFinished = false
    framesIn = 0
    framesOut = 0
  }

  /// Bits per second.
  var currentBitRate: Int {
    settings.bitRate > 0
      ? settings.bitRate : codec.defaultBitRate(channels: Int(format.mChannelsPerFrame))
  }

  /// Available bit rates, in bits per second for all channels together; nil if they depend on the
  /// sound.
  var bitRates: ClosedRange<Int>? { codec.bitRates(channels: Int(format.mChannelsPerFrame)) }

  /// Available bit rates in bits per second, at any sample rate.
  var availableBitRates: [AudioValueRange] {
    codec.availableBitRates(channels: Int(format.mChannelsPerFrame))
  }

  /// Available bit rates in bits per second, at the sample rate of the format.
  var applicableBitRates: [AudioValueRange] {
    codec.applicableBitRates(channels: Int(format.mChannelsPerFrame), at: format.mSampleRate)
  }

  /// Sample rates that can be encoded.
  var sampleRateRanges: [AudioValueRange] { codec.sampleRateRanges }

  /// Frames that a decoder outputs before the first input frame; after the end, also those after
  /// the last one.
  var primeInfo: AudioConverterPrimeInfo {
    let trailing = hasFinished ? max(0, framesOut - encoder.delayFrames - framesIn) : 0
    return AudioConverterPrimeInfo(
      leadingFrames: UInt32(clamping: encoder.delayFrames),
      trailingFrames: UInt32(clamping: trailing))
  }

  /// Encodes the gathered frames. Fewer than a pass mean that the input has ended.
  func encode() throws(AudioError) {
    let isLast = gathered < encoder.framesPerPass
    let count = gathered
    gathered = 0
    framesIn += count
    if isLast { hasFinished = true }
    if count > 0 { try encoder.encode(buffer.pointee, count: count, into: packets) }
    if isLast { try encoder.finish(into: packets) }
  }

  /// The bit rate mode: `kAudioCodecBitRateControlMode_`.
  var rateMode: UInt32? { settings.rateMode ?? codec.rateModes.first }

  /// Copies the oldest packet to memory, and removes it.
  func moveFirst(to memory: UnsafeMutableRawPointer) {
    framesOut += packets.first?.frames ?? 0
    packets.moveFirst(to: memory)
  }
}
