// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// The frames that a unit rendered last, for readers that request larger slices than it gives at
/// once.
///
/// Each of these readers requests one slice in several pieces. With more than one reader, the unit
/// has moved on before the second requests its first piece, and must not render that time again.
/// The table is published by the control side; its content belongs to the thread inside the unit's
/// gate.
struct SliceHistory: Publishable, BitwiseCopyable {
  /// The sample layout of an output bus.
  struct Bus: Equatable {
    let bufferCount: Int
    let bytesPerFrame: Int

    init(_ format: StreamFormat) {
      (bufferCount, bytesPerFrame) = (format.bufferCount, format.bytesPerFrame)
    }
  }

  private struct Header {
    let owner: OwnedMemory
    let samples: UnsafeMutableRawPointer
    /// The capacity in frames, how many of the latest frames are kept when it is full, and the
    /// count.
    let capacity: Int
    let kept: Int
    var count = 0
    /// The time of the first frame.
    var start = Double.nan
    var isSilent = true
  }

  /// The memory limit; a unit whose outputs need more renders again for each reader.
  private static var largestSize: Int { 1 << 28 }

  let address: UnsafeMutableRawPointer
  private var header: UnsafeMutablePointer<Header> {
    @_noLocks get { address.assumingMemoryBound(to: Header.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Allocates room for slices of `frames` frames of each bus; 0: nothing is kept.
  static func allocate(_ buses: [Bus], frames: Int) -> Self {
    let size = buses.reduce(0) { $0 + $1.bufferCount * $1.bytesPerFrame } * 2 * frames
    let fits = size <= largestSize
    let owner = OwnedMemory()
    let samples = UnsafeMutableRawPointer(owner.room(fits ? size : 0, for: UInt8.self))
    return Self(
      address: owner.cell(
        Header(
          owner: owner, samples: samples, capacity: fits ? 2 * frames : 0, kept: fits ? frames : 0)
      ))
  }

  func deallocate() { header.pointee.owner.deallocate() }

  /// The slice size, in frames, that it has room for.
  var sliceFrames: Int { header.pointee.kept }

  /// [render thread] Whether it keeps frames.
  var isKept: Bool { @_noLocks get { header.pointee.capacity > 0 } }
  /// [render thread] Whether all that it holds is silent.
  var isSilent: Bool { @_noLocks get { header.pointee.isSilent } }

  /// [render thread] Forgets all frames.
  @_noLocks
  func clear() {
    header.pointee.count = 0
    header.pointee.start = .nan
    header.pointee.isSilent = true
  }

  /// [render thread] Writes the frames of `time` to the outputs; false if it does not have all of
  /// them.
  @_noLocks
  func read(_ time: Double, _ frames: Int, into outputs: BusTable) -> Bool {
    let offset = time - header.pointee.start
    // False also for NaN.
    guard offset >= 0, offset + Double(frames) <= Double(header.pointee.count),
      Double(Int(offset)) == offset
    else { return false }
    move(Int(offset), frames, outputs) { kept, data, size in
      data.copyMemory(from: kept, byteCount: size)
    }
    return true
  }

  /// [render thread] Keeps the frames in the outputs for `time`, appended to the previous ones if
  /// these end at `time`.
  @_noLocks
  func append(_ time: Double, _ frames: Int, of outputs: BusTable, isSilent: Bool) {
    let header = header
    if header.pointee.start + Double(header.pointee.count) != time { clear() }
    if header.pointee.count == 0 { header.pointee.start = time }
    if header.pointee.count + frames > header.pointee.capacity { dropOldest(outputs) }
    guard header.pointee.count + frames <= header.pointee.capacity else { return clear() }
    move(header.pointee.count, frames, outputs) { kept, data, size in
      kept.copyMemory(from: data, byteCount: size)
    }
    header.pointee.count += frames
    header.pointee.isSilent = header.pointee.isSilent && isSilent
  }

  /// Keeps the frames of the last slice only.
  @_noLocks
  private func dropOldest(_ outputs: BusTable) {
    let header = header
    let dropped = max(header.pointee.count - header.pointee.kept, 0)
    let kept = header.pointee.count - dropped
    forEachBuffer(outputs) { memory, _, bytesPerFrame in
      memory.copyMemory(from: memory + dropped * bytesPerFrame, byteCount: kept * bytesPerFrame)
    }
    header.pointee.start += Double(dropped)
    header.pointee.count = kept
  }

  @_noLocks
  private func move(
    _ start: Int, _ frames: Int, _ outputs: BusTable,
    _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Void
  ) {
    forEachBuffer(outputs) { memory, data, bytesPerFrame in
      body(memory + start * bytesPerFrame, data, frames * bytesPerFrame)
    }
  }

  /// Calls `body` with the memory of each buffer here, its present address in the output, and its
  /// frame size.
  @_noLocks
  private func forEachBuffer(
    _ outputs: BusTable, _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Void
  ) {
    var memory = header.pointee.samples
    for bus in 0..<outputs.count {
      let buffer = outputs.buffer(bus)
      for index in 0..<buffer.dataCount {
        body(memory, buffer.data(index), buffer.bytesPerFrame)
        memory += header.pointee.capacity * buffer.bytesPerFrame
      }
    }
  }
}
