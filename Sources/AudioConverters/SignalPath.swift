// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// The way of the signal through a converter: from the input, which decodes, through the conversion
/// of frames to the encoder. Its settings apply to all of it.
///
/// One thread at a time changes it or converts with it.
final class SignalPath {
  /// The formats at both ends.
  let formats: ConverterFormats
  private(set) var settings = ConverterSettings()
  let input: FrameInput
  /// The encoder of a compressed output.
  let encoding: PacketEncoding?
  /// Converts linear PCM: from the input to the output or the encoder.
  var frames: FrameConversion { framesCell.pointee }
  private let framesCell: UnsafeMutablePointer<FrameConversion>
  private let memory: OwnedMemory

  init(from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription)
    throws(AudioError)
  {
    var formats = try ConverterFormats(from: source, to: destination)
    input = try FrameInput(formats.input)
    encoding = try CompressedFormat.of(formats.output.mFormatID).map { codec throws(AudioError) in
      try PacketEncoding(codec, formats.output, bits: formats.encodedBits)
    }
    if let encoding {
      formats.output.mFramesPerPacket = UInt32(clamping: encoding.encoder.framesPerPacket)
    }
    self.formats = formats
    let output =
      if let encoding { encoding.encoder.format } else {
        try ConverterFormats.linear(formats.output)
      }
    let frames = try FrameConversion(
      FrameConversion.Setup(source: input.format, destination: output))
    memory = OwnedMemory()
    framesCell = memory.cell(frames)
  }

  deinit { memory.deallocate() }

  /// Clears the signal history.
  func reset() throws(AudioError) {
    input.reset()
    try encoding?.reopen()
    frames.reset()
  }

  // MARK: Settings

  /// Applies the changes that `body` makes to the settings; changes nothing when they are refused.
  func change(_ body: (inout ConverterSettings) -> Void) throws(AudioError) {
    var changed = settings
    body(&changed)
    var setup = FrameConversion.Setup(
      source: frames.setup.source, destination: frames.setup.destination)
    setup.quality = changed.filterQuality
    setup.phase = changed.phase
    setup.initialPhase = changed.initialPhase
    setup.priming = changed.priming
    setup.dither = changed.dither
    // A lossless codec preserves fewer bits than its encoder accepts.
    if setup.dither.bits == 0, let encoding { setup.dither.bits = encoding.settings.bits }
    setup.sourceBits = changed.sourceBits ?? formats.decodedBits
    setup.mixing = changed.mixing(
      from: Int(formats.input.mChannelsPerFrame), to: Int(formats.output.mChannelsPerFrame))
    framesCell.pointee = try FrameConversion(setup)
    settings = changed
    try reset()
  }

  /// Sets the encoder's quality: `kAudioConverterQuality_`.
  func set(codecQuality quality: UInt32) throws(AudioError) {
    let quality = min(quality, UInt32(kAudioConverterQuality_Max))
    try requireEncoding().reopen { $0.quality = Int(quality) }
    settings.codecQuality = quality
  }

  /// Lets a lossless encoder use several threads.
  func set(encoderThreads threads: Int) throws(AudioError) {
    try encoding?.reopen { $0.threads = max(1, threads) }
  }

  /// Sets the decoder's magic cookie.
  func set(cookie: [UInt8]) throws(AudioError) {
    guard cookie.count <= 1 << 20 else {
      throw .converterPropertySize.because("a magic cookie of \(cookie.count) bytes")
    }
    try requireDecoding().cookie = cookie
    try reset()
  }

  // MARK: Codecs

  /// The decoder; throws for a converter without one.
  func requireDecoding() throws(AudioError) -> PacketDecoding {
    if let decoding = input.decoding { return decoding }
    throw .converterProperty.because(
      "the input is not compressed: \(StreamFormat.describe(formats.input))")
  }

  /// The encoder; throws for a converter without one.
  func requireEncoding() throws(AudioError) -> PacketEncoding {
    if let encoding { return encoding }
    throw .converterProperty.because(
      "the output is not compressed: \(StreamFormat.describe(formats.output))")
  }

  /// The leading and trailing frames of the codec, or else of the rate conversion.
  var primeInfo: AudioConverterPrimeInfo {
    if let encoding { return encoding.primeInfo }
    if let decoding = input.decoding {
      return decoding.primeInfo
        ?? AudioConverterPrimeInfo(
          leadingFrames: UInt32(clamping: decoding.leadingFrameCount()), trailingFrames: 0)
    }
    return AudioConverterPrimeInfo(
      leadingFrames: UInt32(clamping: frames.leadingFrames),
      trailingFrames: UInt32(clamping: frames.trailingFrames))
  }
}
