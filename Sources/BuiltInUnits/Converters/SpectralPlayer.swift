// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A kernel with a spectral player: it declares its parameters, and maps them to rate and pitch.
protocol SpectralKernel: ConverterKernel, ~Copyable {
  var player: SpectralPlayer { get }
  init(player: consuming SpectralPlayer)
  /// Rate and pitch of the slice, with their changes per frame.
  func rateAndPitch(_ values: Values) -> SpectralPlayer.RateAndPitch
}

extension SpectralKernel where Self: ~Copyable {
  static var canBypass: Bool { true }

  static func memory(_ setup: KernelSetup) -> Int { SpectralPlayer.memory(setup) }

  init(_ setup: KernelSetup) { self.init(player: SpectralPlayer(setup)) }

  /// The latency at a rate of 1.
  var latencyFrames: Int { Int(player.latency(.neutral, .usual)) }

  /// The latency in output frames, which depends on the rate.
  func latencyFrames(_ values: Values) -> Double { player.latency(rateAndPitch(values), .usual) }

  /// Half the length of a transform, at any rate.
  func tailTime(_ values: Values) -> Double? { 0.1 }
}

extension ParameterSpec {
  /// The rate and pitch parameters of every spectral unit.
  static var stretchRate: Self {
    .init(
      "rate", .rate, SpectralStretcher.rates, default: 1, display: .flag_DisplayLogarithmic,
      ramps: true)
  }
  static var stretchPitch: Self {
    .init("pitch", .cents, SpectralStretcher.pitches, default: 0, ramps: true)
  }
}

/// The common part of the spectral units: a stretcher with a converter's interface.
struct SpectralPlayer: ~Copyable {
  /// A rate and a pitch, and how much each changes per frame.
  struct RateAndPitch: BitwiseCopyable {
    var rate: Float
    var rateSlope: Float
    var cents: Float
    var centsSlope: Float

    @_noLocks
    init(rate: Float, rateSlope: Float, cents: Float, centsSlope: Float) {
      self.rate = rate
      self.rateSlope = rateSlope
      self.cents = cents
      self.centsSlope = centsSlope
    }

    /// The values while bypassed.
    static var neutral: RateAndPitch {
      @_noLocks get { RateAndPitch(rate: 1, rateSlope: 0, cents: 0, centsSlope: 0) }
    }
  }

  private var stretcher: SpectralStretcher

  static func memory(_ setup: KernelSetup) -> Int {
    SpectralStretcher.memory(
      channelCount: setup.format.channelCount, sampleRate: setup.format.sampleRate)
      + 16 * setup.maximumFrames
  }

  init(_ setup: KernelSetup) {
    stretcher = SpectralStretcher(
      channelCount: setup.format.channelCount, sampleRate: setup.format.sampleRate,
      maximumFrames: setup.maximumFrames)
  }

  /// [render thread] Clears the signal history.
  mutating func reset() { stretcher.reset() }

  /// [any thread] Its latency in output frames.
  func latency(_ rateAndPitch: RateAndPitch, _ smoothness: StretchOptions.Smoothness) -> Double {
    stretcher.latency(rate: rateAndPitch.rate, cents: rateAndPitch.cents, smoothness)
  }

  /// [render thread] Input frames that are not in the output yet.
  @_noLocks
  func pendingFrames(_ rateAndPitch: RateAndPitch) -> Double {
    stretcher.pendingFrames(rate: rateAndPitch.rate, cents: rateAndPitch.cents)
  }

  /// [render thread] The longest slice that can be rendered in one piece.
  @_noLocks
  func longestSlice(_ rateAndPitch: RateAndPitch) -> Int {
    stretcher.longestSlice(rate: rateAndPitch.rate, slope: rateAndPitch.rateSlope)
  }

  /// [render thread] Prepares a slice; returns how many input frames it needs.
  @_noLocks
  mutating func inputFrames(
    for frames: Int, _ rateAndPitch: RateAndPitch, _ options: StretchOptions
  ) -> Int {
    stretcher.options = options
    return stretcher.prepare(
      frames, rate: rateAndPitch.rate, rateSlope: rateAndPitch.rateSlope, cents: rateAndPitch.cents,
      centsSlope: rateAndPitch.centsSlope)
  }

  /// [render thread] Consumes input.
  @_noLocks
  mutating func consume(_ input: Slice) {
    stretcher.consume(input.readable, frames: input.frameCount)
  }

  /// [render thread] Renders the prepared slice.
  @_noLocks
  mutating func render(_ output: Slice, isBypassed: Bool) {
    stretcher.render(
      to: output.channels, offset: output.offset, frames: output.frameCount,
      isBypassed: isBypassed)
  }
}
