// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Echoes: a delay whose output returns to its input through a low-pass filter, so that each echo
/// is darker than the one before.
///
///     echo[n] = lowPass(past[n - delay])        past[n] = input[n] + feedback · echo[n]
///     output[n] = dry · input[n] + wet · echo[n]
///
/// Changes do not click: gains and the filter fade within a few milliseconds, and a new delay is
/// crossfaded. The output does not depend on the lengths of the runs. Uses plain pointers; the
/// owner deallocates them.
public struct FeedbackDelay: BitwiseCopyable, @unchecked Sendable {
  /// The controls.
  public struct Settings: BitwiseCopyable, Sendable {
    /// Delay of the first echo in frames, at least 1; fractions are interpolated.
    public var delay: Double
    /// Gain from each echo to the next, within ±1.
    public var feedback: Float
    /// Gain of the input.
    public var dry: Float
    /// Gain of the echoes.
    public var wet: Float
    /// Cut-off frequency as a fraction of the sample rate; from 0.4999 on there is no filter.
    public var cutoff: Double

    /// Makes settings from all values.
    @_noLocks
    public init(delay: Double, feedback: Float, dry: Float, wet: Float, cutoff: Double) {
      self.delay = delay
      self.feedback = feedback
      self.dry = dry
      self.wet = wet
      self.cutoff = cutoff
    }
  }

  /// Maximum frames of a run.
  private static var runFrames: Int { @_noLocks get { 512 } }

  private let channelCount: Int
  private let longestDelay: Double
  private let memory = OwnedMemory()
  private let lines: UnsafeMutablePointer<DelayLine>
  /// Filter state of each channel, padded to an even count.
  private let states: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>
  private let smoothingFrames: Int
  private var settings: Settings?
  /// The delay setting that `delay` was made from.
  private var currentDelay = 1.0
  private var delay = FractionalDelay(frames: 1)
  private var oldDelay = FractionalDelay(frames: 1)
  private var crossfade: Crossfade
  private var feedback = Fade(0)
  private var dry = Fade(1)
  private var wet = Fade(0)
  /// Filter coefficient: the fraction of the distance to its input that the filter covers per
  /// frame; 1 means no filter.
  private var openness = Fade(1)

  /// Makes a line for delays of up to `longestDelay` frames; offline, its memory comes when it is used.
  /// [control thread]
  public init(
    channelCount: Int, longestDelay: Double, sampleRate: Double, isOffline: Bool = false
  ) {
    self.channelCount = channelCount
    self.longestDelay = longestDelay
    lines = memory.room(channelCount, for: DelayLine.self)
    states = memory.array(channelCount + 1, of: 0)
    for channel in 0..<channelCount {
      (lines + channel).initialize(
        to: DelayLine(
          capacity: Int(longestDelay) + FractionalDelay.taps + Self.runFrames,
          isOffline: isOffline))
    }
    scratch = memory.array(8 * Self.scratchFrames, of: 0)
    smoothingFrames = Int(sampleRate * 0.005)
    crossfade = Crossfade(length: Int(sampleRate * 0.02))
  }

  private static var scratchFrames: Int { @_noLocks get { runFrames + 32 } }

  /// Frees the memory. [control thread]
  public func deallocate() {
    for channel in 0..<channelCount { lines[channel].deallocate() }
    memory.deallocate()
  }

  /// Clears the signal history; the next settings apply immediately, without a fade.
  /// [render thread]
  @_noLocks
  public mutating func reset() {
    var channel = 0
    while channel < channelCount {
      lines[channel].clear()
      channel += 1
    }
    Samples.clear(states, count: channelCount + 1)
    settings = nil
    crossfade.finish()
  }

  /// Sets what applies from the next frame on. [render thread]
  @_noLocks
  public mutating func set(_ new: Settings) {
    guard let old = settings else {
      currentDelay = new.delay
      delay = distance(new.delay)
      feedback.set(new.feedback)
      dry.set(new.dry)
      wet.set(new.wet)
      openness.set(Self.openness(new.cutoff))
      return settings = new
    }
    if new.feedback != old.feedback { feedback.move(to: new.feedback, within: smoothingFrames) }
    if new.dry != old.dry { dry.move(to: new.dry, within: smoothingFrames) }
    if new.wet != old.wet { wet.move(to: new.wet, within: smoothingFrames) }
    if new.cutoff != old.cutoff {
      openness.move(to: Self.openness(new.cutoff), within: smoothingFrames)
    }
    settings = new
    // One crossfade at a time: a change during a crossfade waits for its end.
    if new.delay != currentDelay, !crossfade.isRunning { beginCrossfade(to: new.delay) }
  }

  @_noLocks
  private mutating func beginCrossfade(to frames: Double) {
    oldDelay = delay
    currentDelay = frames
    delay = distance(frames)
    crossfade.begin()
  }

  @_noLocks
  private func distance(_ frames: Double) -> FractionalDelay {
    FractionalDelay(frames: min(max(frames, 1), longestDelay))
  }

  /// The one-pole low-pass by the bilinear transform has a zero at half the sample rate. Fully
  /// open, its pole cancels that zero, and the filter passes its input unchanged.
  @_noLocks
  private static func openness(_ cutoff: Double) -> Float {
    guard cutoff < 0.4999 else { return 1 }
    let tangent = Elementary.tangent(halfTurns: max(cutoff, 0))
    return Float(tangent / (1 + tangent))
  }

  // MARK: Rendering

  /// Processes `count` frames in place. [render thread]
  @_noLocks
  public mutating func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, count: Int
  ) {
    var done = 0
    while done < count {
      let run = nextRun(count - done)
      var channel = 0
      while channel < channelCount {
        let other = min(channel + 1, channelCount - 1)
        render(
          channel, channels[channel] + offset + done, channels[other] + offset + done, run)
        channel += 2
      }
      feedback.advance(by: run)
      dry.advance(by: run)
      wet.advance(by: run)
      openness.advance(by: run)
      if crossfade.isRunning {
        crossfade.advance(by: run)
        if !crossfade.isRunning, let settings, settings.delay != currentDelay {
          beginCrossfade(to: settings.delay)
        }
      }
      done += run
    }
  }

  /// Frames that one straight loop can process.
  @_noLocks
  private func nextRun(_ rest: Int) -> Int {
    var run = min(min(rest, Self.runFrames), delay.longestRun)
    if channelCount > 0 { run = min(run, lines[0].room) }
    if crossfade.isRunning {
      run = min(min(run, oldDelay.longestRun), crossfade.framesRemaining)
    }
    return run
  }

  /// Renders two channels together, so that their filters' dependency chains overlap. The last
  /// channel of an odd number is rendered alone, and `samples` equals `others`.
  @_noLocks
  private func render(
    _ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ others: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    let isPair = samples != others
    let memory = scratch + 4 * Self.scratchFrames
    var echo = echo(channel, count, in: scratch)
    var other = isPair ? self.echo(channel + 1, count, in: memory) : echo
    if openness.target != 1 || openness.framesRemaining > 0 {
      let (one, two) = (scratch + Self.scratchFrames, memory + Self.scratchFrames)
      filter(echo, other, into: one, two, count, states: states + channel)
      (echo, other) = (UnsafePointer(one), UnsafePointer(two))
    } else {
      // The state of a filter that passes everything.
      states[channel] = echo[count - 1]
      states[channel + 1] = other[count - 1]
    }
    combine(samples, echo, channel, count)
    if isPair { combine(others, other, channel + 1, count) }
  }

  /// The output of a channel's delay line before the filter. It points into the line or into
  /// `memory`, which has room for four runs.
  @_noLocks
  private func echo(_ channel: Int, _ count: Int, in memory: UnsafeMutablePointer<Float>)
    -> UnsafePointer<Float>
  {
    let line = lines[channel]
    let output = memory + Self.scratchFrames
    let echo = delay.read(line, count: count, scratch: memory, output: output)
    guard crossfade.isRunning else { return echo }
    let third = output + Self.scratchFrames
    let old = oldDelay.read(
      line, count: count, scratch: third, output: third + Self.scratchFrames)
    crossfade.mix(from: old, to: echo, into: output, count: count)
    return UnsafePointer(output)
  }

  @_noLocks
  private func filter(
    _ input: UnsafePointer<Float>, _ otherInput: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, _ otherOutput: UnsafeMutablePointer<Float>,
    _ count: Int, states: UnsafeMutablePointer<Float>
  ) {
    var (past, otherPast) = (states[0], states[1])
    var openness = self.openness.target
    let isMoving = self.openness.framesRemaining > 0
    var index = 0
    while index < count {
      if isMoving { openness = self.openness.value(at: index) }
      let (part, pole) = (1 - openness, 1 - 2 * openness)
      let (distance, otherDistance) = (openness * input[index], openness * otherInput[index])
      output[index] = distance + part * past
      otherOutput[index] = otherDistance + part * otherPast
      past = pole * past + 2 * distance
      otherPast = pole * otherPast + 2 * otherDistance
      index &+= 1
    }
    (states[0], states[1]) = (past, otherPast)
  }

  /// Writes the output, and writes the feedback into the line.
  @_noLocks
  private func combine(
    _ samples: UnsafeMutablePointer<Float>, _ echo: UnsafePointer<Float>, _ channel: Int,
    _ count: Int
  ) {
    if feedback.framesRemaining | dry.framesRemaining | wet.framesRemaining == 0 {
      kernel_echo(
        samples, echo, lines[channel].end, count, feedback.target, dry.target, wet.target)
    } else {
      combineMoving(samples, echo, into: lines[channel].end, count)
    }
    lines[channel].advance(by: count)
  }

  @_noLocks
  private func combineMoving(
    _ samples: UnsafeMutablePointer<Float>, _ echo: UnsafePointer<Float>,
    into past: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var index = 0
    while index < count {
      let (input, delayed) = (samples[index], echo[index])
      past[index] = input + delayed * feedback.value(at: index)
      samples[index] = input * dry.value(at: index) + delayed * wet.value(at: index)
      index &+= 1
    }
  }
}
