// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// The part of a unit that render threads use: one piece of memory that lives as long as the unit
/// and is accessed without counting references.
///
/// Control threads write here by atomic stores and by publishing; they never hold a lock that a
/// render thread waits for. The members that every render reads come first; together with the word
/// of `pending`, which precedes them, they fill one cache line.
package struct RenderSide: ~Copyable {
  package let pending: PendingWork
  package let gate = RenderGate()
  let sources: Published
  /// The renderer of a unit with a kernel, while the unit is initialised. Only the code in
  /// `KernelRendering` uses its type.
  var renderer: UnsafeMutableRawPointer?
  let lastSampleTime = Atomic<UInt64>(Self.never)
  /// In separate memory: it changes while nothing renders, but other threads may read the members
  /// next to it.
  let limits: UnsafeMutablePointer<RenderLimits>
  /// The maximum number of frames per pull, for readers.
  let frameLimit = Atomic<UInt32>(.max)
  let lastRenderError = Atomic<OSStatus>(0)
  /// The processor load of its renders.
  package let load = CPULoadMeter()
  /// The parameter changes for the next renders.
  package let events: UnsafeMutablePointer<MessageQueue<ParameterChange>>
  private let mailbox: UnsafeMutablePointer<MessageQueue<PropertyMessage>>
  let notifies: Published
  /// For the head of a graph: the changes to apply together before the next render.
  let pendingSwap = Atomic<UInt>(0)
  let elements: Published
  /// The recent output, for units with several readers that request the same frames. In separate
  /// memory, to which the renderer has a pointer.
  let history: UnsafeMutablePointer<Published>
  /// The unit's handle, for messages to the notifier.
  let handle = Atomic<UInt>(0)
  /// The `PassThrough` of a unit without a kernel, while it is initialised and only passes on its input.
  /// Only the code of `PassThrough` uses its type.
  var passing: UnsafeMutableRawPointer?
  /// Why the present render fails, if its kernel says so.
  private let failure = Atomic<OSStatus>(0)

  /// The initial tables.
  struct Tables {
    let sources: any Publishable
    let notifies: any Publishable
    let elements: any Publishable
    let history: any Publishable
  }

  private init(
    _ pending: PendingWork, _ tables: Tables,
    _ mailbox: UnsafeMutablePointer<MessageQueue<PropertyMessage>>
  ) {
    self.pending = pending
    self.mailbox = mailbox
    events = .cell(MessageQueue(capacity: 1_024, comesWhenUsed: true))
    sources = Published(tables.sources)
    notifies = Published(tables.notifies)
    elements = Published(tables.elements)
    history = .cell(Published(tables.history))
    limits = .cell(RenderLimits())
  }

  deinit {
    events.endCell()
    limits.endCell()
    history.endCell()
  }

  /// [control thread] Makes a unit's render side with the tables from `makeTables`, whose elements
  /// raise kinds of the given pending work; also returns these elements. Renders post messages to
  /// `mailbox`.
  static func allocate<Elements>(
    _ mailbox: UnsafeMutablePointer<MessageQueue<PropertyMessage>>,
    _ makeTables: (PendingWork) -> (Tables, Elements)
  ) -> (UnsafeMutablePointer<Self>, Elements) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: wordSize + MemoryLayout<Self>.size, alignment: RenderArena.line)
    let pending = PendingWork(at: memory.bindMemory(to: Atomic<UInt32>.self, capacity: 1))
    let side = (memory + wordSize).bindMemory(to: Self.self, capacity: 1)
    let (tables, elements) = makeTables(pending)
    side.initialize(to: Self(pending, tables, mailbox))
    return (side, elements)
  }

  /// [control thread] Frees a side from `allocate`; nothing may use it any more.
  static func deallocate(_ side: UnsafeMutablePointer<Self>) {
    side.deinitialize(count: 1)
    (UnsafeMutableRawPointer(side) - wordSize).deallocate()
  }

  /// The size of the pending-work word that precedes the rest.
  private static var wordSize: Int { 8 }

  /// The value of `lastSampleTime` before the first render.
  static var never: UInt64 { (-Double.greatestFiniteMagnitude).bitPattern }

  /// [render thread] Whether the unit is initialised.
  package var isReadyToRender: Bool { @_noLocks get { !pending.has(.notReady) } }

  /// [render thread] Stores an error, unless an earlier one has not been read yet, and notifies the
  /// listeners.
  @_noLocks
  package borrowing func recordError(_ status: OSStatus) {
    let (isStored, _) = lastRenderError.compareExchange(
      expected: 0, desired: status, ordering: .relaxed)
    if isStored { post(kAudioUnitProperty_LastRenderError) }
  }

  /// [any thread] As above, but an earlier error that has not been read yet is less important.
  package borrowing func replaceError(_ status: OSStatus) {
    lastRenderError.store(status, ordering: .relaxed)
    post(kAudioUnitProperty_LastRenderError)
  }

  /// [render thread, inside the gate] Makes the present render fail when its kernel has ended.
  @_noLocks
  package borrowing func failRender(_ status: OSStatus) {
    failure.store(status, ordering: .relaxed)
    pending.raise(.failure)
  }

  /// [render thread] Makes the notifier call the listeners of a global property; without effect if
  /// too many messages are waiting.
  @_noLocks
  package borrowing func post(_ id: AudioUnitPropertyID) {
    _ = mailbox.pointee.push(PropertyMessage(handle.load(ordering: .relaxed), id))
  }

  /// [render thread] Records the time of the rendered frames.
  @_noLocks
  package borrowing func recordTime(_ sampleTime: Double) {
    lastSampleTime.store(sampleTime.bitPattern, ordering: .relaxed)
  }

  /// [the thread inside the gate] Whether a reset is due; if so, the caller must do it.
  @_noLocks
  package borrowing func consumeReset() -> Bool {
    guard pending.consume(.reset) else { return false }
    lastSampleTime.store(Self.never, ordering: .relaxed)
    return true
  }

  /// [render thread] The error in the arguments of a render, or `noErr`.
  @_noLocks
  package borrowing func check(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard isReadyToRender else { return kAudioUnitErr_Uninitialized }
    return limits.pointee.check(call, data)
  }

  // MARK: The guard around every render

  /// [render thread] Enters the gate, which admits one render at a time. Returns the pending work;
  /// nil if the unit is already being rendered. Must be followed by `endRender` unless nil.
  @_noLocks @inline(__always)
  borrowing func beginRender() -> PendingWork.Kinds? {
    gate.tryEnter(as: rt_thread_id()) ? pending.kinds : nil
  }

  /// [render thread, inside the gate] Records the time of the rendered frames, or the error. Returns the
  /// result: a failure if the kernel has made the render fail.
  @_noLocks @inline(__always)
  borrowing func finish(
    _ pulled: PullResult, at time: UnsafePointer<AudioTimeStamp>
  ) -> PullResult {
    guard !pending.has(.failure) else { return takeFailure(pulled) }
    if pulled.status != noErr {
      recordError(pulled.status)
    } else if pulled.wasTried {
      recordTime(time.pointee.mSampleTime)
    }
    return pulled
  }

  /// [render thread, inside the gate] As above, after processing without pulling, which has no time.
  @_noLocks
  borrowing func finish(processed status: OSStatus) -> OSStatus {
    guard !pending.has(.failure) else { return takeFailure(PullResult(status)).status }
    if status != noErr { recordError(status) }
    return status
  }

  /// [render thread, inside the gate] The failure of a render, whose frames are asked for again.
  @_noLocks @inline(never)
  private borrowing func takeFailure(_ pulled: PullResult) -> PullResult {
    pending.lower(.failure)
    pending.raise(.stale)
    let status = pulled.status == noErr ? failure.load(ordering: .relaxed) : pulled.status
    recordError(status)
    return PullResult(status)
  }

  /// [render thread] Leaves the gate.
  @_noLocks @inline(__always)
  borrowing func endRender() { gate.leave() }

  /// The result of a render while another one is running.
  static var isBusy: PullResult {
    @_noLocks @inline(__always) get { PullResult(kAudioUnitErr_CannotDoInCurrentContext) }
  }
}
