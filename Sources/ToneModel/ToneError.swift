// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A failed step, with the reason.
public struct ToneError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The step that failed: "Can't start the output".
  public let step: String
  /// The library's result code; `noErr` if it was not called.
  public let status: OSStatus
  /// The library's explanation; may be empty.
  public let explanation: String

  /// A step that failed before the library was called.
  public init(_ step: String) {
    self.step = step
    status = noErr
    explanation = ""
  }

  private init(_ step: String, _ status: OSStatus) {
    self.step = step
    self.status = status
    explanation = String(describing: AUDiagnosticsCopyReason(status).takeRetainedValue())
  }

  /// One line to print.
  public var description: String { explanation.isEmpty ? step : "\(step): \(explanation)" }

  /// [any thread] Throws an error that names the step, unless the call succeeded.
  static func check(_ status: OSStatus, _ step: String) throws(ToneError) {
    if status != noErr { throw ToneError(step, status) }
  }
}
