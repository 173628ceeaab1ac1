// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// A stream that plays to a sink, captures from a source, or both, on its own connection.
///
/// Cycles run on the connection's thread. The server requests varying numbers of frames: as many
/// whole cycles as fit are rendered, and the rest waits for the next request. The two directions
/// have separate clocks, so each cycle has one direction.
final class PulseStream: DeviceStream, @unchecked Sendable {  // guarded as described at each group
  private let connection: PulseConnection
  private let pulse: PulseFunctions
  private let request: StreamRequest
  private let endpoints: PulseEndpoints
  private let handler: CycleHandler
  private let current: Guarded<Device>
  /// The duration of a frame in nanoseconds. A stream that is moved keeps its rate.
  private let frameTime: Double

  // Inside the connection's `locked`, or on its thread.
  private var playback: OpaquePointer?
  private var capture: OpaquePointer?
  private var cycles: StreamCycles?
  /// `cycles` again, without reference counting.
  private var running: Unmanaged<StreamCycles>?
  /// Frames captured so far for the next input cycle.
  private var captured = 0

  // Any thread.
  private let starting = Guarded(())
  private let isStopping = Atomic(true)
  private let serverXruns = Atomic(0)
  private let outputLatency = Atomic<UInt64>(0)
  private let inputLatency = Atomic<UInt64>(0)
  private let lateCount = Atomic(0)
  private let threadScheduling = Guarded<ThreadScheduling?>(nil)
  /// Host time of the last start.
  private let startTime = Atomic<UInt64>(0)

  /// The longest time in seconds that an idle sink sleeps. A new stream waits until the sink wakes.
  private static let idleSleep = 2.0

  /// Creates a stream that does not run yet.
  init(
    _ request: StreamRequest, _ device: Device, _ endpoints: PulseEndpoints,
    _ connection: PulseConnection,
    _ handler: CycleHandler
  ) {
    self.connection = connection
    self.request = request
    self.endpoints = endpoints
    self.handler = handler
    pulse = connection.pulse
    current = Guarded(device)
    frameTime = 1e9 / device.sampleRate
    connection.onLoss { [weak self] reason in self?.reportLoss(reason) }
  }

  deinit {
    isStopping.store(true, ordering: .releasing)
    connection.onLoss(nil)
    connection.locked { disconnectStreams() }
    connection.close(releasing: [playback, capture].compactMap { $0 })
  }

  var device: Device { current.withLock { $0 } }
  var xrunCount: Int { lateCount.load(ordering: .relaxed) }
  var serverXrunCount: Int? { serverXruns.load(ordering: .relaxed) }
  var scheduling: ThreadScheduling? { threadScheduling.withLock { $0 } }

  var stallLimit: Double? {
    let limit = stallLimit(of: device)
    let age = Double(rt_host_time() - startTime.load(ordering: .relaxed)) * 1e-9
    return age < Self.idleSleep + 2 * limit ? Self.idleSleep + limit : limit
  }

  func latency(_ direction: StreamDirection) -> Double {
    let nanoseconds =
      direction == .output
      ? outputLatency.load(ordering: .relaxed) : inputLatency.load(ordering: .relaxed)
    return Double(nanoseconds) * 1e-9
  }

  // MARK: Start and stop

  func start() throws(AudioError) {
    guard !connection.isCurrent else {
      throw .cannotDoInCurrentContext.because("a stream cannot be started by its own thread")
    }
    try starting.withLock { _ throws(AudioError) in
      if isRunning { return }
      stop()
      do throws(AudioError) {
        try connect()
        try connection.wait(for: "device \(device.uid)") { () throws(AudioError) -> Bool in
          let isPlaying = try isReady(playback)
          let isCapturing = try isReady(capture)
          return isPlaying && isCapturing
        }
      } catch {
        stop()
        throw error
      }
    }
  }

  private var isRunning: Bool {
    connection.locked { cycles != nil } && !isStopping.load(ordering: .acquiring)
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    if connection.isCurrent { return }
    connection.locked {
      disconnectStreams()
      for stream in [playback, capture] {
        if let stream { pulse.pa_stream_unref(stream) }
      }
      playback = nil
      capture = nil
      running = nil
      cycles = nil
    }
  }

  /// Removes the callbacks and disconnects the streams. The server drops frames that it has not
  /// played.
  private func disconnectStreams() {
    for stream in [playback, capture] {
      guard let stream else { continue }
      pulse.pa_stream_set_state_callback(stream, nil, nil)
      pulse.pa_stream_set_write_callback(stream, nil, nil)
      pulse.pa_stream_set_read_callback(stream, nil, nil)
      pulse.pa_stream_set_underflow_callback(stream, nil, nil)
      pulse.pa_stream_set_moved_callback(stream, nil, nil)
      _ = pulse.pa_stream_disconnect(stream)
    }
  }

  private func connect() throws(AudioError) {
    let device = device
    let cycles = try StreamCycles(request, device, handler, lateCount: xrunCount)
    connection.runOnce(
      { _, stream in
        guard let stream else { return }
        let me = Unmanaged<PulseStream>.fromOpaque(stream).takeUnretainedValue()
        if me.threadScheduling.withLock({ $0 == nil }) {
          let scheduling = ThreadScheduling.requestRealTime()
          me.threadScheduling.withLock { $0 = scheduling }
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    try connection.locked { () throws(AudioError) in
      isStopping.store(false, ordering: .releasing)
      startTime.store(rt_host_time(), ordering: .relaxed)
      // Until the server has measured the latency, it is the requested buffer size.
      let held = UInt64(saturating: 3e9 * Double(device.cycleFrames) / device.sampleRate)
      outputLatency.store(held, ordering: .relaxed)
      self.cycles = cycles
      running = .passUnretained(cycles)
      captured = 0
      if let sink = endpoints.sink { playback = try makePlayback(sink, device) }
      if let source = endpoints.source { capture = try makeCapture(source, device) }
    }
  }

  /// Buffer sizes with which one cycle is rendered while one plays and one waits.
  private func attributes(_ device: Device, channelCount: Int) -> PulseBufferAttributes {
    let cycle = UInt32(clamping: device.cycleFrames * channelCount * MemoryLayout<Float>.size)
    return PulseBufferAttributes(
      maxlength: .max, tlength: 3 * cycle, prebuf: cycle, minreq: cycle, fragsize: cycle)
  }

  private func flags(_ endpoint: PulseEndpoints.Choice) -> CInt {
    let timing = PulseInterpolateTiming.rawValue | PulseAutoTimingUpdate.rawValue
    let fixed = endpoint.isNamed ? PulseDontMove.rawValue : 0
    return CInt(clamping: timing | PulseAdjustLatency.rawValue | fixed)
  }

  private func makePlayback(
    _ sink: PulseEndpoints.Choice, _ device: Device
  ) throws(AudioError) -> OpaquePointer {
    let stream = try makeStream(sink, "playback", device)
    playback = stream
    let me = Unmanaged.passUnretained(self).toOpaque()
    pulse.pa_stream_set_write_callback(stream, { _, _, me in pulseFill(me) }, me)
    pulse.pa_stream_set_underflow_callback(
      stream, { _, me in PulseStream.at(me)?.serverXruns.wrappingAdd(1, ordering: .relaxed) }, me)
    var attributes = attributes(device, channelCount: sink.endpoint.channelCount)
    let answer = pulse.pa_stream_connect_playback(
      stream, sink.isNamed ? sink.endpoint.name : nil, &attributes, flags(sink), nil, nil)
    try check(answer, device)
    return stream
  }

  private func makeCapture(
    _ source: PulseEndpoints.Choice, _ device: Device
  ) throws(AudioError) -> OpaquePointer {
    let stream = try makeStream(source, "capture", device)
    capture = stream
    let me = Unmanaged.passUnretained(self).toOpaque()
    pulse.pa_stream_set_read_callback(stream, { _, _, me in pulseDrain(me) }, me)
    var attributes = attributes(device, channelCount: source.endpoint.channelCount)
    let answer = pulse.pa_stream_connect_record(
      stream, source.isNamed ? source.endpoint.name : nil, &attributes, flags(source))
    try check(answer, device)
    return stream
  }

  private func makeStream(
    _ choice: PulseEndpoints.Choice, _ name: String, _ device: Device
  ) throws(AudioError) -> OpaquePointer {
    #if _endian(little)
      let format = PulseFloat32
    #else
      let format = PulseFloat32Swapped
    #endif
    var spec = PulseSampleSpec(
      format: CInt(clamping: format.rawValue), rate: UInt32(saturating: device.sampleRate),
      channels: UInt8(clamping: choice.endpoint.channelCount))
    var map = choice.endpoint.map
    guard let stream = pulse.pa_stream_new(connection.context, name, &spec, &map) else {
      throw .failedInitialization.because("\(device.uid): no stream: \(connection.lastError)")
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    pulse.pa_stream_set_state_callback(
      stream, { stream, me in PulseStream.at(me)?.stateChanged(stream) }, me)
    pulse.pa_stream_set_moved_callback(
      stream, { stream, me in PulseStream.at(me)?.moved(stream) }, me)
    return stream
  }

  private func check(_ answer: CInt, _ device: Device) throws(AudioError) {
    guard answer < 0 else { return }
    throw .failedInitialization.because("\(device.uid): \(connection.lastError)")
  }

  private func isReady(_ stream: OpaquePointer?) throws(AudioError) -> Bool {
    guard let stream else { return true }
    let state = pulse.pa_stream_get_state(stream)
    guard state != CInt(clamping: PulseStreamFailed.rawValue) else {
      throw .failedInitialization.because("\(device.uid): \(connection.lastError)")
    }
    return state == CInt(clamping: PulseStreamReady.rawValue)
  }

  // MARK: Events, on the connection's thread

  private static func at(_ context: UnsafeMutableRawPointer?) -> PulseStream? {
    context.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func stateChanged(_ stream: OpaquePointer) {
    connection.wake()
    let state = pulse.pa_stream_get_state(stream)
    if state == CInt(clamping: PulseStreamTerminated.rawValue)
      || state == CInt(clamping: PulseStreamFailed.rawValue)
    {
      reportLoss("device \(device.uid) is gone")
    }
  }

  private func reportLoss(_ reason: String) {
    // If the stream has not started yet, `start` throws the error.
    let hasBegun = cycles != nil && !isStopping.exchange(true, ordering: .acquiringAndReleasing)
    if hasBegun { handler.streamChanged(.lost(reason: reason)) }
  }

  /// Handles that the server has moved the stream to another device, in the same format.
  private func moved(_ stream: OpaquePointer) {
    guard stream == playback || playback == nil, !isStopping.load(ordering: .acquiring),
      let name = pulse.pa_stream_get_device_name(stream).map({ String(cString: $0) })
    else { return }
    // A server without another source moves a stream to a monitor, and its sound would feed back.
    guard stream == playback || !name.hasSuffix(".monitor") else {
      return reportLoss("device \(device.uid) is gone")
    }
    let device = current.withLock { device in
      device.uid = DeviceName(backend: PulseBackend.name, device: name).description
      device.name = name
      return device
    }
    handler.streamChanged(.moved(to: device))
  }

  // MARK: Cycles, on the connection's thread

  /// [render thread] Renders as many cycles as the server has room for.
  @_noLocks
  fileprivate func fill() {
    guard let playback, let running,
      let output = running._withUnsafeGuaranteedRef({ $0.output })
    else { return }
    let frameBytes = output.channelCount * MemoryLayout<Float>.size
    let cycleBytes = output.frameCount * frameBytes
    while !isStopping.load(ordering: .acquiring), pulse.writableSize(of: playback) >= cycleBytes {
      let latency = pulse.latency(of: playback)
      // Until the server has measured the latency, the requested size is used.
      if latency > 0 {
        outputLatency.store(Elementary.nanoseconds(latency * 1e-9), ordering: .relaxed)
      }
      let time = rt_host_time() &+ outputLatency.load(ordering: .relaxed)
      running._withUnsafeGuaranteedRef { $0.play(at: time, withInput: false) }
      let late = running._withUnsafeGuaranteedRef { $0.lateCount.load(ordering: .relaxed) }
      lateCount.store(late, ordering: .relaxed)
      guard write(output, to: playback, frameBytes) else { return }
    }
  }

  @_noLocks
  private func write(
    _ output: CycleBuffers.Planes, to stream: OpaquePointer, _ frameBytes: Int
  ) -> Bool {
    var frame = 0
    while frame < output.frameCount {
      let part = pulse.beginWrite(to: stream, byteCount: (output.frameCount - frame) * frameBytes)
      guard let memory = part.memory, part.byteCount >= frameBytes else { return false }
      let count = min(part.byteCount / frameBytes, output.frameCount - frame)
      output.interleave(from: frame, count: count, into: memory, as: .float32)
      guard pulse.write(memory, byteCount: count * frameBytes, to: stream) else { return false }
      frame += count
    }
    return true
  }

  /// [render thread] Passes the captured frames to the client, one cycle at a time.
  @_noLocks
  fileprivate func drain() {
    guard let capture, let running, let input = running._withUnsafeGuaranteedRef({ $0.input })
    else { return }
    let frameBytes = input.channelCount * MemoryLayout<Float>.size
    while !isStopping.load(ordering: .acquiring), pulse.readableSize(of: capture) > 0 {
      let part = pulse.peek(capture)
      guard part.byteCount > 0 else { return }
      let latency = pulse.latency(of: capture)
      let first = rt_host_time() &- UInt64(bitPattern: Int64(Elementary.whole(latency)))
      // A gap, because this thread was late.
      if part.memory == nil { serverXruns.wrappingAdd(1, ordering: .relaxed) }
      receive(part.memory, frames: part.byteCount / frameBytes, arrivedAt: first, input, running)
      pulse.drop(capture)
    }
  }

  @_noLocks
  private func receive(
    _ memory: UnsafeRawPointer?, frames: Int, arrivedAt first: UInt64,
    _ input: CycleBuffers.Planes, _ running: Unmanaged<StreamCycles>
  ) {
    var done = 0
    while done < frames, !isStopping.load(ordering: .acquiring) {
      let count = min(frames - done, input.frameCount - captured)
      if let memory {
        let samples = memory + done * input.channelCount * MemoryLayout<Float>.size
        input.deinterleave(samples, count: count, at: captured, as: .float32)
      } else {
        input.silence(from: captured, count: count)
      }
      captured += count
      done += count
      if captured == input.frameCount {
        captured = 0
        let offset = Double(done - input.frameCount) * frameTime
        let time = first &+ UInt64(bitPattern: Int64(Elementary.whole(offset)))
        // A monitor captures frames before they are played, so the age may be negative.
        let age = Int64(bitPattern: rt_host_time() &- time)
        inputLatency.store(UInt64(bitPattern: max(age, 0)), ordering: .relaxed)
        running._withUnsafeGuaranteedRef { $0.capture(at: time) }
      }
    }
  }
}

/// [render thread] Called by the library when it has room for frames.
@_noLocks
private func pulseFill(_ stream: UnsafeMutableRawPointer?) {
  guard let stream else { return }
  rt_enter()
  Unmanaged<PulseStream>.fromOpaque(stream)._withUnsafeGuaranteedRef { $0.fill() }
  rt_leave()
}

/// [render thread] Called by the library when it has frames.
@_noLocks
private func pulseDrain(_ stream: UnsafeMutableRawPointer?) {
  guard let stream else { return }
  rt_enter()
  Unmanaged<PulseStream>.fromOpaque(stream)._withUnsafeGuaranteedRef { $0.drain() }
  rt_leave()
}
