// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox

/// Bytes in memory whose writes fail at a moment, as on a disk that is full just then.
final class FailingStore: ByteStore {
  private let memory = MemoryStore(named: "a failing file")
  /// The writes and changes of the size so far, and those that fail.
  private(set) var writeCount = 0
  /// The bytes that were requested so far.
  private(set) var readByteCount = 0
  private let failing: Range<Int>
  let isSparse: Bool

  init(failing: Range<Int>, isSparse: Bool) {
    self.failing = failing
    self.isSparse = isSparse
  }

  var bytes: [UInt8] { memory.bytes }
  var hasFailed: Bool { writeCount > failing.lowerBound && !failing.isEmpty }
  var name: String { memory.name }
  var isWritable: Bool { true }
  var isSeekable: Bool { true }

  private func change(_ body: () throws(AudioError) -> Void) throws(AudioError) {
    defer { writeCount += 1 }
    guard !failing.contains(writeCount) else {
      throw .invalidFile.because("\(name): No space left on device")
    }
    try body()
  }

  func byteCount() throws(AudioError) -> Int { try memory.byteCount() }
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(AudioError) -> Int {
    readByteCount += bytes.count
    return try memory.read(bytes, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try change { () throws(AudioError) in try memory.write(bytes, at: offset) }
  }
  func resize(to byteCount: Int) throws(AudioError) {
    try change { () throws(AudioError) in try memory.resize(to: byteCount) }
  }
  func finish() throws(AudioError) {}
}

/// Collects the errors of steps.
final class Failures {
  private(set) var all: [AudioError] = []

  /// Whether the step succeeded.
  @discardableResult
  func attempt(_ step: () throws -> Void) -> Bool {
    do { try step() } catch {
      all.append(error as? AudioError ?? AudioError(status: -1))
      return false
    }
    return true
  }
}

/// Bytes of a program whose write function fails at the n-th call.
final class FailingProgram {
  let store: FailingStore

  init(failing: Range<Int>) { store = FailingStore(failing: failing, isSparse: false) }

  var callbacks: CallbackStore {
    CallbackStore(
      Unmanaged.passUnretained(self).toOpaque(),
      reading: { context, position, count, bytes, read in
        let store = FailingProgram.of(context).store
        let room = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        read.pointee = UInt32((try? store.read(room, at: Int(position))) ?? 0)
        return noErr
      },
      writing: { context, position, count, bytes, written in
        let part = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        do throws(AudioError) {
          try FailingProgram.of(context).store.write(part, at: Int(position))
        } catch { return -34 }
        written.pointee = count
        return noErr
      },
      size: { context in Int64(FailingProgram.of(context).store.bytes.count) },
      setSize: { context, size in
        do throws(AudioError) { try FailingProgram.of(context).store.resize(to: Int(size)) } catch {
          return -34
        }
        return noErr
      })
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> FailingProgram {
    Unmanaged<FailingProgram>.fromOpaque(context).takeUnretainedValue()
  }
}
