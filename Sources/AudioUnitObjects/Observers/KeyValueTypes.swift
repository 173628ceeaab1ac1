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
  case insertion = 2
  case removal = 3
  case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
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
