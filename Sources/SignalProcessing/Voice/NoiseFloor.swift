// SPDX-License-Identifier: Apache-2.0

/// The power of the steady noise of a room in each bin: the minimum power of the last three
/// seconds, corrected by its known bias (after Martin, "Noise power spectral density estimation
/// based on optimal smoothing and minimum statistics", 2001).
///
/// The owner frees the memory with `deallocate`.
struct NoiseFloor: BitwiseCopyable, @unchecked Sendable {
  /// Parts of the observed time.
  private static var partCount: Int { @_noLocks get { 6 } }
  private static var seconds: Double { 3 }
  /// Ratio of the mean of a smoothed power to its minimum.
  private static var bias: Float { @_noLocks get { 3 } }

  private let binCount: Int
  private let memory = OwnedMemory()
  private let smoothed: UnsafeMutablePointer<Float>
  /// The minimum of each part, and of the current part.
  private let parts: UnsafeMutablePointer<Float>
  private let current: UnsafeMutablePointer<Float>
  /// Power of the noise, by bin.
  let power: UnsafeMutablePointer<Float>
  private let smoothing: Float
  private let partFrames: Int
  private var frame = 0
  private var part = 0

  /// [control thread] Makes a noise floor for spectra of `binCount` bins, `rate` of them per
  /// second.
  init(binCount: Int, rate: Double) {
    self.binCount = binCount
    smoothed = memory.array(binCount, of: 0)
    parts = memory.array(Self.partCount * binCount, of: 0)
    current = memory.array(binCount, of: 0)
    power = memory.array(binCount, of: 0)
    smoothing = Float(Math.exponential(-1 / (rate * 0.04)))
    partFrames = max(1, Int(Self.seconds * rate / Double(Self.partCount)))
    reset()
  }

  /// [control thread] Frees the memory.
  func deallocate() { memory.deallocate() }

  /// [render thread] Clears the noise: none is known.
  @_noLocks
  mutating func reset() {
    for bin in 0..<binCount {
      smoothed[bin] = 0
      current[bin] = .greatestFiniteMagnitude
      power[bin] = 0
    }
    for index in 0..<Self.partCount * binCount { parts[index] = 0 }
    (frame, part) = (0, 0)
  }

  /// [render thread] Processes the powers of one more spectrum.
  @_noLocks
  mutating func update(_ powers: UnsafePointer<Float>) {
    for bin in 0..<binCount {
      smoothed[bin] = smoothing * smoothed[bin] + (1 - smoothing) * powers[bin]
      if smoothed[bin] < current[bin] { current[bin] = smoothed[bin] }
    }
    frame += 1
    guard frame >= partFrames else { return }
    frame = 0
    let minima = parts + part * binCount
    for bin in 0..<binCount {
      minima[bin] = current[bin]
      current[bin] = smoothed[bin]
      var minimum = parts[bin]
      for index in 1..<Self.partCount {
        let value = parts[index * binCount + bin]
        if value < minimum { minimum = value }
      }
      power[bin] = Self.bias * minimum
    }
    part = (part + 1) % Self.partCount
  }
}
