// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What is known about a plug-in without loading it, in the same terms for every format. It can be stored.
public struct PlugInDescription: Codable, Sendable, Equatable {
  public var format: PlugInFormat
  /// What identifies it on every machine: the URI (LV2), "library:label" (LADSPA) or id (CLAP).
  public var identifier: String
  /// The library (LADSPA, CLAP) or the folder of the bundle (LV2) that contains it.
  public var path: String
  public var name: String
  public var maker: String
  /// The version of its component: major in the upper 16 bits, minor and patch in eight each.
  public var version: UInt32 = 0x0001_0000
  /// What it does, as far as its type does not follow from its ports.
  public var kind = Kind.effect
  public var inputs: [PlugInBus] = []
  public var outputs: [PlugInBus] = []
  public var acceptsMIDI = false
  public var sendsMIDI = false
  public var parameters: [PlugInParameter] = []
  public var presets: [PlugInPreset] = []
  /// The ports for events (LV2).
  public var eventPorts: [PlugInEventPort] = []
  /// The latency at a rate of 44,100 with default values, if it is known.
  public var latencyFrames: Int?
  /// Words of its format, such as the features that it requires, or its classes.
  public var features: [String] = []
  /// The codes that it has as an audio unit elsewhere.
  public var ownCodes: PlugInCodes?
  /// Why no instance can be made; empty if one can.
  public var refusals: [String] = []

  /// What a plug-in does.
  public enum Kind: String, Codable, Sendable {
    case effect, instrument
  }

  /// A plug-in without ports yet.
  public init(
    _ format: PlugInFormat, _ identifier: String, path: String, name: String, maker: String
  ) {
    self.format = format
    self.identifier = identifier
    self.path = path
    self.name = name
    self.maker = maker
  }

  /// Whether it follows the host's position in musical time: every CLAP plug-in may.
  public var usesPosition: Bool {
    format == .clap || usedEventPort(isInput: true)?.hasPosition ?? false
  }

  /// The only event port that the host uses in a direction: of several, one with MIDI and, if possible,
  /// with the position.
  func usedEventPort(isInput: Bool) -> PlugInEventPort? {
    let ports = eventPorts.filter { $0.isInput == isInput }
    return ports.first { $0.hasMIDI && $0.hasPosition } ?? ports.first { $0.hasMIDI }
      ?? ports.first { $0.hasPosition } ?? ports.first
  }

  /// The name of its component: "Maker: Name".
  public var componentName: String { "\(maker.isEmpty ? format.name : maker): \(name)" }
}

/// The channels of a plug-in that belong together.
public struct PlugInBus: Codable, Sendable, Equatable {
  public var name: String
  /// The channels, by the numbers of their ports; for CLAP, the channels of the port in order.
  public var ports: [Int]
  public var role = Role.sound

  /// What it carries.
  public enum Role: String, Codable, Sendable {
    case sound, sideChain
    /// A control signal at the rate of the sound: LV2's CV.
    case control
  }

  public init(_ name: String, _ ports: [Int], _ role: Role = .sound) {
    self.name = name
    self.ports = ports
    self.role = role
  }

  /// How many channels it has.
  public var channelCount: Int { ports.count }
}

extension PlugInBus {
  /// The buses of ports without groups: all in one bus, unless there are more inputs than two and than
  /// outputs. Then the first two are the main bus.
  static func split(_ inputs: [Int], _ outputs: [Int]) -> (inputs: [Self], outputs: [Self]) {
    var buses: [Self] = []
    if inputs.count > 2, inputs.count > outputs.count {
      buses = [Self("Main Input", Array(inputs.prefix(2)))]
      buses.append(Self("Input 2", Array(inputs.dropFirst(2))))
    } else if !inputs.isEmpty {
      buses = [Self("Main Input", inputs)]
    }
    return (buses, outputs.isEmpty ? [] : [Self("Main Output", outputs)])
  }
}

/// A value that hosts set, or read if it is a meter.
public struct PlugInParameter: Codable, Sendable, Equatable {
  /// The identifier of the audio unit's parameter.
  public var id: UInt32
  /// The port (LADSPA, LV2), or the index among the parameters (CLAP).
  public var port: Int
  /// The lasting name of the port (LV2).
  public var symbol: String?
  public var name: String
  /// A constant of `AudioUnitParameterUnit`, and the unit in words if it is the custom one.
  public var unit: UInt32 = AudioUnitParameterUnit.generic.rawValue
  public var unitName: String?
  public var minimum: Float = 0
  public var maximum: Float = 1
  public var defaultValue: Float = 0
  /// Whether minimum and maximum are multiples of the sample rate, and whether the default is.
  public var isInRates = false
  public var defaultIsInRates = false
  /// Whether any value below the minimum, or above the maximum, is accepted.
  public var acceptsBelow = false
  public var acceptsAbove = false
  public var isInteger = false
  public var isReadOnly = false
  public var isLogarithmic = false
  /// Whether hosts show it to experts only, and whether changing it is unfit for a render.
  public var isHidden = false
  public var isNotForRenders = false
  /// What the port does, if a host uses it in a way of its own.
  public var purpose = Purpose.value
  /// The values with names, in ascending order.
  public var points: [Point] = []
  /// Whether its values have texts that only the plug-in knows.
  public var hasTexts = false
  /// The group in which hosts show it.
  public var group: String?

  /// A value with a name.
  public struct Point: Codable, Sendable, Equatable {
    /// In the unit of the parameter.
    public var value: Float
    public var name: String
  }

  /// What a port means.
  public enum Purpose: String, Codable, Sendable {
    case value
    /// Returns to its default after one render.
    case trigger
    /// 0 bypasses the plug-in (`enabled`), or 1 does (`bypass`).
    case enabled, bypass
    /// 1 while the host renders offline.
    case offline
    /// The frames by which the output lags.
    case latency
  }

  public init(_ id: UInt32, port: Int, name: String) {
    self.id = id
    self.port = port
    self.name = name
  }

  /// Whether hosts see it as a parameter.
  public var isVisible: Bool { purpose == .value || purpose == .trigger }
}

/// A port for events, such as MIDI.
public struct PlugInEventPort: Codable, Sendable, Equatable {
  public var port: Int
  public var isInput: Bool
  public var hasMIDI: Bool
  /// Whether it takes positions in musical time.
  public var hasPosition: Bool
  /// The least size of its memory; 0 if the plug-in does not say.
  public var bytes: Int
}

/// A factory preset.
public struct PlugInPreset: Codable, Sendable, Equatable {
  public var name: String
  /// Where its contents are, in terms of the format.
  public var identifier: String
  /// The values of parameters that are known without loading the plug-in.
  public var values: [UInt32: Float]

  public init(_ name: String, _ identifier: String, _ values: [UInt32: Float]) {
    self.name = name
    self.identifier = identifier
    self.values = values
  }
}

/// The codes of a plug-in's component. They are in presets and documents, so they follow from the
/// identifier and the maker alone, and never change.
public struct PlugInCodes: Codable, Sendable, Equatable, Hashable {
  public var type: UInt32
  public var subType: UInt32
  public var manufacturer: UInt32

  public init(type: UInt32, subType: UInt32, manufacturer: UInt32) {
    self.type = type
    self.subType = subType
    self.manufacturer = manufacturer
  }
}
