// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MusicSequences

/// A track of a plan with its place, for render threads. Plain memory.
///
/// Times in the track begin at its offset. A loop plays the last beats before `length` again:
/// pass 0 plays all events up to the length, each later one those of the loop.
struct PlayTrack: BitwiseCopyable {
  let events: UnsafeMutablePointer<PlayEvent>
  let count: Int
  let target: PlayTarget
  let isAutomated: Bool
  /// The handle of the track.
  let handle: UInt
  let offset: Double
  /// The end of the track, or of its loop.
  let length: Double
  /// The beats that repeat; 0 for none.
  let loopDuration: Double
  /// How many passes there are; 0 for without end.
  let passCount: Int

  /// The pass, the index of the next event, and its beat in the sequence; infinity at the end.
  private(set) var pass = 0
  private(set) var index = 0
  private(set) var nextBeat = Double.infinity
  /// Whether its target had no room in this slice.
  var isWaiting = false

  /// [control thread] The place before the first event.
  init(
    _ block: TrackBlock, _ settings: TrackSettings, length: Double, handle: UInt, target: PlayTarget
  ) {
    (events, count) = (block.events, block.count)
    let end = settings.loopEnd ?? length
    (self.target, self.handle, self.length) = (target, handle, end)
    (isAutomated, offset) = (settings.isAutomated, settings.offset)
    let duration = settings.loopStart.map { end - $0 } ?? min(settings.loopDuration, end)
    loopDuration = duration >= Self.shortestLoop ? duration : 0
    passCount = loopDuration > 0 ? max(0, Int(settings.loopCount)) : 1
  }

  /// Shorter loops are none: their events would take the time of all others.
  private static let shortestLoop = 1e-4

  /// By how many beats a time in a loop may be wrong because it was calculated.
  static var tolerance: Double { @_noLocks get { 1e-9 } }

  /// The index of the first event at or after a beat of a track.
  @_noLocks
  static func firstIndex(_ events: UnsafeMutablePointer<PlayEvent>, _ count: Int, from beat: Double)
    -> Int
  {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].beat < beat { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The pass and the time in the track at a beat of the sequence; nil after the last pass.
  @_noLocks
  func place(at beat: Double) -> (pass: Int, time: Double)? {
    let time = beat - offset
    guard loopDuration > 0, time >= length else { return (0, time) }
    let quotient = (time - length) / loopDuration
    // More passes than can be counted are none.
    guard quotient < 1e15 else { return nil }
    let passes = Int(quotient) + 1
    guard passCount == 0 || passes < passCount else { return nil }
    return (passes, time - Double(passes) * loopDuration)
  }

  /// Moves to the first event at or after a beat.
  @_noLocks
  mutating func seek(_ beat: Double) {
    guard let place = place(at: beat) else {
      nextBeat = .infinity
      return
    }
    pass = place.pass
    index = Self.firstIndex(events, count, from: place.time)
    settle()
  }

  /// Moves behind the next event.
  @_noLocks
  mutating func advance() {
    index += 1
    settle()
  }

  /// Finds the beat of the next event, perhaps in the next pass.
  @_noLocks
  private mutating func settle() {
    let isLooping = loopDuration > 0
    if index >= count || isLooping && events[index].beat >= length {
      let start = Self.firstIndex(events, count, from: length - loopDuration)
      guard isLooping, passCount == 0 || pass + 1 < passCount, start < count,
        events[start].beat < length
      else {
        nextBeat = .infinity
        return
      }
      pass += 1
      index = start
    }
    nextBeat = offset + events[index].beat + Double(pass) * loopDuration
  }
}
