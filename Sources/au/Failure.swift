// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Foundation
import ToneModel

/// Something that could not be done; its text is for people.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The step may be a file as the user named it: then the reason does not name it once more.
  private init(_ step: String, because reason: String) {
    let path = URL(fileURLWithPath: step).path + ": "
    description =
      "\(step): \(reason.hasPrefix(path) ? String(reason.dropFirst(path.count)) : reason)"
  }

  /// Ends what goes on when the library refuses, with its own explanation.
  static func check(_ status: OSStatus, _ step: String) throws(Failure) {
    guard status != noErr else { return }
    throw Failure(step, because: Explanations.reason(after: status))
  }

  /// The same for what fails with its own reason.
  static func check<Result>(
    _ step: String, _ body: () throws(AudioError) -> Result
  ) throws(Failure) -> Result {
    do throws(AudioError) { return try body() } catch {
      throw Failure(step, because: error.reason)
    }
  }
}
