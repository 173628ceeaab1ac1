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
    /// The usual output.
    case none = 0
    /// The loudspeaker.
    case speaker = 0x7370_6b72  // 'spkr'
  }

  /// Whether recording is permitted.
  public enum RecordPermission: UInt, Sendable {
    /// The user has not been asked.
    case undetermined = 0x756e_6474  // 'undt'
    /// The user does not permit it.
    case denied = 0x6465_6e79  // 'deny'
    /// The user permits it.
    case granted = 0x6772_6e74  // 'grnt'
  }

  /// Whether input and output run on one clock.
  public enum IOType: UInt, Sendable {
    /// The system decides.
    case notSpecified = 0
    /// On one clock.
    case aggregated = 1
  }

  /// Whether an interruption has begun or ended.
  public enum InterruptionType: UInt, Sendable {
    /// The sound has stopped.
    case began = 1
    /// The program may play on.
    case ended = 0
  }

  /// Whether less important sound should fall silent.
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// Another program plays what is more important.
    case begin = 1
    /// It has ended.
    case end = 0
  }

  /// How a device is held while it captures in stereo.
  public enum StereoOrientation: Int, Sendable {
    /// Unknown, or one channel.
    case none = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// On its side, with the bottom to the right.
    case landscapeRight = 3
    /// On its side, with the bottom to the left.
    case landscapeLeft = 4
  }

  /// How long spoken prompts may be.
  public enum PromptStyle: UInt, Sendable {
    /// No prompts at all.
    case none = 0x6e6f_6e65  // 'none'
    /// Only sounds and short words.
    case short = 0x7368_7274  // 'shrt'
    /// Sentences.
    case normal = 0x6e72_6d6c  // 'nrml'
  }

  /// How more than two channels are rendered.
  public enum RenderingMode: Int, Sendable {
    /// There is no output.
    case notApplicable = 0
    /// One or two channels.
    case monoStereo = 1
    /// More than two channels.
    case surround = 2
    /// Placed around the listener.
    case spatialAudio = 3
    /// Dolby Audio.
    case dolbyAudio = 4
    /// Dolby Atmos.
    case dolbyAtmos = 5
  }

  /// Codes of errors in the domain `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Sendable {
    /// No error.
    case none = 0
    /// The sound server has ended.
    case mediaServicesFailed = 0x6d73_7276  // 'msrv'
    /// Units of the program still run.
    case isBusy = 0x2161_6374  // '!act'
    /// The category does not allow it.
    case incompatibleCategory = 0x2163_6174  // '!cat'
    /// Another program cannot be interrupted.
    case cannotInterruptOthers = 0x2169_6e74  // '!int'
    /// The program may not do this.
    case missingEntitlement = 0x656e_743f  // 'ent?'
    /// An assistant captures; never here.
    case siriIsRecording = 0x7369_7269  // 'siri'
    /// The program may not play now.
    case cannotStartPlaying = 0x2170_6c61  // '!pla'
    /// The program may not capture now.
    case cannotStartRecording = 0x2172_6563  // '!rec'
    /// An argument is not possible.
    case badParam = -50
    /// Another program is more important.
    case insufficientPriority = 0x2170_7269  // '!pri'
    /// The device cannot do this.
    case resourceNotAvailable = 0x2172_6573  // '!res'
    /// Another reason.
    case unspecified = 0x7768_6174  // 'what'
    /// The session has ended.
    case expiredSession = 0x2173_6573  // '!ses'
    /// The session is not active.
    case sessionNotActive = 0x696e_6163  // 'inac'
  }
}

extension SessionPolicy {
  /// The older name of `longFormAudio`.
  public static let longForm = longFormAudio
}
