// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// The option sets and enumerations of a session.
extension AVAudioSession {
  /// How a category behaves towards other programs and devices.
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The word or the number itself.
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

  /// How a session is activated and deactivated.
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Notify other programs that they may continue.
    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }

  /// Options of `activate(options:completionHandler:)`: none exist.
  public struct ActivationOptions: OptionSet, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  /// What to do after an interruption.
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Resume playback.
    public static let shouldResume = Self(rawValue: 1)
  }

  /// How the output is chosen.
  public enum RouteSharingPolicy: UInt, Sendable {
    case `default` = 0
    case longFormAudio = 1
    case independent = 2
    case longFormVideo = 3

    /// The older name of `longFormAudio`.
    public static let longForm = longFormAudio
  }

  /// Where to send the output.
  public enum PortOverride: UInt, Sendable {
    case none = 0
    case speaker = 0x7370_6b72  // 'spkr'
  }

  /// Whether recording is permitted.
  public enum RecordPermission: UInt, Sendable {
    case undetermined = 0x756e_6474  // 'undt'
    case denied = 0x6465_6e79  // 'deny'
    case granted = 0x6772_6e74  // 'grnt'
  }

  /// Whether input and output run on one clock.
  public enum IOType: UInt, Sendable {
    case notSpecified = 0
    case aggregated = 1
  }

  /// Whether an interruption has begun or ended.
  public enum InterruptionType: UInt, Sendable {
    case began = 1
    case ended = 0
  }

  /// Why an interruption began.
  public enum InterruptionReason: UInt, Sendable {
    case `default` = 0
    case appWasSuspended = 1
    case builtInMicMuted = 2
    case routeDisconnected = 4
  }

  /// Why the route has changed.
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }

  /// Whether less important sound should fall silent.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    case begin = 1
    case end = 0
  }

  /// How a device is held while it captures in stereo.
  public enum StereoOrientation: Int, Sendable {
    case none = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4
  }

  /// How long spoken prompts may be.
  public enum PromptStyle: UInt, Sendable {
    case none = 0x6e6f_6e65  // 'none'
    case short = 0x7368_7274  // 'shrt'
    case normal = 0x6e72_6d6c  // 'nrml'
  }

  /// How more than two channels are rendered.
  public enum RenderingMode: Int, Sendable {
    case notApplicable = 0
    case monoStereo = 1
    case surround = 2
    case spatialAudio = 3
    case dolbyAudio = 4
    case dolbyAtmos = 5
  }

  /// Codes of errors in the domain `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Sendable {
    case none = 0
    case mediaServicesFailed = 0x6d73_7276  // 'msrv'
    case isBusy = 0x2161_6374  // '!act'
    case incompatibleCategory = 0x2163_6174  // '!cat'
    case cannotInterruptOthers = 0x2169_6e74  // '!int'
    case missingEntitlement = 0x656e_743f  // 'ent?'
    case siriIsRecording = 0x7369_7269  // 'siri'
    case cannotStartPlaying = 0x2170_6c61  // '!pla'
    case cannotStartRecording = 0x2172_6563  // '!rec'
    case badParam = -50
    case insufficientPriority = 0x2170_7269  // '!pri'
    case resourceNotAvailable = 0x2172_6573  // '!res'
    case unspecified = 0x7768_6174  // 'what'
    case expiredSession = 0x2173_6573  // '!ses'
    case sessionNotActive = 0x696e_6163  // 'inac'
  }
}
