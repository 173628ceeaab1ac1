// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import SignalProcessing
import ToneModel

/// An action that failed; its text is printed.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// If the step is a file path, the path is not repeated from the reason.
  init(_ step: String, because reason: String) {
    let path = URL(fileURLWithPath: step).path + ": "
    description =
      "\(step): \(reason.hasPrefix(path) ? String(reason.dropFirst(path.count)) : reason)"
  }

  /// Throws the library's explanation if a call returned an error.
  static func check(_ status: OSStatus, _ step: String) throws(Failure) {
    guard status != noErr else { return }
    let reason = AUDiagnosticsCopyReason(status).takeRetainedValue()
    throw Failure(step, because: String(describing: reason))
  }

  /// Prints a line for samples of a file that could not be written as they were, if there are any.
  static func warn(of repairs: SampleRepairs..., in path: String) {
    let all = repairs.reduce(into: SampleRepairs()) { $0 += $1 }
    guard !all.isEmpty else { return }
    Console.error("\(path): \(all.sentences.joined(separator: "; "))")
  }
}
