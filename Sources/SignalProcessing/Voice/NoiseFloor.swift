// SPDX-License-Identifier: Apache-2.0

/// How loud the steady noise of a room is, bin by bin: the least power of the last three seconds, and
/// what is known to lie above it on the average (after Martin, "Noise power spectral density estimation
/// based on optimal smoothing and minimum statistics", 2001).
///
/// The memory is its owner's to free, by `deallocate`.
struct NoiseFloor: BitwiseCopyable, @unchecked Sendable {
  /// Parts of the time that is looked back on.
  private static var partCount: Int { @_noLocks get { 6 } }
  private static var seconds: Double { 3 }
  /// The mean of a smoothed power over its least.
  private static var bias: Float { @_noLocks get { 3 } }

  private let binCount: Int
  private let memory = OwnedMemory()
  private let smoothed: UnsafeMutablePointer<Float>
  /// The least of each part, and of the part under way.
  private let parts: UnsafeMutablePointer<Float>
  private let current: UnsafeMutablePointer<Float>
  /// Power of the noise, by bin.
  let power: UnsafeMutablePointer<Float>
  private let keeps: Float
  private let partFrames: Int
  private var frame = 0
  private var part = 0

  /// [control thread] For spectra of `binCount` bins, `rate` of them each second.
  init(binCount: Int, rate: Double) {
    self.binCount = binCount
    smoothed = memory.array(binCount, of: 0)
    parts = memory.array(Self.partCount * binCount, of: 0)
    current = memory.array(binCount, of: 0)
    power = memory.array(binCount, of: 0)
    keeps = Float(Math.exponential(-1 / (rate * 0.04)))
    partFrames = max(1, Int(Self.seconds * rate / Double(Self.partCount)))
    reset()
  }

  /// [control thread] Frees the memory.
  func deallocate() { memory.deallocate() }

  /// [render thread] Forgets the noise: none is known of.
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

  /// [render thread] Takes the powers of one more spectrum.
  @_noLocks
  mutating func update(_ powers: UnsafePointer<Float>) {
    for bin in 0..<binCount {
      smoothed[bin] = keeps * smoothed[bin] + (1 - keeps) * powers[bin]
      if smoothed[bin] < current[bin] { current[bin] = smoothed[bin] }
    }
    frame += 1
    guard frame >= partFrames else { return }
    frame = 0
    let place = parts + part * binCount
    for bin in 0..<binCount {
      place[bin] = current[bin]
      current[bin] = smoothed[bin]
      var least = parts[bin]
      for index in 1..<Self.partCount {
        let value = parts[index * binCount + bin]
        if value < least { least = value }
      }
      power[bin] = Self.bias * least
    }
    part = (part + 1) % Self.partCount
  }
}
