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

  /// Refuses a format without rate or channels. Programs pass on that of a device, which is unknown
  /// without one; `unknown` says so.
  static func checkIsKnown(
    _ format: AVAudioFormat, _ unknown: UnknownFormat?, _ call: String
  ) throws {
    guard !(format.sampleRate > 0) || format.channelCount == 0 else { return }
    let text =
      "the format has \(format.sampleRate.plainText) Hz and \(format.channelCount) channels"
    throw refusal(
      call, unknown.map { "\(text), because \($0.reason)" } ?? text,
      mend: unknown?.mend ?? "name a rate and channels, or pass nil",
      kAudioUnitErr_FormatNotSupported)
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

/// Why a node has no format now, and what gives it one.
struct UnknownFormat {
  let reason: String
  let mend: String
}

/// Runs a call that cannot throw. A refusal ends the program with its sentence; nothing has changed
/// by then.
func orEnd<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch {
    fatalError((error as? AudioError)?.text ?? (error as NSError).localizedDescription)
  }
}
