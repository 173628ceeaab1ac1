// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

/// The inputs or the outputs of a unit. [control thread]
open class AUAudioUnitBusArray: NSObject {
  private let side: AUAudioUnitBusType
  private weak var owner: AUAudioUnit?
  private var buses: [AUAudioUnitBus]
  /// Changes the number of buses of a C unit; nil if it cannot be changed.
  private let changeCount: ((Int) throws -> [AUAudioUnitBus])?

  /// An array with these buses.
  public init(
    audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses busArray: [AUAudioUnitBus]
  ) {
    side = busType
    self.owner = owner
    buses = busArray
    changeCount = nil
    super.init()
    join()
  }

  /// An array without buses, which `replaceBusses` adds.
  public convenience init(audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType) {
    self.init(audioUnit: owner, busType: busType, busses: [])
  }

  /// The buses of a C unit.
  init(
    _ owner: AUAudioUnit?, _ type: AUAudioUnitBusType, _ buses: [AUAudioUnitBus],
    changeCount: ((Int) throws -> [AUAudioUnitBus])?
  ) {
    side = type
    self.owner = owner
    self.buses = buses
    self.changeCount = changeCount
    super.init()
    join()
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
  open var count: Int { buses.count }

  /// A bus. The program ends if there is none with this number.
  open subscript(index: Int) -> AUAudioUnitBus {
    guard buses.indices.contains(index) else {
      fatalError("AUAudioUnitBusArray: there is no bus \(index); there are \(count)")
    }
    return buses[index]
  }

  /// Whether a host can change the number of buses.
  open var isCountChangeable: Bool { changeCount != nil }

  /// Changes the number of buses.
  ///
  /// - Throws: `kAudioUnitErr_PropertyNotWritable` if it cannot be changed; otherwise what the unit
  ///   refuses. Then there are as many as before.
  open func setBusCount(_ count: Int) throws {
    guard count != self.count else { return }
    guard let changeCount else {
      throw NSError(
        AudioError.propertyNotWritable.because(
          "the number of \(busType == .input ? "input" : "output") buses is always \(self.count)"))
    }
    buses = try changeCount(count)
    join()
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
}

extension AUAudioUnitBusArray: Sequence {
  /// Goes through the buses as they are now.
  public func makeIterator() -> IndexingIterator<[AUAudioUnitBus]> { buses.makeIterator() }
}
