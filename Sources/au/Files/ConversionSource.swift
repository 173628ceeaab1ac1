// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

/// A file that is read at the sample rate and with the channels of the output.
final class ConversionSource {
  let sampleRate: Double
  let channelCount: Int
  /// Bits of a sample before it was compressed, negative for floating point; nil: unknown.
  let bits: Int?
  /// The tags, markers and loops of the file, in frames of the file's rate.
  private(set) var metadata = SoundFileMetadata()
  /// Frames read for each frame in the file.
  let ratio: Double
  /// The number of frames to read; nil if the rate is converted.
  let frameCount: Int?
  private let path: String
  private let file: ExtAudioFileRef
  private let list: UnsafeMutableAudioBufferListPointer

  init(
    _ path: String, _ settings: ConversionSettings, _ encoding: SoundFileEncoding
  ) throws(Failure) {
    self.path = path
    var opened: ExtAudioFileRef?
    try Failure.check(ExtAudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, &opened), path)
    guard let opened else { throw Failure("\(path): cannot be opened") }
    file = opened
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    let status = ExtAudioFileGetProperty(
      opened, kExtAudioFileProperty_FileDataFormat, &size, &format)
    var depth = Int32(0)
    var file: AudioFileID?
    var (fileSize, depthSize) = (UInt32(MemoryLayout<AudioFileID?>.size), UInt32(4))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_AudioFile, &fileSize, &file)
    if let file {
      AudioFileGetProperty(file, kAudioFilePropertySourceBitDepth, &depthSize, &depth)
      if settings.copiesMetadata { metadata = SoundFileMetadata(of: file) }
    }
    bits = depth == 0 ? nil : Int(depth)
    sampleRate = settings.sampleRate ?? encoding.sampleRate(for: format.mSampleRate)
    ratio = format.mSampleRate > 0 ? sampleRate / format.mSampleRate : 1
    channelCount = settings.channelCount ?? Int(format.mChannelsPerFrame)
    var (frames, framesSize) = (Int64(0), UInt32(8))
    ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileLengthFrames, &framesSize, &frames)
    frameCount = ratio == 1 ? Int(frames) : nil
    if channelCount != Int(format.mChannelsPerFrame) { metadata.layout = nil }
    list = AudioBufferList.allocate(maximumBuffers: max(1, channelCount))
    try Failure.check(status, path)
    var client = Self.planar(sampleRate, channelCount)
    try Failure.check(
      ExtAudioFileSetProperty(
        opened, kExtAudioFileProperty_ClientDataFormat,
        UInt32(MemoryLayout.size(ofValue: client)), &client), path)
    if format.mSampleRate != sampleRate { try set(settings.quality) }
  }

  deinit {
    ExtAudioFileDispose(file)
    free(list.unsafeMutablePointer)
  }

  /// Planar Float32.
  static func planar(_ rate: Double, _ channels: Int) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(channels), mBitsPerChannel: 32, mReserved: 0)
  }

  private func set(_ quality: ConversionSettings.Quality) throws(Failure) {
    var converter: AudioConverterRef?
    var size = UInt32(MemoryLayout<AudioConverterRef?>.size)
    try Failure.check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter), path)
    guard let converter else { return }
    var (complexity, value) = (quality.complexity, quality.value)
    try Failure.check(
      AudioConverterSetProperty(
        converter, kAudioConverterSampleRateConverterComplexity, 4, &complexity), path)
    try Failure.check(
      AudioConverterSetProperty(
        converter, kAudioConverterSampleRateConverterQuality, 4, &value), path)
  }

  /// Reads the next frames; 0 at the end.
  func read(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) -> Int {
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frameCount), mData: channels[channel])
    }
    var frames = UInt32(frameCount)
    try Failure.check(ExtAudioFileRead(file, &frames, list.unsafeMutablePointer), path)
    return Int(frames)
  }

  /// Returns to the beginning.
  func rewind() throws(Failure) { try Failure.check(ExtAudioFileSeek(file, 0), path) }
}
