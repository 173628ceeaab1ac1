// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import Synchronization

/// What a node of a parameter tree shares with its children and with other threads: its parent, the
/// functions of the program, and the observers.
///
/// A node keeps the cores above it alive, so a parameter can be used without its tree. The links are
/// published by one atomic store, and replaced ones are kept while a thread reads them, so render
/// threads read values without a lock.
class NodeCore: @unchecked Sendable {
  let identifier: String
  private let links: Published
  /// How many threads are reading the links.
  private let readers = Atomic<Int>(0)
  private let lock = Lock()
  private let observers = ListenerList<ParameterObserver>(isReportedTo: true)
  private let observerCount = Atomic<Int>(0)

  /// [control thread] A node without a parent.
  init(identifier: String) {
    self.identifier = identifier
    links = Published(NodeLinks(NodeLinks.Parts()))
  }

  deinit { observers.remove(waits: false) }

  // MARK: Links

  /// [any thread] Runs `body` with the current links. Does not lock or allocate.
  @inline(__always)
  func withLinks<Result>(_ body: (NodeLinks) -> Result) -> Result {
    readers.add(1, ordering: .sequentiallyConsistent)
    defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
    return Unmanaged<NodeLinks>.fromOpaque(links.load())._withUnsafeGuaranteedRef { body($0) }
  }

  /// [control thread] Publishes changed links.
  func changeLinks(_ change: (inout NodeLinks.Parts) -> Void) {
    // Freed after the lock is released: what the program's functions capture ends with them.
    let unused = lock.withLock {
      var parts = withLinks { $0.parts }
      change(&parts)
      links.publish(NodeLinks(parts)) { 0 }
      return links.takeUnused { _, _ in readers.load(ordering: .sequentiallyConsistent) == 0 }
    }
    for links in unused { links.deallocate() }
  }

  /// [control thread] Takes over the program's functions of another node.
  func takeCallbacks(of other: NodeCore) {
    let parts = other.withLinks { $0.parts }
    changeLinks { links in
      let parent = links.parent
      links = parts
      links.parent = parent
    }
  }

  /// [control thread] The nearest of a kind of the program's functions: this node's, or that of the
  /// nearest node above it that has one.
  func nearest<Function>(_ part: (NodeLinks.Parts) -> Function?) -> Function? {
    withLinks { links in part(links.parts) ?? links.parts.parent?.nearest(part) }
  }

  /// [any thread] The value of the parameter from the nearest provider; nil if there is none. Does
  /// not lock or allocate.
  func providedValue(of parameter: AUParameter) -> AUValue? {
    withLinks { links in
      if let provider = links.parts.valueProvider { return provider(parameter) }
      return links.parts.parent?.providedValue(of: parameter)
    }
  }

  /// [any thread] Passes a value to the nearest observer of the unit. False if there is none.
  func pass(_ value: AUValue, of parameter: AUParameter) -> Bool {
    withLinks { links in
      if let observer = links.parts.valueObserver {
        observer(parameter, value)
        return true
      }
      return links.parts.parent?.pass(value, of: parameter) ?? false
    }
  }

  /// [control thread] The identifiers from the tree down to this node, where they are not empty.
  var path: [String] {
    let above = withLinks { $0.parts.parent }?.path ?? []
    return identifier.isEmpty ? above : above + [identifier]
  }

  // MARK: Observers

  /// [control thread] Adds an observer; returns its token.
  func add(_ observer: ParameterObserver) -> AUParameterObserverToken {
    ParameterDelivery.shared.prepare()
    observerCount.add(1, ordering: .releasing)
    observers.add(observer)
    return observer.token
  }

  /// [control thread] Removes an observer; returns how many were removed. Waits until no other
  /// thread is calling it.
  func removeObserver(_ token: AUParameterObserverToken) -> Int {
    let count = observers.remove { $0.token == token }
    observerCount.subtract(count, ordering: .releasing)
    return count
  }

  /// [any thread] Whether this node, or one above it, has observers. Does not lock or allocate.
  var isObserved: Bool {
    if observerCount.load(ordering: .acquiring) > 0 { return true }
    return withLinks { $0.parts.parent?.isObserved ?? false }
  }

  /// [any thread but a render thread] The observers of this node and of those above it.
  var allObservers: [ListenerList<ParameterObserver>.Entry] {
    observers.entries() + (withLinks { $0.parts.parent }?.allObservers ?? [])
  }
}
