// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A file that is read at the sample rate and with the channels of the output.
///
/// Frames are interleaved. Their samples have the format of the file's, so that they keep their values
/// exactly, unless they are going to be calculated with.
final class ConversionSource {
  private static let pieceFrames = 8_192

  /// The format of the frames.
  let frameFormat: StreamFormat
  /// The bits of the samples, if they have the values of the file; nil if they were calculated, or
  /// come from a lossy codec.
  let keptBits: Int?
  let sampleRate: Double
  let channelCount: Int
  /// Bits of a sample before it was compressed, negative for floating point; nil: unknown.
  let bits: Int?
  /// The tags, markers and loops of the file, in frames of the file's rate.
  private(set) var metadata = SoundFileMetadata()
  /// Whether the file is complete; nil if that is unknown.
  private(set) var condition: SoundFileCondition?
  /// Frames read for each frame in the file.
  let ratio: Double
  /// The number of frames to read; nil if the rate is converted.
  let frameCount: Int?
  private let path: String
  private let file: ExtAudioFileRef
  /// The frames of the last piece.
  let memory: UnsafeMutableRawPointer

  /// Opens a file. With `isFloat`, samples are Float32, because they will be calculated with.
  init(
    _ path: String, _ settings: ConversionSettings, _ encoding: SoundFileEncoding,
    isFloat: Bool = false
  ) throws(Failure) {
    self.path = path
    var opened: ExtAudioFileRef?
    try Failure.check(ExtAudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, &opened), path)
    guard let opened else { throw Failure("\(path): cannot be opened") }
    file = opened
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    let status = ExtAudioFileGetProperty(
      opened, kExtAudioFileProperty_FileDataFormat, &size, &format)
    var depth = Int32(0)
    var file: AudioFileID?
    var (fileSize, depthSize) = (UInt32(clamping: MemoryLayout<AudioFileID?>.size), UInt32(4))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_AudioFile, &fileSize, &file)
    if let file {
      AudioFileGetProperty(file, kAudioFilePropertySourceBitDepth, &depthSize, &depth)
      condition = SoundFileCondition(of: file)
      metadata = SoundFileMetadata(of: file)
    }
    bits = depth == 0 ? KeptSamples.statedBits(format) : Int(depth)
    sampleRate = settings.sampleRate ?? encoding.sampleRate(for: format.mSampleRate)
    let fileRate = format.mSampleRate
    ratio = FormatLimits.contains(sampleRate: fileRate) ? sampleRate / fileRate : 1
    channelCount = settings.channelCount ?? Int(format.mChannelsPerFrame)
    var (frames, framesSize) = (Int64(0), UInt32(8))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileLengthFrames, &framesSize, &frames)
    frameCount = ratio == 1 ? Int(frames) : nil
    let fileChannels = Int(format.mChannelsPerFrame)
    let isMixed = channelCount < fileChannels
    let kept = isFloat || ratio != 1 || isMixed ? nil : KeptSamples(of: format, bits: bits)
    keptBits = kept?.bits
    let sample = kept?.sample ?? .float32
    do {
      frameFormat = try StreamFormat(
        sample.interleaved(sampleRate, channelCount: channelCount))
    } catch { throw Failure(path, because: error.reason) }
    memory = .allocate(byteCount: Self.pieceFrames * frameFormat.bytesPerFrame, alignment: 16)
    let layout = metadata.layout
    if !settings.copiesMetadata { metadata = SoundFileMetadata() }
    if channelCount != fileChannels { metadata.dropChannels() }
    try Failure.check(status, path)
    var client = frameFormat.description
    try Failure.check(
      ExtAudioFileSetProperty(
        opened, kExtAudioFileProperty_ClientDataFormat,
        UInt32(clamping: MemoryLayout.size(ofValue: client)), &client), path)
    if format.mSampleRate != sampleRate { try set(settings.quality) }
    if isMixed {
      try mix(
        Self.gains(
          from: fileChannels, layout, to: channelCount,
          lowFrequencyGain: settings.lowFrequencyGain))
    }
  }

  deinit {
    ExtAudioFileDispose(file)
    memory.deallocate()
  }

  private func converter() throws(Failure) -> AudioConverterRef {
    var converter: AudioConverterRef?
    var size = UInt32(clamping: MemoryLayout<AudioConverterRef?>.size)
    try Failure.check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter), path)
    guard let converter else { throw Failure("\(path): is read without a converter") }
    return converter
  }

  /// The gain from each channel of a file with this layout to each of fewer channels.
  static func gains(
    from inputs: Int, _ layout: [UInt8]?, to outputs: Int, lowFrequencyGain: Float
  ) -> [Float] {
    SoundFileMix.gains(from: inputs, layout, to: outputs, lowFrequencyGain: lowFrequencyGain)
  }

  private func mix(_ gains: [Float]) throws(Failure) {
    var gains = gains
    try Failure.check(
      AudioConverterSetProperty(
        try converter(), kAudioConverterPropertyChannelMixMap,
        UInt32(clamping: gains.count * MemoryLayout<Float>.size), &gains), path)
  }

  private func set(_ quality: ConversionSettings.Quality) throws(Failure) {
    let converter = try converter()
    var (complexity, value) = (quality.complexity, quality.value)
    try Failure.check(
      AudioConverterSetProperty(
        converter, kAudioConverterSampleRateConverterComplexity, 4, &complexity), path)
    try Failure.check(
      AudioConverterSetProperty(
        converter, kAudioConverterSampleRateConverterQuality, 4, &value), path)
  }

  /// Reads the next frames to `memory`; returns how many, 0 at the end.
  func read() throws(Failure) -> Int {
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(clamping: channelCount),
        mDataByteSize: UInt32(clamping: Self.pieceFrames * frameFormat.bytesPerFrame),
        mData: memory))
    var frames = UInt32(clamping: Self.pieceFrames)
    try Failure.check(ExtAudioFileRead(file, &frames, &list), path)
    return Int(frames)
  }
}
