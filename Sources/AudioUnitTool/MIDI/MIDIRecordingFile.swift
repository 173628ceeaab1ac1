// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation

/// Records an input to a file, which gets its name when it is complete.
struct MIDIRecordingFile {
  let path: String
  let listening: MIDIListening

  /// The file under another name, next to its own.
  private var incompletePath: String { "\(path).\(getpid()).incomplete" }

  /// Records until a time is over or a signal arrives, which then ends the process.
  func run() throws {
    // Before anything is recorded, so that an unusable path is reported at once.
    let file = creat(incompletePath, 0o666)
    guard file >= 0 else { throw failure }
    close(file)
    defer { unlink(incompletePath) }
    let recording = try MIDIRecording()
    Console.error("Recording \(listening.input.allNames.joined(separator: ", ")). Ctrl-C ends.")
    let signal = try listening.run { message in
      try recording.add(message.bytes, from: message.name, at: message.time)
    }
    guard !recording.isEmpty else {
      throw Failure(path, because: "not written: no message arrived")
    }
    try recording.finish(at: listening.input.now)
    try recording.write(to: incompletePath)
    guard rename(incompletePath, path) == 0 else { throw failure }
    Console.print(
      "\(path): \(Numbers.rounded(recording.seconds, digits: 2)) s, "
        + "\(Numbers.count(recording.noteCount, "note")), "
        + Numbers.count(recording.otherCount, "other message"))
    if let signal { Signals.endProcess(by: signal) }
  }

  /// The reason why the last call failed.
  private var failure: Failure {
    Failure(path, because: "cannot be written: \(String(cString: strerror(errno)))")
  }
}
