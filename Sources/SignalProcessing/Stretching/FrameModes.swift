// SPDX-License-Identifier: Apache-2.0

/// Length and overlap of the frames.
enum FrameMode: Int, BitwiseCopyable {
  case usual, dense, densest, short

  @_noLocks
  init(_ smoothness: StretchOptions.Smoothness) {
    switch smoothness {
    case .short: self = .short
    case .usual: self = .usual
    case .dense: self = .dense
    case .densest: self = .densest
    }
  }

  static var count: Int { @_noLocks get { 4 } }

  /// As `==`, which only this file's render code can call: the compiler writes it.
  @_noLocks
  func equals(_ other: FrameMode) -> Bool { self == other }

  /// The mode after this one, on the way to another. The output of a short frame ends when that of
  /// a long one has hardly begun, so a usual one is between them.
  @_noLocks
  func next(to target: FrameMode) -> FrameMode {
    switch (self, target) {
    case (.short, .dense), (.short, .densest): .usual
    default: target
    }
  }

  /// The frames of transforms of `size` samples.
  @_noLocks
  func shape(_ size: Int) -> FrameShape {
    switch self {
    case .usual:
      FrameShape(
        length: size, ahead: size * 81 / 256, half: size / 4, hop: size / 4, work: size * 5 / 32)
    case .short:
      FrameShape(
        length: size * 7 / 8, ahead: size * 35 / 256, half: size / 8, hop: size / 8,
        work: size / 16)
    case .dense:
      FrameShape(length: size, ahead: size / 2, half: size / 2, hop: size / 8, work: size / 8)
    case .densest:
      FrameShape(length: size, ahead: size / 2, half: size / 2, hop: size / 16, work: size / 16)
    }
  }
}

/// Where a frame is read, and where it sounds, relative to its position; all in frames.
///
/// Latency is what a frame reads after its position, and what it outputs before. So with few
/// overlapping frames its window ends soon after the position and reaches far back, which keeps the
/// resolution of a long window, and only a short part around the position is output.
struct FrameShape: BitwiseCopyable {
  /// Length of the analysis window, and its frames after the position.
  var length: Int
  var ahead: Int
  /// Half the length of the output.
  var half: Int
  /// Frames from one to the next, and output frames during which one is computed.
  var hop: Int
  var work: Int

  /// Input after the first frame of an onset until it is known: a block of the detector, and the
  /// frames by which its start is early.
  private static var notice: Double { @_noLocks get { Double(OnsetDetector.blockFrames + 16) } }

  /// Input frames by which reading lags behind the newest one, at a number of input frames per
  /// output frame. Around an onset frames are read at rate 1: ahead of a fast rate before it, and
  /// of a slow one after it. From the slope on at which onsets are copied, there is no more ahead.
  @_noLocks
  func lead(slope: Double) -> Double {
    Double(ahead) * min(max(slope, 1), OnsetCopies.slopes.lowerBound)
      + Double(half) * max(1 - slope, 0) + Self.notice
  }

  /// Output frames, before the pitch shift, from the plan of a frame to its position.
  var delay: Int { @_noLocks get { half + work } }
}

/// The windows of every mode, scaled so that overlapping frames add up to one.
///
/// An analysis window is a Hann window whose time is bent so that its highest point is at the
/// frame's position; unlike two halves of different lengths, it has a spectrum that falls on both
/// sides without further peaks. Uses plain memory on the render thread.
struct FrameModes: BitwiseCopyable {
  private let size: Int
  private let windows: UnsafeMutablePointer<Float>
  private let neighbours: UnsafeMutablePointer<Float>

  /// [control thread]
  init(size: Int, in memory: OwnedMemory) {
    self.size = size
    windows = memory.array(4 * FrameMode.count * size, of: 0)
    neighbours = memory.array(FrameMode.count, of: 0.5)
    for index in 0..<FrameMode.count {
      if let mode = FrameMode(rawValue: index) { make(mode) }
    }
  }

  private func make(_ mode: FrameMode) {
    let shape = mode.shape(size)
    let first = windows + 4 * mode.rawValue * size
    let weight = first + 2 * size
    // With a Hann window, two frames add up to one; with more, its square fades more smoothly.
    let power = shape.half == shape.hop ? 1 : 2
    let gain = power == 1 ? 1 : 4 * Double(shape.hop) / (3 * Double(shape.half))
    for frame in 0..<2 * shape.half {
      let hann = Self.hann(Double(frame) / Double(2 * shape.half))
      weight[frame] = Float((power == 1 ? hann : hann * hann) * gain)
    }
    let peak = 1 - Double(shape.ahead) / Double(shape.length)
    let start = size - shape.length
    var (sum, real, imaginary) = (0.0, 0.0, 0.0)
    for frame in 0..<shape.length {
      let place = Double(frame) / Double(shape.length)
      let bent = place * (1 - peak) / (place * (1 - 2 * peak) + peak)
      let value = Self.hann(bent)
      let position = start + frame
      let deinterleaved = (position & 1) * (size / 2) + position / 2
      first[deinterleaved] = Float(value)
      let output = frame - (shape.length - shape.ahead - shape.half)
      if output > 0, output < 2 * shape.half {
        first[size + deinterleaved] = Float(Double(weight[output]) / (value * Double(size)))
      }
      let turns = Double(frame) / Double(size)
      sum += value
      real += value * SteppedTransform.cosine(turns: turns)
      imaginary += value * SteppedTransform.sine(turns: turns)
    }
    neighbours[mode.rawValue] = Float((real * real + imaginary * imaginary).squareRoot() / sum)
    let earlier = first + 3 * size
    for frame in stride(from: size - 1 - shape.hop, through: 0, by: -1) {
      earlier[frame] = weight[frame + shape.hop] + earlier[frame + shape.hop]
    }
  }

  private static func hann(_ place: Double) -> Double {
    0.5 - 0.5 * SteppedTransform.cosine(turns: place)
  }

  @_noLocks
  private func at(_ mode: FrameMode, _ kind: Int) -> UnsafePointer<Float> {
    UnsafePointer(windows + (4 * mode.rawValue + kind) * size)
  }

  /// The windows for analysis and synthesis, even samples first; they end with the transform.
  @_noLocks
  func analysis(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 0) }
  @_noLocks
  func synthesis(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 1) }
  /// A frame's contribution to a steady signal, from its first output frame on; and that of all
  /// frames before the next one, from its first output frame on.
  @_noLocks
  func weight(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 2) }
  @_noLocks
  func earlierWeight(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 3) }
  /// The level of a tone in the bin beside its own.
  @_noLocks
  func neighbour(_ mode: FrameMode) -> Float { neighbours[mode.rawValue] }
}
