// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Reading and writing sound files as interleaved Float32, compared with libsndfile, with the system
/// call that all of them need, and with ffmpeg and sox.
enum FileBenchmark {
  private static let pieces = [512, 1_024, 2_048, 4_096, 8_192, 16_384]
  private static let sound = BenchedSound(seconds: 20)

  static func run(in folder: URL) {
    Stopwatch.onOneProcessor {
      let files = FileKind.all.enumerated().compactMap { index, kind in
        BenchedFile(kind, folder.appendingPathComponent("bench\(index).\(kind.ending)"), sound)
      }
      Report.table(
        "Reading in pieces of some frames (ns per sample; others as multiples)",
        pieces.map { "\($0)" }, files.filter(\.kind.isLossless).flatMap { rows($0) })
      Report.table(
        "Reading in pieces of 4096 frames, and writing (ns per sample; others as multiples)",
        ["read", "libsndfile", "ffmpeg", "sox", "write", "libsndfile"],
        files.map { row($0, in: folder) })
    }
  }

  /// Our times for each size of a piece, and those of others.
  private static func rows(_ file: BenchedFile) -> [[String]] {
    let room = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 16_384)
    defer { room.deallocate() }
    room.initialize(repeating: 0, count: 2 * 16_384)
    var readers: [(name: String, read: (Int) -> Void)] = [
      (file.kind.name, { file.read(into: room, frames: $0) })
    ]
    if let library = SoundLibrary.shared {
      readers.append(("libsndfile", { _ = library.read(file.url, into: room, frames: $0) }))
    }
    if file.kind.bits == -32 {
      readers.append(("the system call `read`", { file.readBytes(into: room, count: 8 * $0) }))
    }
    let columns = pieces.map { frames in
      Stopwatch.inTurns(for: 1, readers.map { reader in { reader.read(frames) } }).map {
        $0 / sound.samples
      }
    }
    return readers.indices.map { index in
      [readers[index].name]
        + columns.map { column in
          index == 0 ? Report.cell(column[0]) : Report.multiple(column[index], of: column[0])
        }
    }
  }

  /// Our times for reading and writing, and those of others.
  private static func row(_ file: BenchedFile, in folder: URL) -> [String] {
    let room = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4_096)
    defer { room.deallocate() }
    room.initialize(repeating: 0, count: 2 * 4_096)
    let other = folder.appendingPathComponent("peer.\(file.kind.ending)")
    var reads: [() -> Void] = [{ file.read(into: room, frames: 4_096) }]
    var writes: [() -> Void] = [{ _ = file.write(to: file.url, sound) }]
    if let library = SoundLibrary.shared, let format = file.kind.soundLibraryFormat {
      reads.append { _ = library.read(file.url, into: room, frames: 4_096) }
      // Other encoders have other bit rates.
      if file.kind.isLossless { writes.append { _ = library.write(other, format, sound) } }
    }
    let readTimes = Stopwatch.inTurns(for: 1, reads).map { $0 / sound.samples }
    let programs = peers(file, in: folder).map { $0.nanosecondsPerSample(in: folder) }
    let writeTimes = Stopwatch.inTurns(for: 1, writes).map { $0 / sound.samples }
    let others = [readTimes.dropFirst().first] + programs
    return [file.kind.name, Report.cell(readTimes[0])]
      + others.map { Report.multiple($0, of: readTimes[0]) }
      + [
        Report.cell(writeTimes[0]),
        Report.multiple(writeTimes.dropFirst().first, of: writeTimes[0]),
      ]
  }

  /// Programs that read a file of some length and discard its contents.
  private static func peers(_ file: BenchedFile, in folder: URL) -> [Peer] {
    @Sendable func path(_ seconds: Int, _ folder: URL) -> String {
      let place = folder.appendingPathComponent("\(seconds)-\(file.url.lastPathComponent)")
      if !FileManager.default.fileExists(atPath: place.path) {
        _ = file.write(to: place, BenchedSound(seconds: seconds))
      }
      return place.path
    }
    let samples = BenchedSound.rate * Double(BenchedSound.channels)
    return [
      Peer(
        name: "ffmpeg",
        command: { seconds, folder in
          [
            "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", path(seconds, folder),
            "-c:a", "pcm_f32le", "-f", "null", "-",
          ]
        }, samplesPerSecond: samples),
      Peer(
        name: "sox",
        command: { seconds, folder in ["sox", path(seconds, folder), "-n"] },
        samplesPerSecond: samples),
    ]
  }
}
