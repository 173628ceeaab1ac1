// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import Foundation

/// Sound files of every kind, whole and as they should not be: with tags around them, cut, with wrong
/// sizes, and with other bytes inside. They are the same each time.
package enum SoundCorpus {
  /// Frames that each file was written with, of one channel at 48 kHz.
  package static let frameCount = 9_000

  /// A file.
  package struct File: Sendable {
    /// What was done to it: "cut 3", for example.
    package let name: String
    package let bytes: [UInt8]
    /// Whether the frames of the whole file are to be found.
    package let isWhole: Bool
  }

  /// The bytes of a file without any fault.
  package static func whole(_ name: String) throws -> [UInt8] {
    let kind = kind(name)
    if let make = kind.make { return try make() }
    let path = NSTemporaryDirectory() + "corpus-\(UUID().uuidString).\(kind.pathExtension)"
    defer { unlink(path) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
    defer { memory.deallocate() }
    memory.initialize(from: samples, count: frameCount)
    var encoding = try SoundFileEncoding(path: path, codec: kind.codec)
    if let bits = kind.bits { try encoding.setBits(bits) }
    let writer = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, encoding, expecting: frameCount)
    try withUnsafePointer(to: memory) { try writer.write($0, frameCount: frameCount) }
    try writer.finish()
    if kind.isOptimized {
      var file: AudioFileID?
      let status = AudioFileOpenURL(
        NSURL(fileURLWithPath: path), .readWritePermission, 0, &file)
      guard status == noErr, let file else { throw CocoaError(.fileReadUnknown) }
      defer { AudioFileClose(file) }
      guard AudioFileOptimize(file) == noErr else { throw CocoaError(.fileWriteUnknown) }
    }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// What each file was written with: a tone, and noise that no codec takes for silence.
  package static let samples: [Float] = {
    let hiss = noise(frameCount, seed: 5)
    return (0..<frameCount).map {
      0.5 * Float(sin(Double($0) * 2 * .pi * 440 / 48_000)) + 0.05 * hiss[$0]
    }
  }()

  /// Everything that may have happened to a file.
  package static func files(_ name: String) throws -> [File] {
    let bytes = try whole(name)
    var files = [File(name: "whole", bytes: bytes, isWhole: true)]
    let front = SoundTags.id3("one") + SoundTags.id3("two", footer: true)
    let back = SoundTags.ape("last") + SoundTags.id3v1("old")
    for (name, tagged) in [
      ("tags in front", front + bytes), ("tags behind", bytes + back),
      ("tags around", front + bytes + back),
    ] {
      files.append(File(name: name, bytes: tagged, isWhole: true))
    }
    for part in 1...10 {
      let end = bytes.count * part / 11
      files.append(File(name: "cut \(part)", bytes: Array(bytes[..<end]), isWhole: false))
    }
    for (name, changed) in sizes(kind(name), bytes) {
      files.append(File(name: name, bytes: changed, isWhole: false))
    }
    let middle = bytes.count / 2
    let junk = junk(777)
    files.append(
      File(
        name: "junk between", bytes: bytes[..<middle] + junk + bytes[middle...], isWhole: false))
    files.append(
      File(
        name: "junk instead", bytes: bytes[..<middle] + junk + bytes[(middle + 777)...],
        isWhole: false))
    return files
  }

  /// Bytes without a meaning.
  private static func junk(_ count: Int) -> [UInt8] {
    var seed: UInt32 = 7
    return (0..<count).map { _ in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: seed >> 24)
    }
  }

  // MARK: Wrong sizes

  /// The file with other numbers: none, half, one and a half times, and the largest.
  private static func sizes(_ kind: Kind, _ bytes: [UInt8]) -> [(String, [UInt8])] {
    guard let field = kind.size else { return [] }
    let mark = Array(field.mark.utf8)
    guard let found = (0..<bytes.count - 4).first(where: { Array(bytes[$0..<$0 + 4]) == mark })
    else { return [] }
    let place = found + field.distance..<found + field.distance + field.byteCount
    let old = bytes[place].enumerated().reduce(UInt64(0)) { number, byte in
      let shift = field.isBigEndian ? field.byteCount - 1 - byte.offset : byte.offset
      return number | UInt64(byte.element) << UInt64(8 * shift)
    }
    return [
      ("no size", 0), ("half size", old / 2), ("large size", old + old / 2), ("size -1", .max),
    ]
    .map { name, number in
      let word = (0..<field.byteCount).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
      var changed = bytes
      changed.replaceSubrange(place, with: field.isBigEndian ? word.reversed() : word)
      return (name, changed)
    }
  }
}
