// SPDX-License-Identifier: Apache-2.0

/// Hits that were found and are not over yet, in the order of their places.
///
/// Plain memory for the render thread.
struct OnsetList: BitwiseCopyable {
  struct Onset: BitwiseCopyable {
    /// Where it begins in the input, and how much input must be there to know of it.
    var place: Int
    var known: Int
    /// When it is heard, in output frames before the pitch is moved; nil: not predicted yet.
    var time: Double?
  }

  private static var capacity: Int { @_noLocks get { 256 } }
  private let onsets: UnsafeMutablePointer<Onset>
  private(set) var count = 0
  /// Which bins continue through the onset at `keptPlace`: 1, else 0.
  let keep: UnsafeMutablePointer<Float>
  var keptPlace = Int.min

  /// [control thread]
  init(count bins: Int, in memory: OwnedMemory) {
    onsets = memory.array(Self.capacity, of: Onset(place: 0, known: 0, time: nil))
    keep = memory.array(bins + 16, of: 0)
  }

  @_noLocks
  mutating func reset() { (count, keptPlace) = (0, .min) }

  subscript(index: Int) -> Onset {
    @_noLocks get { onsets[index] }
    @_noLocks nonmutating set { onsets[index] = newValue }
  }

  /// [render thread] Adds one behind the others; beyond the most there is room for they pass as sound.
  @_noLocks
  mutating func add(_ place: Int, known: Int) {
    guard count < Self.capacity else { return }
    onsets[count] = Onset(place: place, known: known, time: nil)
    count += 1
  }

  /// [render thread] How many can be known of with so much input.
  @_noLocks
  func count(known: Int) -> Int {
    var known_ = 0
    while known_ < count, onsets[known_].known <= known { known_ += 1 }
    return known_
  }

  /// [render thread] Forgets the first ones.
  @_noLocks
  mutating func removeFirst(_ number: Int) {
    guard number > 0 else { return }
    count -= number
    for index in 0..<count { onsets[index] = onsets[index + number] }
  }
}
