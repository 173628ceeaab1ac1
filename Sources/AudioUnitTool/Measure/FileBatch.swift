// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Dispatch
import Foundation
import Synchronization

/// Reports of many files, made several at a time and printed in the order of the files.
enum FileBatch {
  /// Makes a report of each file and prints it as soon as those before it are printed.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - jobs: How many at a time.
  ///   - make: Makes a report; gets a function that takes the share that is done, 0...1.
  ///   - show: Prints a report.
  /// - Throws: At the end, if a report failed; each failure is printed in its place.
  static func run<Report: Sendable>(
    _ paths: [String], jobs: Int,
    make: @escaping @Sendable (String, _ show: @escaping (Double) -> Void) throws -> Report,
    show: (Report) throws -> Void
  ) throws {
    let results = Mutex([Int: Result<Report, any Error>]())
    let shares = Mutex(Array(repeating: 0.0, count: paths.count))
    let next = Atomic(0)
    let group = DispatchGroup()
    let work: @Sendable () -> Void = {
      while case let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, index < paths.count {
        let show = { @Sendable share in shares.withLock { $0[index] = share } }
        let result = Result { try make(paths[index], show) }
        shares.withLock { $0[index] = 1 }
        results.withLock { $0[index] = result }
      }
    }
    for _ in 0..<min(jobs, paths.count) {
      DispatchQueue.global().async(group: group, execute: work)
    }
    var progress = Progress()
    var failureCount = 0
    for index in paths.indices {
      var result: Result<Report, any Error>?
      while result == nil {
        result = results.withLock { $0.removeValue(forKey: index) }
        if result == nil {
          usleep(2_000)
          progress.show(shares.withLock { $0.reduce(0, +) } / Double(paths.count))
        }
      }
      progress.clear()
      do {
        guard let report = try result?.get() else { continue }
        do { try show(report) } catch is EncodingError {
          throw Failure("\(paths[index]): has figures that JSON cannot hold")
        }
      } catch {
        // A single failure is the program's.
        if paths.count == 1 { throw error }
        failureCount += 1
        Console.error("\(error)")
      }
    }
    guard failureCount == 0 else {
      throw Failure("\(failureCount) of \(Numbers.count(paths.count, "file")) not read")
    }
  }
}
