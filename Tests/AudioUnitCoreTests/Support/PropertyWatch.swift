// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// A property listener that records its notifications. A host retains it as long as its unit.
final class PropertyWatch: @unchecked Sendable {
  struct Notice: Equatable {
    var unit: UInt
    var id: AudioUnitPropertyID
    var scope: AudioUnitScope
    var element: AudioUnitElement
    var thread: UInt

    init(
      _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope,
      _ element: AudioUnitElement
    ) {
      self.unit = UInt(bitPattern: unit)
      (self.id, self.scope, self.element) = (id, scope, element)
      thread = pthread_self()
    }
  }

  // Not a Mutex, because the thread sanitizer does not see that.
  private let lock = NSLock()
  private var received: [Notice] = []

  var notices: [Notice] { lock.withLock { received.map { $0 } } }
  var count: Int { notices.count }

  static let function: AudioUnitPropertyListenerProc = { context, unit, id, scope, element in
    let watch = Unmanaged<PropertyWatch>.fromOpaque(context).takeUnretainedValue()
    watch.lock.withLock { watch.received.append(Notice(unit, id, scope, element)) }
  }

  /// Another function that does the same.
  static let otherFunction: AudioUnitPropertyListenerProc = { context, unit, id, scope, element in
    PropertyWatch.function(context, unit, id, scope, element)
    _ = id == 0xFFFF_FFFF ? pthread_self() : 0
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func watch(_ host: Host, _ id: AudioUnitPropertyID) -> OSStatus {
    host.retain(self)
    return AudioUnitAddPropertyListener(host.unit, id, Self.function, context)
  }

  /// Waits up to `seconds` until `expected` notices have come, and a little longer for more.
  func waitFor(_ expected: Int, seconds: Int = 30) {
    for _ in 0..<200 * seconds where count < expected { usleep(5_000) }
    usleep(30_000)
  }
}
