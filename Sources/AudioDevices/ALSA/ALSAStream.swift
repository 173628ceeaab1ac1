// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Synchronization

/// A stream to an ALSA device, from one, or both, with a thread of its own.
///
/// Two directions that the kernel has linked start and run together: they are one cycle. Others have a
/// clock each, and a cycle has one of them.
final class ALSAStream: DeviceStream {
  let device: Device

  /// What the cycles are asked for by.
  private let request: StreamRequest
  private let handler: CycleHandler
  private let playback: ALSAPort?
  private let capture: ALSAPort?
  private let thread = Guarded<DeviceThread?>(nil)
  private let starting = Guarded(())
  private let counts = ALSACounts()
  private let lastScheduling = Guarded<ThreadScheduling?>(nil)

  /// A stream over ports that are open.
  init(
    _ request: StreamRequest, _ device: Device, playback: ALSAPort?, capture: ALSAPort?,
    _ handler: CycleHandler
  ) {
    self.request = request
    self.device = device
    self.playback = playback
    self.capture = capture
    self.handler = handler
    // Until it plays: what its buffer holds.
    let held = Double(playback?.bufferFrames ?? 0) / device.sampleRate
    counts.outputDelay.store(UInt64(held * 1e9), ordering: .relaxed)
  }

  deinit { stop() }

  func start() throws(AudioError) {
    if let thread = thread.withLock({ $0 }), thread.isCurrent {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      if let thread = thread.withLock({ $0 }) {
        if !thread.isStopping { return }
        stop()
      }
      for port in [playback, capture] {
        guard let port else { continue }
        port.drop()
        let answer = port.prepare()
        guard answer >= 0 else {
          throw .failedInitialization.because("\(device.uid): \(port.alsa.text(answer))")
        }
      }
      let cycles = try StreamCycles(request, device, handler, lateCount: xrunCount)
      let loop = ALSALoop(
        cycles, playback: playback, capture: capture, isLinked: device.hasOneClock, counts)
      let (handler, uid) = (handler, device.uid)
      let thread = DeviceThread(name: "audio \(device.name)", asksForRealTime: true) { thread in
        let failure = loop.run(thread)
        let hasEndedByItself = !thread.isStopping
        thread.mark()  // ended by itself it must not be taken for running
        if let failure, hasEndedByItself {
          handler.streamChanged(.lost(reason: "\(uid): \(failure)"))
        }
      }
      self.thread.withLock { $0 = thread }
      do throws(AudioError) { try thread.start() } catch {
        self.thread.withLock { $0 = nil }
        throw error
      }
      lastScheduling.withLock { $0 = thread.scheduling }
    }
  }

  func stop() {
    guard let thread = thread.withLock({ $0 }) else { return }
    thread.mark()
    if thread.isCurrent { return }
    thread.stop()
    let wasOurs = self.thread.withLock { current in
      guard current === thread else { return false }
      current = nil
      return true
    }
    guard wasOurs else { return }
    playback?.drop()
    capture?.drop()
  }

  func latency(_ direction: StreamDirection) -> Double {
    let delay =
      direction == .output
      ? counts.outputDelay.load(ordering: .relaxed) : counts.inputDelay.load(ordering: .relaxed)
    return Double(delay) * 1e-9
  }

  var xrunCount: Int { counts.late.load(ordering: .relaxed) }
  var serverXrunCount: Int? { counts.xruns.load(ordering: .relaxed) }
  var stallLimit: Double? { stallLimit(of: device) }
  var scheduling: ThreadScheduling? {
    thread.withLock { $0?.scheduling } ?? lastScheduling.withLock { $0 }
  }
}

/// What the thread of a stream tells others, over all its runs.
final class ALSACounts: Sendable {
  /// Cycles that came too late.
  let late = Atomic(0)
  /// Gaps that the driver tells of.
  let xruns = Atomic(0)
  /// Nanoseconds from a cycle to the world, and back.
  let outputDelay = Atomic<UInt64>(0)
  let inputDelay = Atomic<UInt64>(0)
}
