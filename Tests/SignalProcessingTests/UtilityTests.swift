// SPDX-License-Identifier: Apache-2.0

import CKernels
import SignalProcessing
import Testing

@Suite("Ramp")
struct RampTests {
  @Test("changes linearly, reaches its target exactly and holds it")
  func movement() {
    var ramp = Ramp(0.25)
    ramp.move(to: 0.75, within: 100)
    #expect(abs(ramp.value - 0.25) < 1e-7)
    ramp.advance(by: 50)
    #expect(abs(ramp.value - 0.5) < 1e-7)
    ramp.advance(by: 60)
    #expect(ramp.value == 0.75)
    #expect(ramp.step == 0 && ramp.framesRemaining == 0)
  }

  @Test("jumps when there is no time")
  func jump() {
    var ramp = Ramp(0)
    ramp.move(to: 1, within: 0)
    #expect(ramp.value == 1)
    ramp.move(to: 2, within: 10)
    ramp.set(-1)
    #expect(ramp.value == -1 && ramp.framesRemaining == 0)
  }

  @Test("starts a new ramp from its current value")
  func restart() {
    var ramp = Ramp(0)
    ramp.move(to: 1, within: 10)
    ramp.advance(by: 5)
    ramp.move(to: 0, within: 5)
    #expect(abs(ramp.value - 0.5) < 1e-7)
    ramp.advance(by: 5)
    #expect(ramp.value == 0)
  }
}

@Suite("Runs of samples")
struct SamplesTests {
  @Test("the peak is the largest magnitude, at any position", arguments: [1, 7, 8, 33])
  func peak(count: Int) {
    for index in 0..<count {
      var samples = [Float](repeating: 0.25, count: count)
      samples[index] = -0.75
      #expect(Samples.peak(samples, count: count) == 0.75)
      samples[index] = .nan
      #expect(Samples.peak(samples, count: count) == (count == 1 ? 0 : 0.25))
    }
    #expect(Samples.peak([], count: 0) == 0)
  }

  @Test("only zeros of either sign are silent", arguments: [1, 15, 16, 40])
  func silence(count: Int) {
    var samples = [Float](repeating: 0, count: count)
    samples[count / 2] = -0.0
    #expect(Samples.areSilent(samples, count: count))
    for index in 0..<count {
      var loud = samples
      loud[index] = .leastNonzeroMagnitude
      #expect(!Samples.areSilent(loud, count: count))
    }
  }

  @Test("deinterleaving reverses interleaving", arguments: [1, 2, 5])
  func interleaving(channelCount: Int) {
    let frames = 9
    let interleaved = (0..<channelCount * frames).map(Float.init)
    let planar = UnsafeMutablePointer<Float>.allocate(capacity: interleaved.count)
    defer { planar.deallocate() }
    let channels = (0..<channelCount).map { planar + $0 * frames }
    kernel_deinterleave(channels, channelCount, interleaved, frames)
    #expect(channels.last?[1] == Float(2 * channelCount - 1))
    var again = [Float](repeating: .nan, count: interleaved.count)
    kernel_interleave(&again, channels.map { UnsafePointer($0) }, channelCount, frames)
    #expect(again == interleaved)
  }
}

@Suite("Decibels")
struct DecibelTests {
  @Test("twice the gain is 6.02 dB")
  func doubling() {
    #expect(abs(Decibels.level(2) - 6.0206) < 1e-4)
    #expect(abs(Decibels.gain(-6.0206) - 0.5) < 1e-6)
    #expect(Decibels.gain(-.infinity) == 0)
    #expect(Decibels.level(0) == -.infinity)
  }
}
