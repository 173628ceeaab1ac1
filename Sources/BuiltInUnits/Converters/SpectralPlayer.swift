// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// A unit with a spectral player: it declares its parameters, and maps them to the player's.
protocol SpectralKernel: ConverterKernel, ~Copyable {
  var player: SpectralPlayer { get }
  init(player: consuming SpectralPlayer)
  /// Rate and pitch of the slice.
  func course(_ values: Values) -> SpectralPlayer.Course
}

extension SpectralKernel where Self: ~Copyable {
  static var canBypass: Bool { true }

  static func memory(_ setup: KernelSetup) -> Int { SpectralPlayer.memory(setup) }

  init(_ setup: KernelSetup) { self.init(player: SpectralPlayer(setup)) }

  /// The latency at a rate of 1.
  var latencyFrames: Int { Int(player.latency(.neutral)) }

  /// The latency in frames, which depends on the rate, with the part that is counted in output
  /// frames.
  func latencyFrames(_ values: Values) -> Double { player.latency(course(values)) }

  /// Half a frame of the transform, at any rate.
  func tailTime(_ values: Values) -> Double? { 0.1 }
}

extension ParameterSpec {
  /// Both parameters of every spectral unit.
  static var stretchRate: Self {
    .init(
      "rate", .rate, SpectralStretcher.rates, default: 1, display: .flag_DisplayLogarithmic,
      ramps: true)
  }
  static var stretchPitch: Self {
    .init("pitch", .cents, SpectralStretcher.pitches, default: 0, ramps: true)
  }
}

/// The common part of the spectral units: a stretcher between the slices of a converter.
struct SpectralPlayer: ~Copyable {
  /// A rate and a pitch, and how much each changes per frame.
  struct Course: BitwiseCopyable {
    var rate: Float
    var rateSlope: Float
    var cents: Float
    var centsSlope: Float

    /// The values of a bypass.
    static var neutral: Course {
      @_noLocks get { Course(rate: 1, rateSlope: 0, cents: 0, centsSlope: 0) }
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

  /// [render thread] Forgets the signal.
  mutating func reset() { stretcher.reset() }

  /// [any thread] Its latency in output frames.
  func latency(_ course: Course) -> Double {
    stretcher.latency(rate: course.rate, cents: course.cents)
  }

  /// [render thread] Input frames that are not in the output yet.
  @_noLocks
  func pendingFrames(_ course: Course) -> Double {
    stretcher.pendingFrames(rate: course.rate, cents: course.cents)
  }

  /// [render thread] The most frames to render at once.
  @_noLocks
  func longestSlice(_ course: Course) -> Int {
    stretcher.longestSlice(rate: course.rate, slope: course.rateSlope)
  }

  /// [render thread] Prepares a slice; returns how many input frames it needs.
  @_noLocks
  mutating func inputFrames(
    for frames: Int, _ course: Course, _ options: StretchOptions
  ) -> Int {
    stretcher.options = options
    return stretcher.prepare(
      frames, rate: course.rate, rateSlope: course.rateSlope, cents: course.cents,
      centsSlope: course.centsSlope)
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
