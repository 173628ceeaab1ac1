// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// Converts arguments to the types of `AudioSessions`.

extension AVAudioSession.Category {
  /// The category of that name; throws when there is none.
  func value() throws(AudioError) -> SessionCategory {
    guard let category = SessionCategory(rawValue: rawValue) else {
      throw .invalidArgument.because("there is no category \"\(rawValue)\"")
    }
    return category
  }
}

extension AVAudioSession.Mode {
  /// The mode of that name; throws when there is none.
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
