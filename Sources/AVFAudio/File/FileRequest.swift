// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import AudioValues

/// A file as settings request it.
struct FileRequest {
  let type: AudioFileTypeID
  /// The format in the file.
  let format: AVAudioFormat
  private let settings: [String: Any]
  /// The name of the call in messages.
  private let call: String

  init(_ url: URL, _ settings: [String: Any], _ call: String) throws {
    self.settings = settings
    self.call = call
    type = try Self.type(url, settings, call)
    var settings = settings
    // Sound in files is interleaved.
    settings[AVLinearPCMIsNonInterleaved] = nil
    let isBigEndian = [kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType].contains(type)
    if settings[AVLinearPCMIsBigEndianKey] == nil {
      settings[AVLinearPCMIsBigEndianKey] = isBigEndian
    }
    if settings[AVFormatIDKey] == nil { settings[AVFormatIDKey] = kAudioFormatLinearPCM }
    guard let format = AVAudioFormat(settings: settings), format.channelCount > 0,
      format.sampleRate > 0
    else {
      throw EngineError.refusal(
        call, "the settings do not describe a format",
        mend: "set AVSampleRateKey, AVNumberOfChannelsKey, and a bit depth that the format has",
        kAudioFileUnsupportedDataFormatError)
    }
    self.format = try Self.storable(format, type, call)
  }

  private static func type(
    _ url: URL, _ settings: [String: Any], _ call: String
  ) throws -> AudioFileTypeID {
    if let value = settings[AVAudioFileTypeKey] {
      guard let number = value as? NSNumber, let type = UInt32(exactly: number.int64Value) else {
        throw EngineError.refusal(
          call, "AVAudioFileTypeKey is not a type of files",
          mend: "use an AudioFileTypeID, such as kAudioFileWAVEType",
          kAudioFileUnsupportedFileTypeError)
      }
      return type
    }
    let name = url.pathExtension.lowercased()
    guard let kind = FileKind.all.first(where: { $0.extensions.contains(name) }) else {
      throw EngineError.refusal(
        call, "no kind of file has the extension “\(name)”",
        mend: "use another, such as wav, or set AVAudioFileTypeKey",
        kAudioFileUnsupportedFileTypeError)
    }
    return kind.type
  }

  /// WAV files have no signed samples of 8 bits.
  private static func storable(
    _ format: AVAudioFormat, _ type: AudioFileTypeID, _ call: String
  ) throws -> AVAudioFormat {
    var fields = format.streamDescription.pointee
    let isWave = [kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type]
      .contains(type)
    guard isWave, fields.mFormatID == kAudioFormatLinearPCM, fields.mBitsPerChannel == 8 else {
      return format
    }
    fields.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger
    guard
      let unsigned = AVAudioFormat(
        streamDescription: &fields, channelLayout: format.channelLayout)
    else {
      throw EngineError.refusal(
        call, "8-bit samples of this format are not supported",
        mend: "set another AVLinearPCMBitDepthKey", kAudioFileUnsupportedDataFormatError)
    }
    return unsigned
  }

  /// Sets the bit rate, its strategy, and the qualities of the settings; a value that the encoder cannot
  /// have throws.
  func configureEncoder(of file: ExtAudioFileRef) throws {
    guard format.streamDescription.pointee.mFormatID != kAudioFormatLinearPCM else { return }
    var converter: AudioConverterRef?
    var size = UInt32(MemoryLayout.size(ofValue: converter))
    let status = ExtAudioFileGetProperty(
      file, kExtAudioFileProperty_AudioConverter, &size, &converter)
    guard status == noErr, let converter else { throw AVAudioFile.error(status, call) }
    let bitRate =
      number(AVEncoderBitRateKey)
      ?? number(AVEncoderBitRatePerChannelKey).map {
        UInt32(clamping: Int($0) * Int(format.channelCount))
      }
    if Self.hasBitRate(converter) {
      if let bitRate { try set(kAudioConverterEncodeBitRate, to: bitRate, in: converter) }
      try configureStrategy(of: converter)
    }
    if let quality = number(AVEncoderAudioQualityKey) {
      try set(kAudioConverterCodecQuality, to: quality, in: converter)
    }
  }

  /// Sets how the bit rate varies, and the quality of one that varies freely.
  private func configureStrategy(of converter: AudioConverterRef) throws {
    guard let strategy = settings[AVEncoderBitRateStrategyKey] else { return }
    guard let code = (strategy as? String).flatMap({ BitRateStrategy.code(of: $0) }) else {
      throw EngineError.refusal(
        call, "AVEncoderBitRateStrategyKey is \(strategy)",
        mend: "use a constant that begins with AVAudioBitRateStrategy",
        kAudioFileUnsupportedDataFormatError)
    }
    try set(kAudioCodecPropertyBitRateControlMode, to: code, in: converter)
    guard code == UInt32(kAudioCodecBitRateControlMode_Variable),
      let quality = number(AVEncoderAudioQualityForVBRKey)
    else { return }
    // Opus has a bit rate also where it varies, and no such quality.
    var size: UInt32 = 0
    guard
      AudioConverterGetPropertyInfo(converter, kAudioCodecPropertySoundQualityForVBR, &size, nil)
        == noErr
    else { return }
    try set(kAudioCodecPropertySoundQualityForVBR, to: quality, in: converter)
  }

  /// Whether an encoder has a bit rate: that of a lossless one depends on the sound, although many
  /// programs set one.
  private static func hasBitRate(_ converter: AudioConverterRef) -> Bool {
    var size: UInt32 = 0
    let status = AudioConverterGetPropertyInfo(
      converter, kAudioConverterApplicableEncodeBitRates, &size, nil)
    return status == noErr && size > 0
  }

  private func set(
    _ id: AudioConverterPropertyID, to value: UInt32, in converter: AudioConverterRef
  ) throws {
    let status = withUnsafePointer(to: value) { AudioConverterSetProperty(converter, id, 4, $0) }
    guard status == noErr else { throw AVAudioFile.error(status, call) }
  }

  private func number(_ key: String) -> UInt32? {
    (settings[key] as? NSNumber).flatMap { UInt32(exactly: $0.int64Value) }
  }
}
