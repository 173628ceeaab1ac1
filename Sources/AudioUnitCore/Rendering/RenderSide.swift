// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing
import Synchronization

/// What render threads see of a unit: one piece of memory that lives as long as the unit, reached
/// without counting references.
///
/// The control side writes here by atomic stores and by publishing; it never takes a lock that a
/// render thread waits for. What every slice looks at comes first: with the word of
/// `pending`, which lies before it, it is one line of the cache.
package struct RenderSide: ~Copyable {
  package let pending: PendingWork
  package let gate = RenderGate()
  let sources: Published
  /// Units that run a kernel: what renders it, while the unit is initialised. Only `KernelRendering` looks
  /// inside.
  var renderer: UnsafeMutableRawPointer?
  let lastSampleTime = Atomic<UInt64>(Self.never)
  /// In memory of its own: changed while nothing renders, but others may look at what stands beside.
  let limits: UnsafeMutablePointer<RenderLimits>
  /// The most frames that it gives at once, for whoever pulls it.
  let frameLimit = Atomic<UInt32>(.max)
  let lastRenderError = Atomic<OSStatus>(0)
  /// How much of real time its renders take.
  package let load = CPULoadMeter()
  package let events = EventQueue.allocate()
  private let mailbox: PropertyMailbox
  let notifies: Published
  /// Units at the head of a graph: what changes together before the next slice.
  let pendingSwap = Atomic<UInt>(0)
  let elements: Published
  /// Units with several readers: the frames that these ask for again. In memory of its own, where the
  /// renderer finds it.
  let history: UnsafeMutablePointer<Published>
  /// The unit's handle, for messages.
  let handle = Atomic<UInt>(0)

  /// What is published first.
  struct Tables {
    let sources: any Publishable
    let notifies: any Publishable
    let elements: any Publishable
    let history: any Publishable
  }

  private init(_ pending: PendingWork, _ tables: Tables, _ mailbox: PropertyMailbox) {
    self.pending = pending
    self.mailbox = mailbox
    sources = Published(tables.sources)
    notifies = Published(tables.notifies)
    elements = Published(tables.elements)
    history = .cell(Published(tables.history))
    limits = .cell(RenderLimits())
  }

  deinit {
    events.deallocate()
    limits.endCell()
    history.endCell()
  }

  /// [control thread] A unit's render side with the tables that `makeTables` gives; their elements raise
  /// kinds of the pending work that it is given. What renders find goes into `mailbox`.
  static func allocate(_ mailbox: PropertyMailbox, _ makeTables: (PendingWork) -> Tables)
    -> UnsafeMutablePointer<Self>
  {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: wordSize + MemoryLayout<Self>.size, alignment: RenderArena.line)
    let pending = PendingWork(at: memory.bindMemory(to: Atomic<UInt32>.self, capacity: 1))
    let side = (memory + wordSize).bindMemory(to: Self.self, capacity: 1)
    side.initialize(to: Self(pending, makeTables(pending), mailbox))
    return side
  }

  /// [control thread] Frees what `allocate` gave; nothing may use it any more.
  static func deallocate(_ side: UnsafeMutablePointer<Self>) {
    side.deinitialize(count: 1)
    (UnsafeMutableRawPointer(side) - wordSize).deallocate()
  }

  /// What the word of pending work takes before the rest.
  private static var wordSize: Int { 8 }

  /// The time of the last render before there was one.
  static var never: UInt64 { (-Double.greatestFiniteMagnitude).bitPattern }

  /// [render thread] Whether the unit is initialised.
  package var isReadyToRender: Bool { @_noLocks get { !pending.has(.notReady) } }

  /// [render thread] Keeps the first error until it is read, and has the listeners called.
  @_noLocks
  package borrowing func note(_ status: OSStatus) {
    let (kept, _) = lastRenderError.compareExchange(
      expected: 0, desired: status, ordering: .relaxed)
    if kept { post(kAudioUnitProperty_LastRenderError) }
  }

  /// [render thread] Has the notifier call the listeners of a global property.
  @_noLocks
  package borrowing func post(_ id: AudioUnitPropertyID) {
    mailbox.post(handle.load(ordering: .relaxed), id)
  }

  /// [render thread] Writes down when the frames that were rendered begin.
  @_noLocks
  package borrowing func noteTime(_ sampleTime: Double) {
    lastSampleTime.store(sampleTime.bitPattern, ordering: .relaxed)
  }

  /// [whoever is inside the gate] Whether a reset is due; it is then the caller's to do.
  @_noLocks
  package borrowing func consumeReset() -> Bool {
    guard pending.consume(.reset) else { return false }
    lastSampleTime.store(Self.never, ordering: .relaxed)
    return true
  }

  /// [render thread] What is wrong with the arguments of a render; `noErr` when nothing is.
  @_noLocks
  package borrowing func check(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  {
    guard isReadyToRender else { return kAudioUnitErr_Uninitialized }
    return limits.pointee.check(call, data)
  }

  // MARK: The guard around every render

  /// [render thread] Enters the gate, one render at a time; what is pending then, or nil where the unit is
  /// being rendered already. `endRender` is owed.
  @_noLocks @inline(__always)
  borrowing func beginRender() -> PendingWork.Kinds? {
    gate.tryEnter() ? pending.kinds : nil
  }

  /// [render thread, inside the gate] Keeps the time of what was rendered, or the error.
  @_noLocks @inline(__always)
  borrowing func keepOutcome(_ pulled: Pulled, at time: UnsafePointer<AudioTimeStamp>) {
    if pulled.status != noErr {
      note(pulled.status)
    } else if pulled.wasTried {
      noteTime(time.pointee.mSampleTime)
    }
  }

  /// [render thread] Leaves the gate.
  @_noLocks @inline(__always)
  borrowing func endRender() { gate.leave() }

  /// What a render answers while another is under way.
  static var isBusy: Pulled {
    @_noLocks @inline(__always) get { Pulled(kAudioUnitErr_CannotDoInCurrentContext) }
  }
}
