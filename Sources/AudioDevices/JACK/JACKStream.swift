// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc
import Synchronization

/// A client with a port for each channel, connected to the device's own.
final class JACKStream: DeviceStream {
  private struct Run {
    var client: JACKClient
    var callee: JACKCallee
  }

  private let request: StreamRequest
  private let playback: [String]
  private let capture: [String]
  private let handler: CycleHandler
  private let current: Guarded<Device>
  private let run = Guarded<Run?>(nil)
  private let starting = Guarded(())
  private let earlierXruns = Guarded((ours: 0, server: 0))

  init(
    _ request: StreamRequest, _ devices: RequestedDevices, playback: [String], capture: [String],
    _ handler: CycleHandler
  ) throws(AudioError) {
    guard let device = devices.device(input: request.usesInput, output: request.usesOutput),
      !request.usesOutput || !playback.isEmpty, !request.usesInput || !capture.isEmpty
    else {
      let direction = request.usesOutput ? "plays" : "captures"
      throw .failedInitialization.because("JACK has no device that \(direction)")
    }
    self.request = request
    self.playback = request.usesOutput ? playback : []
    self.capture = request.usesInput ? capture : []
    self.handler = handler
    current = Guarded(device)
  }

  deinit { stop() }

  var device: Device { current.withLock { $0 } }

  func start() throws(AudioError) {
    if let run = run.withLock({ $0 }), run.callee.cycles.gate.isHeldHere {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      guard run.withLock({ $0 == nil }) else { return }
      JACKServer.shared.closeIfEnded()
      let client = try JACKClient.open()
      current.withLock { $0.cycleFrames = client.cycleFrames }
      let callee = JACKCallee(
        client, ServerCycles(to: handler, startHostTime: request.startHostTime),
        EventOutlet(to: handler), current, playbackCount: playback.count,
        captureCount: capture.count)
      run.withLock { $0 = Run(client: client, callee: callee) }
      do throws(AudioError) {
        guard client.sampleRate == device.sampleRate else {
          throw .failedInitialization.because("the JACK server's rate is now \(client.sampleRate)")
        }
        try callee.register()
        callee.cycles.gate.open()
        try client.activate()
        try connect(client, callee)
      } catch {
        stop()
        throw error
      }
    }
  }

  private func connect(_ client: JACKClient, _ callee: JACKCallee) throws(AudioError) {
    let jack = client.jack
    func join(_ from: String, _ to: String) throws(AudioError) {
      let answer = jack.pointee.jack_connect(client.pointer, from, to)
      guard answer == 0 || answer == EEXIST else {
        throw .failedInitialization.because("JACK does not connect \(from) to \(to)")
      }
    }
    for (port, name) in zip(callee.playbackNames, playback) { try join(port, name) }
    for (port, name) in zip(callee.captureNames, capture) { try join(name, port) }
  }

  func stop() {
    guard let run = run.withLock({ $0 }) else { return }
    run.callee.cycles.gate.close()
    if run.callee.cycles.gate.isHeldHere { return }
    run.callee.events.close()
    let isOurs = self.run.withLock { current in
      guard current?.callee === run.callee else { return false }
      current = nil
      return true
    }
    guard isOurs else { return }
    earlierXruns.withLock {
      $0.ours += run.callee.cycles.xrunCount
      $0.server += run.callee.serverXruns
    }
    run.client.close(keeping: run.callee)
  }

  func latency(_ direction: StreamDirection) -> Double {
    run.withLock { $0?.callee.latency(direction) ?? 0 } / device.sampleRate
  }

  var xrunCount: Int {
    run.withLock { $0?.callee.cycles.xrunCount ?? 0 } + earlierXruns.withLock { $0.ours }
  }

  var serverXrunCount: Int? {
    run.withLock { $0?.callee.serverXruns ?? 0 } + earlierXruns.withLock { $0.server }
  }

  var stallLimit: Double? { stallLimit(of: device) }

  var scheduling: ThreadScheduling? {
    run.withLock { run in
      guard let client = run?.client else { return nil }
      guard client.jack.pointee.jack_is_realtime(client.pointer) != 0 else {
        return .ordinary(reason: "the JACK server runs without real-time priority")
      }
      let priority = client.jack.pointee.jack_client_real_time_priority(client.pointer)
      return .realTime(priority: Int(priority))
    }
  }
}
