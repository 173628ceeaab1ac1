// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import CRealTime
import Foundation
import Synchronization

/// All listeners of the process.
///
/// `watches` is guarded by `watchLock`.
final class Listeners: @unchecked Sendable {
  static let shared = Listeners()

  /// Whether a listener was ever created; until then a report costs only one load.
  private static let hasAny = Atomic(false)

  private let handles = HandleTable<ParameterListener, AUParameterListenerRef>(kind: 3)
  private let all = ListenerList<ParameterListener>(isReportedTo: true)
  private let watchLock = Lock()
  /// The number of subscriptions to each property of each unit.
  private var watches: [Watch: Int] = [:]
  /// Reports from render threads, which the notifier distributes.
  private let mailbox = MessageQueue<EventReport>(capacity: 1_024)

  private struct Watch: Hashable {
    var unit: UInt
    var property: AudioUnitPropertyID
  }

  // MARK: Life

  /// [control thread] Creates a listener with its scheduler; returns its handle.
  func add(
    _ setup: ParameterListener.Setup, scheduler: (OpaquePointer) -> any ListenerScheduler
  ) throws(AudioError) -> OpaquePointer {
    let listener = ParameterListener(setup)
    let handle = try handles.insert(listener)
    listener.setScheduler(scheduler(handle))
    listener.handle = UInt(bitPattern: handle)
    all.add(listener)
    if !Self.hasAny.exchange(true, ordering: .acquiringAndReleasing) {
      Notifier.shared.addMailbox {
        while let report = Self.shared.mailbox.pop() {
          Self.shared.distribute(report, isLate: true)
        }
      }
    }
    return handle
  }

  /// [any thread] The listener behind a handle; nil when it is invalid.
  func liveListener(_ handle: OpaquePointer) -> ParameterListener? {
    guard let entered = handles.enter(handle) else { return nil }
    // The caller keeps the listener alive by reference only. If it also kept the handle entered,
    // disposing of the listener from one of its own calls would wait for itself.
    defer { handles.leave(handle) }
    return entered.takeUnretainedValue()
  }

  /// [any thread] Like `liveListener`, but throws an error.
  func listener(_ handle: OpaquePointer) throws(AudioError) -> ParameterListener {
    guard let listener = liveListener(handle) else {
      throw .invalidArgument.because("the handle does not belong to an existing listener")
    }
    return listener
  }

  /// [any thread] Disposes of a listener. Inside a render, another thread completes this.
  func dispose(_ handle: OpaquePointer) throws(AudioError) {
    guard handles.invalidate(handle) else {
      throw .invalidArgument.because("the handle does not belong to an existing listener")
    }
    guard rt_current().pointee.depth == 0 else {
      let number = UInt(bitPattern: handle)
      Notifier.disposal.perform { OpaquePointer(bitPattern: number).map(self.finish) }
      return
    }
    finish(handle)
  }

  private func finish(_ handle: OpaquePointer) {
    all.remove { $0.handle == UInt(bitPattern: handle) }
    guard let listener = handles.release(handle) else { return }
    for subscription in listener.end() where subscription.type == .propertyChange {
      unwatch(subscription)
    }
  }

  // MARK: Subscriptions

  /// [control thread] Subscribes a listener to an event on behalf of an object.
  func add(
    _ subscription: ListenedEvent, for object: UnsafeMutableRawPointer?,
    to listener: ParameterListener
  )
    throws(AudioError)
  {
    guard let unit = AudioUnit(bitPattern: subscription.unit), Handles.units.enter(unit) != nil
    else {
      throw .staleUnit
    }
    defer { Handles.units.leave(unit) }
    try watchLock.withLock { () throws(AudioError) in
      guard listener.add(subscription, for: object), subscription.type == .propertyChange else {
        return
      }
      do throws(AudioError) { try watch(subscription) } catch {
        _ = listener.remove(subscription, for: object)
        throw error
      }
    }
  }

  /// [control thread] Ends that subscription, if there is one.
  func remove(
    _ subscription: ListenedEvent, for object: UnsafeMutableRawPointer?,
    from listener: ParameterListener
  ) {
    guard listener.remove(subscription, for: object), subscription.type == .propertyChange else {
      return
    }
    unwatch(subscription)
  }

  /// Observes a property of a unit, once for all listeners.
  private func watch(_ subscription: ListenedEvent) throws(AudioError) {
    let watch = Watch(unit: subscription.unit, property: subscription.id)
    if watches[watch] == nil {
      try withUnit(subscription.unit) { unit throws(AudioError) in
        try unit.addPropertyListener(subscription.id, Self.propertyListener)
      }
    }
    watches[watch, default: 0] += 1
  }

  private func unwatch(_ subscription: ListenedEvent) {
    let watch = Watch(unit: subscription.unit, property: subscription.id)
    watchLock.withLock {
      guard let count = watches[watch] else { return }
      watches[watch] = count > 1 ? count - 1 : nil
      guard count == 1 else { return }
      // A unit that is gone has released its listeners.
      try? withUnit(subscription.unit) { unit throws(AudioError) in
        try unit.removePropertyListener(
          subscription.id, Self.propertyListener, matchingUserData: true)
      }
    }
  }

  private func withUnit(_ number: UInt, _ body: (UnitInstance) throws(AudioError) -> Void)
    throws(AudioError)
  {
    guard let handle = AudioUnit(bitPattern: number), let unit = Handles.units.enter(handle)
    else { throw .staleUnit }
    defer { Handles.units.leave(handle) }
    try body(unit.takeUnretainedValue())
  }

  private static let propertyListener = PropertyListener(
    { _, unit, id, scope, element in
      let property = AudioUnitProperty(
        mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
      Listeners.notify(
        EventReport(event: ListenedEvent(changeOf: property), hostTime: rt_host_time()))
    }, nil, isAwaited: false)

  // MARK: Notifying

  /// [any thread] Notifies all listeners except the sender. Inside a render, the notifier's thread
  /// does it.
  static func notify(_ report: EventReport) {
    guard hasAny.load(ordering: .acquiring) else { return }
    if rt_current().pointee.depth > 0 {
      _ = shared.mailbox.push(report)  // lost if a thousand are waiting
    } else {
      shared.distribute(report, isLate: false)
    }
  }

  private func distribute(_ report: EventReport, isLate: Bool) {
    for entry in all.entries() {
      entry.listener.receive(
        report, asSender: entry.listener.handle == report.sender, isLate: isLate)
    }
  }
}
