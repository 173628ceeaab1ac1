// SPDX-License-Identifier: Apache-2.0
import CoreMIDI

/// The first client of the process, whose thread runs its run loop: notifications of all clients with
/// a function arrive there.
enum FirstClient {
  /// The client, which the first use creates. Every test that creates clients uses this before.
  static var ref: MIDIClientRef { made.client }

  /// Whether the current thread has created it, and runs its run loop.
  static var isOnThread: Bool { pthread_equal(pthread_self(), made.thread) != 0 }

  private static let made: (client: MIDIClientRef, thread: pthread_t) = {
    let created = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var made = (client: MIDIClientRef(), thread: pthread_self())
    let thread = Thread {
      MIDIClientCreate("first" as CFString, nil, nil, &made.client)
      made.thread = pthread_self()
      created.signal()
      while true { CFRunLoopRunInMode(.defaultMode, 1, false) }
    }
    thread.start()
    created.wait()
    return made
  }()
}
