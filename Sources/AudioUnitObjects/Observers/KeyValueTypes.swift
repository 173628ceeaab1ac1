// SPDX-License-Identifier: Apache-2.0
public import Foundation

// What observers of properties use. Apple's Foundation has these types; that of other systems does not.

/// When an observer of a property is called, and with which values.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// With the new value.
  public static let new = Self(rawValue: 1)
  /// With the value of before.
  public static let old = Self(rawValue: 2)
  /// Also when it is added.
  public static let initial = Self(rawValue: 4)
  /// Also before each change.
  public static let prior = Self(rawValue: 8)
}

/// What kind of change it was.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property has another value.
  case setting = 1
  /// Objects were added to a list.
  case insertion = 2
  /// Objects were removed from a list.
  case removal = 3
  /// Objects of a list were replaced.
  case replacement = 4
}

/// What the description of a change has, for `NSKeyValueObserving`.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `NSKeyValueChange`, as a number.
  public static let kindKey = Self(rawValue: "kind")
  /// The new value, with the option `.new`; `NSNull` for nil.
  public static let newKey = Self(rawValue: "new")
  /// The value before, with the option `.old`; `NSNull` for nil.
  public static let oldKey = Self(rawValue: "old")
  /// The places in a collection.
  public static let indexesKey = Self(rawValue: "indexes")
  /// True in a call before the change, with the option `.prior`.
  public static let notificationIsPriorKey = Self(rawValue: "notificationIsPrior")
}

/// An object that observes properties by their names. On Apple's systems every `NSObject` has this
/// method.
public protocol NSKeyValueObserving: AnyObject {
  /// A property of an object has changed, or is about to.
  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?)
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
  /// Its name in this structure.
  public typealias Kind = NSKeyValueChange

  /// The kind of change, which is always `.setting` for the properties of units.
  public let kind: Kind
  /// The value after the change, with the option `.new`.
  public let newValue: Value?
  /// The value before the change, with the option `.old`.
  public let oldValue: Value?
  /// The places in a collection; none for a whole property.
  public let indexes: IndexSet?
  /// Whether the change is still to come.
  public let isPrior: Bool
}

/// An observer of a property, which is called as long as this object exists.
public final class NSKeyValueObservation: NSObject, Sendable {
  private let observers: KeyObservers
  private let number: Int

  init(_ observers: KeyObservers, _ number: Int) {
    self.observers = observers
    self.number = number
  }

  /// Ends the observation; waits for a call that is running on another thread. [control thread]
  public func invalidate() { observers.remove(number, waits: true) }

  deinit { observers.remove(number, waits: false) }
}
