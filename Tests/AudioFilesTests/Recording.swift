// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioConverters
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// A temporary folder, removed at the end.
final class ScratchFolder {
  private let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("files-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }
}

/// A compressed format in a kind of file.
struct Recording: Sendable, CustomTestStringConvertible {
  let type: AudioFileTypeID
  let id: AudioFormatID
  let rate: Double
  let channels: UInt32
  /// The bit depth of lossless formats: 1 is 16 bits, 3 is 24.
  let flags: AudioFormatFlags
  /// The largest deviation of decoded samples in lossless formats, which only reduce the bit depth.
  let tolerance: Float
  /// Whether the file states how many frames were written.
  let isExact: Bool

  init(
    _ type: AudioFileTypeID, _ id: AudioFormatID, _ rate: Double = 44_100, _ channels: UInt32 = 2,
    flags: AudioFormatFlags = 0, isExact: Bool = true
  ) {
    self.type = type
    self.id = id
    self.rate = rate
    self.channels = channels
    self.flags = flags
    tolerance = flags == 1 ? 0x1p-14 : 0x1p-22
    self.isExact = isExact
  }

  var testDescription: String { "\(ChunkCode(type)) \(ChunkCode(id)) \(Int(rate)) \(channels)" }
  var ending: String { (try? FileKind.of(type).extensions[0]) ?? "" }

  static let vorbis: AudioFormatID = 0x766F_7262

  static let all: [Recording] = [
    .init(kAudioFileM4AType, kAudioFormatMPEG4AAC),
    .init(kAudioFileM4AType, kAudioFormatMPEG4AAC, 48_000, 6),
    .init(kAudioFileM4BType, kAudioFormatMPEG4AAC, 22_050, 1),
    .init(kAudioFileM4AType, kAudioFormatAppleLossless, flags: 1),
    .init(kAudioFileM4AType, kAudioFormatAppleLossless, 96_000, 1, flags: 3),
    .init(kAudioFileMPEG4Type, kAudioFormatFLAC, 48_000, 2, flags: 1),
    .init(kAudioFileMPEG4Type, kAudioFormatOpus, 48_000, 2),
    .init(kAudioFileMPEG4Type, kAudioFormatMPEGLayer3, 48_000, 2),
    .init(kAudioFileOggType, kAudioFormatOpus, 48_000, 2),
    .init(kAudioFileOggType, vorbis),
    .init(kAudioFileOggType, kAudioFormatFLAC, flags: 1),
    .init(kAudioFileFLACType, kAudioFormatFLAC, flags: 1),
    .init(kAudioFileFLACType, kAudioFormatFLAC, 96_000, 6, flags: 3),
    .init(kAudioFileMP3Type, kAudioFormatMPEGLayer3),
    .init(kAudioFileMP3Type, kAudioFormatMPEGLayer3, 22_050, 1),
    .init(kAudioFileAAC_ADTSType, kAudioFormatMPEG4AAC, 48_000, 2, isExact: false),
    .init(kAudioFileCAFType, kAudioFormatMPEG4AAC),
    .init(kAudioFileCAFType, kAudioFormatAppleLossless, flags: 1),
    .init(kAudioFileCAFType, kAudioFormatFLAC, flags: 1),
    .init(kAudioFileCAFType, kAudioFormatOpus, 48_000, 2),
    .init(kAudioFileCAFType, vorbis),
  ]

  var format: AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    format.mSampleRate = rate
    format.mChannelsPerFrame = channels
    format.mFormatFlags = flags
    return format
  }

  /// The written signal: a tone that depends on the channel, and one with a varying level.
  func sample(_ frame: Int, _ channel: Int) -> Float {
    let time = Double(frame) / rate
    let swell = 0.5 - 0.5 * cos(2 * .pi * 3 * time)
    return Float(
      0.3 * sin(2 * .pi * 440 * Double(1 + channel % 3) * time)
        + 0.1 * swell * sin(2 * .pi * 1_300 * time))
  }

  /// The samples of some frames, interleaved.
  func samples(_ frames: Range<Int>) -> [Float] {
    frames.flatMap { frame in (0..<Int(channels)).map { sample(frame, $0) } }
  }

  /// Writes a file; calls `before` before the first frame, and `after` before the file is closed.
  func write(
    _ path: String, _ frameCount: Int, before: (Container) throws -> Void = { _ in },
    after: (Container) throws -> Void = { _ in }
  ) throws {
    let handle = try ExtendedFile.create(path, type, format, layout: nil, erases: true)
    do {
      let entered = ExtendedFile.handles.enter(handle)
      defer { ExtendedFile.handles.leave(handle) }
      guard let file = entered?.takeUnretainedValue() else { return }
      let client = [Samples.pcm(32, kAudioFormatFlagIsFloat, rate: rate, channels: channels)]
      try client.withUnsafeBufferPointer { client throws(AudioError) in
        try file.setProperty(
          kExtAudioFileProperty_ClientDataFormat, UnsafeRawBufferPointer(client))
      }
      try before(file.container)
      var frame = 0
      while frame < frameCount {
        let count = min(frameCount - frame, [1, 777, 4_096, 100, 5_000][frame % 5])
        var samples = samples(frame..<frame + count)
        try samples.withUnsafeMutableBufferPointer { samples throws(AudioError) in
          var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: channels, mDataByteSize: UInt32(samples.count * 4),
              mData: samples.baseAddress))
          try file.write(UInt32(count), &list)
        }
        frame += count
      }
      try after(file.container)
    }
    try ExtendedFile.dispose(handle)
  }

  /// Reads frames of a file, interleaved.
  static func read(_ path: String, from frame: Int = 0, _ count: Int? = nil) throws -> [Float] {
    var reader = try SoundFileReader(path: path)
    reader.seek(to: frame)
    let channels = reader.format.channelCount
    let planes = Planes(
      channelCount: channels, frameCount: count ?? max(0, reader.frameCount - frame))
    let found = try reader.read(into: planes.channels, frameCount: planes.frameCount)
    let arrays = planes.arrays(found)
    return (0..<found).flatMap { frame in arrays.map { $0[frame] } }
  }
}
