// SPDX-License-Identifier: Apache-2.0

/// Length and overlap of the frames.
enum FrameMode: Int, BitwiseCopyable {
  case usual, dense, densest, short

  @_noLocks
  init(_ options: StretchOptions) {
    switch options.smoothness {
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

  /// Half the length of its windows.
  @_noLocks
  func half(_ size: Int) -> Int { self == .short ? size / 4 : size / 2 }

  /// Bins between the zeros of its windows' spectra.
  var spacing: Int { @_noLocks get { self == .short ? 2 : 1 } }

  /// Frames from one to the next.
  @_noLocks
  func hop(_ size: Int) -> Int {
    switch self {
    case .usual: size / 4
    case .dense, .short: size / 8
    case .densest: size / 16
    }
  }
}

/// The windows of every mode: Hann windows for analysis and synthesis, scaled so that overlapping
/// frames add up to one.
///
/// Uses plain memory on the render thread.
struct FrameModes: BitwiseCopyable {
  private let size: Int
  private let windows: UnsafeMutablePointer<Float>

  /// [control thread]
  init(size: Int, in memory: OwnedMemory) {
    self.size = size
    windows = memory.array(4 * FrameMode.count * size, of: 0)
    for index in 0..<FrameMode.count {
      guard let mode = FrameMode(rawValue: index) else { continue }
      let length = mode == .short ? size / 2 : size
      let hop = mode.hop(size)
      let gain = 8 * Double(hop) / (3 * Double(length))
      let first = windows + 4 * index * size
      for frame in 0..<length {
        let hann = 0.5 - 0.5 * SteppedTransform.cosine(turns: Double(frame) / Double(length))
        let position = frame + (size - length) / 2
        let deinterleaved = (position & 1) * (size / 2) + position / 2
        first[deinterleaved] = Float(hann)
        first[size + deinterleaved] = Float(hann * gain / Double(size))
        first[2 * size + position] = Float(hann * hann * gain)
      }
      for frame in stride(from: size - 1, through: 0, by: -1) {
        let next = frame + hop < size ? first[3 * size + frame + hop] : 0
        first[3 * size + frame] = first[2 * size + frame] + next
      }
    }
  }

  @_noLocks
  private func at(_ mode: FrameMode, _ kind: Int) -> UnsafePointer<Float> {
    UnsafePointer(windows + (4 * mode.rawValue + kind) * size)
  }

  /// The windows for analysis and synthesis, even samples first.
  @_noLocks
  func analysis(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 0) }
  @_noLocks
  func synthesis(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 1) }
  /// A frame's contribution to a steady signal, and the sum of the contributions of this and all
  /// earlier frames.
  @_noLocks
  func weight(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 2) }
  @_noLocks
  func accumulatedWeight(_ mode: FrameMode) -> UnsafePointer<Float> { at(mode, 3) }
}
