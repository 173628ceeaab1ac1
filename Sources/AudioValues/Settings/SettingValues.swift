// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Foundation

/// The values of a dictionary of settings; one of another type throws.
struct SettingValues {
  private let settings: [String: Any]

  init(_ settings: [String: Any]) { self.settings = settings }

  private func value(_ key: String) throws(AudioError) -> NSNumber? {
    guard let value = settings[key] else { return nil }
    guard let number = value as? NSNumber else {
      throw .formatNotSupported.because("\(key) is a \(type(of: value)); expected a number")
    }
    return number
  }

  /// The number of a key that must be there.
  func number(_ key: String) throws(AudioError) -> Double {
    guard let number = try value(key) else {
      throw .formatNotSupported.because("\(key) is missing")
    }
    return number.doubleValue
  }

  /// The whole number of a key, or `default`.
  func wholeNumber(
    _ key: String, in range: ClosedRange<Int>, default: Int? = nil
  ) throws(AudioError) -> Int {
    if let `default`, settings[key] == nil { return `default` }
    let number = try number(key)
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw .formatNotSupported.because(
        "\(key) is \(number.plainText); expected a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return whole
  }

  /// Whether a key is set to true.
  func flag(_ key: String) throws(AudioError) -> Bool { try value(key)?.boolValue ?? false }

  /// The layout of the channels, if there is one.
  func layout() throws(AudioError) -> AVAudioChannelLayout? {
    guard let value = settings[AVChannelLayoutKey] else { return nil }
    guard let data = value as? Data, let layout = AVAudioChannelLayout(bytes: Array(data)) else {
      throw .formatNotSupported.because(
        "\(AVChannelLayoutKey) does not have the bytes of an AudioChannelLayout")
    }
    return layout
  }
}
