// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MusicSequences

/// What a player plays, from where, and whether it does: one immutable plan, which a render thread
/// takes whole. Only the places of tracks change in it, on that thread. Plain memory.
struct PlanHeader: BitwiseCopyable {
  /// Counts plans: the memory of a plan may be used again for a later one.
  let number: UInt64
  /// Counts starts, stops and jumps. With another number than before, sounding notes end, and the
  /// place is `startBeat`.
  let jump: UInt64
  let isPlaying: Bool
  let startBeat: Double
  /// By how much it plays faster.
  let rate: Double
  let sampleRate: Double
  let points: UnsafeMutablePointer<TempoMap.Point>
  let pointCount: Int
  let tracks: UnsafeMutablePointer<PlayTrack>
  let trackCount: Int
  /// What sets instruments up for the start, in order; `chaseTargets` are the indices of tracks.
  let chase: UnsafeMutablePointer<PlayEvent>
  let chaseTracks: UnsafeMutablePointer<Int>
  let chaseCount: Int

  @_noLocks
  func seconds(_ beat: Double) -> Double {
    var (low, high) = (0, pointCount - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if points[middle].beat <= beat { low = middle } else { high = middle - 1 }
    }
    let point = points[low]
    return point.seconds + (beat - point.beat) * point.secondsPerBeat
  }

  @_noLocks
  func beats(_ seconds: Double) -> Double {
    var (low, high) = (0, pointCount - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if points[middle].seconds <= seconds { low = middle } else { high = middle - 1 }
    }
    let point = points[low]
    return point.beat + (seconds - point.seconds) / point.secondsPerBeat
  }
}

/// A plan in its own memory.
final class PlayPlan: Publishable {
  let header: UnsafeMutablePointer<PlanHeader>
  /// The memory of the events.
  private let blocks: [TrackBlock]

  /// What to play from where.
  struct Start {
    var number: UInt64 = 0
    var jump: UInt64
    var isPlaying: Bool
    var beat: Double
    var rate: Double
    var sampleRate: Double
    /// Whether it comes from another place, so that what is set only later gets its initial value.
    var resets = false
  }

  /// [control thread] A plan of some tracks with their blocks.
  init(_ start: Start, _ tempos: TempoMap, _ tracks: [PlayTrack], _ blocks: [TrackBlock]) {
    self.blocks = blocks
    let chase = start.isPlaying ? Chase.events(tracks, at: start.beat, resets: start.resets) : []
    header = .allocate(capacity: 1)
    header.initialize(
      to: PlanHeader(
        number: start.number, jump: start.jump, isPlaying: start.isPlaying, startBeat: start.beat,
        rate: start.rate,
        sampleRate: start.sampleRate, points: Self.memory(tempos.points),
        pointCount: tempos.points.count, tracks: Self.memory(tracks), trackCount: tracks.count,
        chase: Self.memory(chase.map(\.event)), chaseTracks: Self.memory(chase.map(\.track)),
        chaseCount: chase.count))
  }

  var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(header) }

  func deallocate() {
    header.pointee.points.deallocate()
    header.pointee.tracks.deallocate()
    header.pointee.chase.deallocate()
    header.pointee.chaseTracks.deallocate()
    header.deallocate()
  }

  private static func memory<Element: BitwiseCopyable>(_ list: [Element])
    -> UnsafeMutablePointer<Element>
  {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, list.count))
    list.withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { memory.initialize(from: start, count: list.count) }
    }
    return memory
  }
}
