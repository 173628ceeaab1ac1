// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

/// The inputs or the outputs of a unit. [control thread]
open class AUAudioUnitBusArray: NSObject {
  private let side: AUAudioUnitBusType
  private weak var owner: AUAudioUnit?
  private var buses: [AUAudioUnitBus]
  /// The C unit, if it has the buses.
  private let source: Source?

  /// The C unit that has the buses, which others may add and remove, too.
  struct Source {
    let isCountChangeable: Bool
    /// How many it has; nil after its end.
    let count: () -> Int?
    let setCount: (Int) throws -> Void
    /// A new object for a bus; nil if it has no format.
    let bus: (Int) -> AUAudioUnitBus?
  }

  /// An array with these buses.
  public init(
    audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses busArray: [AUAudioUnitBus]
  ) {
    side = busType
    self.owner = owner
    buses = busArray
    source = nil
    super.init()
    join()
  }

  /// An array without buses, which `replaceBusses` adds.
  public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
    self.init(audioUnit: owner, busType: busType, busses: [])
  }

  /// The buses of a C unit.
  init(_ owner: AUAudioUnit?, _ type: AUAudioUnitBusType, _ source: Source) {
    side = type
    self.owner = owner
    buses = []
    self.source = source
    super.init()
    follow()
  }

  /// Takes over the number of the C unit's buses. Those that it still has stay the same objects.
  private func follow() {
    guard let source, let count = source.count(), count != buses.count else { return }
    buses = Array(buses.prefix(count))
    while buses.count < count, let bus = source.bus(buses.count) { buses.append(bus) }
    join()
  }

  /// The buses as they are now.
  private var present: [AUAudioUnitBus] {
    follow()
    return buses
  }

  /// Gives the buses their places.
  final func join(_ unit: AUAudioUnit? = nil) {
    if let unit { owner = unit }
    guard let owner else { return }
    for (index, bus) in buses.enumerated() { bus.join(owner, busType, at: index) }
  }

  /// The side of the unit on which the buses are.
  open var busType: AUAudioUnitBusType { side }

  /// The number of buses.
  open var count: Int { present.count }

  /// A bus. The program ends if there is none with this number.
  open subscript(index: Int) -> AUAudioUnitBus {
    let buses = present
    guard buses.indices.contains(index) else {
      fatalError("AUAudioUnitBusArray: there is no bus \(index); there are \(buses.count)")
    }
    return buses[index]
  }

  /// Whether a host can change the number of buses.
  open var isCountChangeable: Bool { source?.isCountChangeable ?? false }

  /// Changes the number of buses.
  ///
  /// - Throws: `kAudioUnitErr_PropertyNotWritable` if it cannot be changed; otherwise what the unit
  ///   refuses. Then there are as many as before.
  open func setBusCount(_ count: Int) throws {
    guard count != self.count else { return }
    guard let source, source.isCountChangeable else {
      throw NSError(
        AudioError.propertyNotWritable.because(
          "the number of \(busType == .input ? "input" : "output") buses is always \(self.count)"))
    }
    try source.setCount(count)
    follow()
  }

  /// Replaces all buses, for units that change their number themselves.
  open func replaceBusses(_ busArray: [AUAudioUnitBus]) {
    buses = busArray
    join()
  }

  /// The unit to which the buses belong. The program ends if it does not exist any more.
  open var ownerAudioUnit: AUAudioUnit {
    guard let owner else { fatalError("AUAudioUnitBusArray: its unit does not exist any more") }
    return owner
  }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above; nil for another key.
  @discardableResult
  open func value(forKey key: String) -> Any? {
    switch key {
    case "count": count
    case "countChangeable", "isCountChangeable": isCountChangeable
    case "busType": busType.rawValue
    default: nil
    }
  }
}

extension AUAudioUnitBusArray: Sequence {
  /// Goes through the buses as they are now.
  public func makeIterator() -> IndexingIterator<[AUAudioUnitBus]> { present.makeIterator() }
}
