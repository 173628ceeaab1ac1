// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import CAudioToolbox
import Glibc
@_spi(TrappingConversions) import CheckedNumbers

// The kind of a device, according to its server, its name and its back end.
extension Device {
  /// The connection of its hardware. Servers that report nothing else name a device after its bus.
  var transportType: UInt32 {
    if !details.parts.isEmpty { return UInt32(kAudioDeviceTransportTypeAggregate) }
    if backend == NullBackend.name || backend == FileBackend.name {
      return UInt32(kAudioDeviceTransportTypeVirtual)
    }
    if details.form == "internal" { return UInt32(kAudioDeviceTransportTypeBuiltIn) }
    let marks: [(text: String, type: UInt32)] = [
      ("hdmi", UInt32(kAudioDeviceTransportTypeHDMI)),
      ("bluez", UInt32(kAudioDeviceTransportTypeBluetooth)),
      ("bluetooth", UInt32(kAudioDeviceTransportTypeBluetooth)),
      (".usb-", UInt32(kAudioDeviceTransportTypeUSB)),
      ("usb:", UInt32(kAudioDeviceTransportTypeUSB)),
      ("firewire", UInt32(kAudioDeviceTransportTypeFireWire)),
      (".pci-", UInt32(kAudioDeviceTransportTypePCI)),
      ("pci:", UInt32(kAudioDeviceTransportTypePCI)),
    ]
    let text = uid + " " + details.bus + ":"
    return marks.first { text.contains($0.text) }?.type ?? UInt32(kAudioDeviceTransportTypeUnknown)
  }

  /// The terminal type of an endpoint.
  func terminalType(isInput: Bool) -> UInt32 {
    let endpoint = endpoint(isInput: isInput)
    let text = endpoint.details.form + " " + (endpoint.details.activePort ?? "").lowercased()
    let marks: [(text: String, input: Int, output: Int)] = [
      (
        "headphone", Int(kAudioStreamTerminalTypeHeadsetMicrophone),
        Int(kAudioStreamTerminalTypeHeadphones)
      ),
      (
        "headset", Int(kAudioStreamTerminalTypeHeadsetMicrophone),
        Int(kAudioStreamTerminalTypeHeadphones)
      ),
      ("hdmi", Int(kAudioStreamTerminalTypeHDMI), Int(kAudioStreamTerminalTypeHDMI)),
      (
        "iec958", Int(kAudioStreamTerminalTypeDigitalAudioInterface),
        Int(kAudioStreamTerminalTypeDigitalAudioInterface)
      ),
      ("speaker", Int(kAudioStreamTerminalTypeMicrophone), Int(kAudioStreamTerminalTypeSpeaker)),
      ("internal", Int(kAudioStreamTerminalTypeMicrophone), Int(kAudioStreamTerminalTypeSpeaker)),
      ("mic", Int(kAudioStreamTerminalTypeMicrophone), Int(kAudioStreamTerminalTypeSpeaker)),
      ("line", Int(kAudioStreamTerminalTypeLine), Int(kAudioStreamTerminalTypeLine)),
    ]
    let mark = marks.first { text.contains($0.text) }
    return UInt32(clamping: mark.map { isInput ? $0.input : $0.output } ?? 0)
  }

  /// Its manufacturer, or its back end if that is unknown.
  var maker: String { details.maker.isEmpty ? backend : details.maker }

  /// Its model name, or its own name if that is unknown.
  var modelName: String { details.model.isEmpty ? name : details.model }

  /// The devices of the same hardware, including itself.
  var related: [Device] {
    guard !details.card.isEmpty else { return [self] }
    let others = DeviceCache.devices(of: backend).filter {
      $0.details.card == details.card && $0.uid != uid
    }
    return [self] + others
  }
}

/// Finds pictures of devices among the icon themes of the desktop.
enum DeviceIcon {
  /// The path of a picture. Nil if the machine has none.
  static func path(of device: Device) -> String? {
    let names = [device.details.iconName, name(of: device), "audio-card"].filter { !$0.isEmpty }
    for name in names {
      for folder in folders {
        for ending in ["svg", "png"] {
          let path = "\(folder)/\(name).\(ending)"
          if access(path, R_OK) == 0 { return path }
        }
        let symbolic = "\(folder)/\(name)-symbolic.svg"
        if access(symbolic, R_OK) == 0 { return symbolic }
      }
    }
    return nil
  }

  /// The name of a kind of device in the icon naming specification.
  private static func name(of device: Device) -> String {
    switch device.details.form {
    case "headphone": "audio-headphones"
    case "headset", "hands-free": "audio-headset"
    case "speaker", "internal", "portable", "car", "hifi":
      device.outputChannelCount > 0 ? "audio-speakers" : "audio-input-microphone"
    case "microphone", "webcam": "audio-input-microphone"
    default: device.outputChannelCount > 0 ? "audio-card" : "audio-input-microphone"
    }
  }

  /// The name of the desktop's mixer program. Nil if none is installed.
  static var mixer: String? {
    let known = [
      "org.pulseaudio.pavucontrol", "pavucontrol", "com.saivert.pwvucontrol", "pavucontrol-qt",
      "gnome-sound-panel", "kcm_pulseaudio",
    ]
    return known.first { name in
      roots.contains { access("\($0)/applications/\(name).desktop", R_OK) == 0 }
    }
  }

  private static var roots: [Substring] {
    let data = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
    return (data.isEmpty ? "/usr/local/share:/usr/share" : data).split(separator: ":")
  }

  private static var folders: [String] {
    roots.flatMap { root in
      ["hicolor", "Adwaita", "breeze"].flatMap { theme in
        ["scalable", "symbolic", "48x48", "32x32", "24x24"].map {
          "\(root)/icons/\(theme)/\($0)/devices"
        }
      }
    }
  }
}
