// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Changes the play rate and the pitch of a queue between its decoder and its ring.
///
/// The output is aligned with the input: it begins without the method's delay, and ends with the
/// frames that the method still holds. A change of pitch plays buffered frames faster or slower.
/// This is corrected: the method then runs two percent faster or slower until the output is aligned
/// again.
final class TimePitch {
  /// All algorithms that a queue supports.
  static let algorithms = [
    kAudioQueueTimePitchAlgorithm_Spectral, kAudioQueueTimePitchAlgorithm_TimeDomain,
    kAudioQueueTimePitchAlgorithm_Varispeed, kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency,
  ].map { UInt32($0) }
  /// The most frames of one call of the method. Rate and pitch change only between calls.
  static let block = 64

  let algorithm: UInt32
  /// The last output.
  let output: PlanarBuffer
  private let method: any TimePitchMethod
  private let silence: PlanarBuffer
  private let sampleRate: Double
  /// Input frames so far: without, and with, the silence supplied after the last one.
  private(set) var consumedFrames = 0
  private var suppliedFrames = 0
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

  /// Clears the signal history.
  func reset() {
    method.reset()
    (consumedFrames, suppliedFrames, hasBegun, lead) = (0, 0, false, 0)
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
  var nextInputFrame: Double { Double(suppliedFrames) - method.pending(rate, cents) }

  /// Output frames still to come from the input so far.
  var pendingOutputFrames: Int {
    consumedFrames == 0
      ? 0
      : max(0, Int(saturating: (Double(consumedFrames) - max(nextInputFrame, 0)) / Double(rate)))
  }

  /// Accepts input frames. All output that earlier frames allow must have been rendered.
  func consume(_ input: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int) {
    method.consume(reading(input), frames: count)
    suppliedFrames += count
    consumedFrames += count
  }

  /// Renders as many frames as possible into `output`, at most up to the input frame `end`.
  func render(upTo end: Int?) -> Range<Int> {
    var made = 0
    while made < output.capacity {
      var requested = min(Self.block, output.capacity - made)
      // Output before the first input frame is dropped. If the rate does not change the delay, this
      // output is made at normal rate, so that the sound begins with its first frame.
      let rateBefore = method.delaysInput ? 1 : rate
      let before = Int(saturating: (-nextInputFrame / Double(rateBefore)).rounded())
      let discardsOutput = !hasBegun && before > 0
      if discardsOutput {
        requested = min(requested, before)
      } else if let end {
        let frames = ((Double(end) - nextInputFrame) / Double(rate)).rounded()
        requested = min(requested, Int(saturating: frames))
      }
      let count = make(requested, at: made, rate: discardsOutput ? rateBefore : rate)
      guard count > 0 else { break }
      if !discardsOutput {
        made += count
        hasBegun = true
      }
    }
    return 0..<made
  }

  /// Makes at most `requested` frames, as many as the input allows; returns how many.
  private func make(_ requested: Int, at offset: Int, rate: Float) -> Int {
    var count = requested
    let share = isBypassed ? 0 : min(max(lead / (0.25 * sampleRate), -0.02), 0.02)
    let current = rate * Float(1 - share)
    while count > 0 {
      let missing = method.prepare(count, rate: current, cents: cents)
      if missing == 0 { break }
      count -= max(1, Int(saturating: Float(missing) / current))
    }
    guard count > 0 else { return 0 }
    method.render(
      to: UnsafePointer(output.channels), offset: offset, frames: count, isBypassed: isBypassed)
    lead -= share * Double(rate) * Double(count)
    if abs(lead) < 0.5 { lead = 0 }
    return count
  }

  /// Makes the remaining output after the last input frame, over several calls; empty when none is
  /// left.
  func drain() -> Range<Int> {
    while consumedFrames > 0 {
      let made = render(upTo: consumedFrames)
      guard made.isEmpty else { return made }
      guard Double(consumedFrames) - nextInputFrame >= Double(rate) / 2 else { break }
      let count = min(4 * Self.block, silence.capacity)
      method.consume(reading(UnsafePointer(silence.channels)), frames: count)
      suppliedFrames += count
    }
    return 0..<0
  }
}

/// A method that changes rate and pitch.
private protocol TimePitchMethod: AnyObject {
  /// Whether its delay is a fixed number of input frames at any rate.
  var delaysInput: Bool { get }
  /// Input frames not yet output, at a rate and pitch.
  func pending(_ rate: Float, _ cents: Float) -> Double
  func consume(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int)
  /// Sets rate and pitch for the next frames; returns how many input frames are missing for them.
  func prepare(_ frames: Int, rate: Float, cents: Float) -> Int
  /// Renders the prepared frames.
  func render(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int,
    isBypassed: Bool)
  func reset()
}

/// Changes rate and pitch independently.
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

/// Changes only the rate, with little CPU time.
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

/// Changes the pitch together with the rate.
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
