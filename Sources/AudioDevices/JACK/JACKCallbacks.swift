// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
import JACKClients
import SignalProcessing
import Synchronization

/// The library's callbacks for one run of a stream. The object lives until the client is closed.
// The ports are fixed before the first cycle.
final class JACKCallbacks: ServerRun, @unchecked Sendable {
  let cycles: ServerCycles
  let events: EventSender

  private let jack: UnsafePointer<JACKFunctions>
  private let client: OpaquePointer
  private let owner: JACKClient
  private let current: Guarded<Device>
  private let rate: Double
  private let cyclesReference: Unmanaged<ServerCycles>
  private let playback: JACKPorts
  private let capture: JACKPorts
  private let xruns = Atomic(0)

  init(
    _ client: JACKClient, _ cycles: ServerCycles, _ events: EventSender,
    _ current: Guarded<Device>, playbackCount: Int, captureCount: Int
  ) {
    self.cycles = cycles
    self.events = events
    self.current = current
    jack = client.jack
    self.client = client.pointer
    owner = client
    rate = client.sampleRate
    cyclesReference = .passUnretained(cycles)
    playback = JACKPorts(count: playbackCount)
    capture = JACKPorts(count: captureCount)
  }

  deinit {
    playback.deallocate()
    capture.deallocate()
  }

  var serverXrunCount: Int? { xruns.load(ordering: .relaxed) }

  func end() { owner.close(keeping: self) }

  /// [any thread] The scheduling of its cycles.
  var scheduling: ThreadScheduling {
    guard jack.pointee.jack_is_realtime(client) != 0 else {
      return .ordinary(reason: "the JACK server runs without real-time priority")
    }
    return .realTime(priority: Int(jack.pointee.jack_client_real_time_priority(client)))
  }

  /// [JACK's worker] Registers the ports and the callbacks.
  func register() throws(AudioError) {
    guard playback.register("output", JACKPortIsOutput, jack, client),
      capture.register("input", JACKPortIsInput, jack, client)
    else { throw .failedInitialization.because("the JACK server has no ports left") }
    let me = Unmanaged.passUnretained(self).toOpaque()
    let it = jack.pointee
    _ = it.jack_set_process_callback(client, jackProcess, me)
    _ = it.jack_set_xrun_callback(
      client,
      {
        JACKCallbacks.from($0)?.xruns.wrappingAdd(1, ordering: .relaxed)
        return 0
      }, me)
    _ = it.jack_set_buffer_size_callback(
      client,
      {
        JACKCallbacks.from($1)?.cycleChanged(Int($0))
        return 0
      }, me)
    _ = it.jack_set_sample_rate_callback(
      client,
      {
        JACKCallbacks.from($1)?.rateChanged(Double($0))
        return 0
      }, me)
    owner.notifyEnd(
      me, { JACKCallbacks.from($2)?.shutDown($0, $1.map { String(cString: $0) } ?? "") },
      withoutReason: { JACKCallbacks.from($0)?.shutDown(UInt32(JACKServerError.rawValue), "") })
  }

  /// The full names of its ports.
  var playbackNames: [String] { playback.names(jack) }
  var captureNames: [String] { capture.names(jack) }

  /// [any thread] Frames to the device's output or from its input, as the server computes them.
  func latency(_ direction: StreamDirection) -> Double {
    let ports = direction == .output ? playback : capture
    let mode = direction == .output ? JACKPlaybackLatency : JACKCaptureLatency
    guard ports.count > 0, let port = ports.ports[0] else { return 0 }
    var range = JACKLatencyRange()
    jack.pointee.jack_port_get_latency_range(port, mode.rawValue, &range)
    return Double(range.max)
  }

  /// [render thread] Runs one cycle of the server.
  @_noLocks
  func process(_ frameCount: UInt32) {
    let times = jackCycleTimes(jack, client)
    jackBuffers(jack, playback, frameCount)
    jackBuffers(jack, capture, frameCount)
    let nominal = Double(frameCount) / rate * 1_000_000
    let scalar = times.period > 0 ? nominal / Double(times.period) : 1
    let cycle = DeviceCycle(
      frameCount: min(Int(frameCount), JACKPorts.spareFrames), sampleTime: 0,
      hostTime: times.begin, rateScalar: scalar,
      input: capture.count > 0 ? UnsafePointer(capture.buffers) : nil,
      inputChannelCount: capture.count,
      output: playback.count > 0 ? UnsafePointer(playback.buffers) : nil,
      outputChannelCount: playback.count)
    cyclesReference._withUnsafeGuaranteedRef { $0.run(cycle, deadline: times.end) }
  }

  private func cycleChanged(_ frames: Int) {
    JACKClient.uncancelled {
      let moved = current.withLock { device -> Device? in
        guard device.cycleFrames != frames else { return nil }
        device.cycleFrames = frames
        device.cycleFramesRange = frames...frames
        return device
      }
      if let moved { events.send(.moved(to: moved)) }
    }
  }

  private func rateChanged(_ rate: Double) {
    JACKClient.uncancelled {
      guard rate != self.rate else { return }
      events.send(.lost(reason: "the server's rate is now \(rate) Hz"))
    }
  }

  private func shutDown(_ code: UInt32, _ reason: String) {
    JACKClient.uncancelled {
      owner.shutDown(byServersEnd: code & UInt32(JACKServerError.rawValue) != 0)
      events.send(.lost(reason: "the JACK server ended" + (reason.isEmpty ? "" : ": \(reason)")))
    }
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> JACKCallbacks? {
    context.map { Unmanaged<JACKCallbacks>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// The ports of one direction, and the addresses of their samples in the current cycle.
struct JACKPorts: BitwiseCopyable {
  let count: Int
  let ports: UnsafeMutablePointer<OpaquePointer?>
  let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The substitute for a port without a buffer.
  private let spare: UnsafeMutablePointer<Float>
  private let memory = OwnedMemory()

  /// No server has longer cycles.
  static var spareFrames: Int { @_noLocks get { 65_536 } }

  init(count: Int) {
    self.count = count
    ports = memory.array(count, of: nil)
    // Used only when the library fails: normally its pages are never touched.
    spare = memory.room(Self.spareFrames, for: Float.self)
    buffers = memory.array(count, of: spare)
  }

  /// [control thread] Frees the memory. No cycle may use it afterwards.
  func deallocate() { memory.deallocate() }

  /// [JACK's worker] Registers the ports. False if the server refuses.
  func register(
    _ name: String, _ flag: JACKPortFlags, _ jack: UnsafePointer<JACKFunctions>,
    _ client: OpaquePointer
  ) -> Bool {
    for index in 0..<count {
      ports[index] = jack.pointee.jack_port_register(
        client, "\(name)_\(index + 1)", "32 bit float mono audio", UInt(flag.rawValue), 0)
      if ports[index] == nil { return false }
    }
    return true
  }

  /// [control thread] The full names of the ports.
  func names(_ jack: UnsafePointer<JACKFunctions>) -> [String] {
    (0..<count).compactMap { index in
      ports[index].flatMap { jack.pointee.jack_port_name($0) }.map { String(cString: $0) }
    }
  }

  /// [render thread] Sets the address of a channel's samples in this cycle.
  @_noLocks
  func set(_ buffer: UnsafeMutableRawPointer?, of channel: Int) {
    buffers[channel] = buffer?.assumingMemoryBound(to: Float.self) ?? spare
  }
}

/// [render thread] Called by the library.
@_noLocks
private func jackProcess(_ frameCount: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  guard let context else { return 0 }
  rt_enter()
  Unmanaged<JACKCallbacks>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.process(frameCount) }
  rt_leave()
  return 0
}

// The compiler cannot see into the library. This function is made for the process callback: it reads
// memory that is shared with the server. The library is responsible for that, and the sanitizer does
// not watch it.

@_semantics("no_performance_analysis") @inline(never)
private func jackBuffers(
  _ jack: UnsafePointer<JACKFunctions>, _ ports: JACKPorts, _ frameCount: UInt32
) {
  rt_host_enter()
  defer { rt_host_leave() }
  for channel in 0..<ports.count {
    ports.set(jack.pointee.jack_port_get_buffer(ports.ports[channel], frameCount), of: channel)
  }
}
