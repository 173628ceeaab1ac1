// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// A property listener that writes down what it hears. A host keeps it as long as its unit.
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

  // Not a Mutex, whose waiting the thread sanitizer does not see.
  private let lock = NSLock()
  private var heard: [Notice] = []

  var notices: [Notice] { lock.withLock { heard.map { $0 } } }
  var count: Int { notices.count }

  static let function: AudioUnitPropertyListenerProc = { context, unit, id, scope, element in
    let watch = Unmanaged<PropertyWatch>.fromOpaque(context).takeUnretainedValue()
    watch.lock.withLock { watch.heard.append(Notice(unit, id, scope, element)) }
  }

  /// Another function that does the same.
  static let otherFunction: AudioUnitPropertyListenerProc = { context, unit, id, scope, element in
    PropertyWatch.function(context, unit, id, scope, element)
    _ = id == 0xFFFF_FFFF ? pthread_self() : 0
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func watch(_ host: Host, _ id: AudioUnitPropertyID) -> OSStatus {
    host.keep(self)
    return AudioUnitAddPropertyListener(host.unit, id, Self.function, context)
  }

  /// Waits, half a minute at most, until so many notices have come, and a little longer for more.
  func waitFor(_ expected: Int, seconds: Int = 30) {
    for _ in 0..<200 * seconds where count < expected { usleep(5_000) }
    usleep(30_000)
  }
}
