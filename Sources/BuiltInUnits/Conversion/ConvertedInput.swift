// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// An input bus that gives planar Float32 at the rate it is asked for, whatever its source gives: a
/// converter, and the source's own time.
struct ConvertedInput: ~Copyable {
  private let converter: UnsafeMutablePointer<PullConverter>
  /// Source frames for each that comes out.
  private let ratio: Double
  /// When the next frames begin, by the caller's count and by the source's.
  private var time = -Double.greatestFiniteMagnitude
  private var sourceTime = 0.0

  /// [control thread] Allocates everything that converting needs.
  init(_ setup: PullConverter.Setup) {
    converter = .allocate(capacity: 1)
    converter.initialize(to: PullConverter(setup))
    ratio = setup.source.sampleRate / setup.sampleRate
  }

  deinit { converter.deinitialize(count: 1).deallocate() }

  /// Seconds that converting the rate delays.
  var latency: Double { converter.pointee.latency }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    let converter = converter
    converter.pointee.reset()
    time = -Double.greatestFiniteMagnitude
  }

  /// [render thread] Pulls bus `bus` of `plan` and fills `output` with `frames` frames.
  @_noLocks
  mutating func render(
    _ plan: RenderPlan, _ bus: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ caller: UnsafePointer<AudioTimeStamp>, frames: Int,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    let converter = converter
    let wanted = converter.pointee.sourceFrames(for: frames)
    var stamp = stamp(caller.pointee)
    if wanted > 0 {
      let status = converter.pointee.pull(plan, flags, &stamp, frames: wanted, bus: bus)
      guard status == noErr else { return status }
    }
    time += Double(frames)
    sourceTime += Double(wanted)
    converter.pointee.convert(wanted, to: output, frames: frames)
    return noErr
  }

  /// The caller's time as the source gets it. At another rate it runs by the source's own frames, for
  /// as long as the caller's goes on without a jump.
  @_noLocks
  private mutating func stamp(_ caller: AudioTimeStamp) -> AudioTimeStamp {
    var stamp = caller
    let isValid = caller.mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0
    let callerTime = isValid ? caller.mSampleTime : max(time, 0)
    if callerTime != time {
      time = callerTime
      sourceTime = callerTime * ratio
    }
    stamp.mSampleTime = sourceTime
    return stamp
  }
}
