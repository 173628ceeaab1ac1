// SPDX-License-Identifier: Apache-2.0

/// Details of a device from a server, beyond what a stream needs.
public struct DeviceDetails: Equatable, Sendable {
  /// The volume of each channel as the server's mixers show it: 0 to 1, the cube root of an amplitude.
  /// Nil where the server keeps none.
  public var volumes: [Float]?
  /// Whether the server mutes it; nil where it cannot.
  public var isMuted: Bool?
  /// Whether any process plays to it or captures from it; nil if unknown.
  public var isRunning: Bool?
  /// What it can be connected to, such as a line and headphones, and which of them is chosen.
  public var ports: [DevicePort] = []
  public var activePort: String?
  /// How the hardware is connected: "pci", "usb", "bluetooth", "firewire"; empty when unknown.
  public var bus = ""
  /// The kind of device: "internal", "speaker", "headphone", "headset", "microphone", "hdmi" …;
  /// empty when unknown.
  public var form = ""
  /// The name of an icon in icon themes; empty when there is none.
  public var iconName = ""
  /// The hardware's manufacturer, name and number; empty when unknown.
  public var maker = ""
  public var model = ""
  public var serialNumber = ""
  /// The same for all devices of one piece of hardware; empty when unknown.
  public var card = ""
  /// Rates that the server can be switched to, in frames per second; empty when it cannot.
  public var switchableRates: [Double] = []
  /// Cycle sizes in frames that the server can be switched to, for all programs; nil when it cannot.
  public var switchableCycles: ClosedRange<Int>?
  /// Bits of a sample in the hardware; nil when unknown.
  public var sampleBits: Int?
  public var hasFloatSamples = false
  /// Seconds between the device's buffer and its analog side, as known while nothing runs.
  public var latency = 0.0
  /// Whether it can be made the default device.
  public var canBeDefault = false
  /// Whether the program that opens it uses it exclusively.
  public var isExclusive = false
  /// The process that uses it exclusively; nil when none does.
  public var owner: Int32?
  /// The UIDs of the devices that it combines; empty when it combines none.
  public var parts: [String] = []
  /// Channels of each stream of one direction; empty: one stream with all of them.
  public var inputStreams: [Int] = []
  public var outputStreams: [Int] = []

  public init() {}
}

/// One thing that a device can be connected to.
public struct DevicePort: Equatable, Sendable {
  /// Its name on the server.
  public var name: String
  /// Its name for display.
  public var description: String
  /// Whether something is plugged in; nil when unknown.
  public var isPlugged: Bool?

  public init(name: String, description: String, isPlugged: Bool? = nil) {
    self.name = name
    self.description = description
    self.isPlugged = isPlugged
  }
}

/// Changes of a device that a server can make: they affect all programs.
public enum DeviceChange: Equatable, Sendable {
  /// A volume for each channel, 0 to 1 as mixers show it.
  case volumes([Float])
  case mute(Bool)
  /// The name of a port.
  case port(String)
  /// The default device.
  case defaultInput, defaultOutput
  /// Frames per second.
  case sampleRate(Double)
  /// Frames of a cycle.
  case cycleFrames(Int)
  /// Whether this process reserves it, even while it plays and captures nothing.
  case exclusive(Bool)
}
