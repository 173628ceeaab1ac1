// SPDX-License-Identifier: Apache-2.0

import CKernels

extension SampleRateConverter {
  /// Makes exactly `outputFrames`, and returns how many input frames it read. [render thread]
  ///
  /// It reads what `inputFramesNeeded(for:)` says. Of less, silence takes the place of what is
  /// missing; of more, the rest is left to the caller. Input and output do not overlap.
  @discardableResult
  @_noLocks
  public mutating func process(
    input: UnsafePointer<UnsafePointer<Float>>, inputFrames: Int,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, outputFrames: Int
  ) -> Int {
    guard let coefficients, let groups, let leads else {
      return copy(input, inputFrames: inputFrames, to: output, outputFrames: outputFrames)
    }
    var produced = 0
    var consumed = 0
    while produced < outputFrames {
      let count = min(outputsPerPass, outputFrames &- produced)
      consumed &+= append(framesToAppend(for: count), of: input, from: consumed, inputFrames)
      if shape.up == 0 {
        interpolate(coefficients, into: output, at: produced, count: count)
      } else {
        resample(groups, leads, into: output, at: produced, count: count)
      }
      produced &+= count
    }
    return consumed
  }

  @_noLocks
  private func copy(
    _ input: UnsafePointer<UnsafePointer<Float>>, inputFrames: Int,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, outputFrames: Int
  ) -> Int {
    let count = min(inputFrames, outputFrames)
    for channel in 0..<channelCount {
      Samples.copy(input[channel], to: output[channel], count: count)
      Samples.clear(output[channel] + count, count: outputFrames - count)
    }
    return count
  }

  /// Appends `frames` frames to the history, halved where that comes first. Returns how many input frames
  /// that took.
  @inline(__always) @_noLocks
  private mutating func append(
    _ frames: Int, of input: UnsafePointer<UnsafePointer<Float>>, from first: Int,
    _ inputFrames: Int
  ) -> Int {
    // Behind the last frame lie the zeros that other rows of the last group multiply with nothing: one
    // more than that where the group's window begins a frame after that of the row.
    let rest = shape.width &- shape.taps &+ 1
    guard frames > 0 else { return 0 }
    if start &+ held &+ frames &+ rest &+ 16 > capacity { moveHistory() }
    let end = start &+ held
    held &+= frames
    let taken: Int
    if halverCount == 0 {
      taken = min(frames, inputFrames &- first)
      for channel in 0..<channelCount {
        let place = channel &* capacity &+ end
        copy(input[channel] + first, to: history + place, count: taken)
        clear(history + (place &+ taken), count: frames &- taken &+ rest)
        if shape.inner > 0 {
          ResamplingKernel.widen(history + place, into: fine + place, count: frames &+ rest)
        }
      }
    } else {
      taken = halve(frames, of: input, from: first, inputFrames, to: end)
      for channel in 0..<channelCount {
        let place = channel * capacity + end + frames
        Samples.clear(history + place, count: rest)
        if shape.inner > 0 { (fine + place).initialize(repeating: 0, count: rest) }
      }
    }
    return taken
  }

  /// Copies `count` samples. A slice is some dozens of them, for which the system's function takes longer
  /// to begin than to copy.
  @inline(__always) @_noLocks
  private func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    guard count >= 8, count <= 256 else { return Samples.copy(source, to: target, count: count) }
    var place = 0
    while place < count {
      // The last eight may overlap those before.
      place = min(place, count &- 8)
      let samples = UnsafeRawPointer(source + place).loadUnaligned(as: SIMD8<Float>.self)
      UnsafeMutableRawPointer(target + place).storeBytes(of: samples, as: SIMD8<Float>.self)
      place &+= 8
    }
  }

  /// Clears `count` samples, and up to 15 behind them.
  @inline(__always) @_noLocks
  private func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let memory = UnsafeMutableRawPointer(samples)
    memory.storeBytes(of: SIMD16<Float>.zero, as: SIMD16<Float>.self)
    if count > 16 { Samples.clear(samples + 16, count: count &- 16) }
  }

  /// Halves the rate as often as is needed for `frames` frames at `end` of the history.
  @_noLocks
  private mutating func halve(
    _ frames: Int, of input: UnsafePointer<UnsafePointer<Float>>, from first: Int,
    _ inputFrames: Int, to end: Int
  ) -> Int {
    let halvers = halvers  // as in `reset`
    var count = frames
    var index = halverCount
    while index > 0 {
      index &-= 1
      halved[index] = count
      halvers[index].prepare(for: count)
      count = halvers[index].inputFramesNeeded(for: count)
    }
    let taken = min(count, inputFrames - first)
    for channel in 0..<channelCount {
      var source = input[channel] + first
      var available = taken
      let place = channel * capacity + end
      for index in 0..<halverCount {
        let isLast = index == halverCount - 1
        let target = isLast ? history + place : scratch + index % 2 * scratchFrames
        halvers[index].halve(
          source, inputFrames: available, channel: channel, into: target,
          fine: isLast && shape.inner > 0 ? fine + place : nil, frames: halved[index])
        source = UnsafePointer(target)
        available = halved[index]
      }
    }
    for index in 0..<halverCount { halvers[index].advance(by: halved[index]) }
    return taken
  }

  @_noLocks
  private mutating func moveHistory() {
    for channel in 0..<channelCount {
      let line = history + channel * capacity
      Samples.move(line + start, to: line, count: held)
      if shape.inner > 0 {
        let line = fine + channel * capacity
        UnsafeMutableRawPointer(line).copyMemory(from: line + start, byteCount: held * 8)
      }
    }
    start = 0
  }

  @_noLocks
  private mutating func interpolate(
    _ coefficients: UnsafePointer<Float>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>, at place: Int, count: Int
  ) {
    ResamplingKernel.resampleInterpolated(
      into: output, offset: place, count: count, from: history + start, stride: capacity,
      channelCount: channelCount, table: coefficients, taps: shape.taps,
      divisions: shape.rows, walk: position.walk)
    let advance = position.advance(by: count)
    start += advance
    held -= advance
  }

  /// Writes `count` outputs. The window of a group is held until all of its outputs are made.
  @_noLocks
  private mutating func resample(
    _ groups: UnsafePointer<ResamplingRows>, _ leads: UnsafePointer<Int32>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>, at place: Int, count: Int
  ) {
    let isFine = shape.inner > 0
    for channel in 0..<channelCount {
      let line = channel &* capacity &+ start
      ResamplingKernel.resample(
        into: output[channel] + place, count: count, from: history + line,
        fine: isFine ? fine + line : fine, rows: groups, first: row)
    }
    let moved = frames(after: count) &+ lead
    row = wrapped(row &+ count).row
    let next = Int(leads[row])
    start &+= moved &- next
    held &-= moved &- next
    lead = next
  }
}
