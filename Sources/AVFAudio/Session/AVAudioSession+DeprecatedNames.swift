// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// Older names of functions and constants, which some programs still use.

/// The older name of `Category.ambient`.
public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient
/// The older name of `Category.soloAmbient`.
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient
/// The older name of `Category.playback`.
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback
/// The older name of `Category.record`.
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record
/// The older name of `Category.playAndRecord`.
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord
/// The older name of `Category.audioProcessing`.
public let AVAudioSessionCategoryAudioProcessing = AVAudioSession.Category.audioProcessing
/// The older name of `Category.multiRoute`.
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute

/// The older name of `Mode.default`.
public let AVAudioSessionModeDefault = AVAudioSession.Mode.default
/// The older name of `Mode.voiceChat`.
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat
/// The older name of `Mode.gameChat`.
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat
/// The older name of `Mode.videoRecording`.
public let AVAudioSessionModeVideoRecording = AVAudioSession.Mode.videoRecording
/// The older name of `Mode.measurement`.
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement
/// The older name of `Mode.moviePlayback`.
public let AVAudioSessionModeMoviePlayback = AVAudioSession.Mode.moviePlayback
/// The older name of `Mode.videoChat`.
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat
/// The older name of `Mode.spokenAudio`.
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio

/// The older name of `Port.lineIn`.
public let AVAudioSessionPortLineIn = AVAudioSession.Port.lineIn
/// The older name of `Port.builtInMic`.
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic
/// The older name of `Port.headsetMic`.
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic
/// The older name of `Port.lineOut`.
public let AVAudioSessionPortLineOut = AVAudioSession.Port.lineOut
/// The older name of `Port.headphones`.
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones
/// The older name of `Port.bluetoothA2DP`.
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP
/// The older name of `Port.bluetoothHFP`.
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP
/// The older name of `Port.bluetoothLE`.
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE
/// The older name of `Port.builtInReceiver`.
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver
/// The older name of `Port.builtInSpeaker`.
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker
/// The older name of `Port.HDMI`.
public let AVAudioSessionPortHDMI = AVAudioSession.Port.HDMI
/// The older name of `Port.airPlay`.
public let AVAudioSessionPortAirPlay = AVAudioSession.Port.airPlay
/// The older name of `Port.usbAudio`.
public let AVAudioSessionPortUSBAudio = AVAudioSession.Port.usbAudio
/// The older name of `Port.carAudio`.
public let AVAudioSessionPortCarAudio = AVAudioSession.Port.carAudio

/// The older name of `AVAudioSession.CategoryOptions`.
public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions
/// The older name of `AVAudioSession.SetActiveOptions`.
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions
/// The older name of `AVAudioSession.PortOverride`.
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride
/// The older name of `AVAudioSession.RecordPermission`.
public typealias AVAudioSessionRecordPermission = AVAudioSession.RecordPermission
/// The older name of `AVAudioSession.InterruptionType`.
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType
/// The older name of `AVAudioSession.InterruptionOptions`.
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions
/// The older name of `AVAudioSession.RouteChangeReason`.
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason
/// The older name of `AVAudioSession.SilenceSecondaryAudioHintType`.
public typealias AVAudioSessionSilenceSecondaryAudioHintType =
  AVAudioSession.SilenceSecondaryAudioHintType

extension NSNotification.Name {
  /// The older name of `interruptionNotification`.
  public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
  /// The older name of `routeChangeNotification`.
  public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
  /// The older name of `mediaServicesWereLostNotification`.
  public static let AVAudioSessionMediaServicesWereLost =
    AVAudioSession.mediaServicesWereLostNotification
  /// The older name of `mediaServicesWereResetNotification`.
  public static let AVAudioSessionMediaServicesWereReset =
    AVAudioSession.mediaServicesWereResetNotification
  /// The older name of `silenceSecondaryAudioHintNotification`.
  public static let AVAudioSessionSilenceSecondaryAudioHint =
    AVAudioSession.silenceSecondaryAudioHintNotification
}

extension AVAudioSession {
  /// As `setCategory(_:options:)`.
  public func setCategory(_ category: Category, withOptions options: CategoryOptions) throws {
    try setCategory(category, options: options)
  }

  /// As `setCategory(_:options:)`.
  public func setCategory(_ category: Category, with options: CategoryOptions) throws {
    try setCategory(category, options: options)
  }

  /// As `setActive(_:options:)`.
  public func setActive(_ active: Bool, withOptions options: SetActiveOptions) throws {
    try setActive(active, options: options)
  }

  /// As `setActive(_:options:)`.
  public func setActive(_ active: Bool, with options: SetActiveOptions) throws {
    try setActive(active, options: options)
  }

  /// As `setActive(_:options:)`, with the option's raw value.
  public func setActive(_ active: Bool, withFlags flags: Int) throws {
    try setActive(active, options: SetActiveOptions(rawValue: UInt(bitPattern: flags)))
  }

  /// As `setPreferredSampleRate(_:)`.
  public func setPreferredHardwareSampleRate(_ sampleRate: Double) throws {
    try setPreferredSampleRate(sampleRate)
  }

  /// As `preferredSampleRate`.
  public var preferredHardwareSampleRate: Double { preferredSampleRate }
  /// As `sampleRate`.
  public var currentHardwareSampleRate: Double { sampleRate }
  /// As `inputNumberOfChannels`.
  public var currentHardwareInputNumberOfChannels: Int { inputNumberOfChannels }
  /// As `outputNumberOfChannels`.
  public var currentHardwareOutputNumberOfChannels: Int { outputNumberOfChannels }
  /// As `isInputAvailable`.
  public var inputIsAvailable: Bool { isInputAvailable }
}
