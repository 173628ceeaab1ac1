// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The contract of a render call.
enum RenderChecks {
  /// Any number of frames up to the maximum renders.
  static func sizes(_ subject: TestedComponent) throws -> String? {
    let sizes = subject.choice(
      [1, 2, 3, 7, 16, 63, 64, 65, 128, 441, 512, 1_000, 1_024, 2_047, 4_096, 1],
      all: Array(1...4_096))
    let run = try RenderRun(subject, signal: TestSignal.noise(200_000))
    for size in sizes { try run.mustRender(size) }
    return "1 to 4096 frames"
  }

  /// The slice size does not change the sound.
  static func slices(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(12_000)
    let first = try RenderRun(subject, signal: signal).output(12_000)
    guard try RenderRun(subject, signal: signal).output(12_000) == first else {
      throw Skip("two instances differ: it is not deterministic")
    }
    for slices in [[4_096], [64], [1, 7, 509, 33]] {
      let other = try RenderRun(subject, signal: signal).output(12_000, slices: slices)
      let deviation = difference(first, other)
      // A difference of -80 dB is allowed: coefficients may be computed once per slice.
      try expect(
        deviation <= 1e-4 * max(1, peak(first)),
        "slices of \(slices) and of 512 frames differ by \(deviation)")
    }
    return nil
  }

  /// Too many frames are refused, and the unit continues to render afterwards.
  static func tooMany(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, capacity: 1_024, signal: TestSignal.noise(4_096)) { unit in
      try expect(
        unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(512)), "setting 512 frames")
    }
    try run.mustRender(512)
    let status = run.render(513)
    try expect(
      status, "AudioUnitRender of 513 frames, of 512 at most,",
      isOneOf: [kAudioUnitErr_TooManyFramesToProcess])
    let last = run.tested.property(kAudioUnitProperty_LastRenderError, over: OSStatus(0))
    try expect(
      last == kAudioUnitErr_TooManyFramesToProcess,
      "LastRenderError is \(last ?? 0) after a render of too many frames")
    let next = run.tested.property(kAudioUnitProperty_LastRenderError, over: OSStatus(1))
    try expect(next == noErr, "LastRenderError is not cleared by reading it")
    try run.mustRender(512)
    return nil
  }

  /// The unit provides memory for buffers without any.
  static func ownMemory(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(2_048)
    let one = try RenderRun(subject, signal: signal)
    let other = try RenderRun(subject, signal: signal)
    guard try RenderRun(subject, signal: signal).output(512) == one.output(512) else {
      throw Skip("two instances differ: it is not deterministic")
    }
    try other.mustRender(512)
    for _ in 0..<2 {
      try one.mustRender(512)
      try expect(other.render(512, ownMemory: true), "AudioUnitRender into buffers without memory")
      for channel in 0..<other.channelCount {
        let samples = other.samples(channel)
        try expect(samples.baseAddress != nil, "channel \(channel) has no memory after the render")
        try expect(samples.count == 512, "channel \(channel) has \(samples.count) frames")
        try expect(
          samples.elementsEqual(one.samples(channel)),
          "channel \(channel) differs in the unit's own memory")
      }
    }
    return nil
  }

  /// A bus that does not exist and a buffer list of the wrong size are refused.
  static func arguments(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(2_048))
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    run.prepareBuffers(64)
    try expect(
      AudioUnitRender(run.tested.unit, nil, &stamp, 999, 64, run.buffers), "rendering bus 999",
      isOneOf: [kAudioUnitErr_InvalidElement])
    run.prepareBuffers(16)
    let status = AudioUnitRender(run.tested.unit, nil, &stamp, 0, 64, run.buffers)
    try expect(status != noErr, "64 frames are rendered into buffers for 16")
    try run.mustRender(64, "after a refused render")
    return nil
  }

  /// A missing or failing input makes the render fail; with the input back, it succeeds again.
  static func inputFails(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(20_000))
    guard run.tested.kind.isEffect, let feed = run.feeds.first else {
      throw Skip("it is no effect")
    }
    try run.mustRender(128)
    feed.state.pointee.status = -1_234
    try expect(
      run.render(128), "AudioUnitRender with an input that answers -1234", isOneOf: [-1_234])
    feed.state.pointee.status = noErr
    try run.mustRender(128, "after an input that failed")
    var none = AURenderCallbackStruct()
    none.inputProc = nil
    try expect(
      run.tested.set(kAudioUnitProperty_SetRenderCallback, none, kAudioUnitScope_Input),
      "removing the render callback")
    try expect(
      run.render(128), "AudioUnitRender without input", isOneOf: [kAudioUnitErr_NoConnection])
    try expect(
      run.tested.set(kAudioUnitProperty_SetRenderCallback, feed.callback, kAudioUnitScope_Input),
      "setting the render callback while initialised")
    try run.mustRender(128, "with its input back")
    return nil
  }

  /// Render notifications are called before and after each render.
  static func notifies(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(20_000))
    let counts = UnsafeMutablePointer<(before: Int, after: Int)>.allocate(capacity: 1)
    counts.initialize(to: (0, 0))
    defer { counts.deallocate() }
    let notify: AURenderCallback = { context, flags, _, _, _, _ in
      let counts = context.assumingMemoryBound(to: (before: Int, after: Int).self)
      if flags.pointee.contains(.unitRenderAction_PreRender) { counts.pointee.before += 1 }
      if flags.pointee.contains(.unitRenderAction_PostRender) { counts.pointee.after += 1 }
      return noErr
    }
    try expect(
      AudioUnitAddRenderNotify(run.tested.unit, notify, counts), "AudioUnitAddRenderNotify")
    for _ in 0..<3 { try run.mustRender(64) }
    let counted = counts.pointee
    try expect(
      AudioUnitRemoveRenderNotify(run.tested.unit, notify, counts), "AudioUnitRemoveRenderNotify")
    try run.mustRender(64)
    try expect(
      counted.before == 3 && counted.after == 3,
      "three renders gave \(counted.before) notifications before and \(counted.after) after")
    try expect(counts.pointee == counted, "a notification that was removed is called")
    return nil
  }

  /// The sample time may jump, repeat and go back.
  static func times(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(20_000))
    for time in [0, 512, 512, 1e9, -5_000, 0.5, 1e15] {
      run.time = time
      try run.mustRender(256, "sample time \(time)")
    }
    return nil
  }

  /// All output buses render in their formats.
  static func outputs(_ subject: TestedComponent) throws -> String? {
    let count = try TestedUnit(subject).busCount(kAudioUnitScope_Output)
    guard count > 1 else { throw Skip("it has one output bus") }
    for bus in 0..<count {
      let run = try RenderRun(subject, signal: TestSignal.noise(4_096), bus: bus)
      for frames in [512, 64] {
        try run.mustRender(frames, "\(frames) frames of output bus \(bus)")
      }
    }
    return "\(count) buses"
  }
}
