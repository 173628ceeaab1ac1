// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Dispatch
import Synchronization

/// Many conversions, several at a time, with a line for each and a progress bar for all.
final class ConversionRun: Sendable {
  private let tasks: [ConversionList.Task]
  private let conversion: Conversion
  private let isJSON: Bool
  /// Whether an output that is newer than its input is kept.
  private let keepsNewer: Bool
  private let next = Atomic(0)
  private let done = Atomic(0)
  private let failures = Atomic(0)
  private let isStopped = Atomic(false)
  private let printing = Mutex(())
  private let showsBar: Bool

  init(
    _ tasks: [ConversionList.Task], _ settings: ConversionSettings, isJSON: Bool, keepsNewer: Bool
  ) {
    self.keepsNewer = keepsNewer
    self.tasks = tasks
    conversion = Conversion(settings: settings)
    self.isJSON = isJSON
    showsBar = isatty(STDERR_FILENO) == 1 && tasks.count > 1
  }

  var failureCount: Int { failures.load(ordering: .relaxed) }

  private struct Line: Encodable {
    let input: String
    let output: String
    let frames: Int?
    let state: String
    let reason: String?
    /// Samples that the output could not hold as they were; nil if there are none.
    var notNumbers: Int?
    var clipped: Int?
  }

  /// Converts everything; false if any conversion failed. A signal that ends the process leaves
  /// only complete files.
  func perform(jobs: Int) -> Bool {
    let signals = Signals(Signals.ending)
    let group = DispatchGroup()
    for _ in 0..<min(jobs, tasks.count) {
      DispatchQueue.global().async(group: group) { self.work() }
    }
    var signal: Int32?
    while group.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if signal == nil, let received = signals.next() {
        signal = received
        isStopped.store(true, ordering: .relaxed)
      }
    }
    if showsBar { FileHandle.standardError.write(Data("\n".utf8)) }
    if let signal { Signals.endProcess(by: signal) }
    return failureCount == 0
  }

  private func work() {
    while !isStopped.load(ordering: .relaxed) {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < tasks.count else { return }
      convert(tasks[index])
    }
  }

  private func convert(_ task: ConversionList.Task) {
    var line: Line
    var outcome = Conversion.Outcome()
    do {
      if keepsNewer, isUpToDate(task) {
        line = Line(
          input: task.input, output: task.output, frames: nil, state: "kept", reason: nil)
      } else {
        let written = try conversion.convert(task) { self.isStopped.load(ordering: .relaxed) }
        guard let written else { return }
        outcome = written
        line = Line(
          input: task.input, output: task.output, frames: outcome.frames, state: "written",
          reason: nil)
        let repairs = outcome.repairs
        if repairs.notNumbers > 0 { line.notNumbers = repairs.notNumbers }
        if repairs.clipped > 0 { line.clipped = repairs.clipped }
      }
    } catch {
      failures.wrappingAdd(1, ordering: .relaxed)
      line = Line(
        input: task.input, output: task.output, frames: nil, state: "failed",
        reason: error.description)
    }
    let count = done.wrappingAdd(1, ordering: .relaxed).newValue
    printing.withLock { _ in
      show(line, count)
      Failure.warn(of: outcome.condition, in: task.input)
      Failure.warn(of: outcome.repairs, in: task.input)
    }
  }

  /// Whether the output exists and is newer than its input.
  private func isUpToDate(_ task: ConversionList.Task) -> Bool {
    var (input, output) = (stat(), stat())
    guard stat(task.input, &input) == 0, stat(task.output, &output) == 0 else { return false }
    guard output.st_mode & S_IFMT == S_IFREG, output.st_size > 0 else { return false }
    let (old, new) = (input.st_mtim, output.st_mtim)
    return (new.tv_sec, new.tv_nsec) > (old.tv_sec, old.tv_nsec)
  }

  private func show(_ line: Line, _ count: Int) {
    // The sound may be on standard output, where no text may follow it.
    if isJSON, line.output != "-" {
      if let text = try? JSON.line(line) { Console.print(text) }
    } else if let reason = line.reason {
      if showsBar { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
      Console.error(reason)
    } else if !showsBar, line.output != "-" {
      Console.print(line.state == "kept" ? "\(line.output) (kept)" : line.output)
    }
    guard showsBar else { return }
    let width = 40
    let filled = count * width / tasks.count
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    FileHandle.standardError.write(Data("\r[\(bar)] \(count) of \(tasks.count)".utf8))
  }
}
