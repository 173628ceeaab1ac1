// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Glibc
import Synchronization

/// The files that this process has recorded to.
///
/// Each is a file: the first stream starts it, and later ones of the same format continue where it
/// stopped, so that a tone stopped and played again is one recording. If another program has
/// replaced, shortened or lengthened a file meanwhile, it is started again. One stream at a time
/// holds a file.
enum RecordedFiles {
  private struct RecordedFile {
    var format: SoundFileFormat
    var frameCount: Int
    var identity: FileIdentity
    weak var claim: RecordingClaim?
  }

  private static let files = Guarded<[String: RecordedFile]>([:])

  /// [control thread] Opens a path for recording.
  ///
  /// - Throws: When another stream holds it, or the file cannot be written.
  static func open(
    _ path: String, _ format: SoundFileFormat, owner: String
  ) throws(AudioError) -> Recording {
    let key = key(path)
    waitForEndingClaim(key)
    let claim = RecordingClaim(key: key, channelCount: format.channelCount, owner: owner)
    let writer = try files.withLock { files throws(AudioError) in
      if let holder = files[key]?.claim {
        throw .failedInitialization.because(
          "\(path): \(holder.owner) is recording to it and has to stop first")
      }
      let writer = try makeWriter(path, format, after: files[key])
      files[key] = RecordedFile(
        format: format, frameCount: writer.frameCount, identity: writer.identity, claim: claim)
      return writer
    }
    return Recording(writer: writer, claim: claim)
  }

  /// Remembers where a recording ended and releases the file.
  static func close(_ claim: RecordingClaim, _ writer: borrowing SoundFileRecorder) {
    let (frameCount, identity) = (writer.frameCount, writer.identity)
    files.withLock { files in
      guard files[claim.key]?.claim === claim else { return }
      files[claim.key]?.frameCount = frameCount
      files[claim.key]?.identity = identity
      files[claim.key]?.claim = nil
    }
  }

  private static func makeWriter(
    _ path: String, _ format: SoundFileFormat, after file: RecordedFile?
  ) throws(AudioError) -> SoundFileRecorder {
    if let file, file.format == format, file.identity == FileIdentity(path: path) {
      return try SoundFileRecorder(
        continuing: path, sampleRate: format.sampleRate, channelCount: format.channelCount,
        frameCount: file.frameCount)
    }
    return try SoundFileRecorder(
      path: path, sampleRate: format.sampleRate, channelCount: format.channelCount)
  }

  /// A stream stopped by its own callback still has a cycle to finish.
  private static func waitForEndingClaim(_ key: String) {
    for _ in 0..<1_000 {
      guard let claim = files.withLock({ $0[key]?.claim }), claim.isEnding else { return }
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

/// The right to record to one file; returned with its last reference.
final class RecordingClaim: Sendable {
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

  /// [any thread] Notifies streams that want the file that it will be free soon.
  func willEnd() { ending.store(true, ordering: .relaxed) }
}

/// A held file and its writer.
struct Recording: ~Copyable {
  var writer: SoundFileRecorder
  let claim: RecordingClaim

  /// Ends the recording.
  consuming func close() { RecordedFiles.close(claim, writer) }
}

extension Recording? {
  /// The right to record; nil without a recording.
  var claim: RecordingClaim? {
    switch self {
    case .some(let recording): recording.claim
    case .none: nil
    }
  }
}
