// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Files that a killed run has left incomplete.
enum AbandonedFiles {
  /// Removes those of a folder. Who writes a file has locked it, so the files of other running processes
  /// remain.
  static func remove(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where isTemporary(name) { remove("\(folder)/\(name)") }
  }

  /// Whether a name ends as in "tone.wav.partial-1f3a9c".
  private static func isTemporary(_ name: String) -> Bool {
    let number = name.utf8.suffix(6)
    return name.utf8.dropLast(6).suffix(9).elementsEqual(".partial-".utf8)
      && number.count == 6 && number.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static func remove(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    unlink(path)
  }
}
