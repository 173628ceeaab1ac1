// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A file that is read at the sample rate and with the channels of the output.
///
/// Frames are interleaved. Their samples have the format of the file's, so that they keep their values
/// exactly, unless they are going to be calculated with.
final class ConversionSource {
  private static let pieceFrames = 8_192

  /// The format of the frames.
  let frameFormat: FrameFormat
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

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - title: Its name in messages; nil: the path.
  ///   - settings: The channels of the frames, and their rate.
  ///   - rate: The rate of the frames, given that of the file; nil: the same.
  ///   - sample: The type of the samples; nil: one that keeps their values.
  /// - Throws: If it is not a sound file that can be read.
  init(
    _ file: String, title: String? = nil, _ settings: ConversionSettings,
    rate: ((Double) -> Double)?,
    sample: KeptSamples.Sample? = nil
  ) throws(Failure) {
    let path = title ?? file
    self.path = path
    var opened: ExtAudioFileRef?
    let status = ExtAudioFileOpenURL(URL(fileURLWithPath: file) as CFURL, &opened)
    try Failure.check(status, path, of: file)
    guard let opened else { throw Failure("\(path): cannot be opened") }
    self.file = opened
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    let formatStatus = ExtAudioFileGetProperty(
      opened, kExtAudioFileProperty_FileDataFormat, &size, &format)
    var depth = Int32(0)
    var handle: AudioFileID?
    var (fileSize, depthSize) = (UInt32(clamping: MemoryLayout<AudioFileID?>.size), UInt32(4))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_AudioFile, &fileSize, &handle)
    if let handle {
      AudioFileGetProperty(handle, kAudioFilePropertySourceBitDepth, &depthSize, &depth)
      condition = SoundFileCondition(of: handle)
      metadata = SoundFileMetadata(of: handle)
    }
    bits = depth == 0 ? KeptSamples.statedBits(format) : Int(depth)
    sampleRate = rate?(format.mSampleRate) ?? format.mSampleRate
    let fileRate = format.mSampleRate
    ratio = fileRate > 0 && fileRate < 3_000_000 ? sampleRate / fileRate : 1
    channelCount = settings.channelCount ?? Int(format.mChannelsPerFrame)
    var (frames, framesSize) = (Int64(0), UInt32(8))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileLengthFrames, &framesSize, &frames)
    frameCount = ratio == 1 ? Int(frames) : nil
    let fileChannels = Int(format.mChannelsPerFrame)
    let isMixed = channelCount < fileChannels
    let kept = ratio != 1 || isMixed ? nil : KeptSamples(of: format, bits: bits)
    keptBits = kept?.bits
    let sample = sample ?? kept?.sample ?? .float32
    frameFormat = FrameFormat(sample, sampleRate, channelCount: channelCount)
    memory = .allocate(byteCount: Self.pieceFrames * frameFormat.bytesPerFrame, alignment: 16)
    let layout = metadata.layout
    if !settings.copiesMetadata { metadata = SoundFileMetadata() }
    if channelCount != fileChannels { metadata.dropChannels() }
    try Failure.check(formatStatus, path)
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

  private func set(_ quality: ConversionQuality) throws(Failure) {
    try quality.set(on: try converter())
  }

  /// Reads the next frames to `memory`; returns how many, 0 at the end.
  func read() throws(Failure) -> Int { try read(to: memory, Self.pieceFrames) }

  private func read(to memory: UnsafeMutableRawPointer, _ count: Int) throws(Failure) -> Int {
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(clamping: channelCount),
        mDataByteSize: UInt32(clamping: count * frameFormat.bytesPerFrame), mData: memory))
    var frames = UInt32(clamping: count)
    try Failure.check(ExtAudioFileRead(file, &frames, &list), path)
    return Int(frames)
  }
}

/// A source whose samples are Float64.
extension ConversionSource: SoundStream {
  var map: FrameMap? { FrameMap(ratio: ratio) }
  var keepsSamples: Bool { keptBits != nil }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    try read(to: UnsafeMutableRawPointer(samples), min(frameCount, Self.pieceFrames))
  }

  func skip(_ count: Int) throws(Failure) -> Int {
    var position = Int64(0)
    guard let frameCount, ExtAudioFileTell(file, &position) == noErr else {
      return try skipByReading(count)
    }
    let skipped = max(0, min(count, frameCount - Int(position)))
    try Failure.check(ExtAudioFileSeek(file, position + Int64(skipped)), path)
    return skipped
  }
}
