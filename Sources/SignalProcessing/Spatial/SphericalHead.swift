// SPDX-License-Identifier: Apache-2.0

/// A head as a rigid sphere: for each ear, when a sound arrives and how the head shadows it.
///
/// The delay is Woodworth's for a distant source: with a the radius and c the speed of sound, at an
/// angle x from the ear's axis it is a / c * (1 - cos x) up to a right angle and a / c * (1 + x - pi / 2)
/// beyond, counted from the earliest. The shadow is the filter of one pole and one zero of Brown and
/// Duda: unity at low frequencies and, far above c / a, alpha(x) = 1.05 + 0.95 cos(1.2 x), from +6 dB
/// towards the ear to -20 dB at 150 degrees.
///
/// Woodworth, "Experimental psychology" (1938); Brown and Duda, "A structural model for binaural sound
/// synthesis", IEEE Trans. Speech and Audio Processing 6 (1998).
public struct SphericalHead: BitwiseCopyable, Sendable {
  /// Radius in metres, and speed of sound in metres per second.
  public static var radius: Double { @_noLocks get { 0.0875 } }
  public static var speedOfSound: Double { @_noLocks get { 343 } }
  /// Where the ears are, in degrees from the front.
  public static var earAngle: Double { @_noLocks get { 100 } }

  /// How a sound reaches one ear.
  public struct Ear: BitwiseCopyable, Sendable {
    /// In frames, from 0 on.
    public var delay: Float
    /// Gain at high frequencies.
    public var alpha: Float
  }

  /// Frames that sound takes over one radius.
  private let radiusFrames: Float
  /// Pole of the shadow filter, and its zero's parts without and with alpha.
  private let pole: Float
  private let constant: Float
  private let sloped: Float

  /// A head at a sample rate. [control thread]
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

  /// How a sound reaches both ears from a place: a vector of length 1 to the right, the front and the
  /// top. [any thread]
  @_noLocks
  public func ears(toward place: SIMD3<Float>) -> (left: Ear, right: Ear) {
    let (x, y) = (place.x, place.y)
    // The sine and cosine of 100 degrees.
    let (side, back): (Float, Float) = (0.98480775, -0.17364818)
    return (ear(-side * x + back * y), ear(side * x + back * y))
  }

  @_noLocks
  private func ear(_ value: Float) -> Ear {
    // Not a number counts as straight ahead.
    let cosine = value > -1 ? min(value, 1) : value <= -1 ? -1 : 0
    let angle = Elementary.arcCosine(cosine)
    let way = cosine >= 0 ? 1 - cosine : 1 + angle - 1.5707964
    let alpha = 1.05 + 0.95 * Elementary.cosine(degrees: angle * (1.2 * 180 / 3.1415927))
    return Ear(delay: radiusFrames * way, alpha: alpha)
  }

  /// The state of one ear.
  public struct State: BitwiseCopyable, Sendable {
    private var input: Float = 0
    private var output: Float = 0

    /// Silence. [any thread]
    @_noLocks
    public init() {}

    /// Replaces `count` samples by what an ear receives of them. The shadow changes by a step with every
    /// sample. [render thread]
    @_noLocks
    public mutating func shadow(
      _ head: SphericalHead, _ samples: UnsafeMutablePointer<Float>, count: Int, alpha: Float,
      alphaStep: Float
    ) {
      var (before, heard) = (input, output)
      for index in 0..<count {
        let slope = (alpha + alphaStep * Float(index)) * head.sloped
        let sample = samples[index]
        heard =
          (head.constant + slope) * sample + (head.constant - slope) * before - head.pole * heard
        before = sample
        samples[index] = heard
      }
      // What is not a number would stay in the filter for good.
      input = before.isFinite ? before : 0
      output = heard.isFinite ? heard : 0
    }
  }
}
