// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The render half of a kernel unit: buffers, the kernel, and the division of a render into slices.
///
/// It exists while the unit is initialised, and is used only inside the unit's gate. The members
/// that every slice reads come first.
struct KernelRenderer: ~Copyable {
  /// The time and length of the frames in the output buffers; NaN if there are none.
  var sampleTime = Double.nan
  var frameCount: UInt32 = 0
  var isSilent = false
  /// Frames of the previous render, if `repeatRender` may repeat it; otherwise 0.
  var repeatableFrames: UInt32 = 0
  /// Mixers: the number of the table whose inputs without a source are idle, as the kernel knows;
  /// otherwise 0.
  var settledTable: UInt64 = 0
  /// Frames since the input became silent.
  var silentFrames = 0
  let shape: UnitDefinition.Shape
  let pending: PendingWork
  let inputs: BusTable
  let outputs: BusTable
  let kernel: Unmanaged<KernelInstance>
  /// The arguments of the kernel, and the frames that their slices cover.
  let work: UnsafeMutablePointer<KernelInstance.Work>
  var cutFrames = -1
  var cutOffset = 0
  var isCutPart = false
  let maximumFrames: Int
  /// Effects: whether the kernel's output is always finite.
  let isAlwaysFinite: Bool
  /// Whether the kernel is that of a mixer with signal history, such as a room.
  let isCheckedMixer: Bool
  /// Whether a mixer fails while its first input has no source.
  let needsFirstInput: Bool
  var automation: Automation
  let switches: InputSwitches
  let global: ParameterStore
  let sampleRate: Double
  /// Set by a control thread while rendering.
  let processesInPlace: Atomic<Bool>
  let isBypassed: Atomic<Bool>
  /// Effects: the crossfade between output and input.
  var bypass: BypassCrossfade
  /// Converters: the source's time, counted in its own frames.
  var sourceClock = SourceClock(ratio: 1)
  /// Converters: the listener for `kAudioUnitProperty_InputSamplesInOutput`, and the frames of a
  /// failed render by which parameters have already advanced.
  let inputSamples: InputSamplesListeners.Reader?
  var advancedFrames = 0
  /// What writes each output in its own format; nil if all have the kernel's.
  private let writers: UnsafeMutablePointer<BufferListWriter?>?
  private let published: UnsafeMutablePointer<Published>
  /// The memory of all of this, with the renderer first.
  private let arena: RenderArena
  /// Memory for data that is larger, or read less often.
  private let memory: OwnedMemory

  /// The parts of the unit that the renderer uses.
  struct UnitParts {
    let global: Element
    let inputs: [Element]
    let outputs: [Element]
    /// The conversion of each input; nil if its source has the kernel's format.
    let conversions: [InputConversion?]
    /// What writes each output; nil if it has the kernel's format.
    let writers: [BufferListWriter?]
    /// A host's own memory for the first input.
    let external: UnsafeMutableRawBufferPointer?
    let pending: PendingWork
    let events: UnsafeMutablePointer<MessageQueue<ParameterChange>>
    /// The recent output, for several readers that request the same frames.
    let history: UnsafeMutablePointer<Published>
    /// Converters: the address of the listener for `kAudioUnitProperty_InputSamplesInOutput`.
    let inputSamples: InputSamplesListeners.Reader?
  }

  /// [control thread] Makes the renderer of a unit.
  static func allocate(
    _ definition: UnitDefinition, _ kernel: KernelInstance, _ setup: KernelSetup,
    _ unit: UnitParts, processesInPlace: Bool, isBypassed: Bool
  ) -> UnsafeMutablePointer<Self> {
    var arena = RenderArena()
    let memory = arena.allocate(MemoryLayout<Self>.size).bindMemory(to: Self.self, capacity: 1)
    memory.initialize(
      to: Self(
        definition, kernel, setup, unit, processesInPlace: processesInPlace,
        isBypassed: isBypassed, in: &arena))
    return memory
  }

  /// [control thread] Frees a renderer from `allocate`; nothing may use it any more.
  static func deallocate(_ renderer: UnsafeMutablePointer<Self>) {
    let arena = renderer.pointee.arena
    renderer.deinitialize(count: 1)
    arena.deallocate()
  }

  private init(
    _ definition: UnitDefinition, _ kernel: KernelInstance, _ setup: KernelSetup,
    _ unit: UnitParts, processesInPlace: Bool, isBypassed: Bool, in arena: inout RenderArena
  ) {
    shape = definition.shape
    self.kernel = .passRetained(kernel)
    self.processesInPlace = Atomic(processesInPlace)
    self.isBypassed = Atomic(isBypassed)
    sampleRate = setup.format.sampleRate
    maximumFrames = setup.maximumFrames
    isAlwaysFinite = definition.isAlwaysFinite
    isCheckedMixer = definition.shape == .mixer && definition.mixing.hasSignalHistory
    needsFirstInput =
      definition.shape == .mixer && definition.needsFirstInput && !unit.inputs.isEmpty
    inputSamples = unit.inputSamples
    global = unit.global.parameters
    pending = unit.pending
    published = unit.history
    memory = OwnedMemory()
    if unit.writers.contains(where: { $0 != nil }) {
      let list = UnsafeMutablePointer<BufferListWriter?>.allocate(capacity: unit.writers.count)
      list.initialize(from: unit.writers, count: unit.writers.count)
      writers = list
    } else {
      writers = nil
    }
    automation = Automation(unit.events, in: memory)
    switches = InputSwitches(
      definition.mixing, sampleRate, inputs: unit.inputs.count,
      maximumFrames: setup.maximumFrames, in: memory)
    work = arena.allocate(1, of: KernelInstance.Work.self)
    inputs = BusTable(
      unit.inputs, setup.inputFormats, setup.maximumFrames, external: unit.external,
      conversions: unit.conversions, areOn: !switches.hasSwitch, isOffline: setup.isOffline,
      in: &arena)
    outputs = BusTable(
      unit.outputs, setup.outputFormats, setup.maximumFrames, external: nil, conversions: [],
      areOn: true, isOffline: setup.isOffline, in: &arena)
    self.arena = arena
    work.initialize(
      to: KernelInstance.Work(
        inputs: BusSlices(inputs.buses, count: inputs.count),
        outputs: BusSlices(outputs.buses, count: outputs.count),
        values: RawParameterValues(
          global: global.sliceValues, inputs: inputs.values, outputs: outputs.values)))
    bypass = BypassCrossfade(
      channelCount: shape == .effect ? setup.format.channelCount : 0,
      latency: kernel.latencyFrames(), maximumFrames: setup.maximumFrames, sampleRate: sampleRate,
      isOffline: setup.isOffline, in: memory)
    // The renderer has not read any values yet.
    pending.raise(.values)
    pending.raise(.events)
    pending.lower(.repeated)
  }

  deinit {
    kernel.release()
    inputs.deallocate()
    outputs.deallocate()
    if let writers {
      for bus in 0..<outputs.count { writers[bus]?.deallocate() }
      writers.deallocate()
    }
    memory.deallocate()
  }

  /// [render thread] Clears signal history and pending parameter changes.
  @_noLocks
  mutating func reset() {
    resetKernel(kernel)
    switches.reset(inputs)
    automation.reset()
    bypass.reset()
    sampleTime = .nan
    frameCount = 0
    isSilent = false
    repeatableFrames = 0
    silentFrames = 0
    sourceClock.reset()
    history.clear()
  }

  /// The recent output, for several readers that request the same frames.
  private var history: RenderHistory {
    @_noLocks get { RenderHistory(address: published.pointee.load()) }
  }

  // MARK: Pulling

  /// [render thread] Renders an output bus into a caller's list.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let pulled = produce(call.flags, call.time, call.frameCount, sources, pending.kinds)
    guard pulled.status == noErr else { return pulled.status }
    call.flags.pointee.outputIsSilence = pulled.isSilent
    return deliver(Int(call.bus), Int(call.frameCount), to: data)
  }

  /// [render thread] What writes an output; nil if it has the kernel's format.
  @_noLocks @inline(__always)
  borrowing func writer(_ bus: Int) -> BufferListWriter? {
    guard let writers else { return nil }
    return writers[bus]
  }

  /// [render thread] Delivers the samples of an output, in its format.
  @_noLocks
  borrowing func deliver(
    _ bus: Int, _ frames: Int, to data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let buffer = outputs.buffer(bus)
    if let writer = writer(bus) { return writer.write(reading(buffer.channels), frames, to: data) }
    buffer.deliver(frames, to: data)
    return noErr
  }

  /// [render thread] Renders an output bus for another unit, which reads the samples in this unit's
  /// memory. Returns `notTried` if the other unit's buffer is laid out differently.
  @_noLocks @inline(__always)
  mutating func render(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ sources: SourceTable,
    _ kinds: PendingWork.Kinds, into buffer: BusBuffer
  ) -> PullResult {
    guard bus < UInt32(truncatingIfNeeded: outputs.count),
      buffer.isLike(outputs.buffer(Int(bus)))
    else { return .notTried }
    let pulled = produce(flags, time, frames, sources, kinds)
    if pulled.status == noErr { buffer.borrow(outputs.buffer(Int(bus))) }
    return pulled
  }

  /// Fills every output for a time stamp.
  @_noLocks @inline(__always)
  private mutating func produce(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ sources: SourceTable,
    _ kinds: PendingWork.Kinds
  ) -> PullResult {
    let pulled = repeatRender(time, frames, sources, kinds)
    return pulled.wasTried ? pulled : renderFromScratch(flags, time, frames, sources)
  }

  /// Fills every output whatever has changed since the previous render; only once per time stamp.
  @_noLocks @inline(never)
  private mutating func renderFromScratch(
    _ given: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ sources: SourceTable
  ) -> PullResult {
    guard frames <= maximumFrames else { return .notTried }
    let now = time.pointee.renderTime
    let isStale = pending.consume(.stale)
    if now == sampleTime, frames == frameCount, !isStale || outputs.useOwnMemory {
      // With one output, a repeated request comes from a second reader.
      if outputs.count == 1, !pending.has(.repeated) { pending.raise(.repeated) }
      return PullResult(noErr, isSilent: isSilent)
    }
    let history = history
    if history.isEnabled, readHistory(now, frames) { return PullResult(noErr, isSilent: isSilent) }
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    if let given { flags = given.pointee }
    // On entry the silence flag is meaningless: it may be left from the caller's last pull.
    flags.outputIsSilence = false
    let status = fill(&flags, time, Int(frames), sources)
    if let given { given.pointee = flags }
    guard status == noErr else { return fail(status, frames) }
    (sampleTime, frameCount, isSilent) = (now, frames, flags.outputIsSilence)
    if history.isEnabled {
      history.append(now, Int(frames), of: outputs, isSilent: isSilent)
      repeatableFrames = 0
    } else {
      repeatableFrames = repeatableFrames(after: frames)
    }
    return PullResult(noErr, isSilent: isSilent)
  }

  /// Fills the outputs with frames that were already rendered for another reader, if there are any.
  @_noLocks @inline(never)
  private mutating func readHistory(_ time: Double, _ frames: UInt32) -> Bool {
    outputs.prepare()
    guard history.read(time, Int(frames), into: outputs) else { return false }
    (sampleTime, frameCount, isSilent) = (time, frames, history.isSilent)
    return true
  }

  /// Ends a render that failed: clears the stored output, and advances queued changes by its
  /// frames.
  @_noLocks @inline(never)
  mutating func fail(_ status: OSStatus, _ frames: UInt32) -> PullResult {
    sampleTime = .nan
    repeatableFrames = 0
    unsettle()
    history.clear()
    skipSlices(Int(frames))
    return PullResult(status)
  }

  @_noLocks
  private mutating func fill(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ sources: SourceTable
  ) -> OSStatus {
    outputs.prepare()
    switch shape {
    case .generator:
      for bus in 0..<outputs.count { outputs[bus].beginFilling() }
      work.pointee.time = time
      renderSlices(frames)
      work.pointee.time = nil
      var isSilent = true
      for bus in 0..<outputs.count { isSilent = isSilent && outputs[bus].pointee.slice.isSilent }
      flags.outputIsSilence = isSilent
      return noErr
    case .effect:
      return fillEffect(&flags, time, frames, sources)
    case .mixer:
      return fillMixer(&flags, time, frames, sources)
    case .converter:
      return fillConverter(&flags, time, frames, sources)
    }
  }

  var values: RawParameterValues { @_noLocks get { work.pointee.values } }
}
