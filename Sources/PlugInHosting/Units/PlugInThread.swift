// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns
import CRealTime
import Glibc
import Synchronization

/// What plug-ins and renders request from `PlugInThread`, as bits of one word.
///
/// The lower bits are those of `CLAPRequest`, which plug-ins set on any thread.
final class PlugInRequests: @unchecked Sendable {
  private let word: UnsafeMutablePointer<Atomic<UInt32>> = .cell(Atomic(0))

  deinit { word.endCell() }

  /// For plug-ins.
  var address: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self)
  }
  /// For renders.
  var cell: UnsafeMutablePointer<Atomic<UInt32>> { word }

  /// [any thread] Whether there are none.
  var isEmpty: Bool { word.pointee.load(ordering: .relaxed) == 0 }

  /// [any thread] Adds some.
  func add(_ bits: UInt32) { word.pointee.bitwiseOr(bits, ordering: .acquiringAndReleasing) }

  /// [any thread] Takes all.
  func take() -> UInt32 { word.pointee.exchange(0, ordering: .acquiringAndReleasing) }
}

/// What renders request.
enum RenderRequest {
  /// That the instances are deactivated and activated, to forget their history.
  static var reset: UInt32 { @_noLocks get { 1 << 31 } }
  /// That the process of a plug-in, which does not answer any more, is ended.
  static var giveUp: UInt32 { @_noLocks get { 1 << 30 } }
}

/// Who serves the requests of plug-ins.
protocol PlugInClient: AnyObject, Sendable {
  /// [plug-in thread] Does what was requested; false: it cannot now, and must be called again soon.
  func serve() -> Bool

  /// [plug-in thread] Calls the timers of the plug-in that are due, and returns when the next one is, in host time;
  /// `UInt64.max`: there is none.
  func callTimers() -> UInt64
}

extension PlugInClient {
  func callTimers() -> UInt64 { .max }
}

/// The thread that CLAP plug-ins regard as the main one: it makes all calls of a program's control threads to
/// them, and does what plug-ins and renders request. It exists from the first call on.
final class PlugInThread: @unchecked Sendable {
  static let shared = PlugInThread()

  /// Raised for requests, also by renders.
  let wake: UnsafeMutablePointer<sem_t>
  /// Nanoseconds until clients that could not serve are called again.
  private static let pause: UInt64 = 2_000_000

  private struct Client { weak var object: (any PlugInClient)? }
  /// A call of another thread. Its body does not outlive the wait for `done`.
  private final class Job: @unchecked Sendable {
    var body: (() -> Void)?
    let done = WakeUp()

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() {
      body.take()?()
      done.raise()
    }
  }
  private struct State {
    var jobs: [Job] = []
    var clients: [ObjectIdentifier: Client] = [:]
  }
  private let state = Guarded(State())
  private let thread = Guarded<WorkerThread?>(nil)

  private init() {
    wake = .allocate(capacity: 1)
    sem_init(wake, 0, 0)
  }

  /// [control thread] Starts it, if it does not run. False: there can be no thread.
  @discardableResult func start() -> Bool {
    thread.withLock { thread in
      if thread != nil { return true }
      let new = WorkerThread(name: "plug-ins") { [self] _ in run() }
      guard (try? new.start()) != nil else { return false }
      thread = new
      return true
    }
  }

  /// [control thread] Runs `body` on it, and waits for the result.
  func call<Result>(_ body: () -> Result) -> Result {
    guard start(), thread.withLock({ $0?.isCurrent }) == false else { return body() }
    var result: Result?
    withoutActuallyEscaping(body) { body in
      withUnsafeMutablePointer(to: &result) { result in
        let job = Job { result.pointee = body() }
        state.withLock { $0.jobs.append(job) }
        sem_post(wake)
        job.done.wait()
      }
    }
    guard let result else { preconditionFailure("the job has run") }
    return result
  }

  /// [control thread] Adds a client, which is not kept alive.
  func add(_ client: any PlugInClient) {
    start()
    state.withLock { $0.clients[ObjectIdentifier(client)] = Client(object: client) }
  }

  /// [control thread] Removes a client.
  func remove(_ client: any PlugInClient) {
    state.withLock { $0.clients[ObjectIdentifier(client)] = nil }
  }

  private func run() {
    clap_set_main_thread()
    var next = UInt64.max
    while true {
      wait(until: next)
      for job in takeJobs() { job.run() }
      next = .max
      let clients = state.withLock { state in state.clients.values.map(\.object) }
      for client in clients {
        guard let client else { continue }
        if !client.serve() { next = min(next, rt_host_time() + Self.pause) }
        next = min(next, client.callTimers())
      }
    }
  }

  /// Waits until it is woken, or until a host time.
  private func wait(until hostTime: UInt64) {
    guard hostTime != .max else {
      while sem_wait(wake) != 0 {}
      return
    }
    let now = rt_host_time()
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let time = UInt64(end.tv_nsec) + (hostTime > now ? hostTime - now : 0)
    end.tv_sec += Int(time / 1_000_000_000)
    end.tv_nsec = Int(time % 1_000_000_000)
    sem_timedwait(wake, &end)
  }

  private func takeJobs() -> [Job] {
    state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
  }
}
