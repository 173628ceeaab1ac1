// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import CoreAudio
import CoreFoundation
import Foundation

/// The session of a C program: it is initialized once, and calls its listeners on one run loop.
final class SessionClient: @unchecked Sendable {  // all state is guarded by `lock`
  static let shared = SessionClient()

  private struct Listener {
    let id: AudioSessionPropertyID
    let function: AudioSessionPropertyListener
    let context: UnsafeMutableRawPointer?

    func isSame(
      _ id: UInt32, _ function: AudioSessionPropertyListener, _ context: UnsafeRawPointer?
    )
      -> Bool
    {
      self.id == id && self.context.map { UnsafeRawPointer($0) } == context
        && unsafeBitCast(self.function, to: UInt.self) == unsafeBitCast(function, to: UInt.self)
    }
  }

  private let lock = Lock()
  private var timer: CFRunLoopTimer?
  private var interrupted: (function: AudioSessionInterruptionListener, context: UInt)?
  private let listeners = ListenerList<Listener>(isReportedTo: false)
  private var pending: [SessionEvent] = []

  // MARK: Life

  /// Sets the run loop, and the interruption listener.
  func begin(
    _ runLoop: UnsafeRawPointer?, _ mode: UnsafeRawPointer?,
    _ listener: AudioSessionInterruptionListener?, _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    let arguments = try runLoopArguments(runLoop, mode)
    try lock.withLock { () throws(AudioError) in
      guard timer == nil else {
        throw AudioError(status: kAudioSessionAlreadyInitialized).because(
          "AudioSessionInitialize has been called before")
      }
      timer = try Self.makeTimer(arguments.runLoop, arguments.mode)
      interrupted = listener.map { ($0, UInt(bitPattern: context)) }
    }
    Session.shared.addObserver { [self] event in
      let timer = lock.withLock {
        pending.append(event)
        return self.timer
      }
      if let timer { CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent()) }
    }
  }

  /// Creates a timer that keeps the run loop alive, and fires when there is an event to report.
  private static func makeTimer(
    _ runLoop: CFRunLoop?, _ mode: NSString?
  ) throws(AudioError) -> CFRunLoopTimer {
    var context = CFRunLoopTimerContext()
    let (never, seldom) = (4e9, 5e8)
    let timer = CFRunLoopTimerCreate(
      nil, never, seldom, 0, 0, { _, _ in SessionClient.shared.deliverPending() }, &context)
    guard let timer else {
      throw AudioError(status: kAudioSessionUnspecifiedError).because(
        "the run loop cannot create a timer")
    }
    CFRunLoopAddTimer(
      runLoop ?? CoreFoundation.CFRunLoopGetMain(), timer,
      mode.map { unsafeBitCast($0, to: CoreFoundation.CFString.self) } ?? kCFRunLoopDefaultMode)
    return timer
  }

  /// The session, once it is initialized.
  func session() throws(AudioError) -> Session {
    guard lock.withLock({ timer != nil }) else {
      throw AudioError(status: kAudioSessionNotInitialized).because(
        "call AudioSessionInitialize first")
    }
    return .shared
  }

  /// Activates or deactivates the session.
  func setActive(_ active: Bool, flags: UInt32) throws(AudioError) {
    let session = try session()
    guard flags & ~kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation == 0 else {
      throw .invalidArgument.because("0x\(String(flags, radix: 16)): there is no such flag")
    }
    if active { try session.activate() } else { try session.deactivate() }
  }

  /// Reads a property into memory of `size` bytes; returns how many were written.
  func read(_ id: AudioSessionPropertyID, into data: UnsafeMutableRawPointer, size: Int)
    throws(AudioError) -> Int
  {
    var count = UInt32(clamping: size)
    try Session.properties.read(PropertyAddress(id), of: try session(), into: data, size: &count)
    return Int(count)
  }

  // MARK: Listeners

  func add(
    _ id: AudioSessionPropertyID, _ function: @escaping AudioSessionPropertyListener,
    _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    _ = try Session.properties.row(PropertyAddress(id), of: try session())
    listeners.add(Listener(id: id, function: function, context: context))
  }

  func remove(_ id: AudioSessionPropertyID) throws(AudioError) {
    _ = try Session.properties.row(PropertyAddress(id), of: try session())
    listeners.remove { $0.id == id }
  }

  func remove(
    _ id: AudioSessionPropertyID, _ function: @escaping AudioSessionPropertyListener,
    _ context: UnsafeMutableRawPointer?
  ) throws(AudioError) {
    _ = try session()
    let count = listeners.remove(onlyFirst: true) { $0.isSame(id, function, context) }
    guard count > 0 else {
      throw .invalidArgument.because("the listener was not added to '\(FourCharacterCode(id))'")
    }
  }

  /// [run loop] Calls the listeners with the pending events.
  private func deliverPending() {
    while let event = lock.withLock({ pending.isEmpty ? nil : pending.removeFirst() }) {
      switch event {
      case .interruptionBegan: interrupt(kAudioSessionBeginInterruption)
      case .interruptionEnded: interrupt(kAudioSessionEndInterruption)
      case .routeChanged(let reason, let previous): deliver(reason, previous)
      case .servicesLost: deliver(kAudioSessionProperty_ServerDied, .value(UInt32(1)))
      case .servicesReset: deliver(kAudioSessionProperty_ServerDied, .value(UInt32(0)))
      case .volumeChanged(let volume):
        deliver(kAudioSessionProperty_CurrentHardwareOutputVolume, .value(volume))
      case .inputsChanged:
        deliver(kAudioSessionProperty_AudioInputAvailable, .flag(Session.shared.isInputAvailable))
      case .silenceHint(let othersPlay):
        deliver(kAudioSessionProperty_OtherAudioIsPlaying, .flag(othersPlay))
      }
    }
  }

  private func interrupt(_ state: UInt32) {
    guard let interrupted = lock.withLock({ interrupted }) else { return }
    interrupted.function(UnsafeMutableRawPointer(bitPattern: interrupted.context), state)
  }

  private func deliver(_ id: AudioSessionPropertyID, _ value: PropertyValue) {
    withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { memory in
      guard let data = memory.baseAddress else { return }
      if let count = value.write(to: data, room: 8) { call(id, data, count) }
    }
  }

  /// Calls the listeners of route changes. The data of this property is the object itself, not a
  /// pointer to it.
  private func deliver(_ reason: SessionRouteChangeReason, _ previous: SessionRoute) {
    let change = PropertyList.dictionary([
      kAudioSession_AudioRouteChangeKey_Reason: .integer(Int(reason.rawValue)),
      kAudioSession_AudioRouteChangeKey_OldRoute: .string(
        (previous.outputs + previous.inputs).first?.type.rawValue ?? ""),
      kAudioSession_AudioRouteChangeKey_PreviousRouteDescription: previous.list,
      kAudioSession_AudioRouteChangeKey_CurrentRouteDescription: Session.shared.route.list,
    ])
    let object = Bridge.current.retainedPropertyList(change)
    call(kAudioSessionProperty_AudioRouteChange, object, 8)
    Bridge.current.release(object)
  }

  private func call(_ id: AudioSessionPropertyID, _ data: UnsafeRawPointer, _ size: Int) {
    listeners.call(where: { $0.id == id }) { $0.function($0.context, id, UInt32(size), data) }
  }
}
