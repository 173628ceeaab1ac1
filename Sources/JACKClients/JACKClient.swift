// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc
import Synchronization

/// A client of a JACK server: the one of a stream, or the one that lists devices.
///
/// The library maps a server's memory once for all clients of a process, and unmaps it with the
/// last of them. While a client of an ended server is open, a new client would use that server's
/// memory. Hence all clients are listed, and none is opened before those clients are closed.
///
/// Calls may wait for a server that hangs. One thread makes all of them, one after the other, and
/// each caller waits for a limited time. While the server hangs it gets no further calls. A call
/// that timed out is cleaned up when it finally returns.
package final class JACKClient: @unchecked Sendable {  // the library's own locks guard the client
  package let jack: UnsafePointer<JACKFunctions>
  package let pointer: OpaquePointer

  /// Seconds that a server may take to answer, and to close a client, which nothing depends on.
  private static let timeouts = (answer: 3.0, close: 1.0)
  private static let worker = SerialWorker(name: "audio jack")
  private static let all = Guarded<[JACKClient]>([])
  private let hasEnded = Atomic(false)
  /// The name that the server gave it. Others ask for it after the client itself may be freed.
  private let name: String?

  private init(_ jack: UnsafePointer<JACKFunctions>, _ pointer: OpaquePointer) {
    self.jack = jack
    self.pointer = pointer
    name = jack.pointee.jack_get_client_name(pointer).map { String(cString: $0) }
  }

  /// [control thread] The library. Throws the reason if it cannot be used.
  package static func library() throws(AudioError) -> UnsafePointer<JACKFunctions> {
    var reason: UnsafePointer<CChar>?
    guard let library = jack_functions(&reason) else {
      throw .failedInitialization.because(
        reason.map { String(cString: $0) } ?? "libjack cannot be opened")
    }
    return library
  }

  /// [control thread] Opens a client of the running server, by default with the program's name.
  /// Does not start a server.
  package static func open(_ name: String? = nil) throws(AudioError) -> JACKClient {
    // A pointer that only the library dereferences.
    struct Answer: @unchecked Sendable {
      var pointer: OpaquePointer?
      var reason: String
      var isGone = false
    }
    nonisolated(unsafe) let jack = try library()
    guard all.withLock({ $0.allSatisfy { !$0.isShutDown } }) else {
      throw .failedInitialization.because("the JACK server is gone")
    }
    let answer = worker.result(within: timeouts.answer) { isAwaited in
      var reason = [CChar](repeating: 0, count: 128)
      var isGone = false
      let pointer = jack_open(name, &reason, UInt32(clamping: reason.count), &isGone)
      if let pointer, !isAwaited() {
        _ = jack.pointee.jack_client_close(pointer)
        return Answer(pointer: nil, reason: "")
      }
      let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return Answer(
        pointer: pointer, reason: String(decoding: text, as: UTF8.self), isGone: isGone)
    }
    guard let answer else { throw noAnswer }
    guard let pointer = answer.pointer else {
      // A server that only refuses another client goes on with those that it has.
      if answer.isGone { serverEnded() }
      throw .failedInitialization.because(answer.reason)
    }
    let client = JACKClient(jack, pointer)
    all.withLock { $0.append(client) }
    return client
  }

  /// [control thread] Has `close` called before another part of the library opens a client, to close
  /// a client of an ended server that is not in use.
  package static func beforeOthersOpen(_ close: @escaping @Sendable () -> Void) {
    closers.withLock { $0.append(close) }
  }

  /// [control thread] Closes clients of ended servers that other parts of the library do not use.
  package static func closeUnusedEnded() {
    for close in closers.withLock({ $0 }) { close() }
  }

  private static let closers = Guarded<[@Sendable () -> Void]>([])

  /// Whether its server has ended, so that it can only be closed.
  package var isShutDown: Bool { hasEnded.load(ordering: .acquiring) }

  /// [any thread] Notes that the server has ended this client, or itself and thus all clients. The
  /// library does not notify every client of a process.
  package func shutDown(byServersEnd isAll: Bool) {
    hasEnded.store(true, ordering: .releasing)
    if isAll { Self.serverEnded() }
  }

  private static func serverEnded() {
    for client in all.withLock({ $0 }) { client.hasEnded.store(true, ordering: .releasing) }
  }

  private static var noAnswer: AudioError {
    .failedInitialization.because("the JACK server does not answer")
  }

  /// [control thread] Runs `body`, which calls the server, unless the server does not answer.
  package func call(_ body: @escaping @Sendable () throws(AudioError) -> Void) throws(AudioError) {
    let answer = Self.worker.result(within: Self.timeouts.answer) { _ in
      do throws(AudioError) { return Result<Void, AudioError>.success(try body()) } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw Self.noAnswer }
    try answer.get()
  }

  /// [JACK's worker] Has the end of the client notified: by JACK with a code and a reason, by PipeWire
  /// (before version 1) without, for which only the plainer function is called. Once or twice.
  package func notifyEnd(
    _ context: UnsafeMutableRawPointer,
    _ ended:
      @escaping @convention(c) (UInt32, UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Void,
    withoutReason endedPlainly: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) {
    jack.pointee.jack_on_info_shutdown(pointer, ended, context)
    jack.pointee.jack_on_shutdown(pointer, endedPlainly, context)
  }

  /// [a thread of JACK] Runs what a callback does to its end. Closing a client cancels the library's threads
  /// at any instruction, and a lock that one held then would never be free again.
  package static func uncancelled<Result>(_ body: () -> Result) -> Result {
    var before: CInt = 0
    pthread_setcancelstate(CInt(clamping: PTHREAD_CANCEL_DISABLE), &before)
    defer { pthread_setcancelstate(before, nil) }
    return body()
  }

  /// [JACK's worker] Starts the client's cycles.
  package func activate() throws(AudioError) {
    guard jack.pointee.jack_activate(pointer) == 0 else {
      throw .failedInitialization.because("the JACK server did not activate the client")
    }
  }

  /// [JACK's worker] Connects two ports by name.
  package func connect(_ from: String, _ to: String) throws(AudioError) {
    let answer = jack.pointee.jack_connect(pointer, from, to)
    guard answer == 0 || answer == EEXIST else {
      throw .failedInitialization.because("JACK does not connect \(from) to \(to)")
    }
  }

  /// [control thread] Sets the server's cycle size in frames, for all its clients.
  package func setCycle(_ frames: UInt32) throws(AudioError) {
    try call { [self] () throws(AudioError) in
      guard jack.pointee.jack_set_buffer_size(pointer, frames) == 0 else {
        throw .invalidPropertyValue.because(
          "the JACK server's driver has no cycle of \(frames) frames")
      }
    }
  }

  /// [any thread] Closes the client. Returns when the library makes no more calls, or when the
  /// server takes too long to confirm. In either case `keeping` lives until the calls have ended.
  package func close(keeping: AnyObject & Sendable) {
    Self.worker.finish(within: Self.timeouts.close) { [self] in
      _ = jack.pointee.jack_deactivate(pointer)
      _ = jack.pointee.jack_client_close(pointer)
      Self.all.withLock { $0.removeAll { $0 === self } }
      withExtendedLifetime(keeping) {}
    }
  }

  /// [control thread] The names of the physical ports of one direction, in the server's order.
  package func physicalPorts(_ flag: JACKPortFlags) -> [String] {
    let flags = UInt(flag.rawValue | JACKPortIsPhysical.rawValue)
    guard let list = jack.pointee.jack_get_ports(pointer, nil, "32 bit float mono audio", flags)
    else { return [] }
    defer { jack.pointee.jack_free(UnsafeMutableRawPointer(list)) }
    return Self.names(list)
  }

  /// [control thread] Whether clients of other processes are connected to any of a client's ports.
  /// The server does not tell whether they play. A client's own ports may be connected to each other.
  package func othersArePlaying(to ports: [String]) -> Bool {
    let own = Self.all.withLock { $0 }.compactMap(\.name)
    return ports.contains { name in
      guard let port = jack.pointee.jack_port_by_name(pointer, name),
        let list = jack.pointee.jack_port_get_all_connections(pointer, port)
      else { return false }
      defer { jack.pointee.jack_free(UnsafeMutableRawPointer(list)) }
      return Self.names(list).map(Self.client).contains { other in
        // PipeWire does not know the process of a client.
        other != Self.client(name) && !own.contains(other)
          && jack.pointee.jack_get_client_pid(other) != getpid()
      }
    }
  }

  /// The client of a port: the part of the port's name before the last colon.
  package static func client(_ port: String) -> String {
    String(port.prefix(upTo: port.lastIndex(of: ":") ?? port.endIndex))
  }

  /// The names in a list of the library.
  package static func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String] {
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// Frames per second.
  package var sampleRate: Double { Double(jack.pointee.jack_get_sample_rate(pointer)) }
  /// Frames of a cycle.
  package var cycleFrames: Int { Int(jack.pointee.jack_get_buffer_size(pointer)) }
}
