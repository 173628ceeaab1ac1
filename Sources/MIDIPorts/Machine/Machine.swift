// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The thread that connects a setup to the machine: to the ports of other programs and of hardware.
///
/// It exists from the first client on, if a library of a back end is installed. It makes all calls of
/// back ends, so that none of the program's threads waits for a server longer than a moment.
final class Machine: @unchecked Sendable {
  /// Seconds that a call waits until what it asks for is done.
  private static let patience = 1.0
  /// Nanoseconds until a server is looked for again: at first, and at most.
  private static let retryDelays: (first: UInt64, longest: UInt64) = (250_000_000, 8_000_000_000)

  private let backends: MIDIBackends
  private weak var setup: (any MachineOwner)?
  private let wakeUp = WakeUp()
  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var thread: WorkerThread?
  private var isStopped = false
  private var askedCount = 0
  private var doneCount = 0
  private var retriesNow = true
  private var isIdle = true

  // Accessed by the machine thread.
  private var connections: [MachineConnection] = []
  private var retryTime: UInt64 = 0
  private var retryDelay = retryDelays.first

  init(_ backends: MIDIBackends, of setup: any MachineOwner) {
    (self.backends, self.setup) = (backends, setup)
  }

  /// [control thread] Starts the thread if it does not run, and looks for servers now. Waits a moment
  /// for the ports.
  func start() {
    guard !backends.kinds.isEmpty else { return }
    lock.withLock {
      retriesNow = true
      guard thread == nil, !isStopped else { return }
      let new = WorkerThread(name: "midi-machine", requestsRealTime: true) { [self] in run($0) }
      guard (try? new.start()) != nil else { return }
      thread = new
    }
    update(waits: true)
  }

  /// [control thread] Looks for servers now, if the thread runs.
  func restart() {
    if lock.withLock({ thread != nil }) { start() }
  }

  /// [any thread] Waits until all that was to be sent has left, at most until a host time.
  func waitUntilIdle(until deadline: UInt64) {
    waitPolling(every: 1_000, until: deadline) {
      update(waits: true, until: deadline)
      return lock.withLock { thread != nil && thread?.isCurrent != true && !isIdle }
    }
  }

  /// [any thread] Has the links made that the setup needs now. With `waits`, waits a moment for that.
  func update(waits: Bool, until deadline: UInt64? = nil) {
    let asked = lock.withLock { () -> Int? in
      guard let thread else { return nil }
      askedCount += 1
      return waits && !thread.isCurrent ? askedCount : nil
    }
    wakeUp.raise()
    guard let asked else { return }
    let deadline = deadline ?? rt_host_time() + UInt64(Self.patience * 1_000_000_000)
    lock.withLock {
      while doneCount < asked, lock.wait(until: deadline) {}
    }
  }

  /// [control thread] Ends the thread and all connections.
  func stop() {
    let thread = lock.withLock {
      isStopped = true
      return self.thread
    }
    thread?.requestStop()
    wakeUp.raise()
    thread?.stop()
  }

  // MARK: The machine thread

  private func run(_ thread: WorkerThread) {
    let kinds = backends.kinds.filter { $0.isInstalled() }
    var last = 0
    while !kinds.isEmpty, !thread.isStopping, let setup {
      let (asked, retriesNow) = lock.withLock {
        defer { self.retriesNow = false }
        return (askedCount, self.retriesNow)
      }
      if retriesNow { (retryTime, retryDelay) = (0, Self.retryDelays.first) }
      endConnections(in: setup)
      connect(kinds, in: setup)
      var delay: UInt64?
      for connection in connections {
        let next = connection.run(in: setup, isAsked: asked != last)
        delay = [delay, next].compactMap(\.self).min()
      }
      last = asked
      let isIdle = connections.allSatisfy(\.isIdle)
      lock.withLock {
        doneCount = asked
        self.isIdle = isIdle
        lock.signal()
      }
      wait(for: delay, isComplete: isComplete(kinds))
      // The kernel ends a process whose real-time thread never waits.
      rt_rest_if_due()
    }
    for connection in connections { connection.close(in: setup) }
    connections = []
    lock.withLock {
      (doneCount, isIdle) = (.max, true)
      lock.signal()
    }
  }

  /// Waits for an event, for the next poll, or for the next look for servers.
  private func wait(for delay: UInt64?, isComplete: Bool) {
    let poll = delay.map { rt_host_time() + $0 }
    let retry = isComplete ? nil : retryTime
    wakeUp.wait(until: [poll, retry].compactMap(\.self).min())
  }

  private func isComplete(_ kinds: [MIDIBackendKind]) -> Bool {
    backends.usesAll ? connections.count == kinds.count : !connections.isEmpty
  }

  /// Connects to the servers that are needed and not connected yet.
  private func connect(_ kinds: [MIDIBackendKind], in setup: any MachineOwner) {
    guard !isComplete(kinds), rt_host_time() >= retryTime else { return }
    for kind in kinds where !connections.contains(where: { $0.kind.name == kind.name }) {
      let signals = MachineSignals(wakeUp)
      do throws(AudioError) {
        let backend = try kind.connect(signals.events)
        connections.append(
          MachineConnection(kind, backend, signals, ref: setup.newRef()) { [weak self] isFirst in
            guard let self else { return }
            if isFirst { update(waits: false) } else { wakeUp.raise() }
          })
        retryDelay = Self.retryDelays.first
      } catch {
        Explanations.log("MIDI of \(kind.name): \(error.text)")
      }
      if isComplete(kinds) { return }
    }
    retryTime = rt_host_time() + retryDelay
    retryDelay = min(retryDelay * 2, Self.retryDelays.longest)
  }

  /// Closes connections whose server has ended.
  private func endConnections(in setup: any MachineOwner) {
    for connection in connections where connection.signals.hasEnded {
      connection.close(in: setup)
      retryTime = rt_host_time() + Self.retryDelays.first
    }
    connections.removeAll { $0.signals.hasEnded }
  }
}
