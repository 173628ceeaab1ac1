// SPDX-License-Identifier: Apache-2.0
import CoreMIDI

/// The first client of the process, whose thread runs its run loop: notifications of all clients with
/// a function arrive there.
enum FirstClient {
  static let threadName = "first MIDI client"

  /// Creates the client, once. Every test that creates clients uses this before.
  static let ref: MIDIClientRef = {
    let created = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let client = UnsafeMutablePointer<MIDIClientRef>.allocate(capacity: 1)
    client.initialize(to: 0)
    let thread = Thread {
      MIDIClientCreate("first" as CFString, nil, nil, client)
      created.signal()
      while true { CFRunLoopRunInMode(.defaultMode, 1, false) }
    }
    thread.name = threadName
    thread.start()
    created.wait()
    return client.pointee
  }()
}
