// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// The recent output of a unit, for readers that request more frames at once than the unit can
/// render.
///
/// Each of these readers requests one render in several pieces. If there are several readers, the
/// unit has already rendered later pieces when the second reader requests its first one, and must
/// not render the same time again. A control thread publishes the table; its contents belong to the
/// thread inside the unit's gate.
struct RenderHistory: Publishable, BitwiseCopyable {
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
    /// In frames: the capacity, how many recent frames remain on overflow, and the count.
    let capacity: Int
    let keptFrames: Int
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

  /// [control thread] Allocates room for renders of `frames` frames of each bus; 0: stores nothing.
  static func allocate(_ buses: [Bus], frames: Int) -> Self {
    let size = buses.reduce(0) { $0 + $1.bufferCount * $1.bytesPerFrame } * 2 * frames
    let fits = size <= largestSize
    let owner = OwnedMemory()
    let samples = UnsafeMutableRawPointer(owner.room(fits ? size : 0, for: UInt8.self))
    return Self(
      address: owner.cell(
        Header(
          owner: owner, samples: samples, capacity: fits ? 2 * frames : 0,
          keptFrames: fits ? frames : 0)))
  }

  func deallocate() { header.pointee.owner.deallocate() }

  /// The largest render that it has room for, in frames.
  var renderFrames: Int { header.pointee.keptFrames }

  /// [render thread] Whether it stores frames.
  var isEnabled: Bool { @_noLocks get { header.pointee.capacity > 0 } }
  /// [render thread] Whether all stored frames are silent.
  var isSilent: Bool { @_noLocks get { header.pointee.isSilent } }

  /// [render thread] Removes all frames.
  @_noLocks
  func clear() {
    header.pointee.count = 0
    header.pointee.start = .nan
    header.pointee.isSilent = true
  }

  /// [render thread] Writes `frames` frames from `time` on to the outputs; false if it does not
  /// have all of them.
  @_noLocks
  func read(_ time: Double, _ frames: Int, into outputs: BusTable) -> Bool {
    let offset = time - header.pointee.start
    // False also for NaN.
    guard offset >= 0, offset + Double(frames) <= Double(header.pointee.count),
      Double(Int(offset)) == offset
    else { return false }
    move(Int(offset), frames, outputs) { stored, data, size in
      data.copyMemory(from: stored, byteCount: size)
    }
    return true
  }

  /// [render thread] Stores the frames in the outputs, which begin at `time`. Appends them to the
  /// previous frames if these end at `time`; otherwise it replaces those.
  @_noLocks
  func append(_ time: Double, _ frames: Int, of outputs: BusTable, isSilent: Bool) {
    let header = header
    if header.pointee.start + Double(header.pointee.count) != time { clear() }
    if header.pointee.count == 0 { header.pointee.start = time }
    if header.pointee.count + frames > header.pointee.capacity { dropOldest(outputs) }
    guard header.pointee.count + frames <= header.pointee.capacity else { return clear() }
    move(header.pointee.count, frames, outputs) { stored, data, size in
      stored.copyMemory(from: data, byteCount: size)
    }
    header.pointee.count += frames
    header.pointee.isSilent = header.pointee.isSilent && isSilent
  }

  /// Removes all frames but those of the last render.
  @_noLocks
  private func dropOldest(_ outputs: BusTable) {
    let header = header
    let dropped = max(header.pointee.count - header.pointee.keptFrames, 0)
    let remaining = header.pointee.count - dropped
    forEachBuffer(outputs) { memory, _, bytesPerFrame in
      memory.copyMemory(
        from: memory + dropped * bytesPerFrame, byteCount: remaining * bytesPerFrame)
    }
    header.pointee.start += Double(dropped)
    header.pointee.count = remaining
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

  /// Calls `body` for each buffer with its memory in the history, its current address in the
  /// outputs, and its frame size.
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
