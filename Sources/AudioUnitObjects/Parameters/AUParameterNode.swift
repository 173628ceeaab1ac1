// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// A node of a parameter tree: a parameter, a group, or the tree.
///
/// Observers are called on a thread of their own, never on the one that made the change. All
/// members may be used from any thread; only those that say so also from a render thread.
open class AUParameterNode: NSObject, @unchecked Sendable {
  let core: NodeCore
  private let name: String

  init(_ core: NodeCore, name: String) {
    self.core = core
    self.name = name
  }

  // MARK: Names

  /// The name in key paths, without dots.
  open var identifier: String { core.identifier }

  /// The identifiers from the tree down to this node, with dots between them.
  open var keyPath: String { core.path.joined(separator: ".") }

  /// The name for people.
  open var displayName: String { name }

  /// The name for people in at most this many characters; the whole name if the number is
  /// negative.
  @discardableResult
  open func displayName(withLength maximumLength: Int) -> String {
    implementorDisplayNameWithLengthCallback(self, maximumLength)
  }

  // MARK: Observers

  /// Adds an observer of the values of this parameter, or of all parameters below this node.
  ///
  /// It is called at most a hundred times a second. Of several changes of one parameter in between
  /// it gets the last.
  ///
  /// - Returns: A token, for `removeParameterObserver` and as originator of changes.
  @discardableResult
  open func token(byAddingParameterObserver observer: @escaping AUParameterObserver)
    -> AUParameterObserverToken
  {
    add(ParameterObserver(.values(observer)))
  }

  /// Adds an observer that gets all changes of values.
  ///
  /// - Returns: A token, for `removeParameterObserver` and as originator of changes.
  @discardableResult
  open func token(
    byAddingParameterRecordingObserver observer: @escaping AUParameterRecordingObserver
  )
    -> AUParameterObserverToken
  {
    add(ParameterObserver(.recording(observer)))
  }

  /// Adds an observer that gets all changes of values, and the gestures of users.
  ///
  /// - Returns: A token, for `removeParameterObserver` and as originator of changes.
  @discardableResult
  open func token(
    byAddingParameterAutomationObserver observer: @escaping AUParameterAutomationObserver
  ) -> AUParameterObserverToken {
    add(ParameterObserver(.automation(observer)))
  }

  /// Removes an observer of this node. Waits for a call of it that is running on another thread;
  /// afterwards it is not called any more.
  open func removeParameterObserver(_ token: AUParameterObserverToken) {
    let count = core.removeObserver(token)
    for implementor in implementors { implementor.observersChanged(by: -count) }
  }

  private func add(_ observer: ParameterObserver) -> AUParameterObserverToken {
    let token = core.add(observer)
    for implementor in implementors { implementor.observersChanged(by: 1) }
    return token
  }

  /// The units that have the values of the parameters below this node.
  var implementors: [any ParameterImplementor] { [] }

  // MARK: For the implementation of a unit

  // The callbacks of the nearest node are used: those of the parameter itself, of its group, of the
  // tree.

  /// Takes new values of parameters over into the unit, on the thread that sets them. It does
  /// nothing by default.
  open var implementorValueObserver: AUImplementorValueObserver {
    get { core.nearest(\.valueObserver) ?? { _, _ in } }
    set { core.changeLinks { $0.valueObserver = newValue } }
  }

  /// Returns the values that parameters have in the unit, on the thread that asks, which may be a
  /// render thread. By default, that is the value that was set last.
  open var implementorValueProvider: AUImplementorValueProvider {
    get { core.nearest(\.valueProvider) ?? { $0.storedValue } }
    set { core.changeLinks { $0.valueProvider = newValue } }
  }

  /// Returns the texts of values. By default, the name of the value or its number.
  open var implementorStringFromValueCallback: AUImplementorStringFromValueCallback {
    get { core.nearest(\.stringFromValue) ?? { $0.usualText(of: $1?.pointee ?? $0.value) } }
    set { core.changeLinks { $0.stringFromValue = newValue } }
  }

  /// Returns the values of texts. By default, that of a value's name or of a number.
  open var implementorValueFromStringCallback: AUImplementorValueFromStringCallback {
    get { core.nearest(\.valueFromString) ?? { $0.usualValue(of: $1) } }
    set { core.changeLinks { $0.valueFromString = newValue } }
  }

  /// Returns names of a limited length. By default, the name is cut.
  open var implementorDisplayNameWithLengthCallback: AUImplementorDisplayNameWithLengthCallback {
    get { core.nearest(\.displayName) ?? { $0.usualName($1) } }
    set { core.changeLinks { $0.displayName = newValue } }
  }

  /// The name in at most this many characters without a callback.
  func usualName(_ length: Int) -> String { length < 0 ? name : String(name.prefix(length)) }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above. Nil for an unknown key, unless a
  /// subclass overrides `value(forUndefinedKey:)`.
  @discardableResult
  open func value(forKey key: String) -> Any? {
    switch key {
    case "identifier": identifier
    case "keyPath": keyPath
    case "displayName": displayName
    default: value(forUndefinedKey: key)
    }
  }

  /// The value for a key that the node does not have: nil.
  open func value(forUndefinedKey key: String) -> Any? { nil }

  /// Sets the value of a key. Ends the process for a key that cannot be set, unless a subclass
  /// overrides `setValue(_:forUndefinedKey:)`.
  open func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }

  /// Ends the process, and says why.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    fatalError("\(type(of: self)) \"\(keyPath)\": the key \"\(key)\" cannot be set")
  }

  /// The value at the end of a path of keys with dots between them; nil if there is none.
  @discardableResult
  open func value(forKeyPath keyPath: String) -> Any? {
    let (key, rest) = Self.split(keyPath)
    let value = value(forKey: key)
    guard let rest else { return value }
    return (value as? AUParameterNode)?.value(forKeyPath: rest)
  }

  /// Sets the value at the end of a path of keys with dots between them. Ends the process if there
  /// is no such path.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    let (key, rest) = Self.split(keyPath)
    guard let rest else { return setValue(value, forKey: key) }
    guard let node = self.value(forKey: key) as? AUParameterNode else {
      return setValue(value, forUndefinedKey: keyPath)
    }
    node.setValue(value, forKeyPath: rest)
  }

  /// The first key of a path, and the path behind it.
  private static func split(_ path: String) -> (key: String, rest: String?) {
    guard let dot = path.firstIndex(of: ".") else { return (path, nil) }
    return (String(path[..<dot]), String(path[path.index(after: dot)...]))
  }
}

// What a unit passes to the nodes of its tree.

/// Takes a parameter's new value over into the unit.
public typealias AUImplementorValueObserver = (_ param: AUParameter, _ value: AUValue) -> Void

/// Returns a parameter's value in the unit.
public typealias AUImplementorValueProvider = (_ param: AUParameter) -> AUValue

/// Returns the text of a value; nil is the current value.
public typealias AUImplementorStringFromValueCallback = (
  _ param: AUParameter, _ value: UnsafePointer<AUValue>?
) -> String

/// Returns the value of a text.
public typealias AUImplementorValueFromStringCallback = (
  _ param: AUParameter, _ string: String
) -> AUValue

/// Returns the name of a node in at most this many characters.
public typealias AUImplementorDisplayNameWithLengthCallback = (
  _ node: AUParameterNode, _ desiredLength: Int
) -> String
