// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// The state of a render callback.
struct Sine {
  let turnsPerFrame: Double
}

/// Called for the next frames of a sine, whose phase depends only on the time.
func renderSine(
  sine: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let turnsPerFrame = sine.assumingMemoryBound(to: Sine.self).pointee.turnsPerFrame
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    let turns = (time.pointee.mSampleTime + Double(frame)) * turnsPerFrame
    samples[frame] = Float(sin(2 * .pi * (turns - turns.rounded(.down))))
  }
  return noErr
}

/// Pulls frames from a unit with two channels, at most 512 at a time, and passes them to `body`.
func render(
  _ unit: AudioUnit, frameCount: Int,
  _ body: (_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) throws -> Void
) throws {
  let slice = 512
  let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * slice)
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer {
    samples.deallocate()
    free(list.unsafeMutablePointer)
  }
  var time = AudioTimeStamp()
  time.mFlags = .sampleTimeValid
  for start in stride(from: 0, to: frameCount, by: slice) {
    let count = min(slice, frameCount - start)
    for channel in 0..<2 {
      let place = samples[channel * slice..<channel * slice + count]
      list[channel] = AudioBuffer(
        UnsafeMutableBufferPointer(rebasing: place), numberOfChannels: 1)
    }
    var flags = AudioUnitRenderActionFlags()
    time.mSampleTime = Double(start)
    try check(AudioUnitRender(unit, &flags, &time, 0, UInt32(count), list.unsafeMutablePointer))
    try body(UnsafeBufferPointer(list[0]), UnsafeBufferPointer(list[1]))
  }
}
