// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import CRealTime

/// A connection to a PulseAudio server, with its own thread, which libpulse runs.
///
/// The connection and its streams are accessed only inside `locked`, or on that thread.
final class PulseConnection: @unchecked Sendable {  // all state is guarded by the main loop's lock
  let pulse: PulseFunctions
  /// The context, for the library's functions.
  let context: OpaquePointer

  private let loop: OpaquePointer
  /// Raised by each event, for the thread that waits for one.
  private let wakeUp = WakeUp()
  private let lossHandler = Guarded<(@Sendable (String) -> Void)?>(nil)

  /// Nanoseconds that a server may take to answer.
  private static let timeout: UInt64 = 2_000_000_000

  /// [control thread] Connects to the server that the environment names, otherwise to the user's
  /// own.
  ///
  /// Does not start a server.
  init(name: String) throws(AudioError) {
    var reason: UnsafePointer<CChar>?
    guard let functions = pulse_functions(&reason) else {
      throw .failedInitialization.because(reason.map { String(cString: $0) } ?? "no libpulse")
    }
    pulse = functions.pointee
    guard let loop = pulse.pa_threaded_mainloop_new() else { throw .outOfMemory }
    guard let context = pulse.pa_context_new(pulse.pa_threaded_mainloop_get_api(loop), name) else {
      pulse.pa_threaded_mainloop_free(loop)
      throw .outOfMemory
    }
    self.loop = loop
    self.context = context
    pulse.pa_threaded_mainloop_set_name(loop, "audio pulse")
    do throws(AudioError) { try connect() } catch {
      close()
      throw error
    }
  }

  private func connect() throws(AudioError) {
    pulse.pa_context_set_state_callback(
      context,
      { context, connection in
        guard let connection else { return }
        Unmanaged<PulseConnection>.fromOpaque(connection).takeUnretainedValue().stateChanged()
      }, Unmanaged.passUnretained(self).toOpaque())
    guard pulse.pa_context_connect(context, nil, CInt(clamping: PulseContextNoAutospawn), nil) >= 0,
      pulse.pa_threaded_mainloop_start(loop) >= 0
    else { throw .failedInitialization.because("no PulseAudio server: \(lastError)") }
    try wait(for: "the PulseAudio server") {
      pulse.pa_context_get_state(context) == CInt(clamping: PulseContextReady.rawValue)
    }
  }

  /// Whether the server is connected.
  var isReady: Bool {
    locked { pulse.pa_context_get_state(context) == CInt(clamping: PulseContextReady.rawValue) }
  }

  /// Whether the caller runs on the connection's own thread.
  var isCurrent: Bool { pulse.pa_threaded_mainloop_in_thread(loop) != 0 }

  /// libpulse's description of the last error. Inside `locked`.
  var lastError: String {
    pulse.pa_strerror(pulse.pa_context_errno(context)).map { String(cString: $0) } ?? "unknown"
  }

  /// Calls `function` on the connection's thread when the server is lost.
  func onLoss(_ function: (@Sendable (String) -> Void)?) { lossHandler.withLock { $0 = function } }

  private func stateChanged() {
    wakeUp.raise()
    let state = pulse.pa_context_get_state(context)
    guard state == CInt(clamping: PulseContextFailed.rawValue) else { return }
    let reason = "the PulseAudio server is gone: \(lastError)"
    if let function = lossHandler.withLock({ $0 }) { function(reason) }
  }

  /// [any thread] Runs `body` while the connection's thread is blocked.
  func locked<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard !isCurrent else { return try body() }
    pulse.pa_threaded_mainloop_lock(loop)
    defer { pulse.pa_threaded_mainloop_unlock(loop) }
    return try body()
  }

  /// [connection's thread] Wakes the waiting thread.
  func wake() { wakeUp.raise() }

  /// [control thread] Waits until a condition is true. It is checked inside `locked` after each
  /// event. Throws if the server is lost or takes too long.
  func wait(for what: String, until isTrue: () throws(AudioError) -> Bool) throws(AudioError) {
    let deadline = rt_host_time() + Self.timeout
    while true {
      let isDone = try locked { () throws(AudioError) -> Bool in
        if try isTrue() { return true }
        let state = pulse.pa_context_get_state(context)
        guard state < CInt(clamping: PulseContextFailed.rawValue) else {
          throw .failedInitialization.because("\(what) does not answer: \(lastError)")
        }
        return false
      }
      if isDone { return }
      guard rt_host_time() < deadline else {
        throw .failedInitialization.because("\(what) does not answer within two seconds")
      }
      wakeUp.wait(until: deadline)
    }
  }

  /// [control thread] Starts an operation, inside `locked`, and waits until it is complete. `start`
  /// gets the pointer to pass to its callback, which fills `answer` and then calls `wake`.
  func perform<Answer: PulseResult>(
    _ answer: Answer, _ start: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(AudioError) -> Answer {
    let operation = try locked { () throws(AudioError) -> OpaquePointer in
      guard let operation = start(Unmanaged.passUnretained(answer).toOpaque()) else {
        throw .failedInitialization.because(
          "the request to the PulseAudio server failed: \(lastError)")
      }
      return operation
    }
    defer {
      locked {
        // A cancelled operation never calls its callback, so the answer may be released.
        pulse.pa_operation_cancel(operation)
        pulse.pa_operation_unref(operation)
      }
    }
    try wait(for: "the PulseAudio server") { answer.isComplete }
    return answer
  }

  /// [control thread] Runs `function` once on the connection's own thread.
  func runOnce(
    _ function: @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Void,
    _ context: UnsafeMutableRawPointer?
  ) {
    locked {
      pulse.pa_mainloop_api_once(pulse.pa_threaded_mainloop_get_api(loop), function, context)
    }
  }

  /// [any thread] Closes the connection and releases its streams. Nothing may use it afterwards. If
  /// it is called on the connection's own thread, another thread does the work.
  func close(releasing streams: [OpaquePointer] = []) {
    locked {
      pulse.pa_context_set_state_callback(context, nil, nil)
      pulse.pa_context_disconnect(context)
    }
    // The library still uses the arguments of a callback while the callback returns.
    let (functions, handles) = (Handle(pulse), Handle((loop, context, streams)))
    let end = { @Sendable in
      let (loop, context, streams) = handles.value
      functions.value.pa_threaded_mainloop_stop(loop)
      for stream in streams { functions.value.pa_stream_unref(stream) }
      functions.value.pa_context_unref(context)
      functions.value.pa_threaded_mainloop_free(loop)
    }
    guard isCurrent else { return end() }
    let thread = WorkerThread(name: "audio end") { _ in end() }
    try? thread.start()
  }
}

/// The result of an operation, which its callbacks fill.
protocol PulseResult: AnyObject {
  /// Whether it is complete.
  var isComplete: Bool { get }
}

/// A value that another thread takes over.
private struct Handle<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
