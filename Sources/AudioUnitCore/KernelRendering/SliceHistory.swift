// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// The frames that a unit rendered last, for readers that ask for larger slices than it gives at once.
///
/// Each of these readers asks for one slice in several pieces. When there is more than one of them, the
/// unit has gone on before the second asks for its first piece, and must not render that time again. The
/// table is published by the control side; what is in it belongs to whoever is inside the unit's gate.
struct SliceHistory: Publishable, BitwiseCopyable {
  /// How the samples of an output bus lie.
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
    /// How many frames fit, how many of the last stay when there is no more room, and how many there are.
    let capacity: Int
    let kept: Int
    var count = 0
    /// The time of the first.
    var start = Double.nan
    var isSilent = true
  }

  /// The most memory that one takes; a unit with so many outputs renders for each reader anew.
  private static var largestSize: Int { 1 << 28 }

  let address: UnsafeMutableRawPointer
  private var header: UnsafeMutablePointer<Header> {
    @_noLocks get { address.assumingMemoryBound(to: Header.self) }
  }

  @_noLocks
  init(address: UnsafeMutableRawPointer) { self.address = address }

  /// [control thread] Room for slices of `frames` frames of each bus; 0: none is kept.
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

  /// How large the slices are that it has room for.
  var sliceFrames: Int { header.pointee.kept }

  /// [render thread] Whether anything is kept.
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

  /// [render thread] Writes the frames of `time` to where the outputs lie; false where it does not have
  /// all of them.
  @_noLocks
  func read(_ time: Double, _ frames: Int, into outputs: BusTable) -> Bool {
    let offset = time - header.pointee.start
    // Not where one of them is not a number.
    guard offset >= 0, offset + Double(frames) <= Double(header.pointee.count),
      Double(Int(offset)) == offset
    else { return false }
    move(Int(offset), frames, outputs) { kept, data, size in
      data.copyMemory(from: kept, byteCount: size)
    }
    return true
  }

  /// [render thread] Keeps what the outputs hold for `time`: with what was there, if that ends where it
  /// begins.
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

  /// Calls `body` with each buffer's memory here, where the output has it now, and the size of its frames.
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
