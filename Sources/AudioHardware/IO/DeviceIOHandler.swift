// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// The handler of a device's stream. It passes each cycle to the functions of the plan. There is
/// one for each stream, for as long as the stream lives.
// Everything that is not atomic belongs to the render thread.
final class DeviceIOHandler: CycleHandler, @unchecked Sendable {
  private let clock: IOClock
  // `clock` again, without reference counting.
  private let clockReference: Unmanaged<IOClock>
  /// The share of a cycle that functions may use. Longer cycles count as overloads.
  let cycleUsage = Atomic<UInt32>(Float(1).bitPattern)
  let overloads = Atomic(0)
  private let plan = Atomic<UInt>(0)
  // Accessed under the lock of the device: the object at `plan`, and earlier plans that a running
  // cycle may still use, each with the cycle count at its replacement.
  private var current: IOPlan?
  private var retired: [(plan: IOPlan, cycle: Int)] = []
  /// The thread of the running cycle; 0 between cycles.
  private let renderingThread = Atomic<UInt64>(0)
  private let cycles = Atomic(0)
  private let loss = Guarded<String?>(nil)
  private let base: Double
  // Set by `prepare`, before the first cycle.
  private var level: DeviceLevel?
  private var rate = 1.0
  private var outputCount = 0
  private var inputCount = 0
  private var bridge: UnsafeMutablePointer<ClockBridge>?
  /// The maximum number of frames that the bridge supplies at once.
  private var bridgedFrames = Int.max
  /// The captured frames for later reading. Nil if nothing is captured.
  private(set) var captured: CapturedSamples?
  // `captured` again, without reference counting.
  private var capturedReference: Unmanaged<CapturedSamples>?
  private var gain: Float = -1
  private var lastHostTime: UInt64
  private let ticksPerSecond = rt_ticks_per_second()
  private let onChange: @Sendable (StreamEvent) -> Void

  /// Sample times continue from `base`.
  init(
    _ clock: IOClock, base: Double, changed: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.clock = clock
    clockReference = .passUnretained(clock)
    self.base = base
    // The previous stream may have been further ahead than this one will be.
    lastHostTime = clock.anchor?.hostTime ?? 0
    onChange = changed
  }

  /// [control thread] Prepares for the opened device. Called once, before its cycles begin.
  /// `maximumFrames` is the limit of one call.
  func prepare(_ device: Device, uses: (input: Bool, output: Bool), maximumFrames: Int) {
    rate = device.sampleRate
    outputCount = device.outputChannelCount
    inputCount = device.inputChannelCount
    level = DeviceLevel.of(device.outputUID)
    captured =
      uses.input
      ? CapturedSamples(
        channelCount: device.inputChannelCount, sampleRate: device.sampleRate,
        maximumFrames: maximumFrames) : nil
    capturedReference = captured.map { .passUnretained($0) }
    guard uses.input, uses.output, !device.hasOneClock else { return }
    bridgedFrames = maximumFrames
    bridge = .cell(
      ClockBridge(
        sampleRate: device.sampleRate, channelCount: device.inputChannelCount,
        maximumFrames: maximumFrames, quality: .normal))
  }

  deinit { bridge?.endCell() }

  /// [any thread] Seconds of latency that the bridge adds to an input with its own clock.
  var bridgeLatency: Double { bridge?.pointee.addedLatency ?? 0 }

  /// [under the device's lock] The frames of the longest call, if cycles have `frames` frames now.
  /// Longer cycles are split.
  func callFrames(_ frames: Int) -> Int { min(frames, bridgedFrames) }

  /// [any thread] The number of cycles so far.
  var cycleCount: Int { cycles.load(ordering: .relaxed) }

  /// [any thread] Why the stream was lost. Nil while it is not lost.
  var lossReason: String? { loss.withLock { $0 } }

  /// [under the device's lock] Has later cycles call the functions of another plan, or none.
  func use(_ new: IOPlan?) {
    plan.store(
      new.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0,
      ordering: .sequentiallyConsistent)
    let cycle = cycles.load(ordering: .sequentiallyConsistent)
    if let current { retired.append((current, cycle)) }
    current = new
    releaseRetiredPlans()
  }

  /// [under the device's lock] Releases plans that no cycle uses any more.
  func releaseRetiredPlans() { retired.removeAll { isOver($0.cycle) } }

  /// [any thread] Whether the cycle that ran at this cycle count is over.
  private func isOver(_ cycle: Int) -> Bool {
    renderingThread.load(ordering: .sequentiallyConsistent) == 0
      || cycles.load(ordering: .sequentiallyConsistent) != cycle
  }

  /// [control thread] Waits until a running cycle is over. Returns immediately inside that cycle.
  func waitForCycle() {
    let cycle = cycles.load(ordering: .sequentiallyConsistent)
    while renderingThread.load(ordering: .sequentiallyConsistent) != rt_thread_id(), !isOver(cycle)
    {
      usleep(100)
    }
  }

  @_noLocks
  override func render(_ cycle: DeviceCycle) {
    renderingThread.store(rt_thread_id(), ordering: .sequentiallyConsistent)
    renderCycle(cycle)
    // The count is increased first, so that a thread that waits for the end of a cycle does not
    // mistake the next one for it.
    cycles.wrappingAdd(1, ordering: .sequentiallyConsistent)
    renderingThread.store(0, ordering: .sequentiallyConsistent)
  }

  @_noLocks
  private func renderCycle(_ cycle: DeviceCycle) {
    cycle.silenceOutput(from: 0)
    let (now, firstTick) = (rt_host_time(), rt_ticks())
    if let bridge, cycle.output == nil {
      if let input = cycle.input {
        bridge.pointee.push(input, frames: cycle.frameCount, hostTime: now)
      }
      return
    }
    let (inputCount, outputCount, base, bridge) = (inputCount, outputCount, base, bridge)
    let captured = capturedReference
    if cycle.output != nil, cycle.outputChannelCount != outputCount { return }
    if cycle.input != nil, cycle.inputChannelCount != inputCount { return }
    let hostTime = max(cycle.hostTime, lastHostTime &+ 1)
    lastHostTime = hostTime
    let frameRate = rate * cycle.rateScalar
    let anchor = IOClock.Anchor(
      sampleTime: base + cycle.sampleTime, hostTime: hostTime, rate: frameRate * 1e-9,
      rateScalar: cycle.rateScalar, frameCount: cycle.frameCount)
    clockReference._withUnsafeGuaranteedRef { $0.update(anchor) }
    guard let address = UnsafeRawPointer(bitPattern: plan.load(ordering: .sequentiallyConsistent))
    else { return }
    Unmanaged<IOPlan>.fromOpaque(address)._withUnsafeGuaranteedRef { plan in
      var frame = 0
      while frame < cycle.frameCount {
        let count = min(plan.maximumFrames, cycle.frameCount - frame)
        let offset = Elementary.nanoseconds(Double(frame) / frameRate)
        let times = IOPlan.CallTimes(
          sampleTime: base + cycle.sampleTime + Double(frame),
          hostTime: hostTime &+ offset, now: now,
          rateScalar: cycle.rateScalar, frameCount: count)
        if let bridge {
          let input = bridge.pointee.pull(count, hostTime: now &+ offset)
          store(input, from: 0, times, in: captured)
          plan.call(times, input: input, from: 0, output: cycle.output, from: frame)
        } else {
          if let input = cycle.input { store(input, from: frame, times, in: captured) }
          plan.call(times, input: cycle.input, from: frame, output: cycle.output, from: frame)
        }
        frame += count
      }
    }
    applyLevel(cycle)
    checkLoad(rt_ticks() &- firstTick, cycle.frameCount)
  }

  /// Applies the volume that the program set for the device, ramping linearly from the last value
  /// to the new one.
  @_noLocks
  private func applyLevel(_ cycle: DeviceCycle) {
    guard let level else { return }
    let target = level.gain
    let start = gain < 0 ? target : gain
    gain = target
    guard let output = cycle.output, start != 1 || target != 1 else { return }
    let step = (target - start) / Float(max(cycle.frameCount, 1))
    for channel in 0..<cycle.outputChannelCount {
      let samples = output[channel]
      for frame in 0..<cycle.frameCount {
        samples[frame] *= start + step * Float(frame)
      }
    }
  }

  @_noLocks
  private func checkLoad(_ ticks: UInt64, _ frames: Int) {
    let limit =
      Double(Float(bitPattern: cycleUsage.load(ordering: .relaxed))) * Double(frames) / rate
    if Double(ticks) > limit * ticksPerSecond {
      overloads.wrappingAdd(1, ordering: .relaxed)
    }
  }

  override func streamChanged(_ event: StreamEvent) {
    if case .lost(let reason) = event { loss.withLock { $0 = $0 ?? reason } }
    onChange(event)
  }
}

/// Stores the captured frames for later reading.
@_noLocks
private func store(
  _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from frame: Int, _ times: IOPlan.CallTimes,
  in captured: Unmanaged<CapturedSamples>?
) {
  captured?._withUnsafeGuaranteedRef {
    $0.write(input, from: frame, frames: times.frameCount, sampleTime: times.sampleTime)
  }
}
