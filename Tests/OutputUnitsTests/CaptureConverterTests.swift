// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioSupport
import AudioUnitCore
import SignalProcessing
import Testing

@testable import OutputUnits

@Suite("Capture converter")
struct CaptureConverterTests {
  /// What is captured counts seconds: the age of a block's last frame, in seconds, after many slices
  /// of which only `requested` frames are taken.
  private func age(requested: Int, rate: Double) -> Double {
    let (device, slice) = (48_000.0, 512)
    var converter = CaptureConverter(
      from: device, channelCount: 1, to: StreamFormat(sampleRate: rate, channelCount: 1), map: nil,
      maximumFrames: slice, quality: .normal)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: slice)
    let list = UnsafeMutablePointer<AudioBufferList>.allocate(capacity: 1)
    defer {
      input.deallocate()
      list.deallocate()
    }
    var time = 0.0
    var last = 0.0
    for _ in 0..<4_000 {
      for frame in 0..<slice { input[frame] = Float(time + Double(frame) / device) }
      time += Double(slice) / device
      let frames = withUnsafePointer(to: UnsafePointer(input)) { channels in
        converter.capture(channels, frames: slice, requested: requested)
      }
      list.initialize(
        to: AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)))
      guard frames > 0, converter.read(frames, into: list) == noErr,
        let data = list.pointee.mBuffers.mData
      else { continue }
      last = Double(data.assumingMemoryBound(to: Float.self)[frames - 1])
    }
    return time - last
  }

  @Test(
    "returns recent frames, however few are read",
    arguments: [44_100.0, 48_000, 8_000, 192_000], [1, 80, 400])
  func promptness(rate: Double, requested: Int) {
    // A slice, of which the first frames are taken, a few in hand, and the delay of the filter.
    #expect(age(requested: requested, rate: rate) < 3 * 512 / 48_000.0)
  }
}
