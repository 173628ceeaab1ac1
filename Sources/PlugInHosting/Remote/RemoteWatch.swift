// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import CRealTime
import Glibc

/// The thread that watches the processes of plug-ins: it notices their ends, and passes on what plug-ins
/// request. It exists from the first process on.
final class RemoteWatch: Sendable {
  static let shared = RemoteWatch()

  private struct Watched { weak var process: RemoteProcess? }
  private struct State {
    var processes: [ObjectIdentifier: Watched] = [:]
    var thread: WorkerThread?
    /// A pipe that wakes the thread when there are more processes.
    var pipe: [Int32] = [-1, -1]
  }
  private let state = Guarded(State())
  /// Milliseconds between looks at processes whose end no file tells.
  private static let interval: Int32 = 50

  /// [control thread] Watches a process, which is not kept alive. If there can be no thread, only the calls of a
  /// process notice its end.
  func add(_ process: RemoteProcess) {
    state.withLock { state in
      state.processes[ObjectIdentifier(process)] = Watched(process: process)
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
    while true {
      let processes = state.withLock { $0.processes.values.compactMap(\.process) }
      // Nobody else may close their files meanwhile.
      withExtendedLifetime(processes) { wait(processes, reader) }
    }
  }

  /// A process that ends closes the pipe a moment before. What closes it and lives on is ended: nothing that it
  /// requests would be known.
  private func handleClosing(of process: RemoteProcess) {
    var waits = 0
    while !process.isGone, waits < 50 {
      usleep(1_000)
      waits += 1
    }
    if process.isGone { process.finish() } else { process.giveUp("it closed its channel") }
  }

  /// Waits until something happens to one of the processes, or there is another one.
  private func wait(_ processes: [RemoteProcess], _ reader: Int32) {
    let alive = processes.filter { !$0.hasEnded }
    var files = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
    for process in alive {
      files.append(pollfd(fd: process.notices, events: Int16(POLLIN), revents: 0))
      files.append(pollfd(fd: process.endFile, events: Int16(POLLIN), revents: 0))
    }
    let mustLook = alive.contains { $0.endFile < 0 }
    guard poll(&files, nfds_t(files.count), mustLook ? Self.interval : -1) >= 0 else { return }
    if files[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reader, &bytes, bytes.count) == bytes.count {}
    }
    for (index, process) in alive.enumerated() {
      let (notice, end) = (files[1 + 2 * index].revents, files[2 + 2 * index].revents)
      if end != 0 || process.endFile < 0, process.isGone {
        process.finish()
      } else if notice & Int16(POLLIN) != 0 {
        process.takeRequests()
      } else if notice & Int16(POLLHUP) != 0 {
        handleClosing(of: process)
      }
    }
  }
}
