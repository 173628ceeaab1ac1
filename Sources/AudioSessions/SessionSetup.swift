// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// How a category behaves towards other programs and devices.
public struct SessionOptions: OptionSet, Hashable, Sendable {
  /// The word itself.
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Play at the same time as other programs.
  public static let mixWithOthers = Self(rawValue: 0x1)
  /// Lower the volume of other programs meanwhile.
  public static let duckOthers = Self(rawValue: 0x2)
  /// Offer the inputs of Bluetooth headsets.
  public static let allowBluetoothHFP = Self(rawValue: 0x4)
  /// The older name of `allowBluetoothHFP`.
  public static let allowBluetooth = Self(rawValue: 0x4)
  /// Play to a loudspeaker instead of the earpiece.
  public static let defaultToSpeaker = Self(rawValue: 0x8)
  /// Pause programs that play speech, and play at the same time as others.
  public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
  /// The part of the option above that is not `mixWithOthers`.
  package static let interruptSpokenAudio = Self(rawValue: 0x10)
  /// Offer Bluetooth devices that have only an output.
  public static let allowBluetoothA2DP = Self(rawValue: 0x20)
  /// Offer players in the network.
  public static let allowAirPlay = Self(rawValue: 0x40)
  /// Continue when the microphone is switched off.
  public static let overrideMutedMicrophoneInterruption = Self(rawValue: 0x80)
  /// Expect speech from a distance.
  public static let farFieldInput = Self(rawValue: 0x4_0000)
  /// Capture over Bluetooth in the best quality.
  public static let bluetoothHighQualityRecording = Self(rawValue: 0x8_0000)
}

/// How the output is chosen.
public enum SessionPolicy: UInt, Sendable {
  /// The device that the system chooses.
  case `default` = 0
  /// A device for long pieces of music or speech.
  case longFormAudio = 1
  /// A device that the program chooses.
  case independent = 2
  /// A device for films.
  case longFormVideo = 3
}

/// A category with its mode, policy and options.
package struct SessionSetup: Equatable, Sendable {
  package var category = SessionCategory.soloAmbient
  package var mode = SessionMode.default
  package var policy = SessionPolicy.default
  /// The options that the program requested.
  package var options: SessionOptions = []

  package init(
    _ category: SessionCategory = .soloAmbient, _ mode: SessionMode = .default,
    _ options: SessionOptions = [], _ policy: SessionPolicy = .default
  ) {
    self.category = category
    self.mode = mode
    self.options = options
    self.policy = policy
  }

  /// The requested options, and those that these and the mode imply.
  package var effectiveOptions: SessionOptions {
    var all = options
    if !all.isDisjoint(with: [.duckOthers, .interruptSpokenAudio]) { all.insert(.mixWithOthers) }
    if [.voiceChat, .videoChat, .gameChat].contains(mode) { all.insert(.allowBluetoothHFP) }
    if mode == .videoChat { all.insert(.defaultToSpeaker) }
    return all
  }
}
