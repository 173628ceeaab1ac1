// SPDX-License-Identifier: Apache-2.0
import CoreFoundation
import Foundation

/// What this process holds: memory, open files and threads. Tests run beside each other, and each
/// takes its own; what has to stay flat is looked at in a process of its own (`processExitsWith`).
public struct ProcessState: CustomStringConvertible {
  /// What is allocated of the heap, and not what the heap keeps for later. Exact where there is one
  /// heap for all threads.
  public let heapBytes: Int
  public let residentBytes: Int
  public let descriptorCount: Int
  public let threadNames: [String]

  /// As it is now.
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

  /// Whether a sanitizer watches. It remembers what was freed, and memory grows.
  public static var isSanitized: Bool {
    ["__tsan_init", "__asan_init", "__rtsan_init"].contains { (name: String) in
      dlsym(nil, name) != nil
    }
  }

  /// Called first in the process that is looked at.
  public static func useOneHeap() {
    mallopt(-8, 1)  // M_ARENA_MAX
  }

  private static func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
  }

  /// Empty where there is no such thing any more.
  private static func text(_ file: String) -> String {
    let text = try? String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8)
    return text?.trimmingCharacters(in: .newlines) ?? ""
  }
}
