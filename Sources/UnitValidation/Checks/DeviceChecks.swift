// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Units that play to a device; the worker uses `null`, which needs no sound card.
enum DeviceChecks {
  /// A running unit pulls its input; a stopped one does not.
  static func plays(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    guard tested.kind == .device else { throw Skip("it plays to no device") }
    guard let rate = tested.format(kAudioUnitScope_Input)?.mSampleRate else {
      throw Fault("input bus 0 has no StreamFormat")
    }
    try expect(
      tested.set(kAudioUnitProperty_StreamFormat, floatFormat(rate, 2), kAudioUnitScope_Input),
      "setting 32-bit float")
    let feed = Feed(TestSignal.noise(480_000))
    try expect(
      tested.set(kAudioUnitProperty_SetRenderCallback, feed.callback, kAudioUnitScope_Input),
      "setting the render callback")
    try expect(
      AudioOutputUnitStart(tested.unit), "AudioOutputUnitStart of an uninitialised unit",
      isOneOf: [noErr, kAudioUnitErr_Uninitialized])
    _ = AudioOutputUnitStop(tested.unit)
    try tested.initialize()
    for _ in 0..<2 {
      let before = calls(feed)
      try expect(AudioOutputUnitStart(tested.unit), "AudioOutputUnitStart")
      try expect(AudioOutputUnitStart(tested.unit), "AudioOutputUnitStart of a running unit")
      for _ in 0..<500 where calls(feed) < before + 3 { usleep(10_000) }
      try expect(calls(feed) >= before + 3, "its callback is not called within 5 s")
      let running = tested.property(kAudioOutputUnitProperty_IsRunning, over: UInt32(9))
      try expect(running == 1, "IsRunning is \(running ?? 9) while it plays")
      try expect(AudioOutputUnitStop(tested.unit), "AudioOutputUnitStop")
      let stopped = calls(feed)
      usleep(50_000)
      try expect(calls(feed) == stopped, "its callback is called after AudioOutputUnitStop")
    }
    let most = feed.state.pointee.mostFrames
    try expect(
      most <= Int(tested.maximumFrames ?? 0), "its callback gets a request for \(most) frames")
    try expect(
      !feed.state.pointee.hadBadBuffer, "its callback gets a buffer with too little memory")
    try tested.uninitialize()
    return "slices of \(most) frames"
  }

  private static func calls(_ feed: Feed) -> Int {
    UnsafeRawPointer(feed.state).loadUnaligned(
      fromByteOffset: MemoryLayout<Feed.State>.offset(of: \.callCount) ?? 0, as: Int.self)
  }
}
