// SPDX-License-Identifier: Apache-2.0
import CoreAudio
@_spi(TrappingConversions) import CheckedNumbers

/// The current inputs and outputs. A port is an endpoint of a device.
package struct SessionRoute: Equatable, Sendable {
  package var inputs: [SessionPort] = []
  package var outputs: [SessionPort] = []
}

/// An endpoint of a device as a port of a session.
package struct SessionPort: Equatable, Sendable {
  /// A channel of a port.
  package struct Channel: Equatable, Sendable {
    package let name: String
    /// Counted from 1.
    package let number: Int
    package let label: AudioChannelLabel
  }

  /// A data source or destination to which a port can be switched.
  package struct Source: Equatable, Sendable {
    package let id: UInt32
    package let name: String
  }

  package let isInput: Bool
  package let type: SessionPortType
  package let name: String
  package let uid: String
  package let channels: [Channel]
  package let sources: [Source]
  package let selectedSource: Source?

  init(_ device: SessionDevice) {
    isInput = device.isInput
    uid = device.uid
    name = device.name
    let labels = device.channelLabels
    channels = (0..<device.channelCount).map {
      Channel(
        name: device.channelName($0 + 1), number: $0 + 1,
        label: $0 < labels.count
          ? labels[$0] : AudioChannelLabel(clamping: Int(kAudioChannelLabel_Discrete_0) + $0))
    }
    sources = device.sources.map { Source(id: $0, name: device.sourceName($0)) }
    let source = device.source
    selectedSource = sources.first { $0.id == source }
    type = SessionPortType(of: device, called: name, uid, selectedSource?.name ?? "")
  }
}

/// How a device is connected: a typed string, as in Objective-C.
public struct SessionPortType: RawRepresentable, Hashable, Sendable {
  /// The word itself.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

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

  /// The kind of a device's port, derived from the device's bus and from its names, in which
  /// servers mention profiles and active ports.
  init(of device: SessionDevice, called name: String, _ uid: String, _ source: String) {
    let words = [uid, name, source].joined(separator: " ").lowercased()
    func mentions(_ text: String) -> Bool { words.contains(text) }
    let isInput = device.isInput
    switch device.transport {
    case UInt32(clamping: kAudioDeviceTransportTypeBluetooth):
      self =
        mentions("a2dp") || !(isInput || mentions("headset") || mentions("hfp"))
        ? .bluetoothA2DP : .bluetoothHFP
    case UInt32(clamping: kAudioDeviceTransportTypeBluetoothLE): self = .bluetoothLE
    case UInt32(clamping: kAudioDeviceTransportTypeUSB): self = .usbAudio
    case UInt32(clamping: kAudioDeviceTransportTypeHDMI): self = .HDMI
    case UInt32(clamping: kAudioDeviceTransportTypeDisplayPort): self = .displayPort
    case UInt32(clamping: kAudioDeviceTransportTypeAirPlay): self = .airPlay
    case UInt32(clamping: kAudioDeviceTransportTypeAVB): self = .AVB
    case UInt32(clamping: kAudioDeviceTransportTypeThunderbolt): self = .thunderbolt
    case UInt32(clamping: kAudioDeviceTransportTypeFireWire): self = .fireWire
    case UInt32(clamping: kAudioDeviceTransportTypeVirtual),
      UInt32(clamping: kAudioDeviceTransportTypeAggregate):
      self = .virtual
    case UInt32(clamping: kAudioDeviceTransportTypeBuiltIn),
      UInt32(clamping: kAudioDeviceTransportTypePCI):
      if mentions("hdmi") {
        self = .HDMI
      } else if mentions("headphone") || mentions("headset") {
        self = isInput ? .headsetMic : .headphones
      } else if mentions("built-in") || mentions("analog")
        || device.transport == UInt32(clamping: kAudioDeviceTransportTypeBuiltIn)
      {
        self = isInput ? .builtInMic : .builtInSpeaker
      } else {
        self = .PCI
      }
    default: self = isInput ? .lineIn : .lineOut
    }
  }
}
