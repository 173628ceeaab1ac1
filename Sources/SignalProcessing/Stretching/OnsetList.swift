// SPDX-License-Identifier: Apache-2.0

/// Detected onsets that are not over yet, in order of position.
///
/// Uses plain memory on the render thread.
struct OnsetList: BitwiseCopyable {
  struct Onset: BitwiseCopyable {
    /// Position in the input, and the input length from which on the onset counts as detected.
    var position: Int
    var detectedAt: Int
    /// Its time in output frames before the pitch shift; nil if not predicted yet.
    var outputTime: Double?
    /// Whether that time is final and has been used.
    var isPlaced = false
  }

  private static var capacity: Int { @_noLocks get { 256 } }
  private let onsets: UnsafeMutablePointer<Onset>
  private(set) var count = 0
  /// Whether each bin continues through the onset at `keepPosition`: 1, otherwise 0.
  let keep: UnsafeMutablePointer<Float>
  var keepPosition = Int.min

  /// [control thread]
  init(count bins: Int, in memory: OwnedMemory) {
    onsets = memory.array(Self.capacity, of: Onset(position: 0, detectedAt: 0, outputTime: nil))
    keep = memory.array(bins + 16, of: 0)
  }

  @_noLocks
  mutating func reset() { (count, keepPosition) = (0, .min) }

  subscript(index: Int) -> Onset {
    @_noLocks get { onsets[index] }
    @_noLocks nonmutating set { onsets[index] = newValue }
  }

  /// [render thread] Appends an onset; if the list is full, the onset is treated as ordinary sound.
  @_noLocks
  mutating func add(_ position: Int, detectedAt: Int) {
    guard count < Self.capacity else { return }
    onsets[count] = Onset(position: position, detectedAt: detectedAt, outputTime: nil)
    count += 1
  }

  /// [render thread] Number of onsets that are detected with this much input.
  @_noLocks
  func count(detectedBy available: Int) -> Int {
    var number = 0
    while number < count, onsets[number].detectedAt <= available { number += 1 }
    return number
  }

  /// [render thread] Removes the first onsets.
  @_noLocks
  mutating func removeFirst(_ number: Int) {
    guard number > 0 else { return }
    count -= number
    for index in 0..<count { onsets[index] = onsets[index + number] }
  }
}
