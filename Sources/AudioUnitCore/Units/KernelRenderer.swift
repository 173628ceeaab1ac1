// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

/// The render half of a kernel unit: buffers, the kernel, and the cutting of a render into slices.
///
/// Made when the unit is initialised, used only inside its gate.
struct KernelRenderer: ~Copyable {
  let kernel: Unmanaged<KernelInstance>
  /// Set by the control side while rendering.
  let processesInPlace: Atomic<Bool>
  let isBypassed: Atomic<Bool>
  private let shape: UnitDefinition.Shape
  private let sampleRate: Double
  private let maximumFrames: Int
  private let global: ParameterStore
  private let inputs: BusTable
  private let outputs: BusTable
  private let taps: InputTaps
  private var automation: Automation
  /// The time and length of the frames in the output buffers.
  private var sampleTime = -Double.greatestFiniteMagnitude
  private var frameCount: UInt32 = 0
  private var isSilent = false
  /// Frames since the input fell silent.
  private var silentFrames = 0
  /// Effects: their input, for when they are bypassed.
  private var dry: DryPath
  /// Converters: when the next input frame is due, in input frames; not a number at the start.
  private var inputTime = Double.nan

  /// [control thread] Lays out what rendering `unit` needs.
  init(
    _ shape: UnitDefinition.Shape, _ kernel: KernelInstance, _ setup: KernelSetup,
    _ unit: NativeUnit, _ taps: InputTaps, processesInPlace: Bool, isBypassed: Bool
  ) {
    self.shape = shape
    self.kernel = .passRetained(kernel)
    self.processesInPlace = Atomic(processesInPlace)
    self.isBypassed = Atomic(isBypassed)
    sampleRate = setup.format.sampleRate
    maximumFrames = setup.maximumFrames
    global = unit.global.parameters
    automation = Automation(unit.side.pointee.events)
    let memory = unit.externalBuffer.map {
      UnsafeMutableRawBufferPointer(start: $0.buffer, count: Int($0.size))
    }
    inputs = BusTable(unit.inputs, setup.inputFormats, setup.maximumFrames, external: memory)
    outputs = BusTable(unit.outputs, setup.outputFormats, setup.maximumFrames, external: nil)
    self.taps = taps
    dry = DryPath(
      channelCount: shape == .effect ? setup.format.channelCount : 0,
      latency: kernel.latencyFrames(), maximumFrames: setup.maximumFrames, sampleRate: sampleRate)
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
    taps.reset()
    automation.reset()
    dry.reset()
    sampleTime = -Double.greatestFiniteMagnitude
    frameCount = 0
    isSilent = false
    silentFrames = 0
    inputTime = .nan
  }

  // MARK: Pulling

  /// [render thread] Fills every output for this time, once, and hands out the one asked for.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ plan: RenderPlan, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    let time = call.time.pointee.mSampleTime
    let hasTime =
      call.time.pointee.mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0
    if !hasTime || time != sampleTime || call.frameCount != frameCount {
      sampleTime = -Double.greatestFiniteMagnitude
      // Into a pull the flag means nothing: a caller may have left it from the last one.
      call.flags.pointee.saysSilence = false
      let status = fill(call, plan, frames)
      guard status == noErr else {
        skipSlices(frames)
        return status
      }
      if hasTime { sampleTime = time }
      frameCount = call.frameCount
      isSilent = call.flags.pointee.saysSilence
    } else {
      call.flags.pointee.saysSilence = isSilent
    }
    outputs.buffers[Int(call.bus)].deliver(frames, to: data)
    return noErr
  }

  @_noLocks
  private mutating func fill(_ call: RenderCall, _ plan: RenderPlan, _ frames: Int) -> OSStatus {
    for bus in 0..<outputs.count { outputs.buffers[bus].prepare(frames) }
    switch shape {
    case .generator:
      renderSlices(frames)
      return noErr
    case .effect:
      return fillEffect(call, plan, frames)
    case .mixer:
      return fillMixer(call, plan, frames)
    case .converter:
      return fillConverter(call, plan, frames)
    }
  }

  @_noLocks
  private mutating func fillEffect(_ call: RenderCall, _ plan: RenderPlan, _ frames: Int)
    -> OSStatus
  {
    let status = plan.pull(
      0, call.flags, call.time, frames, into: inputs.buffers[0], allocates: inputs.allocates[0])
    guard status == noErr else { return status }
    // In place: in the memory that the input came in.
    if inputs.buffers[0].channelCount != outputs.buffers[0].channelCount {
      outputs.buffers[0].widen(inputs.buffers[0], frames)
    } else if processesInPlace.load(ordering: .relaxed) {
      outputs.buffers[0].borrow(inputs.buffers[0], frames)
    } else {
      inputs.buffers[0].deliver(frames, to: outputs.buffers[0].list)
    }
    renderEffect(frames, call.flags)
    return noErr
  }

  /// Runs the kernel unless it is certain to give silence: the input is silent and its memory of
  /// earlier sound has run out. Bypassed it runs too, and its input is heard in its place.
  @_noLocks
  private mutating func renderEffect(
    _ frames: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  ) {
    let isBypassed = isBypassed.load(ordering: .relaxed)
    if flags.pointee.saysSilence {
      // The promise is kept here, should its giver have forgotten the zeros.
      outputs.buffers[0].clear(frames)
      freeze()
      let isOver = Double(silentFrames) >= memory(of: kernel, sampleRate, values)
      if isOver && Double(silentFrames) >= settling(of: kernel, sampleRate) {
        dry.settle(isBypassed: isBypassed)
        return skipSlices(frames)
      }
      silentFrames += frames
      flags.pointee.saysSilence = isOver
    } else {
      silentFrames = 0
      flags.pointee.saysSilence = false
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
  private mutating func fillMixer(_ call: RenderCall, _ plan: RenderPlan, _ frames: Int) -> OSStatus
  {
    automation.collect()
    let status = pullInputs(call, plan, frames)
    guard status == noErr else { return status }
    renderSlices(frames)
    // Of silence alone comes silence, once what the kernel remembers has run out.
    let silentBefore = silentFrames
    silentFrames = inputs.areSilent ? silentFrames + frames : 0
    call.flags.pointee.saysSilence =
      silentFrames > 0 && Double(silentBefore) >= memory(of: kernel, sampleRate, values)
    return noErr
  }

  /// Whether a mixer's input is on at any of the frames that come, or was until a moment ago.
  @_noLocks
  private borrowing func isOpen(_ bus: Int, _ frames: Int) -> Bool {
    guard taps.hasSwitch else { return true }
    let store = inputs.stores[bus]
    if store.presentValue(taps.switchSlot) != 0 { return taps.open(bus) }
    if automation.changes(store, taps.switchSlot) { return taps.open(bus) }
    return taps.fade(bus, frames)
  }

  /// Pulls the inputs that are on: one after the other, or branches at the same time where the graph
  /// has threads for them.
  @_noLocks
  private borrowing func pullInputs(_ call: RenderCall, _ plan: RenderPlan, _ frames: Int)
    -> OSStatus
  {
    let pull = InputPull(inputs, taps, plan, call.time, frames: frames)
    let fork = plan.fork
    for bus in 0..<inputs.count {
      let isWanted = plan.hasSource(bus) && isOpen(bus, frames)
      if !isWanted { inputs.rest(bus) }
      if let fork {
        fork.want(bus, isWanted)
      } else if isWanted {
        let status = pull(bus)
        guard status == noErr else { return status }
      }
    }
    guard let fork else { return noErr }
    return fork.run(pull)
  }

  /// Gives the kernel as many input frames as it asks for, in pieces of at most a maximum slice.
  @_noLocks
  private mutating func fillConverter(_ call: RenderCall, _ plan: RenderPlan, _ frames: Int)
    -> OSStatus
  {
    freeze()
    var needed = framesNeeded(by: kernel, for: frames, values)
    var time = call.time.pointee
    // The source's time runs by its own frames, from where it began.
    if inputTime.isNaN { inputTime = time.mSampleTime }
    while needed > 0 {
      let piece = min(needed, maximumFrames)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      time.mSampleTime = inputTime
      let status = plan.pull(
        0, &flags, &time, piece, into: inputs.buffers[0], allocates: inputs.allocates[0])
      guard status == noErr else { return status }
      giveInput(to: kernel, inputs.slice(0, piece, offset: 0), values)
      inputTime += Double(piece)
      needed -= piece
    }
    renderSlices(frames)
    return noErr
  }

  // MARK: Processing without pulling

  /// [render thread] Processes the caller's lists; null entries are skipped.
  @_noLocks
  mutating func process(
    _ call: RenderCall, _ from: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    _ to: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    guard from.count <= inputs.count, to.count <= outputs.count, to.count > 0 else {
      return kAudioUnitErr_InvalidElement
    }
    guard frames <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    for bus in 0..<inputs.count {
      if bus < from.count, let list = from[bus] {
        inputs.wake(bus)
        inputs.buffers[bus].prepare(frames)
        guard taps.conversions[bus] == nil else { return kAudio_UnimplementedError }
        guard inputs.buffers[bus].point(at: UnsafeMutablePointer(mutating: list), frames) else {
          return kAudio_ParamError
        }
      } else {
        inputs.rest(bus)
      }
    }
    for bus in 0..<outputs.count {
      outputs.buffers[bus].prepare(frames)
      if bus < to.count, let list = to[bus] {
        guard outputs.buffers[bus].isLike(list) else { return kAudio_ParamError }
        // Without memory it gets ours.
        guard buffersOf(list)[0].mData == nil || outputs.buffers[bus].point(at: list, frames) else {
          return kAudio_ParamError
        }
      }
    }
    if case .effect = shape {
      if inputs.buffers[0].channelCount != outputs.buffers[0].channelCount {
        outputs.buffers[0].widen(inputs.buffers[0], frames)
      } else {
        inputs.buffers[0].deliver(frames, to: outputs.buffers[0].list)
      }
      renderEffect(frames, call.flags)
    } else {
      renderSlices(frames)
    }
    for bus in 0..<to.count {
      if let list = to[bus] { outputs.buffers[bus].deliver(frames, to: list) }
    }
    return noErr
  }

  // MARK: Slices

  /// Cuts the frames at parameter changes and runs the kernel on each slice.
  @_noLocks
  private mutating func renderSlices(_ frames: Int) {
    automation.collect()
    if automation.isIdle {
      freeze()
      renderSlice(frames, at: 0)
      return
    }
    var frame = 0
    while frame < frames {
      let length = automation.advance(to: frame, end: frames)
      freeze()
      renderSlice(length, at: frame)
      automation.finish(length)
      frame += length
    }
    automation.finishRender(frames)
  }

  /// Lets time pass for parameter changes where the kernel is not run.
  @_noLocks
  private mutating func skipSlices(_ frames: Int) {
    automation.collect()
    var frame = 0
    while frame < frames, !automation.isIdle {
      let length = automation.advance(to: frame, end: frames)
      automation.finish(length)
      frame += length
    }
    automation.finishRender(frames)
  }

  @_noLocks
  private func renderSlice(_ frames: Int, at frame: Int) {
    inputs.cut(frames, offset: frame)
    outputs.cut(frames, offset: frame)
    runKernel(
      kernel,
      KernelInstance.Work(
        inputs: BusSlices(inputs.slices, count: inputs.count),
        outputs: BusSlices(outputs.slices, count: outputs.count), values: values))
  }

  @_noLocks
  private func freeze() {
    global.freeze()
    inputs.freeze()
    outputs.freeze()
  }

  private var values: RawParameterValues {
    @_noLocks get {
      RawParameterValues(global: global.frozen, inputs: inputs.values, outputs: outputs.values)
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
