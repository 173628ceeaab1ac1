// SPDX-License-Identifier: Apache-2.0
import CoreFoundation
import Foundation

/// The memory, open files and threads of this process. Tests run in parallel, so a test that
/// expects them to stay constant runs in its own process (`processExitsWith`).
public struct ProcessState: CustomStringConvertible {
  /// The allocated bytes of the heap, without its free memory. Exact if all threads share one heap.
  public let heapBytes: Int
  public let residentBytes: Int
  public let descriptorCount: Int
  public let threadNames: [String]

  /// Reads the current state.
  public init() {
    let heap = mallinfo2()
    heapBytes = Int(heap.uordblks + heap.hblkhd)
    let fields = Self.text("statm").split(separator: " ")
    residentBytes = (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize())
    descriptorCount = Self.entries("fd").count
    threadNames = Self.entries("task").map { Self.text("task/\($0)/comm") }.filter { !$0.isEmpty }
  }

  public var threadCount: Int { threadNames.count }

  public var description: String {
    "\(threadCount) threads, \(descriptorCount) descriptors, \(heapBytes / 1_024) KiB of the heap, "
      + "\(residentBytes / 1_024) KiB resident"
  }

  /// Whether a sanitizer is active. It retains freed memory, so memory grows.
  public static var isSanitized: Bool {
    ["__tsan_init", "__asan_init", "__rtsan_init"].contains { (name: String) in
      dlsym(nil, name) != nil
    }
  }

  /// Makes all threads share one heap. Must be called first in the process.
  public static func useOneHeap() {
    mallopt(-8, 1)  // M_ARENA_MAX
  }

  private static func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
  }

  /// The contents of a file in /proc/self; empty if it does not exist any more.
  private static func text(_ file: String) -> String {
    let text = try? String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8)
    return text?.trimmingCharacters(in: .newlines) ?? ""
  }
}
