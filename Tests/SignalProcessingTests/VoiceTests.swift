// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
import Testing

@testable import SignalProcessing

@Suite("Voice processing")
struct VoiceTests {
  private static let rate = 16_000.0

  /// A call: the played signal, the near talker, and the microphone signal.
  private struct Call {
    var far: Signal
    var near: Signal
    var captured: Signal

    /// The far talker speaks throughout, the near talker from `talk` to `silence`; the echo path
    /// changes at `change`, or, if there is a `nextDelay`, only its delay.
    init(
      seconds: Double, talk: Double = .infinity, silence: Double = .infinity,
      change: Double = .infinity, decay: Double = 0.4, delay: Double = 0.05,
      nextDelay: Double? = nil, noise: Double = 0, distorts: Bool = false,
      rate: Double = VoiceTests.rate
    ) {
      far = .speech(seed: 3, seconds: seconds, sampleRate: rate)
      near = .speech(seed: 8, pitch: 190, seconds: seconds, sampleRate: rate)
      let frames = Int(delay * rate)
      // The distortion is 17 dB below the speech.
      let sound = Signal(
        far.samples.map { distorts ? 0.2 * tanh($0 / 0.2) : $0 }, sampleRate: rate)
      let first = sound.passed(
        through: Signal.room(seed: 1, decay: decay, sampleRate: rate), delay: frames)
      let second =
        change.isFinite
        ? sound.passed(
          through: Signal.room(seed: nextDelay == nil ? 2 : 1, decay: decay, sampleRate: rate),
          delay: Int((nextDelay ?? delay) * rate))
        : first
      var hiss = Xoshiro256(seed: 5)
      captured = far
      for index in 0..<far.count {
        let time = Double(index) / rate
        if time < talk || time >= silence { near.samples[index] = 0 }
        let echo = time < change ? first.samples[index] : second.samples[index]
        captured.samples[index] = echo + near.samples[index]
        if noise > 0 { captured.samples[index] += noise * Double.random(in: -1...1, using: &hiss) }
      }
    }
  }

  /// A call in which one tone is played, steady or rising to `top` Hz in ten seconds, with the
  /// loudspeaker next to the microphone or in a room.
  private func toneCall(
    _ frequency: Double, top: Double? = nil, seconds: Double, delay: Double = 0.05,
    decay: Double? = nil, talk: Double = .infinity
  ) -> Call {
    // Its echo is replaced below: the shortest room suffices.
    var call = Call(seconds: seconds, talk: talk, decay: 0.01)
    var phase = 0.0
    for index in 0..<call.far.count {
      let time = Double(index) / Self.rate
      phase += frequency * pow((top ?? frequency) / frequency, time / 10) / Self.rate
      call.far.samples[index] = 0.1 * sin(2 * .pi * phase)
    }
    let echoPath = decay.map { Signal.room(seed: 1, decay: $0, sampleRate: Self.rate) } ?? [1]
    call.captured = call.far.passed(through: echoPath, delay: Int(delay * Self.rate))
    for index in 0..<call.far.count { call.captured.samples[index] += call.near.samples[index] }
    return call
  }

  /// The output for a call, advanced by the latency.
  private func process(
    _ call: Call, reportedDelay: Double? = 0.05, cycle: Int = 160,
    _ change: (inout VoiceProcessor, Int) -> Void = { processor, _ in processor.followsLevel = false
    }
  ) -> Signal {
    var processor = VoiceProcessor(sampleRate: call.far.sampleRate)
    defer { processor.deallocate() }
    if let reportedDelay { processor.setReportedDelay(reportedDelay) }
    let far = call.far.floats
    var captured = call.captured.floats
    far.withUnsafeBufferPointer { far in
      captured.withUnsafeMutableBufferPointer { captured in
        var frame = 0
        while frame < far.count {
          let count = min(cycle, far.count - frame)
          change(&processor, frame)
          if let samples = captured.baseAddress {
            processor.process(samples + frame, frames: count)
          }
          if let samples = far.baseAddress { processor.play(samples + frame, frames: count) }
          frame += count
        }
      }
    }
    let late = Array(captured.dropFirst(processor.latencyFrames))
    let padding = [Float](repeating: 0, count: processor.latencyFrames)
    return Signal(late + padding, sampleRate: call.far.sampleRate)
  }

  /// Attenuation from the microphone signal to the output, in decibels.
  private func loss(_ call: Call, _ output: Signal, _ start: Double, _ end: Double) -> Double {
    10
      * log10(
        call.captured.between(start, end).energy / max(output.between(start, end).energy, 1e-12))
  }

  /// Root mean square of the differences of two spectrograms in decibels, in frames where the first
  /// is within 20 dB of its maximum.
  private func distance(_ expected: Signal, _ output: Signal) -> Double {
    let length = 512
    var (frames, levels): ([[(Double, Double)]], [Double]) = ([], [])
    var start = 0
    while start + length <= min(expected.count, output.count) {
      let pair = zip(power(expected, start, length), power(output, start, length)).map { ($0, $1) }
      frames.append(pair)
      levels.append(pair.reduce(0) { $0 + $1.0 })
      start += length / 2
    }
    let loudest = levels.max() ?? 0
    let floor = 1e-5 * (frames.flatMap { $0.map(\.0) }.max() ?? 0)
    let distances = zip(frames, levels).compactMap { frame, level -> Double? in
      guard level > 0.01 * loudest else { return nil }
      let squares = frame.map { pow(10 * log10(($0.0 + floor) / ($0.1 + floor)), 2) }
      return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    return distances.reduce(0, +) / Double(max(distances.count, 1))
  }

  private func power(_ signal: Signal, _ start: Int, _ length: Int) -> [Double] {
    let transform = FourierTransform(count: length)
    var (real, imaginary) = (
      (0..<length).map { index in
        signal.samples[start + index] * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length)))
      },
      [Double](repeating: 0, count: length)
    )
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        transform.forward(real, imaginary)
      }
    }
    return (0...length / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }

  @Test(
    "attenuates the echo by 40 dB two seconds after the start, at every rate",
    arguments: [8_000.0, 16_000, 44_100])
  func start(rate: Double) {
    let call = Call(seconds: 6, rate: rate)
    let output = process(call)
    #expect(loss(call, output, 2, 4) > 40)
    #expect(loss(call, output, 4, 6) > 40)
  }

  @Test(
    "attenuates a steady tone by 30 dB after two seconds, in a room and next to the microphone",
    arguments: [100.0, 440, 997], [nil, 0.4])
  func tone(frequency: Double, decay: Double?) {
    let call = toneCall(frequency, seconds: 5, decay: decay)
    var delays: Set<Double> = []
    let output = process(call) { processor, _ in
      processor.followsLevel = false
      delays.insert(processor.modelDelay)
    }
    #expect(loss(call, output, 2, 4.5) > 30)
    // A single tone does not reveal its delay.
    #expect(delays == [0.03])
  }

  @Test(
    "attenuates a sweep through all frequencies by 25 dB at each of them",
    arguments: [(0.05, nil), (0.1337, nil), (0.05, 0.4)] as [(Double, Double?)])
  func sweep(delay: Double, decay: Double?) {
    let call = toneCall(100, top: 7_900, seconds: 10.5, delay: delay, decay: decay)
    let output = process(call, reportedDelay: delay)
    for start in stride(from: 2.0, to: 10, by: 0.5) {
      #expect(loss(call, output, start, start + 0.5) > 25, "at \(start) s")
    }
  }

  @Test("keeps a near talker while a tone is played", arguments: [440.0, 997])
  func toneAndTalker(frequency: Double) {
    let call = toneCall(frequency, seconds: 9, talk: 3)
    let output = process(call)
    let (expected, actual) = (call.near.between(3.5, 8.5), output.between(3.5, 8.5))
    #expect(abs(10 * log10(actual.energy / expected.energy)) < 1.5)
  }

  @Test(
    "attenuates the echo by 25 dB a second after a change of its path or its delay",
    arguments: [(0.2, nil), (0.4, nil), (0.4, 0.02), (0.4, 0.09), (0.4, 0.2)]
      as [(Double, Double?)])
  func change(decay: Double, delay: Double?) {
    let call = Call(seconds: 12, change: 8, decay: decay, nextDelay: delay)
    let output = process(call)
    #expect(loss(call, output, 9, 10) > 25)
    #expect(loss(call, output, 10, 12) > 40)
  }

  @Test("attenuates the echo of a loudspeaker that distorts by 30 dB, and keeps the near talker")
  func distortion() {
    let call = Call(seconds: 20, talk: 12, distorts: true)
    let output = process(call)
    #expect(loss(call, output, 2, 8) > 40)
    #expect(loss(call, output, 8, 12) > 30)
    let (expected, actual) = (call.near.between(12.5, 20), output.between(12.5, 20))
    #expect(abs(10 * log10(actual.energy / expected.energy)) < 1.5)
    #expect(distance(expected, actual) < 3)
  }

  @Test("attenuates the echo by 40 dB in a room of 0.6 s, and after a near talker has spoken")
  func longRoom() {
    let room = Call(seconds: 14, decay: 0.6)
    let output = process(room)
    #expect(loss(room, output, 2, 6) > 40)
    #expect(loss(room, output, 6, 14) > 40)
    let talk = Call(seconds: 30, talk: 8, silence: 14)
    let after = process(talk)
    #expect(loss(talk, after, 4, 8) > 40)
    #expect(loss(talk, after, 14.5, 20) > 40)
    #expect(loss(talk, after, 20, 30) > 40)
  }

  @Test("keeps a near talker while both speak")
  func doubleTalk() {
    let call = Call(seconds: 16, talk: 8)
    let output = process(call)
    let (expected, actual) = (call.near.between(8.5, 16), output.between(8.5, 16))
    #expect(abs(10 * log10(actual.energy / expected.energy)) < 1.5)
    #expect(distance(expected, actual) < 3)
    // The echo alone makes a larger difference.
    #expect(distance(expected, call.captured.between(8.5, 16)) > 4)
  }

  @Test("works with delays of 20 to 400 ms", arguments: [0.02, 0.1, 0.25, 0.4])
  func delays(delay: Double) {
    let call = Call(seconds: 6, delay: delay)
    #expect(loss(call, process(call, reportedDelay: delay), 2, 6) > 40)
  }

  @Test("finds the delay if none or a wrong one is reported", arguments: [nil, 0.02, 0.6])
  func search(reportedDelay: Double?) {
    let call = Call(seconds: 9, delay: 0.3)
    #expect(loss(call, process(call, reportedDelay: reportedDelay), 5, 9) > 40)
  }

  @Test("leaves the talker unchanged while nothing is played")
  func alone() {
    var call = Call(seconds: 6, talk: 0)
    call.far = Signal([Double](repeating: 0, count: call.far.count), sampleRate: Self.rate)
    call.captured = call.near
    let output = process(call)
    var difference = output
    for index in 0..<output.count { difference.samples[index] -= call.near.samples[index] }
    let share = difference.between(1, 5.5).energy / call.near.between(1, 5.5).energy
    #expect(10 * log10(share) < -20)
  }

  @Test("attenuates steady noise by 10 dB, and the talker not at all")
  func noise() {
    var call = Call(seconds: 12, talk: 6, noise: 0.008)
    let (far, hiss) = (call.far, call.captured)
    let echo = far.passed(
      through: Signal.room(seed: 1, decay: 0.4, sampleRate: Self.rate),
      delay: Int(0.05 * Self.rate))
    for index in 0..<hiss.count { call.captured.samples[index] -= echo.samples[index] }
    call.far = Signal([Double](repeating: 0, count: far.count), sampleRate: Self.rate)
    let output = process(call)
    #expect(loss(call, output, 4, 6) > 10)
    let (expected, actual) = (call.near.between(6.5, 12), output.between(6.5, 12))
    #expect(abs(10 * log10(actual.energy / expected.energy)) < 0.5)
  }

  @Test("raises a talker who is far too soft, and never clips")
  func level() {
    var call = Call(seconds: 14, talk: 0)
    call.far = Signal([Double](repeating: 0, count: call.far.count), sampleRate: Self.rate)
    call.captured = Signal(call.near.samples.map { $0 * 0.15 }, sampleRate: Self.rate)
    let output = process(call) { processor, _ in processor.followsLevel = true }
    let gain = -loss(call, output, 10, 13.5)
    #expect(gain > 15)
    #expect(gain < 25)
    call.captured = Signal(call.near.samples.map { $0 * 12 }, sampleRate: Self.rate)
    let loud = process(call) { processor, _ in processor.followsLevel = true }
    #expect(loud.samples.allSatisfy { abs($0) <= 1 })
    #expect(loss(call, loud, 10, 13.5) > 8)
  }

  @Test("passes the captured signal bit for bit when bypassed, with the same latency")
  func bypass() {
    let call = Call(seconds: 2)
    let output = process(call) { processor, _ in processor.isBypassed = true }
    let end = output.count - 2_000
    // The first step fades over.
    #expect(output.floats[1_000..<end] == call.captured.floats[1_000..<end])
  }

  @Test("is silent when muted, and continues to learn")
  func mute() {
    let call = Call(seconds: 8)
    let output = process(call) { processor, frame in
      processor.followsLevel = false
      processor.isMuted = frame < 64_000
    }
    #expect(output.samples[1_000..<63_000].allSatisfy { $0 == 0 })
    #expect(loss(call, output, 4.5, 8) > 40)
  }

  @Test("produces the same for cycles of any size", arguments: [1, 37, 64, 256, 441])
  func cycles(cycle: Int) {
    let call = Call(seconds: 2, talk: 1)
    #expect(process(call, cycle: cycle).samples == process(call, cycle: 160).samples)
  }

  @Test("recovers from unusable samples in either signal")
  func noNumbers() {
    var call = Call(seconds: 6)
    call.captured.samples[8_000] = .nan
    call.captured.samples[8_001] = 1e30
    call.far.samples[8_100] = .infinity
    let output = process(call)
    #expect(output.samples.allSatisfy { $0.isFinite })
    #expect(loss(call, output, 4, 6) > 40)
  }

  @Test("detects the near talker, and not the echo")
  func activity() {
    let call = Call(seconds: 12, talk: 6)
    var echoFrames = 0
    var talkerFrames = 0
    _ = process(call) { processor, frame in
      guard processor.nearActivity > 0.5 else { return }
      if frame > 32_000, frame < 96_000 { echoFrames += 160 }
      if frame > 100_000 { talkerFrames += 160 }
    }
    #expect(echoFrames < 64_000 / 20)
    #expect(talkerFrames > 92_000 / 4)
  }
}

@Suite("Transform of real samples")
struct RealTransformTests {
  @Test("agrees with the transform of complex numbers", arguments: [4, 8, 64, 512, 2_048])
  func forward(count: Int) {
    let memory = OwnedMemory()
    let transform = RealTransform(count: count)
    defer {
      transform.deallocate()
      memory.deallocate()
    }
    var random = Xoshiro256(seed: 9)
    let samples = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    let spectrum = Spectrum(memory, binCount: transform.binCount)
    let input = memory.array(count, of: Float(0))
    for (index, sample) in samples.enumerated() { input[index] = sample }
    transform.forward(input, spectrum)
    let reference = FourierTransform(count: count)
    let real = memory.array(count, of: 0.0)
    let imaginary = memory.array(count, of: 0.0)
    for (index, sample) in samples.enumerated() { real[index] = Double(sample) }
    reference.forward(real, imaginary)
    let limit = 2e-6 * Double(count).squareRoot() * 4
    for bin in 0...count / 2 {
      #expect(abs(Double(spectrum.real[bin]) - real[bin]) < limit)
      #expect(abs(Double(spectrum.imaginary[bin]) - imaginary[bin]) < limit)
    }
    transform.inverse(spectrum, input)
    for (index, sample) in samples.enumerated() { #expect(abs(input[index] - sample) < 2e-6) }
  }
}
