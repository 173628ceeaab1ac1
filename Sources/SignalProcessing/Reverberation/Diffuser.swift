// SPDX-License-Identifier: Apache-2.0

/// Schroeder's all-pass filters in series: each echo becomes many, and no frequency becomes louder.
///
/// "Natural sounding artificial reverberation" (1962). Uses plain pointers; the owner deallocates
/// them.
public struct Diffuser: BitwiseCopyable, @unchecked Sendable {
  private let stageCount: Int
  private let memory = OwnedMemory()
  private let lines: UnsafeMutablePointer<DelayLine>
  private let delays: UnsafeMutablePointer<Int>
  /// Gain of each stage, below one: it determines the decay.
  private var gain: Fade

  /// Makes stages with these delays in frames. [control thread]
  public init(_ frames: [Int], gain: Float) {
    self.gain = Fade(gain)
    stageCount = frames.count
    lines = memory.array(frames.map { DelayLine(capacity: max($0, 1)) })
    delays = memory.array(frames.map { max($0, 1) })
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    for stage in 0..<stageCount { lines[stage].deallocate() }
    memory.deallocate()
  }

  /// Clears the signal history. [render thread]
  @_noLocks
  public mutating func clear() {
    var stage = 0
    while stage < stageCount {
      lines[stage].clear()
      stage += 1
    }
  }

  /// Fades the gain of all stages within `frameCount` frames. [render thread]
  @_noLocks
  public mutating func setGain(_ value: Float, within frameCount: Int) {
    if value != gain.target { gain.move(to: value, within: frameCount) }
  }

  /// Processes `count` frames in place. [render thread]
  @_noLocks
  public mutating func render(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var stage = 0
    while stage < stageCount {
      var done = 0
      while done < count {
        // A line no longer than its delay is read where it is written.
        let run = min(min(count - done, delays[stage]), lines[stage].room)
        if gain.framesRemaining == 0 {
          filter(samples + done, lines[stage].end, run)
        } else {
          filterMoving(samples + done, lines[stage].end, run, from: done)
        }
        lines[stage].advance(by: run)
        done += run
      }
      stage += 1
    }
    gain.advance(by: count)
  }

  @_noLocks
  private func filterMoving(
    _ samples: UnsafeMutablePointer<Float>, _ past: UnsafeMutablePointer<Float>, _ count: Int,
    from frame: Int
  ) {
    for index in 0..<count {
      let gain = gain.value(at: frame + index)
      let delayed = past[index]
      let stored = samples[index] + delayed * gain
      past[index] = stored
      samples[index] = delayed - stored * gain
    }
  }

  /// past' = input + gain · past; output = past - gain · past'.
  @_noLocks @inline(__always)
  private func filter(
    _ samples: UnsafeMutablePointer<Float>, _ past: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let gain = gain.target
    var index = 0
    while index &+ 8 <= count {
      let input = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Float>.self)
      let delayed = UnsafeRawPointer(past + index).loadUnaligned(as: SIMD8<Float>.self)
      let stored = input + delayed * gain
      UnsafeMutableRawPointer(past + index).storeBytes(of: stored, as: SIMD8<Float>.self)
      UnsafeMutableRawPointer(samples + index).storeBytes(
        of: delayed - stored * gain, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      let delayed = past[index]
      let stored = samples[index] + delayed * gain
      past[index] = stored
      samples[index] = delayed - stored * gain
      index &+= 1
    }
  }
}
