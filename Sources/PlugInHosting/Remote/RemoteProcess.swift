// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns
import CRealTime
import Glibc

/// An instance whose blocks a process renders, as the process sees it.
protocol RemoteClient: AnyObject, Sendable {
  /// [watch] Makes a render that waits go on.
  func interrupt()
  /// [watch] Passes on what the plug-in has requested.
  func takeRequests()
}

/// The process in which a plug-in runs.
///
/// It ends with this object, and the other way round: it ends when the program closes its socket, however the
/// program itself ends.
final class RemoteProcess: PlugInProcess, @unchecked Sendable {
  /// The longest duration of a call, and of a block that nobody hears meanwhile, in seconds.
  let timeLimit: Double

  private let child: ChildProcess
  /// Guards `child`.
  private let children = Lock()
  private let channel: RemoteChannel
  /// What the watch waits for.
  let files: WatchedFiles
  /// One call at a time.
  private let calls = Lock()
  /// Not zero when the process has ended or was given up.
  private let ended: UnsafeMutablePointer<UInt32> = .cell(0)
  private let forks = rt_fork_count()
  private struct State {
    var instances: [ObjectIdentifier: Weak] = [:]
    /// Called once, when it has ended without having been told to.
    var onEnd: (@Sendable () -> Void)?
    var reason = ""
  }
  private struct Weak { weak var instance: (any RemoteClient)? }
  private let state = Guarded(State())

  /// What plug-ins find in a process of their own: no display, and no sound.
  private static let environment = [
    "QT_QPA_PLATFORM": "offscreen", "AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_PLUGINS": "none",
  ]

  /// [control thread] Starts the process.
  init(_ program: String, timeLimit: Double) throws(AudioError) {
    self.timeLimit = timeLimit
    let (own, other) = try RemoteChannel.pair()
    var pipe: [Int32] = [-1, -1]
    guard notice_pipe(&pipe) == 0 else {
      for file in [own.socket, other.socket] { close(file) }
      throw .outOfMemory.because("no pipe: \(String(cString: strerror(errno)))")
    }
    defer { for file in [other.socket, pipe[1]] { close(file) } }
    do throws(AudioError) {
      child = try ChildProcess(
        program, [RemoteWorker.word], environment: Self.environment, files: [other.socket, pipe[1]])
    } catch {
      for file in [own.socket, pipe[0]] { close(file) }
      throw error
    }
    channel = own
    files = WatchedFiles(notices: pipe[0], end: process_file(child.process))
    RemoteWatch.shared.add(self)
  }

  deinit {
    RemoteWatch.shared.remove(self)
    close(channel.socket)
    // In a forked process it belongs to the other one.
    if forks == rt_fork_count() { child.kill() }
    ended.endCell()
  }

  // MARK: Its end

  /// [any thread] Not zero when it has ended: for `handover_wait`.
  var endWord: UnsafeMutablePointer<UInt32> { ended }

  /// [any thread] Whether it has ended, or belongs to the process from which this one was forked.
  var hasEnded: Bool { shared_bits(ended) != 0 || forks != rt_fork_count() }

  /// [control thread] Whether the system says so: for the watch.
  var isGone: Bool { children.withLock { child.hasEnded } }

  /// [control thread] Calls `body` once, when it ends.
  func whenEnded(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

  /// [control thread] Ends it, for a reason that later calls give; nil: how it ended by itself.
  func giveUp(_ reason: String?) {
    guard forks == rt_fork_count() else { return }
    // First, because the watch notices the end, too.
    state.withLock { if $0.reason.isEmpty { $0.reason = reason ?? "" } }
    children.withLock {
      // It may be about to end by itself.
      if reason == nil { child.end() } else { child.kill() }
    }
    finish(reason)
  }

  /// [control thread] Notes that it has ended: waiting renders go on, and the unit is told.
  func finish(_ reason: String? = nil) {
    guard forks == rt_fork_count() else { return }
    let (onEnd, instances) = state.withLock { state in
      if state.reason.isEmpty { state.reason = reason ?? children.withLock { child.end() } }
      defer { state.onEnd = nil }
      return (state.onEnd, state.instances.values.map(\.instance))
    }
    shared_bits_add(ended, 1)
    // Before a render that waits goes on, so that its host finds the reason.
    onEnd?()
    for instance in instances { instance?.interrupt() }
  }

  /// [control thread] What a call fails with after its end.
  var end: AudioError {
    let reason = state.withLock(\.reason)
    return .instanceInvalidated.because(
      "the plug-in's process has ended" + (reason.isEmpty ? "" : ": \(reason)"))
  }

  // MARK: Instances

  /// [control thread] Adds and removes an instance whose blocks it processes.
  func add(_ instance: any RemoteClient) {
    state.withLock { $0.instances[ObjectIdentifier(instance)] = Weak(instance: instance) }
  }
  func remove(_ instance: any RemoteClient) {
    state.withLock { $0.instances[ObjectIdentifier(instance)] = nil }
  }

  /// [watch] Passes on what the plug-in has requested.
  func takeRequests() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(files.notices, &bytes, bytes.count) == bytes.count {}
    for weak in state.withLock({ Array($0.instances.values) }) { weak.instance?.takeRequests() }
  }

  // MARK: Calls

  /// [control thread] Asks for something and waits for the answer, which `answer` reads.
  /// - Throws: What the call in the other process threw; `instanceInvalidated` if that ends or hangs.
  func call<Answer>(
    _ request: RemoteRequest, file: Int32? = nil, _ body: (inout RemoteMessage) -> Void = { _ in },
    answer: (inout RemoteMessage) -> Answer
  ) throws(AudioError) -> Answer {
    let message = RemoteMessage.writing { message in
      var number = request.rawValue
      message.pass(&number)
      body(&message)
    }
    guard !hasEnded else { throw end }
    let deadline = rt_host_time() + UInt64(timeLimit * 1_000_000_000)
    let reply = calls.withLock { () -> RemoteMessage? in
      guard channel.send(message, until: deadline) else { return nil }
      if let file, channel_send_file(channel.socket, file) != 0 { return nil }
      return channel.receive(until: deadline)
    }
    guard var reply else {
      let isLate = rt_host_time() >= deadline
      giveUp(isLate ? "it did not answer within \(timeLimit.plainText) s" : nil)
      throw end
    }
    let status = reply.read(0 as Int32) { $0.pass(&$1) }
    let reason = reply.readText()
    guard status == 0 else { throw AudioError(status: status).because(reason) }
    let result = answer(&reply)
    guard !reply.isDamaged else {
      giveUp("it sent an answer that makes no sense")
      throw end
    }
    return result
  }
}
