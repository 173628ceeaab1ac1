// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// Converts audio from one format to another: samples, channels, rates, and compressed formats.
///
/// One thread at a time may convert. Properties may be read on any thread, also while it converts. A
/// property that does not apply to the formats reads as its default, and setting it, or setting a
/// value that it cannot have, changes nothing.
open class AVAudioConverter: NSObject, @unchecked Sendable {  // all state is behind the handle
  private let source: AVAudioFormat
  private let target: AVAudioFormat
  private let handle: ConverterHandle
  private let supply = ConverterInput.Supply()

  /// A converter between two formats; nil if there is none, or if a rate or a number of channels is
  /// unknown.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    for format in [fromFormat, toFormat] {
      guard format.sampleRate > 0, format.channelCount > 0 else { return nil }
    }
    guard let handle = ConverterHandle(from: fromFormat, to: toFormat) else { return nil }
    for (id, format) in [
      (kAudioConverterInputChannelLayout, fromFormat),
      (kAudioConverterOutputChannelLayout, toFormat),
    ] {
      guard let layout = format.channelLayout else { continue }
      guard handle.set(id, to: layout.bytes) else { return nil }
    }
    if let cookie = fromFormat.magicCookie {
      handle.set(kAudioConverterDecompressionMagicCookie, to: Array(cookie))
    }
    self.handle = handle
    (source, target) = (fromFormat, toFormat)
  }

  /// The format of the input.
  open var inputFormat: AVAudioFormat { source }

  /// The format of the output.
  open var outputFormat: AVAudioFormat { target }

  /// Forgets the input so far, so that another stream can be converted.
  open func reset() {
    handle.use.withLock {
      if AudioConverterReset(handle.converter) == noErr { supply.buffer = nil }
    }
  }

  // MARK: Conversion

  /// Converts all frames of a buffer. Throws if the rates differ or a format is compressed, if a
  /// buffer has another format than the converter, or if the output has too little capacity.
  open func convert(
    to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer
  ) throws {
    let frames = inputBuffer.frameLength
    try check(inputBuffer, inputFormat, "input")
    try check(outputBuffer, outputFormat, "output")
    guard inputFormat.sampleRate == outputFormat.sampleRate else {
      throw refusal("the rates differ: use convert(to:error:withInputFrom:)")
    }
    guard outputBuffer.frameCapacity >= frames else {
      throw refusal("the output has room for \(outputBuffer.frameCapacity) of \(frames) frames")
    }
    let status = handle.use.withLock {
      AudioConverterConvertComplexBuffer(
        handle.converter, frames, inputBuffer.audioBufferList, outputBuffer.mutableAudioBufferList)
    }
    guard status == noErr else { throw NSError(failed: status) }
    outputBuffer.frameLength = frames
  }

  /// Fills a buffer with converted audio, and calls the block for input as often as needed. An error
  /// is written to `outError`.
  @discardableResult @preconcurrency
  open func convert(
    to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
    withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    do {
      try check(outputBuffer, outputFormat, "output")
      return try fill(outputBuffer, inputBlock)
    } catch {
      outError?.pointee = error as NSError
      return .error
    }
  }

  private func fill(
    _ buffer: AVAudioBuffer, _ block: @escaping AVAudioConverterInputBlock
  ) throws -> AVAudioConverterOutputStatus {
    let samples = buffer as? AVAudioPCMBuffer
    let compressed = buffer as? AVAudioCompressedBuffer
    var packets = samples?.frameCapacity ?? compressed?.packetCapacity ?? 0
    guard packets > 0 else { throw refusal("the output has no capacity") }
    let list = buffer.mutableAudioBufferList
    let input = ConverterInput(block, inputFormat, supply, handle.use)
    let status = input.convert {
      AudioConverterFillComplexBuffer(
        handle.converter, ConverterInput.function, Unmanaged.passUnretained(input).toOpaque(),
        &packets, list, compressed?.packetDescriptions)
    }
    if status != noErr, status != ConverterInput.ranDry { packets = 0 }
    samples?.frameLength = packets
    compressed?.byteLength = packets > 0 ? list.pointee.mBuffers.mDataByteSize : 0
    compressed?.packetCount = packets
    switch status {
    case noErr: return packets > 0 ? .haveData : .endOfStream
    case ConverterInput.ranDry: return .inputRanDry
    default: throw NSError(failed: status)
    }
  }

  private func check(_ buffer: AVAudioBuffer, _ format: AVAudioFormat, _ direction: String) throws {
    guard buffer.format.hasSamples(of: format) else {
      throw refusal("the \(direction) buffer has the format \(buffer.format); expected \(format)")
    }
  }

  private func refusal(_ reason: String) -> NSError {
    NSError(AudioError.invalidArgument.because("AVAudioConverter: \(reason)"))
  }

  // MARK: Channels

  /// The input channel of each output channel, or -1 for silence.
  open var channelMap: [NSNumber] {
    get {
      (handle.values(kAudioConverterChannelMap, filler: 0 as Int32) ?? [])
        .map { NSNumber(value: $0) }
    }
    set { handle.set(kAudioConverterChannelMap, to: newValue.map(\.int32Value)) }
  }

  /// Whether channels are mixed as their layouts require; otherwise they are mapped.
  open var downmix: Bool {
    get { flag(kAudioConverterPropertyPerformDownmix) != 0 }
    set { handle.set(kAudioConverterPropertyPerformDownmix, to: (newValue ? 1 : 0) as UInt32) }
  }

  private func flag(_ id: AudioConverterPropertyID) -> UInt32 { handle.value(id, 0) ?? 0 }

  // MARK: Samples and rates

  /// Whether dither is added to samples whose bit depth is reduced.
  open var dither: Bool {
    get { flag(kAudioConverterPropertyDithering) != UInt32(kDitherAlgorithm_None) }
    set {
      handle.set(
        kAudioConverterPropertyDithering,
        to: UInt32(newValue ? kDitherAlgorithm_TPDF : kDitherAlgorithm_None))
    }
  }

  /// The quality of the rate conversion, a value of `AVAudioQuality`.
  open var sampleRateConverterQuality: Int {
    get { Int(flag(kAudioConverterSampleRateConverterQuality)) }
    set { handle.set(kAudioConverterSampleRateConverterQuality, to: UInt32(clamping: newValue)) }
  }

  /// The algorithms, with their constants of AudioConverter.h.
  private static let algorithms: [(name: String, code: UInt32)] = [
    (
      AVSampleRateConverterAlgorithm_Normal,
      UInt32(kAudioConverterSampleRateConverterComplexity_Normal)
    ),
    (
      AVSampleRateConverterAlgorithm_Mastering,
      UInt32(kAudioConverterSampleRateConverterComplexity_Mastering)
    ),
    (
      AVSampleRateConverterAlgorithm_MinimumPhase,
      UInt32(kAudioConverterSampleRateConverterComplexity_MinimumPhase)
    ),
  ]

  /// The algorithm of the rate conversion: a constant that begins with
  /// `AVSampleRateConverterAlgorithm`.
  open var sampleRateConverterAlgorithm: String? {
    get {
      let code = flag(kAudioConverterSampleRateConverterComplexity)
      return Self.algorithms.first { $0.code == code }?.name
    }
    set {
      guard let code = Self.algorithms.first(where: { $0.name == newValue })?.code else { return }
      handle.set(kAudioConverterSampleRateConverterComplexity, to: code)
    }
  }

  /// How the rate conversion begins.
  open var primeMethod: AVAudioConverterPrimeMethod {
    get {
      AVAudioConverterPrimeMethod(rawValue: Int(flag(kAudioConverterPrimeMethod))) ?? .normal
    }
    set { handle.set(kAudioConverterPrimeMethod, to: UInt32(newValue.rawValue)) }
  }

  /// The frames before and after the input that the conversion uses.
  open var primeInfo: AVAudioConverterPrimeInfo {
    get {
      let info = handle.value(kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
      return info.map {
        AVAudioConverterPrimeInfo(
          leadingFrames: $0.leadingFrames, trailingFrames: $0.trailingFrames)
      } ?? AVAudioConverterPrimeInfo()
    }
    set {
      handle.set(
        kAudioConverterPrimeInfo,
        to: AudioConverterPrimeInfo(
          leadingFrames: newValue.leadingFrames, trailingFrames: newValue.trailingFrames))
    }
  }

  // MARK: Compressed formats

  /// What the decoder needs, or what the encoder has made for decoders; nil if nothing.
  open var magicCookie: Data? {
    get {
      let isEncoder = outputFormat.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM
      let id =
        isEncoder
        ? kAudioConverterCompressionMagicCookie : kAudioConverterDecompressionMagicCookie
      return handle.values(id, filler: 0 as UInt8).map { Data($0) }
    }
    set {
      guard let newValue else { return }
      handle.set(kAudioConverterDecompressionMagicCookie, to: Array(newValue))
    }
  }

  /// The bit rate of an encoder in bits per second; 0 without an encoder.
  open var bitRate: Int {
    get { Int(flag(kAudioConverterEncodeBitRate)) }
    set { handle.set(kAudioConverterEncodeBitRate, to: UInt32(clamping: newValue)) }
  }

  /// How an encoder varies its bit rate: a constant that begins with `AVAudioBitRateStrategy`; nil
  /// without an encoder.
  open var bitRateStrategy: String? {
    get {
      handle.value(kAudioCodecPropertyBitRateControlMode, 0 as UInt32)
        .flatMap { BitRateStrategy.name(of: $0) }
    }
    set {
      guard let code = newValue.flatMap({ BitRateStrategy.code(of: $0) }) else { return }
      handle.set(kAudioCodecPropertyBitRateControlMode, to: code)
    }
  }

  /// The greatest size of a packet of the output, in bytes.
  open var maximumOutputPacketSize: Int {
    Int(flag(kAudioConverterPropertyMaximumOutputPacketSize))
  }

  // MARK: What an encoder offers

  /// Bit rates that the encoder can have, in bits per second; nil without an encoder, empty if the bit
  /// rate depends on the sound. Where every bit rate of a range is possible, these are its ends and
  /// the usual ones between.
  open var availableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeBitRates, EncoderChoices.usualBitRates)
  }

  /// Of `availableEncodeBitRates`, those at the sample rate of the output.
  open var applicableEncodeBitRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeBitRates, EncoderChoices.usualBitRates)
  }

  /// Sample rates that the encoder can have, in Hz; nil without an encoder. Where every rate of a range
  /// is possible, these are its ends and the usual ones between.
  open var availableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterAvailableEncodeSampleRates, EncoderChoices.usualSampleRates)
  }

  /// Of `availableEncodeSampleRates`, those at the current settings.
  open var applicableEncodeSampleRates: [NSNumber]? {
    ranges(kAudioConverterApplicableEncodeSampleRates, EncoderChoices.usualSampleRates)
  }

  /// Layouts of the output's channels that the encoder can have, as values of
  /// `AudioChannelLayoutTag`; nil without an encoder.
  open var availableEncodeChannelLayoutTags: [NSNumber]? {
    handle.values(kAudioConverterAvailableEncodeChannelLayoutTags, filler: 0 as UInt32)?
      .map { NSNumber(value: $0) }
  }

  private func ranges(_ id: AudioConverterPropertyID, _ usual: [Double]) -> [NSNumber]? {
    handle.values(id, filler: AudioValueRange()).map { EncoderChoices.numbers(in: $0, usual) }
  }
}
