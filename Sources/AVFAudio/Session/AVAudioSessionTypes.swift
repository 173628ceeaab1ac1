// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// The names that a session's calls take: words in Objective-C, and so structures around a text here.
extension AVAudioSession {
  /// What a program uses sound for.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What is special about the use.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// How a device is connected.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Where in a housing a data source is.
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The lower part.
    public static let lower = Self(rawValue: "Lower")
    /// The upper part.
    public static let upper = Self(rawValue: "Upper")
  }

  /// Which way a data source points.
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Up.
    public static let top = Self(rawValue: "Top")
    /// Down.
    public static let bottom = Self(rawValue: "Bottom")
    /// To the front.
    public static let front = Self(rawValue: "Front")
    /// To the back.
    public static let back = Self(rawValue: "Back")
    /// To the left.
    public static let left = Self(rawValue: "Left")
    /// To the right.
    public static let right = Self(rawValue: "Right")
  }

  /// From where a microphone hears best.
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// From everywhere.
    public static let omnidirectional = Self(rawValue: "Omnidirectional")
    /// From the front.
    public static let cardioid = Self(rawValue: "Cardioid")
    /// From the front, and less from behind.
    public static let subcardioid = Self(rawValue: "Subcardioid")
    /// With two channels.
    public static let stereo = Self(rawValue: "Stereo")
  }
}

extension AVAudioSession.Category {
  /// Sound that the program could do without; it mixes with that of others.
  public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
  /// Sound that the program could do without; the one of a new session.
  public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
  /// Sound that is what the program is for.
  public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
  /// Capture alone.
  public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
  /// Sound and capture at once.
  public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
  /// Neither: work on sound without a device.
  public static let audioProcessing = Self(rawValue: "AVAudioSessionCategoryAudioProcessing")
  /// Several devices at once.
  public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")
}

extension AVAudioSession.Mode {
  /// Nothing special; the one of a new session.
  public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
  /// A call.
  public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
  /// A call within a game.
  public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
  /// Capture for a video.
  public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
  /// As little processing as can be.
  public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
  /// A film.
  public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
  /// A call with pictures.
  public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
  /// Speech, which is paused for other speech.
  public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
  /// Short announcements.
  public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
  /// Short videos.
  public static let shortFormVideo = Self(rawValue: "AVAudioSessionModeShortFormVideo")
  /// A headset and a loudspeaker at once.
  public static let dualRoute = Self(rawValue: "AVAudioSessionModeDualRoute")
}

extension AVAudioSession.Port {
  /// A microphone of the machine.
  public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
  /// The microphone of a headset with a wire.
  public static let headsetMic = Self(rawValue: "MicrophoneWired")
  /// A line input, and what is of no known kind.
  public static let lineIn = Self(rawValue: "LineIn")
  /// The microphone of another machine.
  public static let continuityMicrophone = Self(rawValue: "ContinuityMicrophone")
  /// A line output, and what is of no known kind.
  public static let lineOut = Self(rawValue: "LineOut")
  /// Headphones with a wire.
  public static let headphones = Self(rawValue: "Headphones")
  /// Bluetooth, to play only.
  public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
  /// What is held to the ear.
  public static let builtInReceiver = Self(rawValue: "Receiver")
  /// A loudspeaker of the machine.
  public static let builtInSpeaker = Self(rawValue: "Speaker")
  /// HDMI.
  public static let HDMI = Self(rawValue: "HDMIOutput")
  /// A player in the network.
  public static let airPlay = Self(rawValue: "AirPlay")
  /// Bluetooth Low Energy.
  public static let bluetoothLE = Self(rawValue: "BluetoothLE")
  /// Bluetooth, to play and to capture.
  public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
  /// USB.
  public static let usbAudio = Self(rawValue: "USBAudio")
  /// A car.
  public static let carAudio = Self(rawValue: "CarAudio")
  /// No hardware: a file, silence, an aggregate.
  public static let virtual = Self(rawValue: "Virtual")
  /// A card that is no part of the machine.
  public static let PCI = Self(rawValue: "PCI")
  /// FireWire.
  public static let fireWire = Self(rawValue: "FireWire")
  /// DisplayPort.
  public static let displayPort = Self(rawValue: "DisplayPort")
  /// A network with a common clock.
  public static let AVB = Self(rawValue: "AVB")
  /// Thunderbolt.
  public static let thunderbolt = Self(rawValue: "Thunderbolt")
}
