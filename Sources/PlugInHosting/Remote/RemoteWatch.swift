// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import CRealTime
import Glibc

/// The thread that watches the processes of plug-ins: it notices their ends, and passes on what plug-ins
/// request. It exists from the first process on.
final class RemoteWatch: Sendable {
  static let shared = RemoteWatch()

  private struct Watched {
    weak var process: RemoteProcess?
    let files: WatchedFiles
  }
  private struct State {
    var processes: [ObjectIdentifier: Watched] = [:]
    var thread: WorkerThread?
    /// A pipe that wakes the thread when there are more processes.
    var pipe: [Int32] = [-1, -1]
  }
  private let state = Guarded(State())
  /// Milliseconds between looks at processes whose end no file tells.
  private static let interval: Int32 = 50

  /// [control thread] Watches a process, which is not kept alive: only its files are. If there can be no thread, only the calls of a
  /// process notice its end.
  func add(_ process: RemoteProcess) {
    state.withLock { state in
      state.processes[ObjectIdentifier(process)] = Watched(process: process, files: process.files)
      if state.thread == nil || state.thread?.isLost == true {
        _ = notice_pipe(&state.pipe)
        let new = WorkerThread(name: "plug-in-watch") { [self, reader = state.pipe[0]] _ in
          run(reader)
        }
        state.thread = (try? new.start()) == nil ? nil : new
      }
      wake(state)
    }
  }

  /// [control thread] Watches it no longer.
  func remove(_ process: RemoteProcess) {
    state.withLock { state in
      state.processes[ObjectIdentifier(process)] = nil
      wake(state)
    }
  }

  private func wake(_ state: State) {
    var byte: UInt8 = 1
    _ = write(state.pipe[1], &byte, 1)
  }

  private func run(_ reader: Int32) {
    while true { wait(state.withLock { Array($0.processes.values) }, reader) }
  }

  /// A process that ends closes the pipe a moment before. What closes it and lives on is ended: nothing that it
  /// requests would be known.
  private func handleClosing(of process: RemoteProcess) {
    let end = rt_host_time() + 50_000_000
    let isGone = waitPolling(every: 1_000, until: end) { !process.isGone }
    if isGone { process.finish() } else { process.giveUp("it closed its channel") }
  }

  /// Waits until something happens to one of the processes, or there are others.
  private func wait(_ processes: [Watched], _ reader: Int32) {
    let alive = processes.filter { $0.process?.hasEnded == false }
    var polled = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
    for watched in alive {
      polled.append(pollfd(fd: watched.files.notices, events: Int16(POLLIN), revents: 0))
      polled.append(pollfd(fd: watched.files.end, events: Int16(POLLIN), revents: 0))
    }
    let mustLook = alive.contains { $0.files.end < 0 }
    guard poll(&polled, nfds_t(polled.count), mustLook ? Self.interval : -1) >= 0 else { return }
    if polled[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reader, &bytes, bytes.count) == bytes.count {}
    }
    for (index, watched) in alive.enumerated() {
      guard let process = watched.process else { continue }
      let (notice, end) = (polled[1 + 2 * index].revents, polled[2 + 2 * index].revents)
      if end != 0 || watched.files.end < 0, process.isGone {
        process.finish()
      } else if notice & Int16(POLLIN) != 0 {
        process.takeRequests()
      } else if notice & Int16(POLLHUP) != 0 {
        handleClosing(of: process)
      }
    }
  }
}

/// The files that tell what happens to a process. They are closed when neither the process nor the thread that
/// waits for them needs them.
final class WatchedFiles: Sendable {
  /// What the process writes a byte to when it has requests.
  let notices: Int32
  /// Can be read when the process has ended; negative: this kernel has no such file.
  let end: Int32

  init(notices: Int32, end: Int32) { (self.notices, self.end) = (notices, end) }

  deinit {
    close(notices)
    if end >= 0 { close(end) }
  }
}
