// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import CoreAudio
import Synchronization

/// One observer of a node, with the events that wait for it.
final class ParameterObserver: @unchecked Sendable {
  /// The program's function.
  enum Kind {
    case values(AUParameterObserver)
    case recording(AUParameterRecordingObserver)
    case automation(AUParameterAutomationObserver)
  }

  /// What waits for the next call.
  private struct Pending {
    /// The parameters that have changed, in the order of their first changes.
    var parameters: [ParameterCore] = []
    var known: Set<ObjectIdentifier> = []
    var events: [AUParameterAutomationEvent] = []
    var isScheduled = false
  }

  /// The smallest time between two calls that report values, in nanoseconds.
  private static let interval: UInt64 = 10_000_000
  /// The most waiting events. Beyond it, a change replaces the last one, if it is of the same
  /// parameter; otherwise it is added.
  private static let capacity = 1 << 16

  private static let tokens = Atomic<UInt>(0)

  let token: AUParameterObserverToken
  private let kind: Kind
  private let pending = Guarded(Pending())
  private let due = Atomic<UInt64>(0)

  init(_ kind: Kind) {
    self.kind = kind
    // A number, not an address, so that the token of a removed observer never stands for another.
    let number = Self.tokens.wrappingAdd(1, ordering: .relaxed).newValue
    token = UnsafeMutableRawPointer(bitPattern: number).unsafelyUnwrapped  // never zero
  }

  /// The host time before which it is not called.
  var dueTime: UInt64 { due.load(ordering: .relaxed) }

  /// [any thread but a render thread] Adds an event. True if the observer has to be scheduled for a
  /// call.
  func receive(_ event: ParameterEvent, of parameter: ParameterCore) -> Bool {
    pending.withLock { pending in
      if case .values = kind {
        if pending.known.insert(ObjectIdentifier(parameter)).inserted {
          pending.parameters.append(parameter)
        }
      } else {
        let event = AUParameterAutomationEvent(
          hostTime: event.hostTime, address: parameter.address, value: event.value,
          eventType: event.type, reserved: 0)
        if pending.events.count >= Self.capacity, event.eventType == .value,
          let last = pending.events.last, last.eventType == .value, last.address == event.address
        {
          pending.events.removeLast()
        }
        pending.events.append(event)
      }
      defer { pending.isScheduled = true }
      return !pending.isScheduled
    }
  }

  /// [the delivery thread] Calls the program with the waiting events. Of several changes of one
  /// parameter, an observer of values gets the last.
  func deliver() {
    let (parameters, events) = pending.withLock { pending in
      defer { pending = Pending() }
      return (pending.parameters, pending.events)
    }
    switch kind {
    case .values(let call):
      for parameter in parameters { call(parameter.address, parameter.value) }
      due.store(rt_host_time() + Self.interval, ordering: .relaxed)
    case .recording(let call):
      let records = events.map {
        AURecordedParameterEvent(hostTime: $0.hostTime, address: $0.address, value: $0.value)
      }
      records.withUnsafeBufferPointer { if let base = $0.baseAddress { call($0.count, base) } }
    case .automation(let call):
      events.withUnsafeBufferPointer { if let base = $0.baseAddress { call($0.count, base) } }
    }
  }
}
