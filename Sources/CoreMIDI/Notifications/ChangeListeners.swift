// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import MIDIPorts

/// Calls the notification functions of clients: on the run loop of the process's first client, or on
/// a thread of the library.
enum ChangeListeners {
  /// The run loop that was current when the first client was created.
  private static let runLoop = RunLoopExecutor(CFRunLoopGetCurrent(), nil)
  private static let worker = SerialWorker(name: "midi-changes")

  /// [control thread] Remembers the current run loop, if this is the first client.
  static func clientIsCreated() { _ = runLoop }

  /// A listener whose function is called on the run loop, while a thread runs that.
  static func onRunLoop(
    _ notify: @escaping @Sendable (UnsafePointer<MIDINotification>) -> Void
  ) -> ChangeListener {
    listener(notify) { runLoop.perform($0) }
  }

  /// A listener whose function is called on a thread of the library.
  static func onThread(
    _ notify: @escaping @Sendable (UnsafePointer<MIDINotification>) -> Void
  ) -> ChangeListener {
    listener(notify) { job in worker.performLater { border { job() } } }
  }

  private static func listener(
    _ notify: @escaping @Sendable (UnsafePointer<MIDINotification>) -> Void,
    perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> ChangeListener {
    let calls = ProgramCalls.Entry()
    let pending = PendingChanges()
    return ChangeListener(calls: calls) { change in
      guard pending.add(change) else { return }
      // Once the client has been disposed of, nothing keeps its changes.
      perform { [weak pending] in
        guard let change = pending?.takeFirst() else { return }
        let notification = Notification(change)
        ProgramCalls.shared.run(calls) { notify(notification.pointer) }
      }
    }
  }
}

/// The changes that a client has not been notified of yet.
private final class PendingChanges: Sendable {
  /// The most changes: the run loop of a client may never run.
  private static let limit = 4096

  private let changes = Guarded<ArraySlice<SetupChange>>([])

  /// [any thread] Adds a change; false if it needs no notification of its own.
  func add(_ change: SetupChange) -> Bool {
    changes.withLock { changes in
      let isEnough = changes.last == .setup
      if changes.count < Self.limit {
        if isEnough, change == .setup { return false }
        changes.append(change)
        return true
      }
      // The last one of too many says that everything has to be looked at again.
      if isEnough { return false }
      changes.append(.setup)
      return true
    }
  }

  /// [any thread] Removes and returns the earliest change.
  func takeFirst() -> SetupChange? { changes.withLock { $0.popFirst() } }
}

/// A notification in memory, as programs get it.
private final class Notification {
  let pointer: UnsafePointer<MIDINotification>
  private let memory = UnsafeMutableRawPointer.allocate(byteCount: 24, alignment: 8)
  /// The name of a property, which is released at the end.
  private var name: UnsafeRawPointer?

  init(_ change: SetupChange) {
    pointer = UnsafePointer(memory.assumingMemoryBound(to: MIDINotification.self))
    switch change {
    case .setup: store(MIDINotification(messageID: .msgSetupChanged, messageSize: 8))
    case .thruConnections:
      store(MIDINotification(messageID: .msgThruConnectionsChanged, messageSize: 8))
    case .added(let child, let parent): store(.msgObjectAdded, child, parent)
    case .removed(let child, let parent): store(.msgObjectRemoved, child, parent)
    case .property(let text, let object):
      let name = Bridge.current.retainedString(text)
      self.name = name
      store(
        MIDIObjectPropertyChangeNotification(
          messageID: .msgPropertyChanged, messageSize: 24, object: object.ref,
          objectType: object.type, __propertyName: name))
    }
  }

  private func store(
    _ id: MIDINotificationMessageID, _ child: SetupChange.Object, _ parent: SetupChange.Object
  ) {
    store(
      MIDIObjectAddRemoveNotification(
        messageID: id, messageSize: 24, parent: parent.ref, parentType: parent.type,
        child: child.ref, childType: child.type))
  }

  private func store<Value>(_ value: Value) {
    memory.initializeMemory(as: Value.self, repeating: value, count: 1)
  }

  deinit {
    memory.deallocate()
    if let name { Bridge.current.release(name) }
  }
}

extension MIDIObjectPropertyChangeNotification {
  /// The name of the property.
  public var propertyName: Unmanaged<CFString> {
    get { Unmanaged.fromOpaque(__propertyName) }
    set { __propertyName = UnsafeRawPointer(newValue.toOpaque()) }
  }
}
