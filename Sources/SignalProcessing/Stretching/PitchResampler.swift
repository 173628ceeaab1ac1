// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Resamples the stretched frames to shift their pitch: the last stage.
///
/// A windowed sinc of 32 taps; the frames contain nothing that would alias. At a step of one,
/// frames pass unchanged. Uses plain memory on the render thread.
struct PitchResampler: BitwiseCopyable {
  /// Latency in frames.
  static var delay: Int { @_noLocks get { taps / 2 } }
  private static var taps: Int { @_noLocks get { 32 } }
  private static var divisions: Int { @_noLocks get { 64 } }

  private let channelCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let table: UnsafeMutablePointer<Float>
  /// The range of frames in the buffer, and the start of the next output's window: frame and
  /// fraction in units of 2^-56.
  private var first = 0
  private var end = 0
  private var position = 0
  private var phase: UInt64 = 0
  /// Last frames of the buffer that are not to be read yet.
  private var heldFrames = 0

  /// [control thread]
  init(channelCount: Int, hop: Int, in memory: OwnedMemory) {
    self.channelCount = channelCount
    capacity = hop + 2 * Self.taps + 16
    samples = memory.array(channelCount * capacity, of: 0)
    let (taps, divisions) = (Self.taps, Self.divisions)
    table = memory.array((divisions + 3) * taps, of: 0)
    let window = KaiserWindow(attenuation: 90)
    for row in 0..<divisions + 3 {
      let phase = Double(row - 1) / Double(divisions)
      var sum = 0.0
      var values: [Double] = []
      for tap in 0..<taps {
        let x = Double(tap - (taps / 2 - 1)) - phase
        let value = KaiserWindow.sinc(0.94 * x) * window(x / Double(taps / 2))
        values.append(value)
        sum += value
      }
      for tap in 0..<taps { table[row * taps + tap] = Float(values[tap] / sum) }
    }
    reset()
  }

  @_noLocks
  mutating func reset() {
    (first, end, position, phase, heldFrames) = (0, Self.taps, 0, 0, 0)
    Samples.clear(samples, count: channelCount * capacity)
  }

  /// [render thread] Number of outputs that can be read from the buffer.
  @_noLocks
  func framesReady(_ motion: StretchMotion, from frame: Int, to last: Int) -> Int {
    var room = end - heldFrames - Self.taps - position
    guard room >= 0 else { return 0 }
    if let step = motion.constantPitch, step == ResamplingPosition.fineModulus {
      return min(last - frame, room + 1)
    }
    var phase = phase
    for index in frame..<last {
      phase &+= motion.pitchStep(at: index)
      room -= Int(phase >> 56)
      phase &= ResamplingPosition.fineModulus - 1
      if room < 0 { return index + 1 - frame }
    }
    return last - frame
  }

  /// [render thread] Writes outputs, at most as many as are ready.
  @_noLocks
  mutating func read(
    _ motion: StretchMotion, from frame: Int, count: Int,
    to target: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int
  ) {
    let input = samples + (position - first)
    let constant = motion.constantPitch
    if let constant, constant == ResamplingPosition.fineModulus, phase == 0 {
      for channel in 0..<channelCount {
        Samples.copy(
          input + (channel * capacity + Self.taps / 2 - 1), to: target[channel] + offset,
          count: count)
      }
      position += count
      return
    }
    let walk = ResamplingWalk(
      phase: phase, whole: (constant ?? 0) >> 56,
      part: (constant ?? 0) & (ResamplingPosition.fineModulus - 1),
      modulus: ResamplingPosition.fineModulus,
      steps: constant == nil ? motion.movingPitch + frame : nil)
    kernel_resample_interpolated(
      target, offset, count, input, capacity, channelCount, table, Self.taps, Self.divisions, walk)
    for index in frame..<frame + count {
      phase &+= motion.pitchStep(at: index)
      position += Int(phase >> 56)
      phase &= ResamplingPosition.fineModulus - 1
    }
  }

  /// Whether the last frames are held back.
  var isHolding: Bool { @_noLocks get { heldFrames > 0 } }

  /// [render thread] Holds back the last frames until they are released.
  @_noLocks
  mutating func holdFrames(_ frames: Int) { heldFrames = frames }
  @_noLocks
  mutating func releaseFrames() { heldFrames = 0 }

  /// [render thread] Share of the last frames that has been read, from 0 to 1.
  @_noLocks
  func progress(of frames: Int) -> Double {
    guard !isHolding else { return 0 }
    let read = position + Self.taps - (end - frames)
    return min(max(Double(read) / Double(frames), 0), 1)
  }

  /// [render thread] Makes room after the frames that are still needed.
  @_noLocks
  mutating func makeRoom() {
    let drop = min(position, end) - first
    guard drop > 0 else { return }
    for channel in 0..<channelCount {
      let line = samples + channel * capacity
      Samples.move(line + drop, to: line, count: end - first - drop)
    }
    first += drop
  }

  /// [render thread] Address of the next frames of a channel.
  @_noLocks
  func room(_ channel: Int) -> UnsafeMutablePointer<Float> {
    samples + (channel * capacity + end - first)
  }

  /// [render thread] Marks frames at `room` as written.
  @_noLocks
  mutating func append(_ frames: Int) { end += frames }
}
