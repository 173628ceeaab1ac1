// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import CRealTime
import Foundation
import Synchronization

/// All listeners of the process.
///
/// `all` is guarded by `lock`, `watches` by `watchLock`.
final class Listeners: @unchecked Sendable {
  static let shared = Listeners()

  /// Whether there ever was a listener; until then a report costs one load.
  private static let hasAny = Atomic(false)

  private let handles = HandleTable<ParameterListener, AUParameterListenerRef>(kind: 3)
  private let lock = Lock()
  private var all: [OpaquePointer: ParameterListener] = [:]
  private let watchLock = Lock()
  /// The number of subscriptions to each property of each unit.
  private var watches: [Watch: Int] = [:]
  private let mailbox = EventReportQueue()

  private struct Watch: Hashable {
    var unit: UInt
    var property: AudioUnitPropertyID
  }

  // MARK: Life

  /// [control thread] Gives a listener a handle and a place to be called.
  func add(
    _ setup: ParameterListener.Setup, at place: (OpaquePointer) -> any ListenerPlace
  ) throws(AudioError) -> OpaquePointer {
    let listener = ParameterListener(setup)
    let handle = try handles.insert(listener)
    listener.settle(at: place(handle))
    lock.withLock { all[handle] = listener }
    if !Self.hasAny.exchange(true, ordering: .acquiringAndReleasing) {
      Notifier.shared.addMailbox {
        while let report = Self.shared.mailbox.next() { Self.shared.spread(report, isLate: true) }
      }
    }
    Notifier.shared.listenersChanged(by: 1)
    return handle
  }

  /// [any thread] The listener behind a handle; nil when it is invalid.
  func living(_ handle: OpaquePointer) -> ParameterListener? {
    guard let entered = handles.enter(handle) else { return nil }
    // Kept alive by reference only: a use of the handle would make disposing of it from within wait
    // for itself.
    defer { handles.leave(handle) }
    return entered.takeUnretainedValue()
  }

  /// [any thread] Like `living`, but throws an error.
  func listener(_ handle: OpaquePointer) throws(AudioError) -> ParameterListener {
    guard let listener = living(handle) else {
      throw .invalidArgument.because("the handle does not belong to an existing listener")
    }
    return listener
  }

  /// [any thread] Disposes of a listener. Inside a render the rest follows on another thread.
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
    lock.withLock { all[handle] = nil }
    guard let listener = handles.release(handle) else { return }
    Notifier.shared.listenersChanged(by: -1)
    for wish in listener.end() where wish.type == .propertyChange { unwatch(wish) }
  }

  // MARK: Wishes

  /// [control thread] Subscribes a listener to an event on behalf of an object.
  func add(
    _ wish: ListenedEvent, for object: UnsafeMutableRawPointer?, to listener: ParameterListener
  )
    throws(AudioError)
  {
    guard let unit = AudioUnit(bitPattern: wish.unit), Handles.units.enter(unit) != nil else {
      throw .staleUnit
    }
    defer { Handles.units.leave(unit) }
    try watchLock.withLock { () throws(AudioError) in
      guard listener.add(wish, for: object), wish.type == .propertyChange else { return }
      do throws(AudioError) { try watch(wish) } catch {
        _ = listener.remove(wish, for: object)
        throw error
      }
    }
  }

  /// [control thread] Ends that subscription; does nothing when there is none.
  func remove(
    _ wish: ListenedEvent, for object: UnsafeMutableRawPointer?, from listener: ParameterListener
  ) {
    guard listener.remove(wish, for: object), wish.type == .propertyChange else { return }
    unwatch(wish)
  }

  /// Observes a property of a unit, once for all listeners.
  private func watch(_ wish: ListenedEvent) throws(AudioError) {
    let watch = Watch(unit: wish.unit, property: wish.id)
    if watches[watch] == nil {
      try withUnit(wish.unit) { unit throws(AudioError) in
        try unit.addPropertyListener(wish.id, Self.propertyListener)
      }
    }
    watches[watch, default: 0] += 1
  }

  private func unwatch(_ wish: ListenedEvent) {
    let watch = Watch(unit: wish.unit, property: wish.id)
    watchLock.withLock {
      guard let count = watches[watch] else { return }
      watches[watch] = count > 1 ? count - 1 : nil
      guard count == 1 else { return }
      // A unit that is gone has released its listeners.
      try? withUnit(wish.unit) { unit throws(AudioError) in
        try unit.removePropertyListener(wish.id, Self.propertyListener, matchingUserData: true)
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

  /// [any thread] Notifies every listener but the sender. From inside a render the notifier does so.
  static func notify(_ report: EventReport) {
    guard hasAny.load(ordering: .acquiring) else { return }
    if rt_current().pointee.depth > 0 {
      shared.mailbox.post(report)
    } else {
      shared.spread(report, isLate: false)
    }
  }

  private func spread(_ report: EventReport, isLate: Bool) {
    let listeners = lock.withLock { Array(all) }
    for (handle, listener) in listeners {
      listener.receive(
        report, asSender: UInt(bitPattern: handle) == report.sender, isLate: isLate)
    }
  }
}
