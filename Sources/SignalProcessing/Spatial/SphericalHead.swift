// SPDX-License-Identifier: Apache-2.0

/// A head as a rigid sphere: the arrival time of a sound at each ear, and the shadow of the head.
///
/// The delay is Woodworth's for a distant source: with a the radius and c the speed of sound, at an
/// angle x from the ear's axis it is a / c * (1 - cos x) up to a right angle and a / c * (1 + x -
/// pi / 2) beyond, relative to the earliest. The shadow is Brown and Duda's filter of one pole and
/// one zero: unity at low frequencies and, far above c / a, alpha(x) = 1.05 + 0.95 cos(1.2 x), from
/// +6 dB towards the ear to -20 dB at 150 degrees.
///
/// Woodworth, "Experimental psychology" (1938); Brown and Duda, "A structural model for binaural
/// sound synthesis", IEEE Trans. Speech and Audio Processing 6 (1998).
public struct SphericalHead: BitwiseCopyable, Sendable {
  /// Radius in metres.
  public static var radius: Double { @_noLocks get { 0.0875 } }
  public static var speedOfSound: Double { @_noLocks get { 343 } }

  /// The path of a sound to one ear.
  public struct Ear: BitwiseCopyable, Sendable {
    /// Delay in frames, at least 0.
    public var delay: Float
    /// Gain at high frequencies.
    public var alpha: Float
  }

  /// Frames in which sound travels one radius.
  private let radiusFrames: Float
  /// Pole of the shadow filter, and the parts of its zero without and with alpha.
  private let pole: Float
  private let constant: Float
  private let sloped: Float

  /// Makes a head at a sample rate. [control thread]
  public init(sampleRate: Double) {
    radiusFrames = Float(Self.radius / Self.speedOfSound * sampleRate)
    // The bilinear transform of (1 + alpha s T) / (1 + s T) with T = a / 2c.
    let k = Self.radius / Self.speedOfSound * sampleRate
    pole = Float((1 - k) / (1 + k))
    constant = Float(1 / (1 + k))
    sloped = Float(k / (1 + k))
  }

  /// The longest delay in frames, rounded up. [any thread]
  public var longestDelay: Int {
    @_noLocks get { Int(radiusFrames * 2.5707964) + 1 }
  }

  /// The paths of a sound to both ears from a direction: a vector of length 1 to the right, the
  /// front and the top. [any thread]
  @_noLocks
  public func ears(toward direction: SIMD3<Float>) -> (left: Ear, right: Ear) {
    let (x, y) = (direction.x, direction.y)
    // The sine and cosine of 100 degrees.
    let (side, back): (Float, Float) = (0.98480775, -0.17364818)
    return (ear(-side * x + back * y), ear(side * x + back * y))
  }

  @_noLocks
  private func ear(_ value: Float) -> Ear {
    // NaN counts as straight ahead.
    let cosine = value > -1 ? min(value, 1) : value <= -1 ? -1 : 0
    let angle = Elementary.arcCosine(cosine)
    let pathLength = cosine >= 0 ? 1 - cosine : 1 + angle - 1.5707964
    let alpha = 1.05 + 0.95 * Elementary.cosine(degrees: angle * (1.2 * 180 / 3.1415927))
    return Ear(delay: radiusFrames * pathLength, alpha: alpha)
  }

  /// The filter state of one ear.
  public struct State: BitwiseCopyable, Sendable {
    private var input: Float = 0
    private var output: Float = 0

    /// Makes a silent state. [any thread]
    @_noLocks
    public init() {}

    /// Applies the shadow to `count` samples in direction; alpha changes by `alphaStep` per sample.
    /// [render thread]
    @_noLocks
    public mutating func shadow(
      _ head: SphericalHead, _ samples: UnsafeMutablePointer<Float>, count: Int, alpha: Float,
      alphaStep: Float
    ) {
      var (before, filtered) = (input, output)
      for index in 0..<count {
        let slope = (alpha + alphaStep * Float(index)) * head.sloped
        let sample = samples[index]
        filtered =
          (head.constant + slope) * sample + (head.constant - slope) * before - head.pole * filtered
        before = sample
        samples[index] = filtered
      }
      // A value that is not finite would stay in the filter forever.
      input = before.isFinite ? before : 0
      output = filtered.isFinite ? filtered : 0
    }
  }
}
