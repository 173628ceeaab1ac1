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
  /// The smallest and the largest value in one word, so that a thread reads those of one moment.
  private let range: Atomic<UInt64>
  /// Held while a value is stored and passed to the observers, so that these receive the changes in
  /// the order of the values.
  private let order = Lock()
  /// The changes that have begun, in the upper half, and how many of them have not ended.
  private let changes = Atomic<UInt64>(0)

  init(
    identifier: String, _ details: ParameterDetails, value: AUValue,
    implementor: (any ParameterImplementor)? = nil
  ) {
    address = details.address
    self.implementor = implementor
    bits = Atomic(details.limited(value.isFinite ? value : 0).bitPattern)
    range = Atomic(Self.word(details.minimum, details.maximum))
    super.init(identifier: identifier)
  }

  // MARK: Range

  private static func word(_ minimum: AUValue, _ maximum: AUValue) -> UInt64 {
    UInt64(minimum.bitPattern) << 32 | UInt64(maximum.bitPattern)
  }

  /// [any thread] The smallest and the largest value. Does not lock or allocate.
  var limits: (minimum: AUValue, maximum: AUValue) {
    let word = range.load(ordering: .relaxed)
    return (
      AUValue(bitPattern: UInt32(word >> 32)), AUValue(bitPattern: UInt32(truncatingIfNeeded: word))
    )
  }

  /// [control thread] Replaces the smallest and the largest value.
  func setLimits(_ minimum: AUValue, _ maximum: AUValue) {
    range.store(Self.word(minimum, maximum), ordering: .relaxed)
  }

  /// [any thread] The nearest value in the range; the value itself if there is no range. Does not lock
  /// or allocate.
  func limited(_ value: AUValue) -> AUValue {
    let (minimum, maximum) = limits
    return minimum <= maximum ? min(max(value, minimum), maximum) : value
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

  /// [any thread] Counts a change that begins, until `endChange`. The result is for `wasAlone`. Does not
  /// lock or allocate.
  func beginChange() -> UInt64 {
    changes.wrappingAdd(1 << 32 | 1, ordering: .sequentiallyConsistent).newValue
  }

  /// [any thread] Whether no other change has been carried out since before this one began.
  func wasAlone(_ change: UInt64) -> Bool {
    let now = changes.wrappingAdd(0, ordering: .sequentiallyConsistent).newValue
    return UInt32(truncatingIfNeeded: change) == 1 && now >> 32 == change >> 32
  }

  /// [any thread] The end of a change.
  func endChange() { changes.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  // MARK: Observers

  /// [any thread] Stores the value of an event, or another one that is current by now, and notifies
  /// the observers except the originator. On a render thread it is `leave`.
  func record(_ event: ParameterEvent, storing current: AUValue? = nil) {
    let value = (current ?? event.value).bitPattern
    guard isObserved else { return bits.store(value, ordering: .releasing) }
    if rt_current().pointee.depth > 0 {
      leave(event, storing: current)
    } else {
      let observers = allObservers
      order.withLock {
        bits.store(value, ordering: .releasing)
        ParameterDelivery.shared.pass(event, of: self, to: observers)
      }
    }
  }

  /// [any thread] As `record`, but leaves a message, from which the notifier's thread continues. The
  /// message is lost if a thousand are waiting. Does not lock or allocate.
  func leave(_ event: ParameterEvent, storing current: AUValue? = nil) {
    bits.store((current ?? event.value).bitPattern, ordering: .releasing)
    if isObserved { ParameterDelivery.shared.leave(event, of: self) }
  }
}
