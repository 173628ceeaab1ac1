// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox

/// A file that is being made of another; it takes its name when it is whole.
final class ConversionTarget {
  private let path: String
  private let partial: String
  private let channelCount: Int
  private var file: ExtAudioFileRef?
  private var packed: SoundFileWriter?
  private let list: UnsafeMutableAudioBufferListPointer

  convenience init(_ path: String, _ source: ConversionSource, _ settings: ConversionSettings)
    throws(Failure)
  {
    try self.init(
      path, sampleRate: source.sampleRate, channelCount: source.channelCount,
      bits: settings.bits ?? (source.bits == 0 ? 16 : source.bits), dither: settings.dither)
  }

  /// A file of a kind by its ending; negative bits are floating point.
  init(
    _ path: String, sampleRate: Double, channelCount: Int, bits: Int,
    dither: ConversionSettings.Dither
  ) throws(Failure) {
    self.path = path
    self.channelCount = channelCount
    list = AudioBufferList.allocate(maximumBuffers: max(1, channelCount))
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let ending = url.pathExtension.lowercased()
    let stem = url.deletingPathExtension().lastPathComponent
    let number = String(UInt32.random(in: 0x10_0000...0xff_ffff), radix: 16)
    partial = folder.appendingPathComponent("\(stem).partial-\(number).\(ending)").path
    if ending == "flac" {
      do {
        packed = try SoundFileWriter(
          path, sampleRate: sampleRate, channelCount: channelCount, expecting: nil)
      } catch { throw Failure(error.explanation) }
      return
    }
    guard let type = Self.types[ending] else {
      let known = (Self.types.keys + ["flac"]).sorted().map { ".\($0)" }.joined(separator: ", ")
      throw Failure("\(path): files that end in .\(ending) cannot be written; choose \(known)")
    }
    var format = Self.format(type, bits, sampleRate, channelCount)
    let target = URL(fileURLWithPath: partial) as CFURL
    try Failure.check(
      ExtAudioFileCreateWithURL(target, type, &format, nil, 1, &file), path)
    guard let file else { return }
    var client = ConversionSource.planar(sampleRate, channelCount)
    try Failure.check(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: client)),
        &client), path)
    if bits > 0, bits < 32 { try set(dither) }
  }

  deinit {
    if let file {
      ExtAudioFileDispose(file)
      unlink(partial)
    }
    free(list.unsafeMutablePointer)
  }

  /// The kinds of file whose samples are as they are.
  private static let types: [String: AudioFileTypeID] = [
    "wav": kAudioFileWAVEType, "wave": kAudioFileWAVEType, "rf64": kAudioFileRF64Type,
    "bw64": kAudioFileBW64Type, "w64": kAudioFileWave64Type, "aiff": kAudioFileAIFFType,
    "aif": kAudioFileAIFFType, "aifc": kAudioFileAIFCType, "caf": kAudioFileCAFType,
    "au": kAudioFileNextType, "snd": kAudioFileNextType,
  ]

  private static func format(
    _ type: AudioFileTypeID, _ bits: Int, _ sampleRate: Double, _ channelCount: Int
  ) -> AudioStreamBasicDescription {
    let isBig = [kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType].contains(type)
    let size = UInt32((abs(bits) + 7) / 8)
    var flags: AudioFormatFlags = kAudioFormatFlagIsPacked
    if bits < 0 {
      flags |= kAudioFormatFlagIsFloat
    } else if size > 1 || isBig || type == kAudioFileCAFType {
      flags |= kAudioFormatFlagIsSignedInteger
    }
    if isBig { flags |= kAudioFormatFlagIsBigEndian }
    let bytes = size * UInt32(channelCount)
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: size * 8, mReserved: 0)
  }

  private func set(_ dither: ConversionSettings.Dither) throws(Failure) {
    guard let file else { return }
    var converter: AudioConverterRef?
    var size = UInt32(MemoryLayout<AudioConverterRef?>.size)
    try Failure.check(
      ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter), path)
    guard let converter else { return }
    var value = dither.value
    try Failure.check(
      AudioConverterSetProperty(converter, kAudioConverterPropertyDithering, 4, &value), path)
  }

  /// Adds frames.
  func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) {
    if let packed {
      do { try packed.write(channels, frameCount: frameCount) } catch {
        throw Failure(error.explanation)
      }
    }
    guard let file else { return }
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frameCount), mData: channels[channel])
    }
    try Failure.check(
      ExtAudioFileWrite(file, UInt32(frameCount), list.unsafeMutablePointer), path)
  }

  /// Gives the file its name: it is whole.
  func finish() throws(Failure) {
    do { try packed?.finish() } catch { throw Failure(error.explanation) }
    guard let open = file else { return }
    file = nil
    do throws(Failure) {
      try Failure.check(ExtAudioFileDispose(open), path)
      guard rename(partial, path) == 0 else {
        throw Failure("\(path): cannot be given its name: \(String(cString: strerror(errno)))")
      }
    } catch {
      unlink(partial)
      throw error
    }
  }
}
