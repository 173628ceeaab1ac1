// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// The render half of a generic output: what it pulls, converted.
struct GenericRenderer: ~Copyable {
  private let converter: UnsafeMutablePointer<PullConverter>
  private let converted: PlanarBuffer
  private let writer: BufferListWriter
  /// Source frames for each that comes out.
  private let ratio: Double
  /// When the next frames begin, by the caller's count and by the source's.
  private var time = -Double.greatestFiniteMagnitude
  private var sourceTime = 0.0

  /// [control thread] Allocates what rendering `target` needs.
  init(_ setup: PullConverter.Setup, _ target: StreamFormat) {
    converter = .allocate(capacity: 1)
    converter.initialize(to: PullConverter(setup))
    ratio = setup.source.sampleRate / setup.sampleRate
    converted = PlanarBuffer(channelCount: setup.channelCount, capacity: setup.maximumFrames)
    writer = BufferListWriter(target, maximumFrames: setup.maximumFrames)
  }

  deinit {
    converter.deinitialize(count: 1).deallocate()
    converted.deallocate()
    writer.deallocate()
  }

  /// Seconds that converting the rate delays.
  var latency: Double { converter.pointee.latency }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    let converter = converter
    converter.pointee.reset()
    time = -Double.greatestFiniteMagnitude
  }

  /// [render thread] Pulls what `call` takes and hands it out in the target format.
  @_noLocks
  mutating func render(
    _ call: RenderCall, _ plan: RenderPlan, into list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let converter = converter
    let frames = Int(call.frameCount)
    let wanted = converter.pointee.sourceFrames(for: frames)
    var stamp = stamp(call.time.pointee)
    if wanted > 0 {
      let status = converter.pointee.pull(plan, call.flags, &stamp, frames: wanted)
      guard status == noErr else { return status }
    }
    time += Double(frames)
    sourceTime += Double(wanted)
    converter.pointee.convert(wanted, to: converted.channels, frames: frames)
    return writer.write(converted.readable, frames, to: list)
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
