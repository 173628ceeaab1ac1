// SPDX-License-Identifier: Apache-2.0
public import AudioSessions
import AudioToolbox

// The option sets and enumerations of a session. Those that the session itself knows are declared
// with it.
extension AVAudioSession {
  /// How a category behaves towards other programs and devices.
  public typealias CategoryOptions = SessionOptions
  /// How the output is chosen.
  public typealias RouteSharingPolicy = SessionPolicy
  /// Why an interruption began.
  public typealias InterruptionReason = SessionInterruptionReason
  /// Why the route has changed.
  public typealias RouteChangeReason = SessionRouteChangeReason

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

extension SessionPolicy {
  /// The older name of `longFormAudio`.
  public static let longForm = longFormAudio
}
