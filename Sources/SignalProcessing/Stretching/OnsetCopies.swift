// SPDX-License-Identifier: Apache-2.0

/// Copies onsets into the output of a fast rate, where too few frames can be read at rate 1.
///
/// A frame before an onset is read at rate 1 only if the input that it needs is there; from a rate
/// of 1.5 on some are not, so that the onset would fade in. The input from each onset on replaces
/// the output: it is faded in just before the onset, held, and faded out. A later onset replaces an
/// earlier one. Uses plain memory on the render thread.
struct OnsetCopies: BitwiseCopyable {
  /// A position in the input, and its time in output frames before the pitch shift.
  private struct Copy: BitwiseCopyable {
    var position: Int
    var time: Int
  }

  /// Input frames per output frame from and up to which onsets are copied.
  static var slopes: ClosedRange<Double> { @_noLocks get { 1.5...12 } }

  private static var capacity: Int { @_noLocks get { 64 } }
  private static var fadeIn: Int { @_noLocks get { 32 } }
  private let copies: UnsafeMutablePointer<Copy>
  private var count = 0
  /// Frames for which a copy is held, and those in which it is faded out.
  private let hold: Int
  private let fadeOut: Int

  /// [control thread] Makes a list for frames of `size` samples.
  init(size: Int, in memory: OwnedMemory) {
    copies = memory.array(Self.capacity, of: Copy(position: 0, time: 0))
    (hold, fadeOut) = (size / 8, size / 8)
  }

  @_noLocks
  mutating func reset() { count = 0 }

  /// [render thread] Appends an onset; if the list is full, it is not copied.
  @_noLocks
  mutating func add(_ position: Int, at time: Int) {
    guard count < Self.capacity else { return }
    copies[count] = Copy(position: position, time: time)
    count += 1
  }

  /// [render thread] Copies onsets into frames of a channel that begin at a time.
  @_noLocks
  func write(
    to samples: UnsafeMutablePointer<Float>, frames: Int, at time: Int, _ input: InputHistory,
    channel: Int
  ) {
    for index in 0..<count {
      let copy = copies[index]
      let first = max(copy.time - Self.fadeIn - time, 0)
      let end = min(copy.time + hold + fadeOut - time, frames)
      guard first < end else { continue }
      let source = input.at(copy.position + (time + first - copy.time), channel)
      for frame in first..<end {
        let place = time + frame - copy.time
        samples[frame] += (source[frame - first] - samples[frame]) * gain(place)
      }
    }
  }

  /// The share of a copy at a frame after its onset.
  @_noLocks @inline(__always)
  private func gain(_ place: Int) -> Float {
    if place >= 0, place < hold { return 1 }
    let share =
      place < 0
      ? Float(place + Self.fadeIn) / Float(Self.fadeIn)
      : Float(hold + fadeOut - place) / Float(fadeOut)
    return share * share * (3 - 2 * share)
  }

  /// [render thread] Removes copies that end before a time.
  @_noLocks
  mutating func removeAll(before time: Int) {
    var ended = 0
    while ended < count, copies[ended].time + hold + fadeOut <= time { ended += 1 }
    guard ended > 0 else { return }
    count -= ended
    for index in 0..<count { copies[index] = copies[index + ended] }
  }
}
