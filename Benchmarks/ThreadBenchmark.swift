// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The size from which a graph benefits from a second thread: eight branches of low-pass filters
/// into one mixer, rendered at the pace of a device, a slice every 1.3 ms, so that helper threads
/// sleep in between.
enum ThreadBenchmark {
  private static let branches = 8
  private static let period: UInt64 = 1_333_333

  static func run() {
    Report.title(
      "eight branches of low-pass filters into a mixer, one slice in time (µs, wall clock)")
    for frames in [64, 512] as [UInt32] {
      var pays: (filters: Int, microseconds: Double)?
      for filters in [1, 2, 4, 8, 16, 32] {
        let alone = slice(filters, frames, threads: 1)
        let helped = slice(filters, frames, threads: 2)
        let name = "\(branches * filters) filters, \(frames) frames"
        Report.own("\(name), 1 thread", alone, "µs")
        Report.peer("\(name), 2 threads", helped, "µs", ours: alone)
        Report.peer("\(name), as it pays", slice(filters, frames, threads: 0), "µs", ours: alone)
        // The size from which it never costs more again.
        if helped >= 0.9 * alone { pays = nil } else if pays == nil { pays = (filters, alone) }
      }
      Report.note(
        pays.map {
          "a second thread pays from \($0.filters * branches) filters on: slices of "
            + "\(Int($0.microseconds)) µs"
        } ?? "a second thread does not pay here")
    }
  }

  /// The median time of a slice.
  private static func slice(_ filters: Int, _ frames: UInt32, threads: UInt32) -> Double {
    let graph = BenchedGraph()
    graph.setThreads(threads)
    let sum = graph.addMixer(inputs: branches)
    graph.connect(sum, to: graph.output, 0)
    for branch in 0..<branches {
      var last = graph.addEffect(kAudioUnitSubType_LowPassFilter)
      graph.feed(
        last, 0, { _, _, _, _, _, _ in noErr },
        context: UnsafeMutableRawPointer(bitPattern: branch + 1))
      for _ in 1..<filters {
        let next = graph.addEffect(kAudioUnitSubType_LowPassFilter)
        graph.connect(last, to: next, 0)
        last = next
      }
      graph.connect(last, to: sum, UInt32(branch))
    }
    graph.initialize()
    var times: [Double] = []
    var due = now()
    for _ in 0..<300 {
      due += period
      while now() < due {}
      let start = now()
      graph.render(frames)
      times.append(Double(now() - start) / 1_000)
    }
    return times.sorted()[times.count / 2]
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
