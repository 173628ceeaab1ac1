// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import MusicSequences

/// The part of a player that render threads use: sends the events of a plan, slice by slice.
///
/// Whatever drives the player calls `advance`: a graph's render, or a thread. One at a time goes
/// through the gate.
final class PlayHead: @unchecked Sendable {  // its memory has its own rules
  static let handles = HandleTable<PlayHead, OpaquePointer>(kind: 0x2C)

  let memory: UnsafeMutablePointer<PlayMemory>
  private(set) var handle: OpaquePointer?
  /// [a thread without locks] Handles a change of a format of the graph's output.
  let formatChanged = Guarded<(@Sendable () -> Void)?>(nil)

  /// [control thread] A head without a plan.
  init() throws(AudioError) {
    memory = .allocate(capacity: 1)
    let state = UnsafeMutablePointer<PlayState>.allocate(capacity: 1)
    state.initialize(to: PlayState())
    memory.initialize(to: PlayMemory(state: state))
    handle = try Self.handles.insert(self)
  }

  deinit {
    memory.pointee.state.pointee.deallocate()
    memory.pointee.state.deallocate()
    memory.deinitialize(count: 1).deallocate()
  }

  /// [control thread] Ends it: from now on no render uses it.
  func end() {
    guard let handle, Self.handles.invalidate(handle) else { return }
    self.handle = nil
    _ = Self.handles.release(handle)
  }

  /// [control thread, under the player's lock] Replaces the plan.
  func publish(_ plan: PlayPlan) {
    memory.pointee.plan.publish(plan) { memory.pointee.gate.isIdle }
  }

  /// [any thread] Takes the plan if no slice is being played; otherwise it returns false, and the next
  /// slice takes it.
  @discardableResult
  func takePlan() -> Bool { Self.advance(memory, 0, hostTime: 0) }

  /// [render thread] Plays the next frames, which begin at a host time; 0 if they have none. False if
  /// another thread plays a slice.
  @_noLocks
  @discardableResult
  static func advance(
    _ memory: UnsafeMutablePointer<PlayMemory>, _ frameCount: Int, hostTime: UInt64
  ) -> Bool {
    guard memory.pointee.gate.tryEnter() else { return false }
    defer { memory.pointee.gate.leave() }
    guard let address = memory.pointee.plan.loadIfAny() else { return true }
    let plan = address.assumingMemoryBound(to: PlanHeader.self)
    var slice = PlaySlice(
      plan: plan, state: memory.pointee.state, memory: memory, frameCount: frameCount,
      hostTime: hostTime)
    slice.play()
    return true
  }

  /// A listener of the formats of a graph's output, for the handle of a head.
  static func formatListener(_ handle: OpaquePointer) -> PropertyListener {
    PropertyListener(
      { context, _, _, _, _ in
        let listening = OpaquePointer(context)
        guard let entered = PlayHead.handles.enter(listening) else { return }
        let head = entered.takeUnretainedValue()
        PlayHead.handles.leave(listening)
        head.formatChanged.withLock { $0 }?()
      }, UnsafeMutableRawPointer(handle), isAwaited: false)
  }

  /// The render notification of a graph: plays before each render of its output. The context is the
  /// handle of a head.
  static let notify: AURenderCallback = { context, flags, time, _, frameCount, _ in
    guard flags.pointee.contains(.unitRenderAction_PreRender) else { return noErr }
    let handle = OpaquePointer(context)
    guard let head = PlayHead.handles.enter(handle) else { return noErr }
    let hasHostTime = time.pointee.mFlags.contains(.hostTimeValid)
    head._withUnsafeGuaranteedRef {
      _ = advance(
        $0.memory, Int(frameCount), hostTime: hasHostTime ? time.pointee.mHostTime : 0)
    }
    PlayHead.handles.leave(handle)
    return noErr
  }
}
