// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// Renders a unit by its internal render block: passes it the events for the frames, and calls the
/// observers before and after.
///
/// The block is kept while the unit has render resources.
final class UnitRenderer: @unchecked Sendable {  // what changes is atomic or inside the gate
  let observers = RenderObservers()
  private let observerSide: UnsafeMutablePointer<ObserverSide>
  /// The events for the next renders.
  let events: UnsafeMutablePointer<EventQueue>
  private let gate = RenderGate()
  /// Whether there is a block.
  private let isStarted = Atomic(false)
  private let maximumFrames = Atomic<UInt32>(0)
  private let busCount = Atomic<Int>(0)
  /// Whether the block gets events and observers are called: otherwise the C unit behind the block
  /// does both.
  private let passesEvents: Bool
  /// The block, which renders use while `isStarted`.
  private let block: UnsafeMutablePointer<StoredInternalBlock?> = .cell(nil)

  init(takesMIDI: Bool, passesEvents: Bool) {
    self.passesEvents = passesEvents
    observerSide = observers.side
    events = .cell(EventQueue(takesMIDI: takesMIDI))
  }

  deinit {
    events.endCell()
    block.endCell()
  }

  // MARK: Control

  /// [any thread] Whether there are render resources.
  var isReady: Bool { isStarted.load(ordering: .acquiring) }

  /// [control thread] From now on it renders so many buses with a block.
  func start(
    _ new: @escaping AUInternalRenderBlock, maximumFrames frames: AUAudioFrameCount, buses: Int
  ) {
    block.pointee = StoredInternalBlock(call: new)
    maximumFrames.store(frames, ordering: .relaxed)
    busCount.store(buses, ordering: .relaxed)
    isStarted.store(true, ordering: .sequentiallyConsistent)
  }

  /// [control thread] From now on it does not render; waits for the current render, unless this is
  /// called within one.
  func stop() {
    isStarted.store(false, ordering: .sequentiallyConsistent)
    guard !gate.isHeldByThisThread else { return }
    gate.waitUntilIdle()
    block.pointee = nil
  }

  // MARK: Rendering

  /// [render thread] Renders a bus. `pull` has the block that supplies the inputs.
  @_noLocks
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int,
    _ data: UnsafeMutablePointer<AudioBufferList>,
    _ pull: UnsafePointer<StoredPullBlock>
  ) -> AUAudioUnitStatus {
    guard gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { gate.leave() }
    // Inside the gate, so that the block stays until the end.
    guard isStarted.load(ordering: .sequentiallyConsistent) else {
      return kAudioUnitErr_Uninitialized
    }
    guard frames <= maximumFrames.load(ordering: .relaxed) else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    guard bus >= 0, bus < busCount.load(ordering: .relaxed) else {
      return kAudioUnitErr_InvalidElement
    }
    rt_enter()
    defer { rt_leave() }
    guard passesEvents else {
      return callBlock(block, flags, time, frames, bus, data, nil, pull)
    }
    let (observers, events) = (observerSide, events)
    observers.pointee.call(flags.pointee, adding: RenderMoment.before, time, frames, bus)
    let list = events.pointee.take(from: time.pointee.sampleTimeForEvents, frames: frames)
    let status = callBlock(block, flags, time, frames, bus, data, list, pull)
    events.pointee.giveBack(list)
    let moment = status == noErr ? RenderMoment.after : RenderMoment.after | RenderMoment.failed
    observers.pointee.call(flags.pointee, adding: moment, time, frames, bus)
    return status
  }
}

/// [render thread] Calls code of the program, which the compiler cannot check.
@_semantics("no_performance_analysis") @inline(never)
private func callBlock(
  _ block: UnsafeMutablePointer<StoredInternalBlock?>,
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
  _ frames: AUAudioFrameCount, _ bus: Int, _ data: UnsafeMutablePointer<AudioBufferList>,
  _ events: UnsafeMutablePointer<AURenderEvent>?, _ pull: UnsafePointer<StoredPullBlock>
) -> AUAudioUnitStatus {
  block.pointee?.call(
    flags, time, frames, bus, data, events.map { UnsafePointer($0) }, pull.pointee.call)
    ?? kAudioUnitErr_Uninitialized
}

/// The flags that tell an observer when it is called.
enum RenderMoment {
  static var before: UInt32 {
    @_noLocks get { AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue }
  }
  static var after: UInt32 {
    @_noLocks get { AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue }
  }
  static var failed: UInt32 {
    @_noLocks get { AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue }
  }
}

extension AudioTimeStamp {
  /// The sample time of the first frame, for comparison with the times of events; 0 if there is
  /// none.
  var sampleTimeForEvents: AUEventSampleTime {
    @_noLocks get {
      guard mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0,
        mSampleTime > -0x1p62, mSampleTime < 0x1p62
      else { return 0 }
      let whole = AUEventSampleTime(mSampleTime)
      return Double(whole) > mSampleTime ? whole - 1 : whole
    }
  }
}
