// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// The string constants of a session. They are typed strings in Objective-C, and so structures with
// a string here.
extension AVAudioSession {
  /// The purpose for which a program uses sound.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A refinement of the category.
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

  /// The position of a data source in its device.
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The lower part.
    public static let lower = Self(rawValue: "Lower")
    /// The upper part.
    public static let upper = Self(rawValue: "Upper")
  }

  /// The direction in which a data source points.
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

  /// The directivity of a microphone.
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    /// The word or the number itself.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Equal sensitivity in all directions.
    public static let omnidirectional = Self(rawValue: "Omnidirectional")
    /// Most sensitive to the front.
    public static let cardioid = Self(rawValue: "Cardioid")
    /// Most sensitive to the front, less to the back.
    public static let subcardioid = Self(rawValue: "Subcardioid")
    /// Two channels.
    public static let stereo = Self(rawValue: "Stereo")
  }
}

extension AVAudioSession.Category {
  /// Sound that the program does not depend on; it mixes with other programs' sound.
  public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
  /// Sound that the program does not depend on; the default of a new session.
  public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
  /// Playback is the program's main purpose.
  public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
  /// Recording only.
  public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
  /// Playback and recording.
  public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
  /// Neither playback nor recording: sound is processed without a device.
  public static let audioProcessing = Self(rawValue: "AVAudioSessionCategoryAudioProcessing")
  /// Several devices at the same time.
  public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")
}

extension AVAudioSession.Mode {
  /// No refinement; the default of a new session.
  public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
  /// A call.
  public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
  /// A call within a game.
  public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
  /// Recording of a video.
  public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
  /// As little signal processing as possible.
  public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
  /// A film.
  public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
  /// A video call.
  public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
  /// Speech, which pauses when another program plays speech.
  public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
  /// Short announcements.
  public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
  /// Short videos.
  public static let shortFormVideo = Self(rawValue: "AVAudioSessionModeShortFormVideo")
  /// A headset and a loudspeaker at the same time.
  public static let dualRoute = Self(rawValue: "AVAudioSessionModeDualRoute")
}

extension AVAudioSession.Port {
  /// A microphone of the machine.
  public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
  /// The microphone of a wired headset.
  public static let headsetMic = Self(rawValue: "MicrophoneWired")
  /// A line input, or an input of unknown kind.
  public static let lineIn = Self(rawValue: "LineIn")
  /// The microphone of another machine.
  public static let continuityMicrophone = Self(rawValue: "ContinuityMicrophone")
  /// A line output, or an output of unknown kind.
  public static let lineOut = Self(rawValue: "LineOut")
  /// Wired headphones.
  public static let headphones = Self(rawValue: "Headphones")
  /// A Bluetooth device with only an output.
  public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
  /// The earpiece of the machine.
  public static let builtInReceiver = Self(rawValue: "Receiver")
  /// A loudspeaker of the machine.
  public static let builtInSpeaker = Self(rawValue: "Speaker")
  /// HDMI.
  public static let HDMI = Self(rawValue: "HDMIOutput")
  /// A player in the network.
  public static let airPlay = Self(rawValue: "AirPlay")
  /// Bluetooth Low Energy.
  public static let bluetoothLE = Self(rawValue: "BluetoothLE")
  /// A Bluetooth device with output and input.
  public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
  /// USB.
  public static let usbAudio = Self(rawValue: "USBAudio")
  /// A car.
  public static let carAudio = Self(rawValue: "CarAudio")
  /// A device without hardware: a file, silence, or an aggregate.
  public static let virtual = Self(rawValue: "Virtual")
  /// A sound card in a slot.
  public static let PCI = Self(rawValue: "PCI")
  /// FireWire.
  public static let fireWire = Self(rawValue: "FireWire")
  /// DisplayPort.
  public static let displayPort = Self(rawValue: "DisplayPort")
  /// Audio Video Bridging: a network with a common clock.
  public static let AVB = Self(rawValue: "AVB")
  /// Thunderbolt.
  public static let thunderbolt = Self(rawValue: "Thunderbolt")
}
