// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Synchronization

/// What render threads see of a unit: one piece of memory that lives as long as the unit, reached
/// without counting references.
///
/// The control side writes here by atomic stores and by publishing; it never takes a lock that a
/// render thread waits for. What every slice looks at comes first: with the word of `attention`, which
/// lies before it, it is one line of the cache.
package struct RenderSide: ~Copyable {
  package let attention: Attention
  package let gate = RenderGate()
  let sources = Published(SourceTable.allocate([]))
  /// Units that run a kernel: the render half; there is one while the unit is initialised.
  var renderer: UnsafeMutablePointer<KernelRenderer>?
  let lastSampleTime = Atomic<UInt64>(Self.never)
  /// In memory of its own: changed while nothing renders, but others may look at what stands beside.
  let limits: UnsafeMutablePointer<RenderLimits>
  /// The most frames that it gives at once, for whoever pulls it.
  let frameLimit = Atomic<UInt32>(.max)
  let lastRenderError = Atomic<OSStatus>(0)
  /// How much of real time its renders take.
  package let load = CPULoadMeter()
  package let events = EventQueue.allocate()
  let mailbox = PropertyMailbox.shared
  let notifies = Published(NotifyTable.allocate([]))
  /// Units at the head of a graph: what changes together before the next slice.
  let pendingSwitch = Atomic<UInt>(0)
  let elements: Published
  /// The unit's handle, for messages.
  let handle = Atomic<UInt>(0)

  private init(_ attention: Attention, _ elements: ElementTable) {
    self.attention = attention
    self.elements = Published(elements)
    limits = .allocate(capacity: 1)
    limits.initialize(to: RenderLimits())
  }

  deinit {
    events.deallocate()
    limits.deinitialize(count: 1).deallocate()
  }

  /// [control thread] A unit's render side with the elements that `makeElements` gives; they raise the
  /// attention they are given.
  static func allocate(_ makeElements: (Attention) -> ElementTable) -> UnsafeMutablePointer<Self> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: wordSize + MemoryLayout<Self>.size, alignment: RenderArena.line)
    let attention = Attention(at: memory.bindMemory(to: Atomic<UInt32>.self, capacity: 1))
    let side = (memory + wordSize).bindMemory(to: Self.self, capacity: 1)
    side.initialize(to: Self(attention, makeElements(attention)))
    return side
  }

  /// [control thread] Frees what `allocate` gave; nothing may use it any more.
  static func deallocate(_ side: UnsafeMutablePointer<Self>) {
    side.deinitialize(count: 1)
    (UnsafeMutableRawPointer(side) - wordSize).deallocate()
  }

  /// What the word of attention takes before the rest.
  private static var wordSize: Int { 8 }

  /// The time of the last render before there was one.
  static var never: UInt64 { (-Double.greatestFiniteMagnitude).bitPattern }

  /// [render thread] Whether the unit is initialised.
  package var isReadyToRender: Bool { @_noLocks get { !attention.has(.notReady) } }

  /// [render thread] The sources as published last.
  package var plan: RenderPlan {
    @_noLocks @inline(__always) get { RenderPlan(SourceTable(address: sources.load())) }
  }

  /// [render thread] Who is told of renders, as published last.
  package var notified: NotifyTable {
    @_noLocks get { NotifyTable(address: notifies.load()) }
  }

  /// [render thread, inside the gate] At the top of a slice, before the plan is read: puts a graph's
  /// edits into effect.
  @_noLocks
  package borrowing func takeSwitch() {
    guard attention.take(.offer) else { return }
    let bits = pendingSwitch.load(ordering: .sequentiallyConsistent)
    guard let change = SourceSwitch(bits) else { return }
    change.apply()
    _ = pendingSwitch.compareExchange(
      expected: bits, desired: 0, ordering: .sequentiallyConsistent)
  }

  /// [any thread] The parameter store of an element, found without a lock.
  @_noLocks
  func store(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> ElementTable.Answer {
    ElementTable(address: elements.load()).store(scope, element)
  }

  /// [any thread] Where a parameter is, found without a lock.
  @_noLocks
  func place(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> ElementTable.Answer {
    ElementTable(address: elements.load()).place(id, scope, element)
  }

  /// [render thread] Keeps the first error until it is read, and has the listeners told.
  @_noLocks
  package borrowing func note(_ status: OSStatus) {
    let (kept, _) = lastRenderError.compareExchange(
      expected: 0, desired: status, ordering: .relaxed)
    if kept { post(kAudioUnitProperty_LastRenderError) }
  }

  /// [render thread] Has the notifier tell the listeners of a global property.
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
  package borrowing func takeReset() -> Bool {
    guard attention.take(.reset) else { return false }
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

  /// [render thread, inside the gate] Ends a render: keeps its time, or its error.
  @_noLocks @inline(__always)
  package borrowing func end(_ call: RenderCall, _ status: OSStatus) {
    if status == noErr { noteTime(call.time.pointee.mSampleTime) } else { note(status) }
  }

  /// [render thread] Renders an output bus of a kernel for the unit that it is connected to, which finds
  /// the samples where they are. Nothing where there is more to do than that.
  @_noLocks @inline(never)
  borrowing func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> Pulled {
    guard gate.tryEnter() else { return Pulled(kAudioUnitErr_CannotDoInCurrentContext) }
    defer { gate.leave() }
    let reasons = attention.reasons
    guard !reasons.has(.guarded), let renderer else { return .nothing }
    var pulled = renderer.pointee.render(
      bus, flags, time, frames, plan, reasons, into: buffer)
    if pulled.status == noErr {
      if pulled.isDone { noteTime(time.pointee.mSampleTime) }
      // Looked at last: who is connected meanwhile hears of it.
      pulled.isShared = attention.has(.manyReaders)
      pulled.isLendable = !pulled.isShared
    } else {
      note(pulled.status)
    }
    return pulled
  }
}

/// What a render may ask for, fixed while the unit is initialised.
struct RenderLimits: ~Copyable {
  private struct Shape {
    var bufferCount: UInt32
    var bytesPerFrame: UInt32
  }

  private var maximumFrames: UInt32 = 0
  /// Of the first output, for whoever measures.
  private(set) var sampleRate = 44_100.0
  private var outputCount: UInt32 = 0
  private var outputs: UnsafeMutablePointer<Shape> = .allocate(capacity: 1)

  deinit { outputs.deallocate() }

  /// [control thread, while nothing renders]
  mutating func set(maximumFrames: Int, outputs formats: [StreamFormat]) {
    outputs.deallocate()
    outputs = .allocate(capacity: max(formats.count, 1))
    for (index, format) in formats.enumerated() {
      outputs[index] = Shape(
        bufferCount: UInt32(format.bufferCount), bytesPerFrame: UInt32(format.bytesPerFrame))
    }
    self.maximumFrames = UInt32(maximumFrames)
    sampleRate = formats.first?.sampleRate ?? sampleRate
    outputCount = UInt32(formats.count)
  }

  /// [render thread] In the order in which the documentation names the errors.
  @_noLocks
  func check(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard call.frameCount <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    guard call.bus < outputCount else { return kAudioUnitErr_InvalidElement }
    let shape = outputs[Int(call.bus)]
    guard data.pointee.mNumberBuffers == shape.bufferCount else { return kAudio_ParamError }
    let bytes = call.frameCount * shape.bytesPerFrame
    let buffers = buffersOf(data)
    // All of them bring memory, or none does.
    let bringsMemory = buffers[0].mData != nil
    for index in 0..<Int(shape.bufferCount) {
      guard (buffers[index].mData != nil) == bringsMemory,
        !bringsMemory || buffers[index].mDataByteSize >= bytes
      else { return kAudio_ParamError }
    }
    return noErr
  }
}
