// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Dispatch
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// Many conversions, or other work that makes a file of a file: several at a time, with a line for each and
/// a progress bar for all.
final class ConversionRun: Sendable {
  /// Makes the output of a file; nil if it was stopped.
  typealias Work =
    @Sendable (ConversionList.Task, Conversion.Watch) throws(Failure) -> Conversion.Outcome?

  let tasks: [ConversionList.Task]
  /// The folders from which what killed runs have left is removed.
  private let folders: Set<String>
  private let work: Work
  private let isJSON: Bool
  /// Which outputs are up to date; nil: all are made again.
  private let record: ConversionRecord?
  private let keepsNewer: Bool
  private let next = Atomic(0)
  private let done = Atomic(0)
  private let failures = Atomic(0)
  private let temporaryFailures = Atomic(0)
  private let isStopped = Atomic(false)
  /// Held while anything is printed: the progress of a single file shares the terminal with its name.
  private let printing = Mutex(Progress())
  /// The share of each file that is done.
  private let shares: Mutex<[Double]>
  private let showsBar: Bool

  /// A run of conversions.
  convenience init(
    _ tasks: [ConversionList.Task], _ settings: ConversionSettings, isJSON: Bool,
    folders: Set<String>? = nil, record: ConversionRecord? = nil, keepsNewer: Bool = false
  ) {
    let conversion = Conversion(settings: settings)
    self.init(tasks, isJSON: isJSON, folders: folders, record: record, keepsNewer: keepsNewer) {
      task, watch throws(Failure) in try conversion.convert(task, watch)
    }
  }

  /// A run; `record` remembers what was made, so that an interrupted run is resumed. `folders`: those where
  /// killed runs may have left something; nil: those of the outputs.
  init(
    _ tasks: [ConversionList.Task], isJSON: Bool, folders: Set<String>? = nil,
    record: ConversionRecord? = nil, keepsNewer: Bool = false, work: @escaping Work
  ) {
    self.folders = folders ?? ConversionList.folders(tasks)
    (self.record, self.keepsNewer) = (record, keepsNewer)
    self.tasks = tasks
    self.work = work
    self.isJSON = isJSON
    shares = Mutex(Array(repeating: 0, count: tasks.count))
    showsBar = isatty(STDERR_FILENO) == 1 && tasks.count > 1
  }

  var failureCount: Int { failures.load(ordering: .relaxed) }
  /// Whether some of them may succeed later.
  var hasTemporaryFailures: Bool { temporaryFailures.load(ordering: .relaxed) > 0 }

  private struct Line: Encodable {
    let input: String
    let output: String
    let frames: Int?
    let state: String
    let reason: String?
    /// Whether a failed file may succeed later; nil if not.
    var tryAgain: Bool?
    /// Samples that the output could not hold as they were; nil if there are none.
    var notNumbers: Int?
    var clipped: Int?
  }

  /// Converts everything; false if any conversion failed. A signal that ends the process leaves
  /// only complete files; what a killed process has left is removed before.
  func perform(jobs: Int) -> Bool {
    for folder in folders { AbandonedFiles.remove(in: folder) }
    let signals = Signals(Signals.ending)
    let group = DispatchGroup()
    for _ in 0..<min(jobs, tasks.count) {
      DispatchQueue.global().async(group: group) { self.workOnTasks() }
    }
    var signal: Int32?
    while group.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      printing.withLock { progress in
        if showsBar { showBar() } else { progress.show(share) }
      }
      if signal == nil, let received = signals.next() {
        signal = received
        isStopped.store(true, ordering: .relaxed)
      }
    }
    printing.withLock { $0.clear() }
    if showsBar {
      showBar()
      FileHandle.standardError.write(Data("\n".utf8))
    }
    if let signal { Signals.endProcess(by: signal) }
    return failureCount == 0
  }

  private func workOnTasks() {
    while !isStopped.load(ordering: .relaxed) {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < tasks.count else { return }
      convert(tasks[index], index)
      shares.withLock { $0[index] = 1 }
    }
  }

  /// The share of all files that is done.
  private var share: Double { shares.withLock { $0.reduce(0, +) } / Double(max(1, tasks.count)) }

  private func convert(_ task: ConversionList.Task, _ index: Int) {
    var line: Line
    var outcome = Conversion.Outcome()
    do {
      let origin = record?.origin(of: task)
      if keepsNewer, let record, let origin, record.isUpToDate(task, origin) {
        line = Line(
          input: task.input, output: task.output, frames: nil, state: "kept", reason: nil)
      } else {
        let watch = Conversion.Watch(
          isStopped: { self.isStopped.load(ordering: .relaxed) },
          show: { share in self.shares.withLock { $0[index] = share } })
        guard let written = try work(task, watch) else { return }
        if let record, let origin { record.add(task, origin) }
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
      if error.isTemporary {
        temporaryFailures.wrappingAdd(1, ordering: .relaxed)
        line.tryAgain = true
      }
    }
    done.wrappingAdd(1, ordering: .relaxed)
    printing.withLock { progress in
      progress.clear()
      if showsBar { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
      show(line)
      let name = task.input == "-" ? "standard input" : task.input
      for note in outcome.notes { Console.error("\(name): \(note)") }
      Failure.warn(of: outcome.condition, in: task.input)
      Failure.warn(of: outcome.repairs, in: task.input)
    }
  }

  private func show(_ line: Line) {
    // The sound may be on standard output, where no text may follow it.
    if isJSON, line.output != "-" {
      if let text = try? JSON.line(line) { Console.print(text) }
    } else if let reason = line.reason {
      Console.error(reason)
    } else if !showsBar, line.output != "-" {
      Console.print(line.state == "kept" ? "\(line.output) (kept)" : line.output)
    }
  }

  /// The files that are done, and by frames the share of all.
  private func showBar() {
    let width = 40
    let filled = min(width, Int(saturating: share * Double(width)))
    let count = done.load(ordering: .relaxed)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    FileHandle.standardError.write(Data("\r[\(bar)] \(count) of \(tasks.count)".utf8))
  }
}
