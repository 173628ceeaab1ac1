// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioValues
public import Foundation

/// Whether a bus is an input or an output of its unit.
public enum AUAudioUnitBusType: Int, Sendable {
  /// Inputs.
  case input = 1
  /// Outputs.
  case output = 2
}

/// An input or an output of a unit. [control thread]
///
/// A unit creates its buses; a host sets their formats while the unit has no render resources.
open class AUAudioUnitBus: NSObject, ObservedBus {
  private var present: AVAudioFormat
  private var hasEnabled = true
  /// The C unit's bus that it stands for, if any.
  private let bridged: BridgedBus?
  private weak var owner: AUAudioUnit?
  /// The observers of its array.
  private weak var observers: BusObservers?
  /// Called when the format has changed.
  final var formatChanged: () -> Void = {}

  /// The name for people, if it has one.
  open var name: String? {
    get { bridged.map(\.name) ?? ownName }
    set {
      guard let bridged else { return change("name") { ownName = newValue } }
      bridged.name = newValue
    }
  }
  private var ownName: String?

  /// Whether a host should supply memory for the unit's frames, or the unit has its own: true, until
  /// a host says otherwise.
  open var shouldAllocateBuffer = true {
    willSet { tell("shouldAllocateBuffer", .before) }
    didSet {
      bridged?.shouldAllocateBuffer = shouldAllocateBuffer
      tell("shouldAllocateBuffer", .after)
    }
  }

  /// The numbers of channels that the bus can have; nil if that is not restricted.
  open var supportedChannelCounts: [NSNumber]? {
    willSet { tell("supportedChannelCounts", .before) }
    didSet { tell("supportedChannelCounts", .after) }
  }

  /// The largest number of channels that the bus can have.
  open var maximumChannelCount: AUAudioChannelCount = .max {
    willSet { tell("maximumChannelCount", .before) }
    didSet { tell("maximumChannelCount", .after) }
  }

  /// The seconds between the bus and the listener, or the source of the sound, as the host knows
  /// them.
  open var contextPresentationLatency: TimeInterval = 0 {
    willSet { tell("contextPresentationLatency", .before) }
    didSet { tell("contextPresentationLatency", .after) }
  }

  /// The place of the bus in its array; 0 while it is in none.
  open internal(set) var index = 0

  /// The side of the unit on which the bus is.
  open internal(set) var busType = AUAudioUnitBusType.output

  /// A bus with a format.
  ///
  /// - Throws: `kAudioUnitErr_FormatNotSupported` if it is not linear PCM with a rate above 0.
  public init(format: AVAudioFormat) throws {
    try Self.check(format)
    present = format
    bridged = nil
  }

  /// A bus of a C unit.
  init(_ bridged: BridgedBus, _ format: AVAudioFormat) {
    present = format
    self.bridged = bridged
  }

  private static func check(_ format: AVAudioFormat) throws {
    do throws(AudioError) { _ = try StreamFormat(format.streamDescription.pointee) } catch {
      throw NSError(error)
    }
  }

  // MARK: The format

  /// The format of the bus.
  open var format: AVAudioFormat { bridged?.format ?? present }

  /// Changes the format.
  ///
  /// - Throws: `kAudioUnitErr_FormatNotSupported` if the bus cannot have the format, or if the unit
  ///   refuses it (`shouldChange(to:for:)`); `kAudioUnitErr_Initialized` while the unit has render
  ///   resources. Then the bus keeps its format.
  open func setFormat(_ format: AVAudioFormat) throws {
    if let bridged {
      try bridged.setFormat(format)
    } else {
      try setOwnFormat(format)
    }
  }

  private func setOwnFormat(_ format: AVAudioFormat) throws {
    guard !format.isEqual(present) else { return }
    try Self.check(format)
    let channels = format.channelCount
    guard channels <= maximumChannelCount,
      supportedChannelCounts?.contains(where: { $0.uint32Value == channels }) ?? true
    else {
      throw NSError(
        AudioError.formatNotSupported.because(
          "\(title): \(channels) channels; expected \(expectedChannels)"))
    }
    if let owner {
      guard !owner.renderResourcesAllocated else {
        throw NSError(
          AudioError.initialized.because(
            "\(title): the format is fixed while the unit has render resources"))
      }
      guard owner.shouldChange(to: format, for: self) else {
        throw NSError(
          AudioError.formatNotSupported.because("\(title): the unit refuses \(format)"))
      }
    }
    change("format") {
      present = format
      formatChanged()
    }
  }

  private var expectedChannels: String {
    supportedChannelCounts.map { $0.map(\.description).joined(separator: ", ") }
      ?? "at most \(maximumChannelCount)"
  }

  private var title: String { "\(busType == .input ? "input" : "output") bus \(index)" }

  /// The tags of the channel layouts that the bus can have; nil if there is no list.
  open var supportedChannelLayoutTags: [NSNumber]? { bridged?.layoutTags }

  // MARK: Its unit

  /// Whether the host uses the bus: true, unless it is an input or an output that a host can leave
  /// unused, and did so.
  open var isEnabled: Bool {
    get { hasEnabled }
    set { change("enabled") { hasEnabled = newValue } }
  }

  /// The unit to which the bus belongs. The program ends if there is none, or none any more.
  open var ownerAudioUnit: AUAudioUnit {
    guard let owner else { fatalError("AUAudioUnitBus: the bus belongs to no unit") }
    return owner
  }

  /// Puts the bus into an array of a unit.
  final func join(
    _ unit: AUAudioUnit, _ type: AUAudioUnitBusType, at index: Int, _ observers: BusObservers
  ) {
    owner = unit
    busType = type
    self.index = index
    self.observers = observers
  }

  /// The observers of its array are told of its changes no more.
  final func leave() { observers = nil }

  /// Tells observers that a property changes, or has changed.
  private func tell(_ key: String, _ moment: KeyObservers.Moment) {
    observers?.call(self, key, moment)
  }

  private func change(_ key: String, _ body: () -> Void) {
    tell(key, .before)
    body()
    tell(key, .after)
  }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above; nil for another key.
  @discardableResult
  open func value(forKey key: String) -> Any? {
    switch key {
    case "format": format
    case "enabled", "isEnabled": isEnabled
    case "name": name
    case "index": index
    case "busType": busType.rawValue
    case "shouldAllocateBuffer": shouldAllocateBuffer
    case "supportedChannelCounts": supportedChannelCounts
    case "maximumChannelCount": maximumChannelCount
    case "supportedChannelLayoutTags": supportedChannelLayoutTags
    case "contextPresentationLatency": contextPresentationLatency
    default: nil
    }
  }

  /// Sets a property by its name. The program ends if it cannot be set or the value has another type; the
  /// format has `setFormat`, which throws.
  open func setValue(_ value: Any?, forKey key: String) {
    switch (key, KeyedNumber.of(value)) {
    case ("enabled", let flag?), ("isEnabled", let flag?): isEnabled = flag.boolValue
    case ("shouldAllocateBuffer", let flag?): shouldAllocateBuffer = flag.boolValue
    case ("maximumChannelCount", let count?): maximumChannelCount = count.uint32Value
    case ("contextPresentationLatency", let seconds?):
      contextPresentationLatency = seconds.doubleValue
    case ("name", _) where value == nil || value is String: name = value as? String
    case ("supportedChannelCounts", _) where value == nil || value is [NSNumber]:
      supportedChannelCounts = value as? [NSNumber]
    default:
      fatalError(
        "AUAudioUnitBus: the key \"\(key)\" cannot be set to \(value.map { "\($0)" } ?? "nil")")
    }
  }
}

/// A number of channels.
public typealias AUAudioChannelCount = UInt32
