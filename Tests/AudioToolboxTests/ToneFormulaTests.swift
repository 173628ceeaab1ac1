// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Testing

/// The sine of the classic examples: its phase continues across callbacks and wraps at a full turn.
private final class ToneState {
  var theta = 0.0
  var frequency: Double
  let amplitude: Double
  let sampleRate: Double
  var largestTheta = 0.0

  init(frequency: Double, amplitude: Double = 0.25, sampleRate: Double) {
    (self.frequency, self.amplitude, self.sampleRate) = (frequency, amplitude, sampleRate)
  }

  static let render: AURenderCallback = { context, _, _, _, frames, data in
    let state = Unmanaged<ToneState>.fromOpaque(context).takeUnretainedValue()
    let increment = 2 * Double.pi * state.frequency / state.sampleRate
    guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    for frame in 0..<Int(frames) {
      let sample = Float(sin(state.theta) * state.amplitude)
      for buffer in buffers {
        buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = sample
      }
      state.theta += increment
      if state.theta > 2 * .pi { state.theta -= 2 * .pi }
      state.largestTheta = max(state.largestTheta, state.theta)
    }
    return noErr
  }
}

@Suite("A tone computed in a callback")
struct ToneFormulaTests {
  private let sampleRate = 44_100.0

  private func output(_ state: ToneState, channels: UInt32 = 1) throws -> Instance {
    let output = try Instance(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(
        output.set(
          kAudioUnitProperty_StreamFormat, stereoFormat(sampleRate, channels: channels), scope)
          == noErr)
    }
    #expect(output.feed(ToneState.render, state) == noErr)
    #expect(AudioUnitInitialize(output.unit) == noErr)
    return output
  }

  private func signal(_ output: Instance, _ frames: Int, slice: Int = 512) throws -> Signal {
    var samples: [Float] = []
    while samples.count < frames {
      samples += try output.render(
        min(slice, frames - samples.count), at: Double(samples.count), channels: 1)[0]
    }
    return Signal(samples, sampleRate: sampleRate)
  }

  @Test("matches the formula sample for sample, for a minute")
  func exact() throws {
    let state = ToneState(frequency: 440, sampleRate: sampleRate)
    let tone = try signal(output(state), 60 * 44_100)
    let expected = Signal.sine(440, amplitude: 0.25, sampleRate: sampleRate, count: tone.count)
    #expect(tone.largestDifference(from: expected) < 1e-6)
  }

  @Test("has its peak at 0.25 and its level at -15.05 dB")
  func level() throws {
    let tone = try signal(output(ToneState(frequency: 441, sampleRate: sampleRate)), 44_100)
    #expect(abs(tone.peak - 0.25) <= Double(Float(0.25).ulp))
    #expect(abs(decibels(tone.rms) + 15.05) < 0.01)
  }

  @Test("continues across slices of any size without a step", arguments: [1, 7, 512, 1156])
  func continuous(slice: Int) throws {
    let frames = slice == 1 ? 4_410 : 44_100
    let tone = try signal(
      output(ToneState(frequency: 440, sampleRate: sampleRate)), frames, slice: slice)
    #expect(tone.largestBend(frequency: 440, amplitude: 0.25) < 1.001)
  }

  @Test("keeps its phase within a full turn")
  func wrapped() throws {
    let state = ToneState(frequency: 19_999, sampleRate: sampleRate)
    _ = try signal(output(state), 441_000)
    #expect((0...2 * Double.pi).contains(state.largestTheta))
  }

  @Test("changes its frequency at the next slice")
  func frequencyChange() throws {
    let state = ToneState(frequency: 440, sampleRate: sampleRate)
    let output = try output(state)
    let before = try signal(output, 44_100)
    state.frequency = 880
    var samples: [Float] = []
    while samples.count < 44_100 {
      samples += try output.render(441, at: Double(44_100 + samples.count), channels: 1)[0]
    }
    let after = Signal(samples, sampleRate: sampleRate)
    #expect(abs(before.tone(near: 440).frequency - 440) < 1e-4)
    #expect(abs(after.tone(near: 880).frequency - 880) < 1e-4)
    // The slope is discontinuous at the change, but no step is larger than the faster sine's.
    let whole = before.samples + after.samples
    let largestStep = zip(whole, whole.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    #expect(largestStep < 0.25 * 2 * .pi * 880 / sampleRate)
  }

  @Test("returns and stores the error of a failing callback")
  func failure() throws {
    let output = try output(ToneState(frequency: 440, sampleRate: sampleRate))
    let failing: AURenderCallback = { _, _, _, _, _, _ in -1 }
    #expect(output.feed(failing, ToneState(frequency: 1, sampleRate: 1)) == noErr)
    #expect(throws: RenderFailure(status: -1)) { try output.render(64, at: 0, channels: 1) }
    var status: OSStatus = 0
    #expect(output.get(kAudioUnitProperty_LastRenderError, into: &status) == noErr)
    #expect(status == -1)
  }

  @Test("puts left and right in the order of the format", arguments: [true, false])
  func channelOrder(isInterleaved: Bool) throws {
    let output = try Instance(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    var format = stereoFormat(sampleRate)
    if isInterleaved {
      format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked
      (format.mBytesPerFrame, format.mBytesPerPacket) = (8, 8)
    }
    let left: AURenderCallback = { _, _, _, _, frames, data in
      guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return -50 }
      let isInterleaved = buffers.count == 1
      guard buffers[0].mNumberChannels == (isInterleaved ? 2 : 1) else { return -51 }
      for frame in 0..<Int(frames) {
        let first = buffers[0].mData?.assumingMemoryBound(to: Float.self)
        let second = buffers[buffers.count - 1].mData?.assumingMemoryBound(to: Float.self)
        first?[isInterleaved ? 2 * frame : frame] = 0.25
        second?[isInterleaved ? 2 * frame + 1 : frame] = -0.5
      }
      return noErr
    }
    #expect(output.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input) == noErr)
    #expect(output.feed(left, ToneState(frequency: 1, sampleRate: 1)) == noErr)
    #expect(AudioUnitInitialize(output.unit) == noErr)
    #expect(try output.render(3, at: 0) == [[0.25, 0.25, 0.25], [-0.5, -0.5, -0.5]])
  }
}
