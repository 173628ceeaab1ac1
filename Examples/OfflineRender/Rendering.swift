// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// A sine whose phase follows from the time alone. Its frequency, in thousandths of a hertz, is the
/// reference itself.
func renderSine(
  reference: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let turnsPerFrame = Double(UInt(bitPattern: reference)) / 1_000 / 48_000
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    let turns = (time.pointee.mSampleTime + Double(frame)) * turnsPerFrame
    samples[frame] = Float(sin(2 * .pi * (turns - turns.rounded(.down))))
  }
  return noErr
}

/// Pulls frames from a unit, 512 at a time, and returns them channel by channel.
func render(_ unit: AudioUnit, frameCount: Int) throws -> [[Float]] {
  let slice = 512
  let left = UnsafeMutablePointer<Float>.allocate(capacity: slice)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: slice)
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer {
    left.deallocate()
    right.deallocate()
    free(list.unsafeMutablePointer)
  }
  var channels: [[Float]] = [[], []]
  var time = AudioTimeStamp()
  time.mFlags = .sampleTimeValid
  while channels[0].count < frameCount {
    let count = min(slice, frameCount - channels[0].count)
    for (index, samples) in [left, right].enumerated() {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 4), mData: samples)
    }
    var flags = AudioUnitRenderActionFlags()
    try check(
      AudioUnitRender(unit, &flags, &time, 0, UInt32(count), list.unsafeMutablePointer),
      "AudioUnitRender")
    channels[0] += UnsafeBufferPointer(start: left, count: count)
    channels[1] += UnsafeBufferPointer(start: right, count: count)
    time.mSampleTime += Double(count)
  }
  return channels
}

/// Writes a WAV file of 32-bit float.
func writeWave(_ channels: [[Float]], sampleRate: UInt32, to path: String) throws {
  let frameBytes = UInt32(channels.count * 4)
  let byteCount = UInt32(channels[0].count) * frameBytes
  var file = Data("RIFF".utf8)
  func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) }
  }
  append(byteCount + 36)
  file.append(contentsOf: "WAVEfmt ".utf8)
  append(UInt32(16))
  append(UInt16(3))
  append(UInt16(channels.count))
  append(sampleRate)
  append(sampleRate * frameBytes)
  append(UInt16(frameBytes))
  append(UInt16(32))
  file.append(contentsOf: "data".utf8)
  append(byteCount)
  for frame in channels[0].indices {
    for channel in channels { append(channel[frame].bitPattern) }
  }
  try file.write(to: URL(fileURLWithPath: path))
}
