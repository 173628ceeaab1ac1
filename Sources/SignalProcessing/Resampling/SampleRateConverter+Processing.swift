// SPDX-License-Identifier: Apache-2.0

import CKernels

extension SampleRateConverter {
  /// Writes exactly `outputFrames`; returns the number of input frames that it read.
  /// [render thread]
  ///
  /// It reads `inputFramesNeeded(for:)` frames. Missing input is replaced by silence; the rest of
  /// longer input stays with the caller. Input and output do not overlap.
  @discardableResult
  @_noLocks
  public mutating func process(
    input: UnsafePointer<UnsafePointer<Float>>, inputFrames: Int,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, outputFrames: Int
  ) -> Int {
    guard let coefficients, let groups, let groupOffsets else {
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
        resample(groups, groupOffsets, into: output, at: produced, count: count)
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

  /// Appends `frames` frames to the history, after halving if there is any. Returns the number of
  /// input frames that it read.
  @inline(__always) @_noLocks
  private mutating func append(
    _ frames: Int, of input: UnsafePointer<UnsafePointer<Float>>, from first: Int,
    _ inputFrames: Int
  ) -> Int {
    // The last frame is followed by zeros, which meet the zero coefficients of other rows of the
    // last group: one more than that if the group's window begins a frame after the row's.
    let rest = shape.width &- shape.taps &+ 1
    guard frames > 0 else { return 0 }
    if start &+ bufferedFrames &+ frames &+ rest &+ 16 > capacity { moveHistory() }
    let end = start &+ bufferedFrames
    bufferedFrames &+= frames
    let consumed: Int
    if halverCount == 0 {
      consumed = min(frames, inputFrames &- first)
      for channel in 0..<channelCount {
        let offset = channel &* capacity &+ end
        copy(input[channel] + first, to: history + offset, count: consumed)
        clear(history + (offset &+ consumed), count: frames &- consumed &+ rest)
        if readsFineInput {
          kernel_widen(fine + offset, history + offset, frames &+ rest)
        }
      }
    } else {
      consumed = halve(frames, of: input, from: first, inputFrames, to: end)
      for channel in 0..<channelCount {
        let offset = channel * capacity + end + frames
        Samples.clear(history + offset, count: rest)
        if readsFineInput { (fine + offset).initialize(repeating: 0, count: rest) }
      }
    }
    return consumed
  }

  /// Copies `count` samples. For the few dozen frames of a slice, the system's function takes
  /// longer to start than to copy.
  @inline(__always) @_noLocks
  private func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    guard count >= 8, count <= 256 else { return Samples.copy(source, to: target, count: count) }
    var offset = 0
    while offset < count {
      // The last eight may overlap the previous ones.
      offset = min(offset, count &- 8)
      let samples = UnsafeRawPointer(source + offset).loadUnaligned(as: SIMD8<Float>.self)
      UnsafeMutableRawPointer(target + offset).storeBytes(of: samples, as: SIMD8<Float>.self)
      offset &+= 8
    }
  }

  /// Clears `count` samples, and up to 15 after them.
  @inline(__always) @_noLocks
  private func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let memory = UnsafeMutableRawPointer(samples)
    memory.storeBytes(of: SIMD16<Float>.zero, as: SIMD16<Float>.self)
    if count > 16 { Samples.clear(samples + 16, count: count &- 16) }
  }

  /// Halves the rate in all stages to get `frames` frames at `end` of the history.
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
    let consumed = min(count, inputFrames - first)
    for channel in 0..<channelCount {
      var source = input[channel] + first
      var available = consumed
      let offset = channel * capacity + end
      for index in 0..<halverCount {
        let isLast = index == halverCount - 1
        let target = isLast ? history + offset : scratch + index % 2 * scratchFrames
        halvers[index].halve(
          source, inputFrames: available, channel: channel, into: target,
          fine: isLast && readsFineInput ? fine + offset : nil, frames: halved[index])
        source = UnsafePointer(target)
        available = halved[index]
      }
    }
    for index in 0..<halverCount { halvers[index].advance(by: halved[index]) }
    return consumed
  }

  @_noLocks
  private mutating func moveHistory() {
    for channel in 0..<channelCount {
      let line = history + channel * capacity
      Samples.move(line + start, to: line, count: bufferedFrames)
      if readsFineInput {
        let line = fine + channel * capacity
        UnsafeMutableRawPointer(line).copyMemory(from: line + start, byteCount: bufferedFrames * 8)
      }
    }
    start = 0
  }

  @_noLocks
  private mutating func interpolate(
    _ coefficients: UnsafePointer<Float>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>, at offset: Int, count: Int
  ) {
    kernel_resample_interpolated(
      output, offset, count, history + start, capacity, channelCount, coefficients, shape.taps,
      shape.rows, position.walk)
    if let inner = innerCoefficients {
      kernel_add_interpolated(
        output, offset, count, history + (start + shape.innerStart),
        readsFineInput ? fine + (start + shape.innerStart) : nil, capacity, channelCount, inner,
        shape.inner, shape.rows, position.walk)
    }
    let advance = position.advance(by: count)
    start += advance
    bufferedFrames -= advance
  }

  /// Writes `count` outputs. The window of a group stays until all its outputs are written.
  @_noLocks
  private mutating func resample(
    _ groups: UnsafePointer<ResamplingRows>, _ groupOffsets: UnsafePointer<Int32>,
    into output: UnsafePointer<UnsafeMutablePointer<Float>>, at offset: Int, count: Int
  ) {
    let isFine = shape.inner > 0
    for channel in 0..<channelCount {
      let line = channel &* capacity &+ start
      kernel_resample(
        output[channel] + offset, count, history + line, isFine ? fine + line : fine, groups, row)
    }
    let moved = frames(after: count) &+ groupOffset
    row = wrapped(row &+ count).row
    let next = Int(groupOffsets[row])
    start &+= moved &- next
    bufferedFrames &-= moved &- next
    groupOffset = next
  }
}
