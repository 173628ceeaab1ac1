// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// Converts the calls' arguments to those of the session below.

extension AVAudioSession.Category {
  /// The category, if there is one of that name.
  func value() throws(AudioError) -> SessionCategory {
    guard let category = SessionCategory(rawValue: rawValue) else {
      throw .invalidArgument.because("there is no category \"\(rawValue)\"")
    }
    return category
  }
}

extension AVAudioSession.Mode {
  /// The mode, if there is one of that name.
  func value() throws(AudioError) -> SessionMode {
    guard let mode = SessionMode(rawValue: rawValue) else {
      throw .invalidArgument.because("there is no mode \"\(rawValue)\"")
    }
    return mode
  }
}

extension AVAudioSession.CategoryOptions {
  var value: SessionOptions { SessionOptions(rawValue: rawValue) }
}

extension AVAudioSession.RouteSharingPolicy {
  var value: SessionPolicy { SessionPolicy(rawValue: rawValue) ?? .standard }
}

extension NSError {
  /// An error as programs see it: the code, and what was wrong.
  convenience init(_ error: AudioError) {
    self.init(
      domain: NSOSStatusErrorDomain, code: Int(error.status),
      userInfo: [NSLocalizedDescriptionKey: error.text])
  }
}
