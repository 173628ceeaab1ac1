// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CRealTime
import Glibc
import Synchronization

/// The files that this process has recorded to.
///
/// The first stream creates a file. Later streams of the same format continue where the previous
/// one stopped, so that a tone that was stopped and restarted is one recording. If another program
/// has replaced, shortened or lengthened the file meanwhile, the recording starts again. Only one
/// stream at a time may record to a file.
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
  /// - Throws: An error if another stream records to the file, or if it cannot be written.
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

  /// Stores where a recording ended and releases the file.
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

  /// Waits for a stream that was stopped by its own callback and still has to finish a cycle.
  private static func waitForEndingClaim(_ key: String) {
    waitPolling(every: 1_000, until: rt_host_time() + 1_000_000_000) {
      files.withLock { $0[key]?.claim?.isEnding ?? false }
    }
  }

  /// The same key for all spellings of a path.
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

/// The exclusive right to record to a file, until the last reference is released.
final class RecordingClaim: Sendable {
  let key: String
  let channelCount: Int
  /// The display name of the stream that has it.
  let owner: String
  private let ending = Atomic(false)

  init(key: String, channelCount: Int, owner: String) {
    self.key = key
    self.channelCount = channelCount
    self.owner = owner
  }

  var isEnding: Bool { ending.load(ordering: .relaxed) }

  /// [any thread] Tells streams that wait for the file that it will be released soon.
  func willEnd() { ending.store(true, ordering: .relaxed) }
}

/// A claimed file and its writer.
struct Recording: ~Copyable {
  var writer: SoundFileRecorder
  let claim: RecordingClaim

  /// Ends the recording.
  consuming func close() { RecordedFiles.close(claim, writer) }
}

extension Recording? {
  /// The claim on the file. Nil without a recording.
  var claim: RecordingClaim? {
    switch self {
    case .some(let recording): recording.claim
    case .none: nil
    }
  }
}
