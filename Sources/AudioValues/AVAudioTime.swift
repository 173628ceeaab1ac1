// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox
import CheckedNumbers
public import Foundation

/// A point in time: on the machine's clock, on the time line of a stream, or both. [any thread]
open class AVAudioTime: NSObject, @unchecked Sendable {  // it never changes
  private let stamp: AudioTimeStamp
  private let rate: Double

  // MARK: Initializers

  /// The time of a stamp, with the rate of its sample time.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    stamp = ts.pointee
    rate = sampleRate
  }

  /// A time on the machine's clock.
  public init(hostTime: UInt64) {
    stamp = Self.stamp(host: hostTime)
    rate = 0
  }

  /// A frame of a stream.
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    stamp = Self.stamp(sample: sampleTime)
    rate = sampleRate
  }

  /// A frame of a stream, and its time on the machine's clock.
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    stamp = Self.stamp(host: hostTime, sample: sampleTime)
    rate = sampleRate
  }

  private static func stamp(
    host: UInt64? = nil, sample: AVAudioFramePosition? = nil
  ) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    if let host {
      stamp.mHostTime = host
      stamp.mFlags.insert(.hostTimeValid)
    }
    if let sample {
      stamp.mSampleTime = Double(sample)
      stamp.mFlags.insert(.sampleTimeValid)
    }
    return stamp
  }

  // MARK: Seconds

  /// The clock counts nanoseconds.
  private static let ticksPerSecond = 1e9

  /// The host time after a number of seconds; zero if it is negative or NaN.
  @discardableResult
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(saturating: seconds * ticksPerSecond)
  }

  /// The seconds in a host time.
  @discardableResult
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval {
    TimeInterval(hostTime) / ticksPerSecond
  }

  // MARK: Fields

  /// Whether `hostTime` is valid.
  open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }

  /// The time on the machine's clock.
  open var hostTime: UInt64 { stamp.mHostTime }

  /// Whether `sampleTime` is valid.
  open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) }

  /// The frame on the time line of the stream.
  open var sampleTime: AVAudioFramePosition {
    AVAudioFramePosition(saturating: stamp.mSampleTime)
  }

  /// Frames per second of the sample time.
  open var sampleRate: Double { rate }

  /// The time as C sees it.
  open var audioTimeStamp: AudioTimeStamp { stamp }

  // MARK: Extrapolation

  /// This time with both host time and sample time, calculated from a time that has both.
  ///
  /// Nil if the anchor does not have both, if it has no rate or another rate than this sample time,
  /// or if the result would be before the start of the machine's clock. The rate scalar of the
  /// anchor, if valid, corrects its rate.
  @discardableResult
  open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    if isHostTimeValid, isSampleTimeValid { return self }
    guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
    let rate = anchorTime.sampleRate
    let scalar =
      anchorTime.stamp.mFlags.contains(.rateScalarValid) ? anchorTime.stamp.mRateScalar : 1
    let ticksPerFrame = Self.ticksPerSecond / rate * scalar
    guard rate > 0, ticksPerFrame > 0, ticksPerFrame.isFinite else { return nil }
    if isSampleTimeValid {
      guard sampleRate == rate else { return nil }
      let frames = stamp.mSampleTime - anchorTime.stamp.mSampleTime
      let ticks = Outside((frames * ticksPerFrame).rounded())
      guard let host = (Outside(anchorTime.hostTime) + ticks).count else { return nil }
      return AVAudioTime(hostTime: UInt64(host), sampleTime: sampleTime, atRate: rate)
    }
    guard isHostTimeValid else { return nil }
    let ticks = Outside(hostTime) - Outside(anchorTime.hostTime)
    let frames = ticks.value.map { (Double($0) / ticksPerFrame).rounded() }
    let sample = Outside(frames ?? .nan) + Outside(anchorTime.sampleTime)
    guard let sample = sample.value else { return nil }
    return AVAudioTime(
      hostTime: hostTime, sampleTime: AVAudioFramePosition(sample), atRate: rate)
  }

  open override var description: String {
    let host = isHostTimeValid ? ["\(Self.seconds(forHostTime: hostTime)) s"] : []
    let sample = isSampleTimeValid ? ["\(sampleTime) @ \(sampleRate.plainText) Hz"] : []
    return "<AVAudioTime 0x\(address(of: self)): \((host + sample).joined(separator: ", "))>"
  }
}
