// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// A stream with its own clocked thread, for devices without a clock.
final class ClockedStream<Transport: CycleTransport>: DeviceStream {
  let device: Device

  private struct Run {
    var loop: CycleLoop<Transport>
    var thread: WorkerThread
  }

  private let request: StreamRequest
  private let environment: DeviceEnvironment
  private let handler: CycleHandler
  private let makeTransport: @Sendable () throws(AudioError) -> Transport
  private let lateCycles = LateCycles()
  private let run = Guarded<Run?>(nil)
  private let lastScheduling = Guarded<ThreadScheduling?>(nil)
  // Allows one start at a time. Holds the transport that `init` made for the first run.
  private let prepared: Guarded<Transport?>

  /// A stream whose transport is created immediately, so that opening reports any error.
  init(
    _ request: StreamRequest, _ device: Device, _ environment: DeviceEnvironment,
    _ handler: CycleHandler,
    makeTransport: @escaping @Sendable () throws(AudioError) -> Transport
  ) throws(AudioError) {
    self.request = request
    self.device = device
    self.environment = environment
    self.handler = handler
    self.makeTransport = makeTransport
    prepared = Guarded(try makeTransport())
  }

  deinit { stop() }

  func start() throws(AudioError) {
    if let run = run.withLock({ $0 }) {
      guard !run.thread.isCurrent, !run.loop.transport.ownsCurrentThread else {
        throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
      }
      if run.thread.isStopping { stop() }
    }
    try prepared.withLock { prepared throws(AudioError) in
      guard run.withLock({ $0 == nil }) else { return }
      let transport = if let made = prepared.take() { made } else { try makeTransport() }
      let loop = try CycleLoop(request, device, environment, handler, transport, lateCycles)
      let name = "audio \(device.name)"
      let thread = WorkerThread(name: name, requestsRealTime: environment.clock == .paced) {
        loop.run($0)
      }
      run.withLock { $0 = Run(loop: loop, thread: thread) }
      do throws(AudioError) {
        try transport.begin(handler)
        try thread.start()
      } catch {
        transport.end()
        run.withLock { $0 = nil }
        throw error
      }
      lastScheduling.withLock { $0 = thread.scheduling }
    }
  }

  func stop() {
    // Only the read is under the lock. A thread that waits below for a cycle must not prevent that
    // cycle from calling `stop`.
    guard let run = run.withLock({ $0 }) else { return }
    run.loop.transport.willEnd()
    run.thread.requestStop()
    if run.loop.transport.ownsCurrentThread || run.thread.isCurrent { return }
    run.thread.stop()
    self.run.withLock { if $0?.thread === run.thread { $0 = nil } }
  }

  // A sample is rendered when its cycle is due and goes directly into the file, without latency.
  func latency(_ direction: StreamDirection) -> Double { 0 }

  var xrunCount: Int { lateCycles.count.load(ordering: .relaxed) }

  var scheduling: ThreadScheduling? {
    run.withLock { $0?.thread.scheduling } ?? lastScheduling.withLock { $0 }
  }
}
