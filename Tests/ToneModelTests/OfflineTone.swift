// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import ToneModel

/// A tone that is pulled directly, so that all timing is exact to the frame.
final class OfflineTone {
  let source: ToneSource
  private var samples: [Float] = []
  private let slice: Int

  init(
    _ tone: Tone = Tone(), sampleRate: Double = 48_000, fade: Double = ToneSource.standardFade,
    slice: Int = 512
  ) throws {
    source = try ToneSource(tone, sampleRate: sampleRate, fade: fade)
    self.slice = slice
  }

  /// The samples rendered so far.
  var signal: Signal { Signal(samples, sampleRate: source.sampleRate) }

  /// Renders more frames.
  func render(_ frameCount: Int) {
    var left = frameCount
    while left > 0 {
      let count = min(left, slice)
      samples += frames(count)
      left -= count
    }
  }

  /// Renders more seconds.
  func render(seconds: Double) { render(Int((seconds * source.sampleRate).rounded())) }

  private func frames(_ count: Int) -> [Float] {
    var frames = [Float](repeating: 9, count: count)
    var time = AudioTimeStamp()
    time.mSampleTime = Double(samples.count)
    time.mFlags = .sampleTimeValid
    var flags = AudioUnitRenderActionFlags()
    let status = frames.withUnsafeMutableBufferPointer { buffer in
      var list = AudioBufferList(
        mNumberBuffers: 1, mBuffers: AudioBuffer(buffer, numberOfChannels: 1))
      return AudioUnitRender(source.unit, &flags, &time, 0, UInt32(count), &list)
    }
    return status == noErr ? frames : []
  }
}
