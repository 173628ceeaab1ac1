// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// Something that could not be done; its text is for people.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Ends what goes on when the library refuses, with its own explanation.
  static func check(_ status: OSStatus, _ step: String) throws(Failure) {
    guard status != noErr else { return }
    let text = AUDiagnosticsCopyLastExplanation() ?? AUDiagnosticsCopyDescription(status)
    throw Failure("\(step): \(String(describing: text.takeRetainedValue()))")
  }

  /// The same for what fails with a reason of its own.
  static func check<Result>(
    _ step: String, _ body: () throws(AudioError) -> Result
  ) throws(Failure) -> Result {
    do throws(AudioError) { return try body() } catch { throw Failure("\(step): \(error.text)") }
  }
}
