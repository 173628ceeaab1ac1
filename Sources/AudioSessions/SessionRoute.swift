// SPDX-License-Identifier: Apache-2.0
import CoreAudio
@_spi(TrappingConversions) import CheckedNumbers

/// The current inputs and outputs. A port is one side of a device.
package struct SessionRoute: Equatable, Sendable {
  package var inputs: [SessionPort] = []
  package var outputs: [SessionPort] = []
}

/// One side of a device as a port of a session.
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
  /// The type, spelled like the constants of `AVAudioSession.Port`.
  package let type: PortType
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
    type = PortType(of: device, called: name, uid, selectedSource?.name ?? "")
  }
}

/// Kinds of ports. The raw values are those of the constants of `AVAudioSession.Port`.
package enum PortType: String, CaseIterable, Sendable {
  case builtInMic = "MicrophoneBuiltIn"
  case headsetMic = "MicrophoneWired"
  case lineIn = "LineIn"
  case continuityMicrophone = "ContinuityMicrophone"
  case lineOut = "LineOut"
  case headphones = "Headphones"
  case bluetoothA2DP = "BluetoothA2DPOutput"
  case builtInReceiver = "Receiver"
  case builtInSpeaker = "Speaker"
  case hdmi = "HDMIOutput"
  case airPlay = "AirPlay"
  case bluetoothLE = "BluetoothLE"
  case bluetoothHFP = "BluetoothHFP"
  case usbAudio = "USBAudio"
  case carAudio = "CarAudio"
  case virtual = "Virtual"
  case pci = "PCI"
  case fireWire = "FireWire"
  case displayPort = "DisplayPort"
  case avb = "AVB"
  case thunderbolt = "Thunderbolt"

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
    case UInt32(clamping: kAudioDeviceTransportTypeHDMI): self = .hdmi
    case UInt32(clamping: kAudioDeviceTransportTypeDisplayPort): self = .displayPort
    case UInt32(clamping: kAudioDeviceTransportTypeAirPlay): self = .airPlay
    case UInt32(clamping: kAudioDeviceTransportTypeAVB): self = .avb
    case UInt32(clamping: kAudioDeviceTransportTypeThunderbolt): self = .thunderbolt
    case UInt32(clamping: kAudioDeviceTransportTypeFireWire): self = .fireWire
    case UInt32(clamping: kAudioDeviceTransportTypeVirtual),
      UInt32(clamping: kAudioDeviceTransportTypeAggregate):
      self = .virtual
    case UInt32(clamping: kAudioDeviceTransportTypeBuiltIn),
      UInt32(clamping: kAudioDeviceTransportTypePCI):
      if mentions("hdmi") {
        self = .hdmi
      } else if mentions("headphone") || mentions("headset") {
        self = isInput ? .headsetMic : .headphones
      } else if mentions("built-in") || mentions("analog")
        || device.transport == UInt32(clamping: kAudioDeviceTransportTypeBuiltIn)
      {
        self = isInput ? .builtInMic : .builtInSpeaker
      } else {
        self = .pci
      }
    default: self = isInput ? .lineIn : .lineOut
    }
  }
}
