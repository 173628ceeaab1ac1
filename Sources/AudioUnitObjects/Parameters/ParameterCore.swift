// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import CoreAudio
import Synchronization

/// The core of a parameter: its address, its value, and the unit that has it.
final class ParameterCore: NodeCore, @unchecked Sendable {
  let address: AUParameterAddress
  let implementor: (any ParameterImplementor)?
  private let bits: Atomic<UInt32>
  /// Held while a value is stored and passed to the observers, so that these receive the changes in
  /// the order of the values.
  private let order = Lock()

  init(
    identifier: String, address: AUParameterAddress, value: AUValue,
    implementor: (any ParameterImplementor)? = nil
  ) {
    self.address = address
    self.implementor = implementor
    bits = Atomic(value.bitPattern)
    super.init(identifier: identifier)
  }

  /// [any thread] The value that was set last. Does not lock or allocate.
  var value: AUValue { AUValue(bitPattern: bits.load(ordering: .acquiring)) }

  // MARK: The unit

  /// [any thread] The value in the unit, from the program's provider or the implementor; nil if
  /// there is neither. Does not lock or allocate.
  func unitValue(of parameter: AUParameter) -> AUValue? {
    guard let value = providedValue(of: parameter) ?? implementor?.value(of: parameter),
      value.isFinite
    else { return nil }
    return value
  }

  /// [any thread] Carries out a change or gesture in the unit; false if the unit refuses it.
  func implement(_ event: ParameterEvent, for parameter: AUParameter) -> Bool {
    pass(event.value, of: parameter) || implementor?.apply(event, to: parameter) ?? true
  }

  // MARK: Observers

  /// [any thread] Stores the value of an event, or another one that is current by now, and notifies
  /// the observers except the originator.
  ///
  /// A render thread only stores the value and leaves a message, from which the notifier's thread
  /// continues. The message is lost if a thousand are waiting.
  func record(_ event: ParameterEvent, storing current: AUValue? = nil) {
    let value = (current ?? event.value).bitPattern
    guard isObserved else { return bits.store(value, ordering: .releasing) }
    if rt_current().pointee.depth > 0 {
      bits.store(value, ordering: .releasing)
      ParameterDelivery.shared.leave(event, of: self)
    } else {
      let observers = allObservers
      order.withLock {
        bits.store(value, ordering: .releasing)
        ParameterDelivery.shared.pass(event, of: self, to: observers)
      }
    }
  }
}
