// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Foundation

/// Open sound files that are played one after another.
final class Playlist {
  /// A file and its place in the list.
  struct Entry {
    let title: String
    let id: AudioFileID
    let format: AudioStreamBasicDescription
    /// The frames of the file that are played.
    let frames: Range<Int>
    /// Whether they end before the file.
    let isCut: Bool
    /// An AudioChannelLayout, if the file has one.
    let layout: [UInt8]?
    /// The first of these frames in the list, and how many they are, at the list's rate.
    var start = 0
    var length = 0
  }

  private(set) var entries: [Entry] = []
  /// The rate of the first file, and the most channels of any.
  let sampleRate: Double
  let channelCount: Int
  /// The AudioChannelLayout of the first file with the most channels; nil for the usual one.
  var layout: [UInt8]? {
    entries.first { Int($0.format.mChannelsPerFrame) == channelCount }?.layout
  }
  /// The temporary files with the contents of pipes.
  private var spools: [TemporaryFile] = []
  /// A pipe that is played while it arrives; the list then has no entries.
  let pipe: PipedSound?

  /// [control thread] Opens files and the files of folders; "-" is standard input.
  ///
  /// With `part`, only this part of each is played. With `streamsInput`, standard input is played while
  /// it arrives, if it is the only path, its file type allows that, and the part does not depend on its
  /// length. Otherwise it is played once it is complete.
  init(_ paths: [String], _ part: SoundPart? = nil, streamsInput: Bool) throws {
    var found: [String] = []
    var beginning: [UInt8] = []
    if paths == ["-"], streamsInput, part?.isFromEnd != true {
      switch try PipedSound.begin(STDIN_FILENO) {
      case .sound(let sound):
        pipe = sound
        sampleRate = sound.format.mSampleRate
        if let part { sound.played = try part.frames(at: sampleRate, of: nil) }
        channelCount = Int(sound.format.mChannelsPerFrame)
        return
      case .wholeFile(let bytes): beginning = bytes
      }
    }
    pipe = nil
    for path in paths {
      guard path != "-" else {
        let file = try TemporaryFile(input: STDIN_FILENO, after: beginning)
        beginning = []
        spools.append(file)
        found.append(file.path)
        continue
      }
      found += try ConversionList.soundFiles(path)
    }
    var made: [Entry] = []
    do {
      for path in found {
        let isSpooled = spools.contains { $0.path == path }
        made.append(try Self.open(path, part, title: isSpooled ? "standard input" : path))
      }
    } catch {
      for entry in made { AudioFileClose(entry.id) }
      throw error
    }
    sampleRate = made.first?.format.mSampleRate ?? 48_000
    channelCount = made.map { Int($0.format.mChannelsPerFrame) }.max() ?? 2
    var start = 0
    for index in made.indices {
      made[index].start = start
      made[index].length = Self.frames(
        made[index].frames.count, from: made[index].format.mSampleRate, to: sampleRate)
      start += made[index].length
    }
    entries = made
  }

  deinit {
    for entry in entries { AudioFileClose(entry.id) }
  }

  /// The frames of all entries.
  var length: Int { entries.last.map { $0.start + $0.length } ?? 0 }

  /// The entry that contains a frame.
  func entry(at frame: Int) -> Int {
    entries.lastIndex { $0.start <= frame && $0.length > 0 } ?? 0
  }

  private static func frames(_ count: Int, from: Double, to: Double) -> Int {
    // So that the lengths of any number of files can be added, whatever they say.
    min(Int(saturating: (Double(count) * to / from - 1e-6).rounded(.up)), 1 << 48)
  }

  private static func open(
    _ path: String, _ part: SoundPart?, title: String
  ) throws(Failure) -> Entry {
    var made: AudioFileID?
    try Failure.check(
      AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &made), title,
      of: path)
    guard let id = made else { throw Failure("\(title): cannot be opened") }
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    var reader: ExtAudioFileRef?
    var frames: Int64 = 0
    var status = AudioFileGetProperty(id, kAudioFilePropertyDataFormat, &size, &format)
    if status == noErr { status = ExtAudioFileWrapAudioFileID(id, false, &reader) }
    if status == noErr, let reader {
      size = 8
      status = ExtAudioFileGetProperty(
        reader, kExtAudioFileProperty_FileLengthFrames, &size, &frames)
      ExtAudioFileDispose(reader)
    }
    do {
      try Failure.check(status, title)
      let count = Int(frames)
      let played = try Self.frames(of: part, at: format.mSampleRate, of: count, title)
      Failure.warn(ofFile: id, in: title)
      return Entry(
        title: title, id: id, format: format, frames: played, isCut: played.upperBound < count,
        layout: layout(of: id))
    } catch {
      AudioFileClose(id)
      throw error
    }
  }

  private static func frames(
    of part: SoundPart?, at sampleRate: Double, of count: Int, _ title: String
  ) throws(Failure) -> Range<Int> {
    guard let part else { return 0..<max(count, 0) }
    do { return try part.frames(at: sampleRate, of: count) } catch {
      throw Failure(title, because: error.description)
    }
  }

  private static func layout(of id: AudioFileID) -> [UInt8]? {
    var size = UInt32(0)
    guard AudioFileGetPropertyInfo(id, kAudioFilePropertyChannelLayout, &size, nil) == noErr,
      size > 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let status = AudioFileGetProperty(id, kAudioFilePropertyChannelLayout, &size, &bytes)
    return status == noErr ? bytes : nil
  }
}
