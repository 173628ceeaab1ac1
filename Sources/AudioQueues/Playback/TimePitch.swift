// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import CAudioToolbox
import SignalProcessing

/// Changes the play rate and the pitch of a queue between its decoder and its ring.
///
/// The output is aligned with the input: the delay is removed at the beginning and made up for at
/// the end. A change of pitch plays frames inside the method faster or slower; this is corrected
/// too, by running two percent faster or slower until the time is right again.
final class TimePitch {
  /// All algorithms that a queue supports.
  static let algorithms = [
    kAudioQueueTimePitchAlgorithm_Spectral, kAudioQueueTimePitchAlgorithm_TimeDomain,
    kAudioQueueTimePitchAlgorithm_Varispeed, kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency,
  ].map { UInt32($0) }
  /// The most frames of one call of the method: rate and pitch change between calls.
  static let block = 64

  let algorithm: UInt32
  /// The last output.
  let output: PlanarBuffer
  private let method: any TimePitchMethod
  private let silence: PlanarBuffer
  private let sampleRate: Double
  /// Input frames so far, and including the silence after them.
  private(set) var taken = 0
  private var fed = 0
  private var hasBegun = false
  private var rate: Float = 1
  private var cents: Float = 0
  private var isBypassed = false
  /// Frames by which the output is ahead of its nominal position.
  private var lead = 0.0

  init(algorithm: UInt32, channelCount: Int, sampleRate: Double) {
    self.algorithm = algorithm
    self.sampleRate = sampleRate
    method =
      switch algorithm {
      case UInt32(kAudioQueueTimePitchAlgorithm_Spectral):
        SpectralMethod(channelCount, sampleRate)
      case UInt32(kAudioQueueTimePitchAlgorithm_Varispeed): ResamplingMethod(channelCount)
      default: TimeDomainMethod(channelCount, sampleRate)
      }
    output = PlanarBuffer(channelCount: channelCount, capacity: 2 * BufferDecoder.chunk)
    silence = PlanarBuffer(channelCount: channelCount, capacity: BufferDecoder.chunk)
    for channel in 0..<channelCount {
      Samples.clear(silence.channels[channel], count: silence.capacity)
    }
  }

  deinit {
    output.deallocate()
    silence.deallocate()
  }

  /// Forgets the signal.
  func reset() {
    method.reset()
    (taken, fed, hasBegun, lead) = (0, 0, false, 0)
  }

  /// Sets rate and pitch for all later output.
  func set(rate: Float, cents: Float, isBypassed: Bool) {
    let (rate, cents) = isBypassed ? (1, 0) : (rate, cents)
    if hasBegun, cents != self.cents {
      lead += method.pending(rate, self.cents) - method.pending(rate, cents)
    }
    (self.rate, self.cents, self.isBypassed) = (rate, cents, isBypassed)
  }

  /// The input frame that is output next; negative before the first.
  var heard: Double { Double(fed) - method.pending(rate, cents) }

  /// Output frames still to come from the input so far.
  var heldFrames: Int {
    taken == 0 ? 0 : max(0, Int((Double(taken) - max(heard, 0)) / Double(rate)))
  }

  /// Accepts frames, after all output possible from earlier ones has been made.
  func consume(_ input: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int) {
    method.consume(reading(input), frames: count)
    fed += count
    taken += count
  }

  /// Renders what is possible into `output`, at most up to the output of a given input frame.
  func render(upTo end: Int?) -> Range<Int> {
    var made = 0
    while made < output.capacity {
      var wanted = min(Self.block, output.capacity - made)
      // Output before the sound is dropped. Where it does not affect the delay it is made at normal
      // rate, so that the sound begins with its first frame.
      let rateBefore = method.delaysInput ? 1 : rate
      let before = Int((-heard / Double(rateBefore)).rounded())
      let leavesOut = !hasBegun && before > 0
      if leavesOut {
        wanted = min(wanted, before)
      } else if let end {
        wanted = min(wanted, Int(((Double(end) - heard) / Double(rate)).rounded()))
      }
      let count = make(wanted, at: made, rate: leavesOut ? rateBefore : rate)
      guard count > 0 else { break }
      if !leavesOut {
        made += count
        hasBegun = true
      }
    }
    return 0..<made
  }

  /// Makes at most `wanted` frames, as many as the input allows.
  private func make(_ wanted: Int, at offset: Int, rate: Float) -> Int {
    var count = wanted
    let share = isBypassed ? 0 : min(max(lead / (0.25 * sampleRate), -0.02), 0.02)
    let current = rate * Float(1 - share)
    while count > 0 {
      let missing = method.prepare(count, rate: current, cents: cents)
      if missing == 0 { break }
      count -= max(1, Int(Float(missing) / current))
    }
    guard count > 0 else { return 0 }
    method.render(
      to: UnsafePointer(output.channels), offset: offset, frames: count, isBypassed: isBypassed)
    lead -= share * Double(rate) * Double(count)
    if abs(lead) < 0.5 { lead = 0 }
    return count
  }

  /// After the last frame: makes the rest, in several calls; nothing when that was all.
  func drain() -> Range<Int> {
    while taken > 0 {
      let made = render(upTo: taken)
      guard made.isEmpty else { return made }
      guard Double(taken) - heard >= Double(rate) / 2 else { break }
      let count = min(4 * Self.block, silence.capacity)
      method.consume(reading(UnsafePointer(silence.channels)), frames: count)
      fed += count
    }
    return 0..<0
  }
}

/// A way to change rate and pitch.
private protocol TimePitchMethod: AnyObject {
  /// Whether its delay is fixed in input frames, whatever the rate.
  var delaysInput: Bool { get }
  /// Input frames not yet output, at a rate and pitch.
  func pending(_ rate: Float, _ cents: Float) -> Double
  func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int)
  /// Sets rate and pitch of the next frames; returns how many more input frames they need.
  func prepare(_ frames: Int, rate: Float, cents: Float) -> Int
  /// Renders the prepared frames.
  func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool)
  func reset()
}

/// Rate and pitch independently.
private final class SpectralMethod: TimePitchMethod {
  let delaysInput = false
  private var stretcher: SpectralStretcher

  init(_ channelCount: Int, _ sampleRate: Double) {
    stretcher = SpectralStretcher(
      channelCount: channelCount, sampleRate: sampleRate, maximumFrames: TimePitch.block)
  }

  func pending(_ rate: Float, _ cents: Float) -> Double {
    stretcher.pendingFrames(rate: rate, cents: cents)
  }

  func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    stretcher.consume(input, frames: frames)
  }

  func prepare(_ frames: Int, rate: Float, cents: Float) -> Int {
    stretcher.prepare(frames, rate: rate, rateSlope: 0, cents: cents, centsSlope: 0)
  }

  func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool
  ) {
    stretcher.render(to: output, offset: offset, frames: frames, isBypassed: isBypassed)
  }

  func reset() { stretcher.reset() }
}

/// Rate only, with little CPU time.
private final class TimeDomainMethod: TimePitchMethod {
  let delaysInput = true
  private var stretcher: TimeDomainStretcher

  init(_ channelCount: Int, _ sampleRate: Double) {
    stretcher = TimeDomainStretcher(
      channelCount: channelCount, sampleRate: sampleRate, maximumFrames: TimePitch.block)
  }

  func pending(_ rate: Float, _ cents: Float) -> Double { stretcher.pendingFrames }

  func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    stretcher.consume(input, frames: frames)
  }

  func prepare(_ frames: Int, rate: Float, cents: Float) -> Int {
    stretcher.prepare(frames, rate: rate, slope: 0)
  }

  func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool
  ) {
    stretcher.render(to: output, offset: offset, frames: frames, isBypassed: isBypassed)
  }

  func reset() { stretcher.reset() }
}

/// The pitch follows the rate.
private final class ResamplingMethod: TimePitchMethod {
  let delaysInput = true
  private var converter: VariableRateConverter

  init(_ channelCount: Int) {
    converter = VariableRateConverter(
      channelCount: channelCount, maximumFrames: 2 * BufferDecoder.chunk, quality: .high)
  }

  func pending(_ rate: Float, _ cents: Float) -> Double { converter.pendingFrames }

  func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    converter.consume(input, frames: frames)
  }

  func prepare(_ frames: Int, rate: Float, cents: Float) -> Int {
    converter.set(rate: rate)
    return converter.inputFramesNeeded(for: frames)
  }

  func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool
  ) {
    converter.render(to: output, offset: offset, frames: frames)
  }

  func reset() { converter.reset() }
}
