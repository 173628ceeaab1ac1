// SPDX-License-Identifier: Apache-2.0

/// A delay of a whole number of frames, including zero, without feedback. A new delay is
/// crossfaded.
///
/// Uses plain pointers; the owner deallocates them.
public struct IntegerDelay: BitwiseCopyable, @unchecked Sendable {
  private static var runFrames: Int { @_noLocks get { 512 } }

  private let channelCount: Int
  private let longestDelay: Int
  private let memory = OwnedMemory()
  private let lines: UnsafeMutablePointer<DelayLine>
  private let scratch: UnsafeMutablePointer<Float>
  private var target = -1
  private var delay = 0
  private var oldDelay = 0
  private var crossfade: Crossfade

  /// Makes a delay of up to `longestDelay` frames; offline, its memory comes when it is used.
  /// [control thread]
  public init(
    channelCount: Int, longestDelay: Int, sampleRate: Double, isOffline: Bool = false
  ) {
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    lines = memory.array(
      (0..<channelCount).map { _ in
        DelayLine(capacity: longestDelay + Self.runFrames, isOffline: isOffline)
      })
    scratch = memory.array(2 * Self.runFrames, of: 0)
    crossfade = Crossfade(length: Int(sampleRate * 0.02))
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    for channel in 0..<channelCount { lines[channel].deallocate() }
    memory.deallocate()
  }

  /// Clears the signal history; the next delay applies immediately, without a crossfade.
  /// [render thread]
  @_noLocks
  public mutating func reset() {
    var channel = 0
    while channel < channelCount {
      lines[channel].clear()
      channel += 1
    }
    target = -1
    crossfade.finish()
  }

  /// Delays by `frames` from the next frame on. [render thread]
  @_noLocks
  public mutating func set(_ frames: Int) {
    let isFirst = target < 0
    target = min(max(frames, 0), longestDelay)
    if isFirst {
      delay = target
    } else if !crossfade.isRunning {
      beginCrossfade()
    }
  }

  @_noLocks
  private mutating func beginCrossfade() {
    guard target != delay else { return }
    oldDelay = delay
    delay = target
    crossfade.begin()
  }

  /// Processes `count` frames in place. [render thread]
  @_noLocks
  public mutating func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, count: Int
  ) {
    var done = 0
    while done < count {
      var run = min(count - done, Self.runFrames)
      if crossfade.isRunning { run = min(run, crossfade.framesRemaining) }
      var channel = 0
      while channel < channelCount {
        render(channel, channels[channel] + offset + done, run)
        channel += 1
      }
      if crossfade.isRunning {
        crossfade.advance(by: run)
        if !crossfade.isRunning { beginCrossfade() }
      }
      done += run
    }
  }

  @_noLocks
  private func render(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    lines[channel].write(samples, count: count)
    let line = lines[channel]
    let new = line.past(delay + count, count: count, scratch: scratch)
    if crossfade.isRunning {
      let old = line.past(oldDelay + count, count: count, scratch: scratch + Self.runFrames)
      crossfade.mix(from: old, to: new, into: samples, count: count)
    } else {
      Samples.copy(new, to: samples, count: count)
    }
  }
}
