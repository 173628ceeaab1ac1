// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Synchronization

/// The times of a device's cycles, for time queries. The render thread writes them, any thread
/// reads them.
///
/// Times never decrease, even when one stream replaces another.
final class DeviceClock: Sendable {
  /// A point on the clock of the device.
  struct Anchor: Equatable, BitwiseCopyable {
    /// The sample time of the last cycle's first frame, and its host time.
    var sampleTime: Double
    var hostTime: UInt64
    /// The measured rate in frames per nanosecond.
    var rate: Double
    var rateScalar: Double
    var frameCount: Int

    @_noLocks
    init(
      sampleTime: Double, hostTime: UInt64, rate: Double, rateScalar: Double, frameCount: Int
    ) {
      self.sampleTime = sampleTime
      self.hostTime = hostTime
      self.rate = rate
      self.rateScalar = rateScalar
      self.frameCount = frameCount
    }

    /// The sample time at a host time.
    func sample(at host: UInt64) -> Double {
      sampleTime + Double(Int64(bitPattern: host &- hostTime)) * rate
    }

    /// The host time at a sample time.
    func host(at sample: Double) -> UInt64 {
      let nanoseconds = (sample - sampleTime) / rate
      guard nanoseconds.isFinite, nanoseconds.magnitude < 9e18 else { return hostTime }
      return hostTime &+ UInt64(bitPattern: Int64(saturating: nanoseconds))
    }
  }

  private let last = PublishedValue<Anchor>()
  /// The latest reported sample time. None is below 0, although the first frame leaves some time
  /// after its cycle.
  private let latestReported = Atomic<Int64>(0)

  /// [render thread] Publishes the times of a cycle.
  @_noLocks
  func update(_ anchor: Anchor) { last.store(anchor) }

  /// [any thread] The last cycle. Nil before the first one.
  var anchor: Anchor? { last.load() }

  /// [control thread] The sample time of the frame after the last cycle, as if there had been no
  /// gap.
  var nextSample: Double {
    guard let anchor else { return 0 }
    return max(anchor.sampleTime + Double(anchor.frameCount), anchor.sample(at: rt_host_time()))
      .rounded(.up)
  }

  /// [any thread] The current sample time, which never decreases.
  func now(_ anchor: Anchor, _ host: UInt64) -> Double {
    let sample = Int64(saturating: anchor.sample(at: host))
    return Double(latestReported.max(sample, ordering: .acquiringAndReleasing).newValue)
  }
}
