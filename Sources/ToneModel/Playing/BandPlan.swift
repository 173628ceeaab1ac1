// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The filters of a noise band, and the gain that restores its level, for the render thread.
struct BandPlan {
  /// Second-order sections: half of them for each limit.
  static var sectionCount: Int { @_noLocks get { 8 } }

  /// Four high-pass and four low-pass sections; those of a limit without effect are flat.
  let sections: InlineArray<8, FilterSection>
  let gain: Double
  /// The frames until the filters have decayed by 60 dB.
  let ringFrames: Int
  /// The `kToneGeneratorParam_Waveform` that the plan is made for.
  let waveform: Float

  /// The Q of each section of an eighth-order Butterworth filter.
  private static let qs = (0..<4).map { 0.5 / Math.cosine(.pi * (2 * Double($0) + 1) / 16) }

  /// [control thread] Designs the filters for a waveform; without a band, or for a periodic
  /// waveform, all sections are flat.
  init(_ band: NoiseBand?, _ waveform: ToneWaveform, sampleRate: Double) {
    self.waveform = waveform.parameterValue
    var sections = InlineArray<8, FilterSection>(repeating: .flat)
    guard let band, waveform.isNoise else {
      (self.sections, gain, ringFrames) = (sections, 1, 0)
      return
    }
    let design = FilterDesign(sampleRate: sampleRate)
    let highest = 0.49 * sampleRate
    for (index, q) in Self.qs.enumerated() {
      sections[index] = design.highPass(min(band.lowest, highest), q: q)
      if band.highest < highest { sections[4 + index] = design.lowPass(band.highest, q: q) }
    }
    self.sections = sections
    let power = Self.power(sections, waveform, sampleRate)
    let level = waveform == .pinkNoise ? ToneOscillator.pinkLevel : 1 / 3.0.squareRoot()
    gain = ToneOscillator.pinkLevel / (level * max(power, 1e-12).squareRoot())
    var frames = 0.0
    for index in 0..<Self.sectionCount {
      frames = max(frames, sections[index].memoryFrames(decibels: 60))
    }
    ringFrames = min(Int(frames), Int(sampleRate))
  }

  /// The share of the noise's power that passes the sections.
  private static func power(
    _ sections: InlineArray<8, FilterSection>, _ waveform: ToneWaveform, _ sampleRate: Double
  ) -> Double {
    let pink = PinkFilter(sampleRate: sampleRate)
    let biquads = (0..<sectionCount).map { sections[$0].biquad }
    // Integrates in steps of equal ratio, in which pink noise has equal power.
    let (steps, lowest) = (4_096, 1e-6)
    let ratio = Math.exponential(Math.logarithm(0.5 / lowest) / Double(steps))
    var (frequency, power) = (lowest, 0.0)
    for _ in 0..<steps {
      let middle = frequency * ratio.squareRoot()
      var gain = 1.0
      for biquad in biquads { gain *= biquad.magnitude(at: middle) }
      let decibels =
        waveform == .pinkNoise ? pink.level(at: middle * sampleRate, sampleRate: sampleRate) : 0
      let density = Decibels.ratio(decibels)
      power += gain * gain * density * density * frequency * (ratio - 1)
      frequency *= ratio
    }
    return 2 * power
  }
}
