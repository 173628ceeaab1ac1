// SPDX-License-Identifier: Apache-2.0

/// A step of an edit.
protocol EditStep: Sendable {
  /// Whether channels change their places.
  var movesChannels: Bool { get }
  /// How often it reads its input: twice if it measures before it changes.
  var passCount: Int { get }
  /// The sound that it makes. `input` opens the sound before the step, at its beginning.
  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream
}

extension EditStep {
  var movesChannels: Bool { false }
  var passCount: Int { 1 }
}

/// What steps have to say about their result.
final class EditNotes {
  private(set) var lines: [String] = []

  /// Adds a line, unless it is there.
  func add(_ line: String) { if !lines.contains(line) { lines.append(line) } }
}
