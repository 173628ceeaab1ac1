// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime

// The current time of a device with running functions, and conversions between its times.
extension DeviceIOs {
  private static func timing(_ device: AudioObjectID) throws(AudioError) -> (
    clock: DeviceClock, anchor: DeviceClock.Anchor
  ) {
    if let timing = known(device)?.timing { return timing }
    if known(device) == nil { try check(device) }
    throw AudioError(status: kAudioHardwareNotRunningError).because(
      "no function runs on device \(device)")
  }

  /// [any thread] The current time. Sample times never decrease.
  public static func now(_ device: AudioObjectID) throws(AudioError) -> AudioTimeStamp {
    let (clock, anchor) = try timing(device)
    let host = rt_host_time()
    return stamp(sample: clock.now(anchor, host), host: host, anchor)
  }

  /// [any thread] Converts a time to the requested fields.
  public static func translate(
    _ time: AudioTimeStamp, _ fields: AudioTimeStampFlags, on device: AudioObjectID
  ) throws(AudioError) -> AudioTimeStamp {
    let (_, anchor) = try timing(device)
    var answer = try complete(time, anchor)
    answer.mFlags = fields.intersection([.sampleTimeValid, .hostTimeValid, .rateScalarValid])
    return answer
  }

  /// [any thread] The start of the first cycle at or after a time.
  public static func nearestStart(_ time: AudioTimeStamp, on device: AudioObjectID)
    throws(AudioError) -> AudioTimeStamp
  {
    let (_, anchor) = try timing(device)
    let requested = try complete(time, anchor).mSampleTime
    let next = max(requested, anchor.sample(at: rt_host_time()))
    let cycles = ((next - anchor.sampleTime) / Double(max(anchor.frameCount, 1))).rounded(.up)
    let sample = anchor.sampleTime + max(cycles, 1) * Double(anchor.frameCount)
    return stamp(sample: sample, host: anchor.host(at: sample), anchor)
  }

  /// [any thread] Starts a function at a time and returns the actual time. A device that does not
  /// run yet accepts only host times.
  public static func start(_ id: UInt, on device: AudioObjectID, at time: AudioTimeStamp)
    throws(AudioError) -> AudioTimeStamp
  {
    if known(device)?.timing != nil {
      let begin = try nearestStart(time, on: device)
      try start(id, on: device, at: begin.mHostTime)
      return begin
    }
    guard time.mFlags.contains(.hostTimeValid) else {
      throw AudioError(status: kAudioHardwareNotRunningError).because(
        "device \(device) is not running: expected a host time to start at")
    }
    try start(id, on: device, at: time.mHostTime)
    return time
  }

  /// Completes a time that has only a sample time or only a host time.
  private static func complete(_ time: AudioTimeStamp, _ anchor: DeviceClock.Anchor)
    throws(AudioError) -> AudioTimeStamp
  {
    if time.mFlags.contains(.sampleTimeValid), time.mSampleTime.isFinite {
      return stamp(sample: time.mSampleTime, host: anchor.host(at: time.mSampleTime), anchor)
    }
    guard time.mFlags.contains(.hostTimeValid) else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "the time has neither a sample time nor a host time")
    }
    return stamp(sample: anchor.sample(at: time.mHostTime), host: time.mHostTime, anchor)
  }

  private static func stamp(sample: Double, host: UInt64, _ anchor: DeviceClock.Anchor)
    -> AudioTimeStamp
  {
    var time = AudioTimeStamp()
    time.mSampleTime = sample
    time.mHostTime = host
    time.mRateScalar = anchor.rateScalar
    time.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
    return time
  }
}
