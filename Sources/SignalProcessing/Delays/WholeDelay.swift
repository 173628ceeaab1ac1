// SPDX-License-Identifier: Apache-2.0

/// A delay of whole frames, nothing added: also of none at all. Another delay is faded over to.
///
/// Memory by plain pointers: its owner deallocates it.
public struct WholeDelay: BitwiseCopyable, @unchecked Sendable {
  private static var runFrames: Int { @_noLocks get { 512 } }

  private let channelCount: Int
  private let longestDelay: Int
  private let memory = OwnedMemory()
  private let lines: UnsafeMutablePointer<DelayLine>
  private let scratch: UnsafeMutablePointer<Float>
  private var wanted = -1
  private var delay = 0
  private var oldDelay = 0
  private var crossfade: Crossfade

  /// Delays of up to `longestDelay` frames. [control thread]
  public init(channelCount: Int, longestDelay: Int, sampleRate: Double) {
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    lines = memory.array(
      (0..<channelCount).map { _ in DelayLine(capacity: longestDelay + Self.runFrames) })
    scratch = memory.array(2 * Self.runFrames, of: 0)
    crossfade = Crossfade(length: Int(sampleRate * 0.02))
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    for channel in 0..<channelCount { lines[channel].deallocate() }
    memory.deallocate()
  }

  /// Forgets the past; the next delay holds from the first frame on. [render thread]
  @_noLocks
  public mutating func reset() {
    var channel = 0
    while channel < channelCount {
      lines[channel].clear()
      channel += 1
    }
    wanted = -1
    crossfade.finish()
  }

  /// Delays by so many frames from the next one on. [render thread]
  @_noLocks
  public mutating func set(_ frames: Int) {
    let isFirst = wanted < 0
    wanted = min(max(frames, 0), longestDelay)
    if isFirst {
      delay = wanted
    } else if !crossfade.isRunning {
      beginCrossfade()
    }
  }

  @_noLocks
  private mutating func beginCrossfade() {
    guard wanted != delay else { return }
    oldDelay = delay
    delay = wanted
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
