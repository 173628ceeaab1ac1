// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

/// The inputs or the outputs of a unit. [control thread]
open class AUAudioUnitBusArray: NSObject {
  private let kind: AUAudioUnitBusType
  private weak var owner: AUAudioUnit?
  private var buses: [AUAudioUnitBus]
  /// The same, for the threads that change the C unit.
  private let followed = Guarded<[AUAudioUnitBus]>([])
  /// The C unit, if it has the buses.
  private let source: Source?
  /// The observers of all buses.
  private final let observers = BusObservers()

  /// The C unit that has the buses, which others may add and remove, too.
  struct Source {
    let isCountChangeable: Bool
    /// How many it has; nil after its end.
    let count: () -> Int?
    let setCount: (Int) throws -> Void
    /// A new object for a bus; nil if it has no format.
    let bus: (Int) -> AUAudioUnitBus?
    /// From now on calls a function with the number of a bus and the key of its property when the C unit
    /// has changed that.
    let follow: (@escaping @Sendable (Int, String) -> Void) -> Void
  }

  /// An array with these buses.
  public init(
    audioUnit owner: AUAudioUnit, busType: AUAudioUnitBusType, busses busArray: [AUAudioUnitBus]
  ) {
    kind = busType
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
    kind = type
    self.owner = owner
    buses = []
    self.source = source
    super.init()
    follow()
  }

  /// Takes over the number of the C unit's buses. Those that it still has stay the same objects.
  private func follow() {
    guard let source, let count = source.count(), count != buses.count else { return }
    for bus in buses.dropFirst(count) { bus.leave() }
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
    var list = buses.copied()
    // The former list ends outside the lock.
    followed.withLock { swap(&$0, &list) }
    guard let owner else { return }
    for (index, bus) in buses.enumerated() { bus.join(owner, busType, at: index, observers) }
  }

  /// Whether the buses are inputs or outputs of the unit.
  open var busType: AUAudioUnitBusType { kind }

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
    for bus in buses { bus.leave() }
    buses = busArray
    join()
  }

  /// The unit to which the buses belong. The program ends if it does not exist any more.
  open var ownerAudioUnit: AUAudioUnit {
    guard let owner else { fatalError("AUAudioUnitBusArray: its unit does not exist any more") }
    return owner
  }

  // MARK: Observers

  /// Adds an observer of a property of all buses, also of those that come later. It is called on the
  /// thread that makes the change, until it is removed or does not exist any more.
  ///
  /// - Parameters:
  ///   - observer: An object with the method of `NSKeyValueObserving`. The program ends for another.
  ///   - keyPath: The name of a property, as in `value(forKey:)` of a bus. The program ends for another.
  ///   - options: What it gets, and when.
  ///   - context: What it gets too, and what tells it from others when it is removed.
  open func addObserver(
    toAllBusses observer: NSObject, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    guard let object = observer as? any NSKeyValueObserving else {
      fatalError(
        "AUAudioUnitBusArray.addObserver(toAllBusses:): \(type(of: observer)) does not conform to "
          + "NSKeyValueObserving, so nothing can be told to it")
    }
    guard BusObservers.name(ofKey: keyPath) != nil else {
      fatalError(
        "AUAudioUnitBusArray.addObserver(toAllBusses:): buses have no property \"\(keyPath)\"")
    }
    observers.add(object, keyPath, options, context, present)
    guard let source, !followsSource else { return }
    followsSource = true
    nonisolated(unsafe) weak let array = self
    source.follow { index, key in
      guard let array,
        let bus = array.followed.withLock({ $0.indices.contains(index) ? $0[index] : nil })
      else { return }
      array.observers.call(bus, key, .after)
    }
  }

  /// Removes an observer. Afterwards it is not called. The program ends if it was not added.
  open func removeObserver(
    fromAllBusses observer: NSObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    guard let object = observer as? any NSKeyValueObserving,
      observers.remove(object, keyPath, context)
    else {
      fatalError(
        "AUAudioUnitBusArray.removeObserver(fromAllBusses:): \(type(of: observer)) does not observe "
          + "\"\(keyPath)\"")
    }
  }
  private final var followsSource = false

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
