// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import SignalProcessing
import ToneModel

/// An action that failed; its text is printed.
struct Failure: ExitCoded, CustomStringConvertible {
  let description: String
  /// Whether the same may succeed later: there was no place, no memory, or too many files were open.
  let isTemporary: Bool

  init(_ description: String, isTemporary: Bool = false) {
    (self.description, self.isTemporary) = (description, isTemporary)
  }

  /// A failure for which the library has a status and an explanation.
  init(_ explanation: String, _ status: OSStatus) {
    self.init(explanation, isTemporary: Self.isTemporary(status))
  }

  var exitCode: Int32 { isTemporary ? 75 : 1 }

  private static func isTemporary(_ status: OSStatus) -> Bool {
    [kAudio_MemFullError, kAudio_TooManyFilesOpenError].contains(status)
  }

  /// If the step is a file path, the path is not repeated from the reason; nor is `file`, the path of a
  /// file that the step names in another way.
  init(
    _ step: String, of file: String? = nil, because reason: String, isTemporary: Bool = false
  ) {
    let path = file ?? step
    let names = [path, URL(fileURLWithPath: path).path].map { $0 + ": " }
    let name = names.first { reason.hasPrefix($0) } ?? ""
    self.init("\(step): \(reason.dropFirst(name.count))", isTemporary: isTemporary)
  }

  /// Throws the library's explanation if a call returned an error.
  static func check(
    _ status: OSStatus, _ step: String, of file: String? = nil
  ) throws(Failure) {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyReason(status).takeRetainedValue()
    throw Failure(
      step, of: file, because: String(describing: reason), isTemporary: isTemporary(status))
  }

  /// Prints a line for samples of a file that could not be written as they were, if there are any.
  static func warn(of repairs: SampleRepairs..., in path: String) {
    let all = repairs.reduce(into: SampleRepairs()) { $0 += $1 }
    guard !all.isEmpty else { return }
    Console.error("\(path): \(all.sentences.joined(separator: "; "))")
  }
}
