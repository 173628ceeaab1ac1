// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
@_spi(TrappingConversions) import CheckedNumbers
import Synchronization

/// A stream that plays to an ALSA device, captures from one, or both, with its own thread.
///
/// Two directions that the kernel has linked start and run together and share each cycle. Unlinked
/// directions have separate clocks, and each cycle has one direction.
final class ALSAStream: DeviceStream {
  let device: Device

  /// The request that the stream was opened with.
  private let request: StreamRequest
  private let handler: CycleHandler
  private let playback: ALSAPort?
  private let capture: ALSAPort?
  private let thread = Guarded<WorkerThread?>(nil)
  /// Closed when the stream is stopped, because a plug-in may block the thread for longer.
  private let gate = ALSAGate()
  private let starting = Guarded(())
  private let counts = ALSACounts()
  private let onClose: @Sendable () -> Void
  private let lastScheduling = Guarded<ThreadScheduling?>(nil)

  /// A stream over open ports. `onClose` is called after they were closed, on the worker of the
  /// back end.
  init(
    _ request: StreamRequest, _ device: Device, playback: ALSAPort?, capture: ALSAPort?,
    _ handler: CycleHandler, onClose: @escaping @Sendable () -> Void
  ) {
    self.onClose = onClose
    self.request = request
    self.device = device
    self.playback = playback
    self.capture = capture
    self.handler = handler
    // Until it plays, the delay is the size of its buffer.
    let held = Double(playback?.bufferFrames ?? 0) / device.sampleRate
    counts.outputDelay.store(UInt64(saturating: held * 1e9), ordering: .relaxed)
  }

  /// Seconds that a plug-in may take to return.
  private static let timeout = 1.0

  deinit {
    stop()
    // Closing ports may wait for a server too.
    let ports = ALSAPorts([playback, capture])
    let onClose = onClose
    ALSABackend.worker.finish(within: Self.timeout) {
      ports.close()
      onClose()
    }
  }

  func start() throws(AudioError) {
    if let thread = thread.withLock({ $0 }), thread.isCurrent {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      if let thread = thread.withLock({ $0 }) {
        if !thread.isStopping { return }
        stop()
        guard self.thread.withLock({ $0 == nil }) else {
          throw .failedInitialization.because(
            "\(device.uid): an ALSA plug-in is waiting for a server")
        }
      }
      let (ports, uid) = ([playback, capture], device.uid)
      try ALSABackend.withTimeout { () throws(AudioError) in
        for case let port? in ports {
          port.drop()
          let answer = port.prepare()
          guard answer >= 0 else {
            throw .failedInitialization.because("\(uid): \(port.alsa.text(answer))")
          }
        }
      }
      let cycles = try StreamCycles(request, device, handler, lateCount: xrunCount)
      let loop = ALSALoop(
        cycles, playback: playback, capture: capture, isLinked: device.hasOneClock, counts,
        gate)
      let handler = handler
      gate.value.open()
      let thread = WorkerThread(name: "audio \(device.name)", requestsRealTime: true) { thread in
        let failure = loop.run(thread)
        let hasEndedByItself = !thread.isStopping
        thread.requestStop()  // it ended by itself and must not count as running
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
    thread.requestStop()
    if thread.isCurrent { return }
    gate.value.close()
    guard thread.stop(within: Self.timeout) else { return }
    let wasOurs = self.thread.withLock { current in
      guard current === thread else { return false }
      current = nil
      return true
    }
    guard wasOurs else { return }
    let ports = [playback, capture]
    ALSABackend.worker.finish(within: Self.timeout) { for port in ports { port?.drop() } }
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

/// The ports of a stream that is being closed.
private final class ALSAPorts: Sendable {
  private let ports: Guarded<[ALSAPort?]>
  init(_ ports: [ALSAPort?]) { self.ports = Guarded(ports) }
  func close() { ports.withLock { $0 = [] } }
}

/// The gate of a stream, shared by its thread and the code that stops it.
final class ALSAGate: Sendable {
  let value = CycleGate()
}

/// The measurements of the stream's thread for other threads, over all its runs.
final class ALSACounts: Sendable {
  /// The number of late cycles.
  let late = Atomic(0)
  /// The number of gaps that the driver reported.
  let xruns = Atomic(0)
  /// Nanoseconds from a cycle to the device's output and from its input to the cycle.
  let outputDelay = Atomic<UInt64>(0)
  let inputDelay = Atomic<UInt64>(0)
}
