// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import Glibc
import Synchronization

/// One client of a JACK server: that of a stream, or the one that looks at devices.
///
/// The library maps a server's memory once for all clients of a process, and lets go of it with the
/// last of them: while one client of a server that died is open, a new one would work on the memory of
/// the dead. Hence all are listed, and none is opened before those are closed.
///
/// Calls may wait for a server that hangs. One thread makes all of them, one after the other, and
/// whoever asks for one waits for a limited time: while the server hangs nothing else is asked of it, and
/// what was waited for in vain is ended when it answers at last.
final class JACKClient: @unchecked Sendable {  // the library's own locks guard the client
  let jack: UnsafePointer<JACKFunctions>
  let pointer: OpaquePointer

  /// Seconds within which a server has to answer, and those within which it has to let a client go:
  /// nobody needs that.
  private static let patience = (answer: 3.0, farewell: 1.0)
  private static let worker = SerialWorker(name: "audio jack")
  private static let all = Guarded<[JACKClient]>([])
  private let hasEnded = Atomic(false)

  private init(_ jack: UnsafePointer<JACKFunctions>, _ pointer: OpaquePointer) {
    self.jack = jack
    self.pointer = pointer
  }

  /// [control thread] The library, or the reason why it cannot be used.
  static func library() throws(AudioError) -> UnsafePointer<JACKFunctions> {
    var reason: UnsafePointer<CChar>?
    guard let library = jack_functions(&reason) else {
      throw .failedInitialization.because(
        reason.map { String(cString: $0) } ?? "libjack cannot be opened")
    }
    return library
  }

  /// [control thread] A client of the running server, by default under the program's name; no
  /// server is started.
  static func open(_ name: String? = nil) throws(AudioError) -> JACKClient {
    // A pointer that only the library looks behind.
    struct Answer: @unchecked Sendable {
      var pointer: OpaquePointer?
      var reason: String
    }
    nonisolated(unsafe) let jack = try library()
    guard all.withLock({ $0.allSatisfy { !$0.isShutDown } }) else {
      throw .failedInitialization.because("the JACK server is gone")
    }
    let answer = worker.ask(seconds: patience.answer) { isWanted in
      var reason = [CChar](repeating: 0, count: 128)
      let pointer = jack_open(name, &reason, UInt32(reason.count))
      if let pointer, !isWanted() {
        _ = jack.pointee.jack_client_close(pointer)
        return Answer(pointer: nil, reason: "")
      }
      return Answer(pointer: pointer, reason: text(reason))
    }
    guard let answer else { throw silence }
    guard let pointer = answer.pointer else {
      serverEnded()
      throw .failedInitialization.because(answer.reason)
    }
    let client = JACKClient(jack, pointer)
    all.withLock { $0.append(client) }
    return client
  }

  /// Whether its server has ended: all that can be done with it is to close it.
  var isShutDown: Bool { hasEnded.load(ordering: .acquiring) }

  /// [any thread] The server has ended this client, or itself and so all of them. Not every client of
  /// a process hears of that from the library.
  func shutDown(byServersEnd isAll: Bool) {
    hasEnded.store(true, ordering: .releasing)
    if isAll { Self.serverEnded() }
  }

  private static func serverEnded() {
    for client in all.withLock({ $0 }) { client.hasEnded.store(true, ordering: .releasing) }
  }

  private static var silence: AudioError {
    .failedInitialization.because("the JACK server does not answer")
  }

  /// [control thread] Runs `body`, which asks the server, unless the server does not answer.
  func ask(_ body: @escaping @Sendable () throws(AudioError) -> Void) throws(AudioError) {
    let answer = Self.worker.ask(seconds: Self.patience.answer) { _ in
      do throws(AudioError) { return Result<Void, AudioError>.success(try body()) } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw Self.silence }
    try answer.get()
  }

  /// [JACK's worker] Begins its cycles.
  func activate() throws(AudioError) {
    guard jack.pointee.jack_activate(pointer) == 0 else {
      throw .failedInitialization.because("the JACK server did not activate the client")
    }
  }

  /// [JACK's worker] Connects two ports, by their names.
  func connect(_ from: String, _ to: String) throws(AudioError) {
    let answer = jack.pointee.jack_connect(pointer, from, to)
    guard answer == 0 || answer == EEXIST else {
      throw .failedInitialization.because("JACK does not connect \(from) to \(to)")
    }
  }

  /// [control thread] Has the server run with cycles of so many frames, for all its clients.
  func setCycle(_ frames: UInt32) throws(AudioError) {
    try ask { [self] () throws(AudioError) in
      guard jack.pointee.jack_set_buffer_size(pointer, frames) == 0 else {
        throw .invalidPropertyValue.because(
          "the JACK server's driver has no cycle of \(frames) frames")
      }
    }
  }

  /// [any thread] Ends it. Returns when the library calls nothing any more, or the server takes too
  /// long to say so; `keeping` lives until then in either case.
  func close(keeping: AnyObject & Sendable) {
    Self.worker.finish(seconds: Self.patience.farewell) { [self] in
      _ = jack.pointee.jack_deactivate(pointer)
      _ = jack.pointee.jack_client_close(pointer)
      Self.all.withLock { $0.removeAll { $0 === self } }
      withExtendedLifetime(keeping) {}
    }
  }

  /// [control thread] Names of the physical ports of one direction, in the server's order.
  func physicalPorts(_ flag: JACKPortFlags) -> [String] {
    let flags = UInt(flag.rawValue | JACKPortIsPhysical.rawValue)
    guard let list = jack.pointee.jack_get_ports(pointer, nil, "32 bit float mono audio", flags)
    else { return [] }
    defer { jack.pointee.jack_free(UnsafeMutableRawPointer(list)) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// Frames per second.
  var sampleRate: Double { Double(jack.pointee.jack_get_sample_rate(pointer)) }
  /// Frames of a cycle.
  var cycleFrames: Int { Int(jack.pointee.jack_get_buffer_size(pointer)) }
}
