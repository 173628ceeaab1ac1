// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The errors of engines and nodes. Forms of a call that can throw do so; the older forms end the
/// program with the same sentence.
enum EngineError {
  /// The domain of the errors of engines, nodes and files.
  static let domain = "com.apple.coreaudio.avfaudio"

  /// A refused call: what is wrong, and how to mend it.
  static func refusal(
    _ call: String, _ rule: String, mend: String, _ status: OSStatus = kAudio_ParamError
  ) -> NSError {
    error("\(call): \(rule); \(mend)", call, status)
  }

  /// The failure of a C function that has just failed on this thread.
  static func failure(_ call: String, _ status: OSStatus, of subject: String = "") -> NSError {
    let reason = Explanations.last ?? AudioError(status: status).text
    return error("\(call): \(subject.isEmpty ? "" : "\(subject): ")\(reason)", call, status)
  }

  private static func error(_ text: String, _ call: String, _ status: OSStatus) -> NSError {
    NSError(
      domain: domain, code: Int(status),
      userInfo: [NSLocalizedDescriptionKey: text, "failed call": call])
  }

  /// Throws if a C function failed on this thread.
  static func check(_ status: OSStatus, _ call: String, of subject: String = "") throws {
    guard status == noErr else { throw failure(call, status, of: subject) }
  }
}

/// Runs a call that cannot throw. A refusal ends the program with its sentence; nothing has changed
/// by then.
func orEnd<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch {
    fatalError((error as NSError).localizedDescription)
  }
}
