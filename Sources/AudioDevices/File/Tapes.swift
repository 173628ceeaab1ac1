// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Glibc
import Synchronization

/// The files that this process has recorded to.
///
/// Each is a tape: the first stream starts it, and later ones of the same format continue where it
/// stopped, so that a tone stopped and played again is one recording. If another program has
/// replaced, shortened or lengthened a file meanwhile, it is started again. One stream at a time
/// holds a tape.
enum Tapes {
  private struct Tape {
    var format: SoundFileFormat
    var frameCount: Int
    var identity: FileIdentity
    weak var hold: TapeHold?
  }

  private static let tapes = Guarded<[String: Tape]>([:])

  /// [control thread] Opens a path for recording.
  ///
  /// - Throws: When another stream holds it, or the file cannot be written.
  static func open(
    _ path: String, _ format: SoundFileFormat, owner: String
  ) throws(AudioError) -> Recording {
    let key = key(path)
    waitForEndingHold(key)
    let hold = TapeHold(key: key, channelCount: format.channelCount, owner: owner)
    let writer = try tapes.withLock { tapes throws(AudioError) in
      if let holder = tapes[key]?.hold {
        throw .failedInitialization.because(
          "\(path): \(holder.owner) is recording to it and has to stop first")
      }
      let writer = try makeWriter(path, format, after: tapes[key])
      tapes[key] = Tape(
        format: format, frameCount: writer.frameCount, identity: writer.identity, hold: hold)
      return writer
    }
    return Recording(writer: writer, hold: hold)
  }

  /// Remembers where a recording ended and releases the tape.
  static func close(_ hold: TapeHold, _ writer: borrowing SoundFileRecorder) {
    let (frameCount, identity) = (writer.frameCount, writer.identity)
    tapes.withLock { tapes in
      guard tapes[hold.key]?.hold === hold else { return }
      tapes[hold.key]?.frameCount = frameCount
      tapes[hold.key]?.identity = identity
      tapes[hold.key]?.hold = nil
    }
  }

  private static func makeWriter(
    _ path: String, _ format: SoundFileFormat, after tape: Tape?
  ) throws(AudioError) -> SoundFileRecorder {
    if let tape, tape.format == format, tape.identity == FileIdentity(path: path) {
      return try SoundFileRecorder(
        continuing: path, sampleRate: format.sampleRate, channelCount: format.channelCount,
        frameCount: tape.frameCount)
    }
    return try SoundFileRecorder(
      path: path, sampleRate: format.sampleRate, channelCount: format.channelCount)
  }

  /// A stream stopped by its own callback still has a cycle to finish.
  private static func waitForEndingHold(_ key: String) {
    for _ in 0..<1_000 {
      guard let hold = tapes.withLock({ $0[key]?.hold }), hold.isEnding else { return }
      usleep(1_000)
    }
  }

  /// One name for all spellings of a path.
  private static func key(_ path: String) -> String {
    func resolved(_ path: String) -> String? {
      guard let name = realpath(path, nil) else { return nil }
      defer { free(name) }
      return String(cString: name)
    }
    if let name = resolved(path) { return name }
    guard let slash = path.lastIndex(of: "/") else { return "\(resolved(".") ?? ".")/\(path)" }
    let folder = path[..<slash]
    return "\(resolved(folder.isEmpty ? "/" : String(folder)) ?? String(folder))\(path[slash...])"
  }
}

/// The right to record to one tape; returned with its last reference.
final class TapeHold: Sendable {
  let key: String
  let channelCount: Int
  /// The display name of its holder.
  let owner: String
  private let ending = Atomic(false)

  init(key: String, channelCount: Int, owner: String) {
    self.key = key
    self.channelCount = channelCount
    self.owner = owner
  }

  var isEnding: Bool { ending.load(ordering: .relaxed) }

  /// [any thread] Notifies streams that want the tape that it will be free soon.
  func willEnd() { ending.store(true, ordering: .relaxed) }
}

/// A held tape and its writer.
struct Recording: ~Copyable {
  var writer: SoundFileRecorder
  let hold: TapeHold

  /// Ends the recording.
  consuming func close() { Tapes.close(hold, writer) }
}

extension Recording? {
  /// The right to record; nil without a recording.
  var hold: TapeHold? {
    switch self {
    case .some(let recording): recording.hold
    case .none: nil
    }
  }
}
