// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// The render half of a kernel unit: buffers, the kernel, and the cutting of a render into slices.
///
/// Made when the unit is initialised, used only inside its gate. What every slice looks at comes first.
struct KernelRenderer: ~Copyable {
  /// The time and length of the frames in the output buffers; not a number where they have none.
  var sampleTime = Double.nan
  private var frameCount: UInt32 = 0
  var isSilent = false
  /// Frames of the slice before, if the next one may be like it; else 0.
  var steadyFrames: UInt32 = 0
  let shape: UnitDefinition.Shape
  let attention: Attention
  let inputs: BusTable
  let outputs: BusTable
  let kernel: Unmanaged<KernelInstance>
  /// What the kernel is given, and which frames the slices in it speak of.
  let work: UnsafeMutablePointer<KernelInstance.Work>
  var cutFrames = -1
  var cutOffset = 0
  var isCutPart = false
  /// Frames since the input fell silent.
  var silentFrames = 0
  let maximumFrames: Int
  var automation: Automation
  let taps: InputTaps
  let global: ParameterStore
  private let sampleRate: Double
  /// Set by the control side while rendering.
  let processesInPlace: Atomic<Bool>
  let isBypassed: Atomic<Bool>
  /// Effects: their input, for when they are bypassed.
  private var dry: DryPath
  /// Converters: when the next input frame is due, in input frames; not a number at the start.
  private var inputTime = Double.nan
  /// All of it lies there, and this first.
  private let arena: RenderArena

  /// [control thread] Lays out what rendering `unit` needs.
  static func allocate(
    _ definition: UnitDefinition, _ kernel: KernelInstance, _ setup: KernelSetup,
    _ unit: NativeUnit, _ conversions: [InputConversion?], processesInPlace: Bool,
    isBypassed: Bool
  ) -> UnsafeMutablePointer<Self> {
    var arena = RenderArena()
    let memory = arena.take(MemoryLayout<Self>.size).bindMemory(to: Self.self, capacity: 1)
    memory.initialize(
      to: Self(
        definition, kernel, setup, unit, conversions, processesInPlace: processesInPlace,
        isBypassed: isBypassed, in: &arena))
    return memory
  }

  /// [control thread] Frees what `allocate` gave; nothing may use it any more.
  static func deallocate(_ renderer: UnsafeMutablePointer<Self>) {
    let arena = renderer.pointee.arena
    renderer.deinitialize(count: 1)
    arena.deallocate()
  }

  private init(
    _ definition: UnitDefinition, _ kernel: KernelInstance, _ setup: KernelSetup,
    _ unit: NativeUnit, _ conversions: [InputConversion?], processesInPlace: Bool,
    isBypassed: Bool, in arena: inout RenderArena
  ) {
    shape = definition.shape
    self.kernel = .passRetained(kernel)
    self.processesInPlace = Atomic(processesInPlace)
    self.isBypassed = Atomic(isBypassed)
    sampleRate = setup.format.sampleRate
    maximumFrames = setup.maximumFrames
    global = unit.global.parameters
    attention = unit.side.pointee.attention
    automation = Automation(unit.side.pointee.events)
    taps = InputTaps(
      definition.mixing, sampleRate, inputs: unit.inputs.count, maximumFrames: setup.maximumFrames)
    let memory = unit.externalBuffer.map {
      UnsafeMutableRawBufferPointer(start: $0.buffer, count: Int($0.size))
    }
    work = arena.take(1, of: KernelInstance.Work.self)
    inputs = BusTable(
      unit.inputs, setup.inputFormats, setup.maximumFrames, external: memory,
      conversions: conversions, areOn: !taps.hasSwitch, in: &arena)
    outputs = BusTable(
      unit.outputs, setup.outputFormats, setup.maximumFrames, external: nil, conversions: [],
      areOn: true, in: &arena)
    self.arena = arena
    work.initialize(
      to: KernelInstance.Work(
        inputs: BusSlices(inputs.buses, count: inputs.count),
        outputs: BusSlices(outputs.buses, count: outputs.count),
        values: RawParameterValues(
          global: global.frozen, inputs: inputs.values, outputs: outputs.values)))
    dry = DryPath(
      channelCount: shape == .effect ? setup.format.channelCount : 0,
      latency: kernel.latencyFrames(), maximumFrames: setup.maximumFrames, sampleRate: sampleRate)
    // What was set before there was a renderer is news to it.
    attention.raise(.values)
    attention.raise(.events)
    attention.lower(.repeated)
  }

  deinit {
    kernel.release()
    inputs.deallocate()
    outputs.deallocate()
    taps.deallocate()
  }

  /// [render thread] Forgets signal history and pending parameter changes.
  @_noLocks
  mutating func reset() {
    resetKernel(kernel)
    taps.reset(inputs)
    automation.reset()
    dry.reset()
    sampleTime = .nan
    frameCount = 0
    isSilent = false
    steadyFrames = 0
    silentFrames = 0
    inputTime = .nan
  }

  // MARK: Pulling

  /// [render thread] Renders an output bus into a caller's list.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let pulled = produce(call.flags, call.time, call.frameCount, plan, attention.reasons)
    guard pulled.status == noErr else { return pulled.status }
    call.flags.pointee.saysSilence = pulled.isSilent
    outputs.buffer(Int(call.bus)).deliver(Int(call.frameCount), to: data)
    return noErr
  }

  /// [render thread] Renders an output bus for another unit, which finds the samples where they are;
  /// nothing where its buffer is not like the bus.
  @_noLocks @inline(__always)
  mutating func render(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ plan: RenderPlan,
    _ reasons: Attention.Reasons, into buffer: BusBuffer
  ) -> Pulled {
    guard bus < UInt32(truncatingIfNeeded: outputs.count),
      buffer.isLike(outputs.buffer(Int(bus)))
    else { return .nothing }
    let pulled = produce(flags, time, frames, plan, reasons)
    if pulled.status == noErr { buffer.borrow(outputs.buffer(Int(bus))) }
    return pulled
  }

  /// Fills every output for this time.
  @_noLocks @inline(__always)
  private mutating func produce(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ plan: RenderPlan,
    _ reasons: Attention.Reasons
  ) -> Pulled {
    let pulled = repeatSlice(time, frames, plan, reasons)
    return pulled.isDone ? pulled : renderAnew(flags, time, frames, plan)
  }

  /// The same, whatever has changed since the slice before; once for each time.
  @_noLocks @inline(never)
  private mutating func renderAnew(
    _ given: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ plan: RenderPlan
  ) -> Pulled {
    guard frames <= maximumFrames else { return .nothing }
    let now = time.pointee.renderTime
    let isStale = attention.take(.stale)
    if now == sampleTime, frames == frameCount, !isStale || outputs.areAtHome {
      // With one output, whoever asks again is somebody else.
      if outputs.count == 1, !attention.has(.repeated) { attention.raise(.repeated) }
      return Pulled(noErr, isSilent: isSilent)
    }
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    if let given { flags = given.pointee }
    // Into a pull the flag of silence means nothing: a caller may have left it from the last one.
    flags.saysSilence = false
    let status = fill(&flags, time, Int(frames), plan)
    if let given { given.pointee = flags }
    guard status == noErr else { return fail(status, frames) }
    (sampleTime, frameCount, isSilent) = (now, frames, flags.saysSilence)
    steadyFrames = steadyFrames(after: frames)
    return Pulled(noErr, isSilent: isSilent)
  }

  /// Ends a slice that failed: the next one begins anew, and time goes on for what was queued.
  @_noLocks @inline(never)
  mutating func fail(_ status: OSStatus, _ frames: UInt32) -> Pulled {
    sampleTime = .nan
    steadyFrames = 0
    skipSlices(Int(frames))
    return Pulled(status)
  }

  @_noLocks
  private mutating func fill(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    outputs.prepare()
    switch shape {
    case .generator:
      renderSlices(frames)
      return noErr
    case .effect:
      return fillEffect(&flags, time, frames, plan)
    case .mixer:
      return fillMixer(&flags, time, frames, plan)
    case .converter:
      return fillConverter(time, frames, plan)
    }
  }

  @_noLocks
  private mutating func fillEffect(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    let (input, output) = (inputs.buffer(0), outputs.buffer(0))
    let pulled = plan.pullInput(
      0, &flags, time, frames, into: input, inputs[0].pointee.allocates ? .memory : .empty)
    guard pulled.status == noErr else { return pulled.status }
    if processesInPlace.load(ordering: .relaxed), !pulled.isShared, output.isLike(input) {
      // In the memory that the input came in.
      output.borrow(input)
    } else {
      output.copy(input, frames)
    }
    renderEffect(frames, &flags)
    return noErr
  }

  /// [render thread] Runs an effect's kernel on the output unless it is certain to give silence: the
  /// input is silent and its memory of earlier sound has run out. Bypassed it runs too, and its input is
  /// heard in its place.
  @_noLocks
  mutating func renderEffect(
    _ frames: Int, _ flags: inout AudioUnitRenderActionFlags
  ) {
    let isBypassed = isBypassed.load(ordering: .relaxed)
    if flags.saysSilence {
      // The promise is kept here, should its giver have forgotten the zeros.
      outputs.buffer(0).clear(frames)
      readValues()
      let isOver = Double(silentFrames) >= memory(of: kernel, sampleRate, values)
      if isOver && Double(silentFrames) >= settling(of: kernel, sampleRate) {
        dry.settle(isBypassed: isBypassed)
        return skipSlices(frames)
      }
      silentFrames += frames
      flags.saysSilence = isOver
    } else {
      silentFrames = 0
      flags.saysSilence = false
    }
    let output = outputs.slice(0, frames, offset: 0)
    dry.take(output, isBypassed: isBypassed)
    renderSlices(frames)
    mend(output)
    dry.blend(into: output, isBypassed: isBypassed)
  }

  /// Keeps what is no number from staying in a kernel's memory and from what comes after: the kernel
  /// begins anew, and these frames are silent.
  @_noLocks
  private func mend(_ output: Slice) {
    guard !output.isFinite else { return }
    output.clear()
    resetKernel(kernel)
  }

  @_noLocks
  private mutating func fillMixer(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    collect()
    readValues()
    let status = pullInputs(time, frames, plan)
    guard status == noErr else { return status }
    renderSlices(frames)
    flags.saysSilence = inputs.areSilent && isOver(frames)
    if !inputs.areSilent { silentFrames = 0 }
    return noErr
  }

  /// [render thread] Counts silence that came in. Of silence alone comes silence, once what the kernel
  /// remembers has run out.
  @_noLocks @inline(never)
  mutating func isOver(_ frames: Int) -> Bool {
    let isOver = Double(silentFrames) >= memory(of: kernel, sampleRate, values)
    silentFrames += frames
    return isOver
  }

  /// Pulls the inputs that are on: one after the other, or branches at the same time where the graph
  /// has threads for them.
  @_noLocks
  private borrowing func pullInputs(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    if taps.variesRate { taps.layOutPlayback(inputs, frames, automation) }
    let pull = InputPull(inputs, plan, time, frames: frames, playback: taps.playback)
    if let fork = plan.fork { return pullAll(pull, fork) }
    for bus in 0..<inputs.count {
      guard isWanted(bus, plan.sources[bus], UInt32(frames)) else {
        inputs.rest(bus)
        continue
      }
      let status = pull(bus)
      guard status == noErr else { return status }
    }
    return noErr
  }

  @_noLocks @inline(never)
  private borrowing func pullAll(_ pull: InputPull, _ fork: Fork) -> OSStatus {
    for bus in 0..<inputs.count {
      let isWanted = isWanted(bus, pull.plan.sources[bus], UInt32(pull.frames))
      if !isWanted { inputs.rest(bus) }
      fork.want(bus, isWanted)
    }
    return fork.run(pull)
  }

  /// Whether an input is fed and on at any of the frames that come, or was until a moment ago.
  @_noLocks @inline(__always)
  borrowing func isWanted(
    _ bus: Int, _ source: UnsafePointer<InputSource>, _ frames: UInt32
  ) -> Bool {
    guard source.pointee.isThere else { return false }
    return inputs[bus].pointee.isOn || isStillOpen(bus, frames)
  }

  @_noLocks @inline(never)
  private borrowing func isStillOpen(_ bus: Int, _ frames: UInt32) -> Bool {
    taps.isStillOpen(inputs, bus, Int(frames), automation)
  }

  /// Gives the kernel as many input frames as it asks for, in pieces of at most a maximum slice.
  @_noLocks
  private mutating func fillConverter(
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    readValues()
    var needed = framesNeeded(by: kernel, for: frames, values)
    var time = stamp.pointee
    // The source's time runs by its own frames, from where it began.
    if inputTime.isNaN { inputTime = time.mSampleTime }
    while needed > 0 {
      let piece = min(needed, maximumFrames)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      time.mSampleTime = inputTime
      let status = plan.pull(
        0, &flags, &time, piece, into: inputs.buffer(0), allocates: inputs[0].pointee.allocates)
      guard status == noErr else { return status }
      giveInput(to: kernel, inputs.slice(0, piece, offset: 0), values)
      inputTime += Double(piece)
      needed -= piece
    }
    renderSlices(frames)
    return noErr
  }

  var values: RawParameterValues { @_noLocks get { work.pointee.values } }
}

extension AudioTimeStamp {
  /// The sample time; not a number, which equals nothing, where there is none.
  var renderTime: Double {
    @_noLocks @inline(__always)
    get {
      mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0 ? mSampleTime : .nan
    }
  }
}

extension AudioUnitRenderActionFlags {
  /// Whether every sample is zero, as whoever filled the buffers says.
  package var saysSilence: Bool {
    @_noLocks get { rawValue & 16 != 0 }
    @_noLocks set {
      self = Self(rawValue: newValue ? rawValue | 16 : rawValue & ~16)
    }
  }
}
