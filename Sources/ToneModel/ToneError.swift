// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// A step towards a tone that failed, and why.
public struct ToneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What could not be done: "Can't start the output".
  public let step: String
  /// What the library returned; `noErr` when there was nothing to ask.
  public let status: OSStatus
  /// What the library says about it; may be empty.
  public let explanation: String

  /// A step that failed before the library was asked.
  public init(_ step: String) {
    self.step = step
    status = noErr
    explanation = ""
  }

  private init(_ step: String, _ status: OSStatus) {
    self.step = step
    self.status = status
    explanation = Explanations.reason(after: status)
  }

  private init(_ step: String, _ error: AudioError) {
    self.step = step
    status = error.status
    explanation = error.reason
  }

  /// One line for people.
  public var description: String { explanation.isEmpty ? step : "\(step): \(explanation)" }

  /// [any thread] Turns a result into an error that names the step.
  static func check(_ status: OSStatus, _ step: String) throws(ToneError) {
    if status != noErr { throw ToneError(step, status) }
  }

  /// [any thread] Turns a failure into an error that names the step.
  static func check<Result>(
    _ step: String, _ body: () throws(AudioError) -> Result
  ) throws(ToneError) -> Result {
    do throws(AudioError) { return try body() } catch { throw ToneError(step, error) }
  }
}
