// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import CoreAudio
import Synchronization

/// The core of a parameter: its address and its value.
final class ParameterCore: NodeCore, @unchecked Sendable {
  let address: AUParameterAddress
  private let bits: Atomic<UInt32>
  /// Held while a value is stored and passed to the observers, so that these receive the changes in
  /// the order of the values.
  private let order = Lock()

  init(identifier: String, address: AUParameterAddress, value: AUValue) {
    self.address = address
    bits = Atomic(value.bitPattern)
    super.init(identifier: identifier)
  }

  /// [any thread] The value that was set last. Does not lock or allocate.
  var value: AUValue { AUValue(bitPattern: bits.load(ordering: .acquiring)) }

  /// [any thread] Stores the value of an event, and notifies the observers except the originator.
  ///
  /// A render thread only stores the value and leaves a message, from which the notifier's thread
  /// continues. The message is lost if a thousand are waiting.
  func record(_ event: ParameterEvent) {
    guard isObserved else { return bits.store(event.value.bitPattern, ordering: .releasing) }
    if rt_current().pointee.depth > 0 {
      bits.store(event.value.bitPattern, ordering: .releasing)
      ParameterDelivery.shared.leave(event, of: self)
    } else {
      let observers = allObservers
      order.withLock {
        bits.store(event.value.bitPattern, ordering: .releasing)
        ParameterDelivery.shared.pass(event, of: self, to: observers)
      }
    }
  }
}
