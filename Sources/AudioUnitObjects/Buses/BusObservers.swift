// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Foundation

/// A bus, as its observers see it.
protocol ObservedBus: AnyObject {
  /// The value of a property.
  func value(forKey key: String) -> Any?
}

/// The observers of properties of all buses of an array.
final class BusObservers: Sendable {
  /// An observer, with the last values of its property if it wants them.
  private final class Observer: Sendable {
    // A weak reference, which the program's object does not share.
    nonisolated(unsafe) weak let object: (any NSKeyValueObserving)?
    let path: String
    let options: NSKeyValueObservingOptions
    // A number to the library.
    nonisolated(unsafe) let context: UnsafeMutableRawPointer?
    private let known = Guarded<[ObjectIdentifier: Any]>([:])

    init(
      _ object: any NSKeyValueObserving, _ path: String, _ options: NSKeyValueObservingOptions,
      _ context: UnsafeMutableRawPointer?
    ) {
      (self.object, self.path, self.options, self.context) = (object, path, options, context)
    }

    /// Remembers the present value; returns the one before.
    func remember(_ bus: any ObservedBus) -> Any? {
      guard options.contains(.old) else { return nil }
      let value = bus.value(forKey: path) ?? NSNull()
      return known.withLock { $0.updateValue(value, forKey: ObjectIdentifier(bus)) }
    }

    /// Tells the program of a change.
    func call(_ bus: any ObservedBus, old: Any?, isPrior: Bool) {
      var change: [NSKeyValueChangeKey: Any] = [
        .kindKey: NSNumber(value: NSKeyValueChange.setting.rawValue)
      ]
      if options.contains(.old), let old { change[.oldKey] = old }
      if options.contains(.new), !isPrior {
        change[.newKey] = bus.value(forKey: path) ?? NSNull()
      }
      if isPrior { change[.notificationIsPriorKey] = NSNumber(value: true) }
      object?.observeValue(forKeyPath: path, of: bus, change: change, context: context)
    }
  }

  private let list = ListenerList<Observer>(isReportedTo: false)

  /// The name of a property for observers; nil for a key that is none.
  static func name(ofKey key: String) -> String? {
    let names = [
      "format", "enabled", "name", "index", "busType", "shouldAllocateBuffer",
      "supportedChannelCounts", "maximumChannelCount", "supportedChannelLayoutTags",
      "contextPresentationLatency",
    ]
    return names.contains(key) ? key : key == "isEnabled" ? "enabled" : nil
  }

  /// [control thread] Adds an observer of a property, for the buses that there are and that come.
  func add(
    _ object: any NSKeyValueObserving, _ path: String, _ options: NSKeyValueObservingOptions,
    _ context: UnsafeMutableRawPointer?, _ buses: [any ObservedBus]
  ) {
    let observer = Observer(object, path, options, context)
    for bus in buses {
      _ = observer.remember(bus)
      if options.contains(.initial) { observer.call(bus, old: nil, isPrior: false) }
    }
    list.add(observer)
  }

  /// [any thread] Removes the last such observer; false if there is none. Afterwards it is not called.
  func remove(
    _ object: any NSKeyValueObserving, _ path: String, _ context: UnsafeMutableRawPointer?
  ) -> Bool {
    let matching = list.entries {
      $0.object === object && $0.path == path && $0.context == context
    }
    guard let last = matching.last?.listener else { return false }
    return list.remove { $0 === last } > 0
  }

  /// [any thread but a render thread] Tells the observers of a property of a bus, as soon as this thread
  /// holds no lock. Those of a change that has not happened yet are not told under a lock.
  func call(_ bus: any ObservedBus, _ key: String, _ moment: KeyObservers.Moment) {
    guard !list.isEmpty, moment == .after || rt_current().pointee.locks == 0 else { return }
    nonisolated(unsafe) let bus = bus
    AfterLocks.perform { [list] in
      list.call(where: { Self.name(ofKey: $0.path) == key }) { observer in
        guard moment == .before else {
          return observer.call(bus, old: observer.remember(bus), isPrior: false)
        }
        let old = observer.remember(bus)
        guard observer.options.contains(.prior) else { return }
        observer.call(bus, old: old, isPrior: true)
      }
    }
  }
}
