// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Why a call of the library failed, for people who have not written the call.
public enum LibraryReason {
  /// [any thread] Why the last call of this thread failed, with `status`.
  public static func last(after status: OSStatus) -> String {
    let text = AUDiagnosticsCopyLastExplanation() ?? AUDiagnosticsCopyDescription(status)
    return plain(String(describing: text.takeRetainedValue()))
  }

  /// An explanation without the names of the call and of the status, where a reason follows them:
  /// "AudioFileOpenURL: kAudio_FileNotFoundError (-43): a.wav: cannot be opened" without the first two.
  public static func plain(_ text: String) -> String {
    var rest = text[...]
    if let call = beginning(of: rest), call.allSatisfy({ $0.isLetter || $0.isNumber }) {
      rest = rest.dropFirst(call.count + 2)
    }
    guard let status = beginning(of: rest), status.first == "k", status.last == ")",
      status.contains(" ("), rest.count > status.count + 2
    else { return text }
    return String(rest.dropFirst(status.count + 2))
  }

  /// What stands in front of the first colon.
  private static func beginning(of text: Substring) -> Substring? {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix(": ") else { return nil }
    return text[..<colon]
  }
}
