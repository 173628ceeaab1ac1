// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Compares reported latency and tail, reset, bypass and silence with the sound itself.
enum SoundChecks {
  /// Below this it is silence: -120 dBFS.
  private static let floor: Float = 1e-6

  private static func effect(_ subject: TestedComponent, _ signal: [Float]) throws -> RenderRun {
    let run = try RenderRun(subject, signal: signal)
    guard run.tested.kind.isEffect else { throw Skip("it is no effect") }
    return run
  }

  /// An impulse does not appear before the latency, and appears at it exactly if it passes
  /// unchanged.
  static func latency(_ subject: TestedComponent) throws -> String? {
    let run = try effect(subject, TestSignal.impulse(16_384))
    let frames = Int((run.tested.latency * run.sampleRate).rounded())
    try expect(frames < 1_000_000, "Latency is \(run.tested.latency) seconds")
    let output = try run.output(frames + 16_384)[0]
    let peak = peak([output])
    guard peak > floor else { return "\(frames) frames; an impulse is inaudible by default" }
    let place = output.firstIndex { abs($0) == peak } ?? 0
    func energy(_ samples: ArraySlice<Float>) -> Double {
      samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
    let all = energy(output[...])
    // A linear-phase filter rings before its centre, which is its latency.
    let early = energy(output[..<max(0, frames - 1)])
    try expect(
      early < 0.25 * all,
      "most of the sound comes after \(place) frames, but Latency is \(frames)")
    // Nearly all energy in one sample: the unit only delays the impulse.
    if Double(peak) * Double(peak) > 0.9 * all {
      try expect(
        place == frames, "an impulse comes after \(place) frames, but Latency is \(frames)")
    }
    return "\(frames) frames"
  }

  /// The sound ends when latency and tail have passed after the end of the input.
  static func tail(_ subject: TestedComponent) throws -> String? {
    let length = 9_600
    let run = try effect(subject, TestSignal.noise(length))
    guard let tail = run.tested.tail else { throw Skip("it has no TailTime") }
    guard tail < (subject.isFull ? 120 : 20) else { return "\(tail) s: too long to wait for" }
    let frames = Int(((tail + run.tested.latency) * run.sampleRate).rounded(.up))
    let loud = peak(try run.output(length))
    _ = try run.output(frames)
    let rest = peak(try run.output(4_096))
    // The tail ends at -60 dB; noise needs a tolerance of about 1.5 dB.
    try expect(
      rest <= max(floor, 1.2e-3 * loud),
      "after \(tail) s of tail the output still peaks at \(rest)")
    return String(format: "%.3f s", tail)
  }

  /// A reset clears the signal history and keeps the parameters.
  static func reset(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(4_096)
    let run = try RenderRun(subject, signal: signal)
    let fresh = try run.output(4_096)
    guard try RenderRun(subject, signal: signal).output(4_096) == fresh else {
      throw Skip("two instances differ: it is not deterministic")
    }
    let values = try run.tested.plainValues()
    try run.tested.reset()
    run.feed(signal)
    run.time = 0
    let again = try run.output(4_096)
    if let deviation = Deviation(of: again, from: fresh, above: 1e-6) {
      try run.tested.reset()
      run.feed(signal)
      run.time = 0
      let repeats = try run.output(4_096) == again
      throw Fault(
        "after a reset, \(deviation.text(from: "a new unit")); "
          + (repeats ? "a second reset gives the same" : "a second reset gives yet another output"))
    }
    try expect(try run.tested.plainValues() == values, "a reset changes parameters")
    return nil
  }

  /// When bypassed, the output is the input, delayed by the latency.
  static func bypass(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(48_000)
    let run = try effect(subject, signal)
    let id = kAudioUnitProperty_BypassEffect
    guard run.tested.info(id)?.isWritable == true else { throw Skip("it has no BypassEffect") }
    try expect(run.tested.set(id, UInt32(1)), "setting BypassEffect")
    try expect(
      run.tested.property(id, over: UInt32(0)) == 1, "BypassEffect is not 1 after it was set")
    // The switch may be a crossfade.
    _ = try run.output(9_600)
    let output = try run.output(9_600)
    let frames = Int((run.tested.latency * run.sampleRate).rounded())
    let inputs = Int(run.tested.format(kAudioUnitScope_Input)?.mChannelsPerFrame ?? 1)
    for channel in output.indices {
      // An output without an input of its own gets the last one.
      let gain = Feed.gain(min(channel, inputs - 1))
      for frame in 0..<9_600 {
        let place = 9_600 + frame - frames
        let expected = place >= 0 ? gain * signal[place] : 0
        guard abs(output[channel][frame] - expected) > 1e-6 else { continue }
        throw Fault(
          "bypassed, sample \(frame) of channel \(channel) is \(output[channel][frame]); the "
            + "input, "
            + "\(frames) frames before, was \(expected)")
      }
    }
    try expect(run.tested.set(id, UInt32(0)), "clearing BypassEffect")
    _ = try run.output(4_096)
    return nil
  }

  /// Silence in, silence out.
  static func silence(_ subject: TestedComponent) throws -> String? {
    for claims in [false, true] {
      let run = try effect(subject, [])
      run.feeds[0].state.pointee.claimsSilence = claims
      let loudest = peak(try run.output(24_000))
      try expect(
        loudest <= floor,
        "silence\(claims ? " that is marked as such" : "") becomes sound of \(loudest)")
    }
    return nil
  }

  /// Sound after silence that was marked by its flag is complete.
  static func afterSilence(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(48_000)
    let run = try effect(subject, signal)
    let reference = try effect(subject, signal)
    guard try RenderRun(subject, signal: signal).output(4_096) == reference.output(4_096) else {
      throw Skip("two instances differ: it is not deterministic")
    }
    // The input is zero for both units, but marked for one only.
    reference.feed([Float](repeating: 0, count: 24_000) + signal.prefix(4_096))
    _ = try run.output(4_096)
    run.feed([Float](repeating: 0, count: 24_000) + signal.prefix(4_096))
    run.feeds[0].state.pointee.claimsSilence = true
    _ = try run.output(24_000)
    run.feeds[0].state.pointee.claimsSilence = false
    _ = try reference.output(24_000)
    let (marked, zeros) = (try run.output(4_096), try reference.output(4_096))
    // An LFO may have stopped in the meantime, so levels are compared and not samples.
    for channel in marked.indices {
      for start in stride(from: 0, to: 4_096, by: 1_024) {
        func level(_ samples: [Float]) -> Float {
          samples[start..<start + 1_024].reduce(0) { $0 + $1 * $1 }
        }
        let (one, other) = (level(marked[channel]), level(zeros[channel]))
        try expect(
          one >= other / 4 && one <= other * 4 || max(one, other) < floor,
          "frames \(start) to \(start + 1_024) after marked silence differ in level from those "
            + "after zeros")
      }
    }
    return nil
  }

  /// NaN, infinity and extreme numbers have no lasting effect.
  static func numbers(_ subject: TestedComponent) throws -> String? {
    let strange: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, -.leastNormalMagnitude / 3, 1e30, .signalingNaN,
    ]
    for (index, number) in strange.enumerated() {
      let run = try RenderRun(subject, signal: TestSignal.noise(1_024))
      if run.feeds.isEmpty { throw Skip("it has no input") }
      _ = try run.output(512)
      var signal = TestSignal.noise(512)
      for place in stride(from: 5, to: 512, by: 50) { signal[place] = number }
      run.feed(signal)
      // The output may be just as strange meanwhile; only the call has to succeed.
      try expect(run.render(512), "AudioUnitRender with \(number) in its input")
      try expect(run.render(512), "AudioUnitRender after \(number) in its input")
      if index % 2 == 0 {
        try run.tested.reset()
      } else {
        // Without a reset, the unit recovers within two seconds of sound.
        run.feed(TestSignal.noise(96_000))
        for _ in 0..<188 { _ = run.render(512) }
      }
      run.feed(TestSignal.noise(2_048))
      let output = try run.output(2_048)
      try expect(
        peak(output) < 100, "the output peaks at \(peak(output)) after \(number) in its input")
    }
    return "\(strange.count) numbers"
  }

  /// A decaying tail has no denormal numbers, which slow down everything after it.
  static func denormals(_ subject: TestedComponent) throws -> String? {
    let run = try effect(subject, TestSignal.impulse(64))
    let output = try run.output(subject.choice([96_000], all: [960_000])[0])
    let count = output.reduce(0) { $0 + $1.count { $0.isSubnormal } }
    try expect(count == 0, "\(count) samples of the tail of an impulse are denormal")
    return nil
  }
}
