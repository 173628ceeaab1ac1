// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// The thread of an ALSA stream between start and stop.
final class ALSALoop: @unchecked Sendable {  // belongs to the stream's thread
  private let cycles: StreamCycles
  private let playback: ALSAPort?
  private let capture: ALSAPort?
  private let isLinked: Bool
  private let counts: ALSACounts
  private let gate: ALSAGate
  // The objects above again, without reference counting.
  private let cyclesReference: Unmanaged<StreamCycles>
  private let playing: ALSATransfer?
  private let capturing: ALSATransfer?
  private let countsReference: Unmanaged<ALSACounts>
  private let gateReference: Unmanaged<ALSAGate>
  private let frames: Int
  private let cycleTime: UInt64
  private var pace: ALSAPace
  private var capturePace: ALSAPace

  init(
    _ cycles: StreamCycles, playback: ALSAPort?, capture: ALSAPort?, isLinked: Bool,
    _ counts: ALSACounts, _ gate: ALSAGate
  ) {
    self.cycles = cycles
    self.playback = playback
    self.capture = capture
    self.isLinked = isLinked && playback != nil && capture != nil
    self.counts = counts
    cyclesReference = .passUnretained(cycles)
    playing = playback?.transfer
    capturing = capture?.transfer
    countsReference = .passUnretained(counts)
    self.gate = gate
    gateReference = .passUnretained(gate)
    frames = cycles.frameCount
    let port = playback ?? capture
    cycleTime = UInt64(saturating: Double(frames) / (port?.sampleRate ?? 48_000) * 1e9)
    pace = ALSAPace(
      cycleTime: cycleTime, longestBurst: (port?.bufferFrames ?? frames) / max(frames, 1) + 2)
    capturePace = pace
  }

  /// [render thread] Runs cycles until the thread is told to stop. Returns the reason if the device
  /// cannot continue.
  func run(_ thread: WorkerThread) -> String? {
    var error = begin()
    while !thread.isStopping {
      if error < 0 {
        counts.xruns.wrappingAdd(1, ordering: .relaxed)
        // The device had fewer frames than it reported. Only the rest of the cycle is lost.
        if error == -EAGAIN {
          _ = thread.sleep(until: rt_host_time() + cycleTime / 4)
        } else {
          guard recover(from: error) else { return text(error) }
          error = begin()
          if error < 0 { return text(error) }
        }
      }
      error = isLinked ? exchange(thread) : runReadyDirections(thread)
    }
    return nil
  }

  private func text(_ error: Int) -> String? {
    (playback ?? capture)?.alsa.text(CInt(clamping: error))
  }

  /// Starts capture, and linked playback with it. Unlinked playback starts when frames are written.
  private func begin() -> Int {
    if isLinked, let playback {
      // The first two cycles follow this silence.
      let silence = playback.transfer.writeSilence(2 * frames)
      if silence < 0 { return silence }
      return Int(playback.begin())
    }
    guard let capture else { return 0 }
    let answer = capture.begin()
    return answer == -EBADFD ? 0 : Int(answer)  // the plug-in runs already
  }

  private func recover(from error: Int) -> Bool {
    if error == -ENODEV { return false }
    // Linked directions are in the same state. Otherwise only one may have failed.
    for port in [playback, capture] {
      guard let port else { continue }
      let state = port.transfer.available
      guard state < 0 || isLinked else { continue }
      guard port.recover(from: state < 0 ? state : error) else { return false }
    }
    return true
  }

  // MARK: Waiting for a cycle

  /// Runs one cycle of both directions once both are ready.
  private func exchange(_ thread: WorkerThread) -> Int {
    guard let playing, let capturing else { return 0 }
    let (readable, room) = (capturing.available, playing.available)
    if readable < 0 { return readable }
    if room < 0 { return room }
    guard min(readable, room) >= frames else {
      pace.restart()
      return wait(thread, missing: frames - min(readable, room))
    }
    pace.wait(thread)
    return thread.isStopping ? 0 : exchangeCycle()
  }

  /// Runs one cycle of each direction that is ready.
  private func runReadyDirections(_ thread: WorkerThread) -> Int {
    let readable = capturing?.available ?? 0
    if readable < 0 { return readable }
    let hasInput = capturing != nil && readable >= frames
    if hasInput {
      capturePace.wait(thread)
      if thread.isStopping { return 0 }
      let answer = captureCycle()
      if answer < 0 { return answer }
    } else {
      capturePace.restart()
    }
    let room = playing?.available ?? 0
    if room < 0 { return room }
    if playing != nil, room >= frames {
      pace.wait(thread)
      if thread.isStopping { return 0 }
      renderCycle(withInput: false)
      return thread.isStopping ? 0 : writeCycle()
    }
    pace.restart()
    if hasInput { return 0 }
    let missing = min(
      capturing == nil ? Int.max : frames - readable, playing == nil ? Int.max : frames - room)
    return wait(thread, missing: missing)
  }

  /// Waits until more frames may be available. Hardware wakes the thread itself. The descriptors of
  /// a plug-in are ready before its samples, so the clock times that wait.
  private func wait(_ thread: WorkerThread, missing: Int) -> Int {
    let port = playback ?? capture
    if let port, port.isHardware, isLinked || playback == nil || capture == nil {
      return min(Int(port.waitForHardware()), 0)
    }
    let share = Double(max(1, min(missing, frames))) / Double(frames)
    let time = max(UInt64(saturating: Double(cycleTime) * share), 500_000)
    _ = thread.sleep(until: rt_host_time() + min(time, cycleTime))
    return 0
  }

  // MARK: The cycles

  /// [render thread] Runs one cycle of both directions. Returns a negative error code on failure.
  @_noLocks
  private func exchangeCycle() -> Int {
    let answer = readCycle()
    if answer < 0 { return answer }
    renderCycle(withInput: true)
    return writeCycle()
  }

  /// [render thread] Passes one cycle of input to the client. Returns a negative error code on
  /// failure.
  @_noLocks
  private func captureCycle() -> Int {
    let now = rt_host_time()
    let answer = readCycle()
    let delay = countsReference._withUnsafeGuaranteedRef { $0.inputDelay.load(ordering: .relaxed) }
    guard answer >= 0, gateReference._withUnsafeGuaranteedRef({ $0.value.enter() }) else {
      return answer
    }
    cyclesReference._withUnsafeGuaranteedRef { $0.capture(at: now &- delay) }
    gateReference._withUnsafeGuaranteedRef { $0.value.leave() }
    return answer
  }

  @_noLocks
  private func readCycle() -> Int {
    guard let capturing, let input = cyclesReference._withUnsafeGuaranteedRef({ $0.input }) else {
      return 0
    }
    rt_enter()
    defer { rt_leave() }
    let delay = capturing.delay
    countsReference._withUnsafeGuaranteedRef { $0.inputDelay.store(delay, ordering: .relaxed) }
    return min(capturing.read(input), 0)
  }

  @_noLocks
  private func renderCycle(withInput: Bool) {
    guard let playing else { return }
    rt_enter()
    defer { rt_leave() }
    let delay = playing.delay
    guard gateReference._withUnsafeGuaranteedRef({ $0.value.enter() }) else { return }
    cyclesReference._withUnsafeGuaranteedRef {
      $0.play(at: rt_host_time() &+ delay, withInput: withInput)
    }
    gateReference._withUnsafeGuaranteedRef { $0.value.leave() }
    let late = cyclesReference._withUnsafeGuaranteedRef { $0.lateCount.load(ordering: .relaxed) }
    countsReference._withUnsafeGuaranteedRef {
      $0.outputDelay.store(delay, ordering: .relaxed)
      $0.late.store(late, ordering: .relaxed)
    }
  }

  @_noLocks
  private func writeCycle() -> Int {
    guard let playing, let output = cyclesReference._withUnsafeGuaranteedRef({ $0.output }) else {
      return 0
    }
    rt_enter()
    defer { rt_leave() }
    return min(playing.write(output), 0)
  }
}

/// Paces devices that accept any number of frames immediately, such as the `null` and `file`
/// plug-ins.
private struct ALSAPace {
  let cycleTime: UInt64
  /// The most cycles that a device with a clock accepts without a wait between them.
  let longestBurst: Int
  private var burst = 0
  private var due: UInt64 = 0

  init(cycleTime: UInt64, longestBurst: Int) {
    self.cycleTime = cycleTime
    self.longestBurst = longestBurst
  }

  /// The device made a cycle wait, so it has a clock.
  mutating func restart() { burst = 0 }

  /// Called before a cycle for which the device is ready. Waits if the device is always ready.
  mutating func wait(_ thread: WorkerThread) {
    let now = rt_host_time()
    burst += 1
    guard burst > longestBurst else { return due = now }
    // Cycles catch up after a busy spell, but not after an hour of the machine's sleep.
    due = max(due + cycleTime, now &- min(now, 8 * cycleTime))
    _ = thread.sleep(until: due)
  }
}
