// SPDX-License-Identifier: Apache-2.0

/// Details of a device from a server, beyond what a stream needs.
public struct DeviceDetails: Equatable, Sendable {
  /// The volume of each channel as the server's mixers show it: 0 to 1, the cube root of an
  /// amplitude. Nil if the server has no volume.
  public var volumes: [Float]?
  /// Whether the server mutes it. Nil if it has no mute switch.
  public var isMuted: Bool?
  /// Whether any process plays to it or captures from it. Nil if unknown.
  public var isRunning: Bool?
  /// Whether another process plays to it. Nil if the server does not tell processes apart.
  public var othersPlay: Bool?
  /// Whether it captures what an output device plays. A monitor is never the default input, so that
  /// sound that is passed through does not feed back.
  public var isMonitor = false
  /// The connectors to choose from, such as line and headphones, and the selected one.
  public var ports: [DevicePort] = []
  public var activePort: String?
  /// How the hardware is connected: "pci", "usb", "bluetooth", "firewire". Empty if unknown.
  public var bus = ""
  /// The kind of device: "internal", "speaker", "headphone", "headset", "microphone", "hdmi" ….
  /// Empty if unknown.
  public var form = ""
  /// The name of an icon in icon themes. Empty if there is none.
  public var iconName = ""
  /// The hardware's manufacturer, model and serial number. Empty if unknown.
  public var maker = ""
  public var model = ""
  public var serialNumber = ""
  /// Equal for all devices of one piece of hardware. Empty if unknown.
  public var card = ""
  /// Rates that the server can switch to, in frames per second. Empty if it cannot switch.
  public var switchableRates: [Double] = []
  /// Cycle sizes in frames that the server can switch to, for all programs. Nil if it cannot
  /// switch.
  public var switchableCycles: ClosedRange<Int>?
  /// Bits of a sample in the hardware. Nil if unknown.
  public var sampleBits: Int?
  public var hasFloatSamples = false
  /// Seconds between the device's buffer and its analog signal, as reported while nothing runs.
  public var latency = 0.0
  /// Whether it can be made the default device.
  public var canBeDefault = false
  /// Whether only one program at a time can open it.
  public var isExclusive = false
  /// The process that uses it exclusively. Nil if there is none.
  public var owner: Int32?
  /// The UIDs of the devices that it combines. Empty if it is not an aggregate.
  public var parts: [String] = []
  /// The channel count of each stream of a direction. Empty if one stream has all channels.
  public var inputStreams: [Int] = []
  public var outputStreams: [Int] = []

  public init() {}
}

/// A connector of a device.
public struct DevicePort: Equatable, Sendable {
  /// Its name on the server.
  public var name: String
  /// Its name for display.
  public var description: String
  /// Whether something is plugged in. Nil if unknown.
  public var isPlugged: Bool?

  public init(name: String, description: String, isPlugged: Bool? = nil) {
    self.name = name
    self.description = description
    self.isPlugged = isPlugged
  }
}

/// Changes of a device that a server can make. They affect all programs.
public enum DeviceChange: Equatable, Sendable {
  /// A volume for each channel, 0 to 1, as mixers show it.
  case volumes([Float])
  case mute(Bool)
  /// The name of a port.
  case port(String)
  /// Makes it the default device.
  case defaultInput, defaultOutput
  /// Frames per second.
  case sampleRate(Double)
  /// The cycle size in frames.
  case cycleFrames(Int)
  /// Whether this process reserves it, even while it has no stream.
  case exclusive(Bool)
}
