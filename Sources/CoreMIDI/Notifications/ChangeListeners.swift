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
    listener(notify) { job in worker.perform { border { job() } } }
  }

  private static func listener(
    _ notify: @escaping @Sendable (UnsafePointer<MIDINotification>) -> Void,
    perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> ChangeListener {
    let calls = ProgramCalls.Entry()
    return ChangeListener(calls: calls) { change in
      perform {
        let notification = Notification(change)
        ProgramCalls.shared.run(calls) { notify(notification.pointer) }
      }
    }
  }
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
