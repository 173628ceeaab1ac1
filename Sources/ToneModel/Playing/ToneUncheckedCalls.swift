// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// Calls of the render thread that the compiler cannot check, and why they are safe.

/// [render thread] Schedules parameter changes; the library's event queue is wait-free.
@_semantics("no_performance_analysis") @inline(never)
func schedule(
  _ unit: AudioUnit, _ events: UnsafePointer<AudioUnitParameterEvent>, _ count: Int
) {
  // It fails only with 1,024 pending events, and there are never half as many.
  _ = AudioUnitScheduleParameters(unit, events, UInt32(truncatingIfNeeded: count))
}

/// [render thread] The largest magnitude of the first buffer.
@_noLocks
func peak(of data: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Float {
  guard let samples = data.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self) else {
    return 0
  }
  var peak: Float = 0
  for frame in 0..<min(frames, Int(data.pointee.mBuffers.mDataByteSize) / 4) {
    peak = max(peak, samples[frame].magnitude)
  }
  return peak
}

/// [render thread] Silences frames of every buffer of planar Float32.
@_noLocks
func silence(_ data: UnsafeMutablePointer<AudioBufferList>, from start: Int, to end: Int) {
  let first = UnsafeMutableRawPointer(data).advanced(
    by: MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
  ).assumingMemoryBound(to: AudioBuffer.self)
  for index in 0..<Int(data.pointee.mNumberBuffers) {
    guard let samples = first[index].mData?.assumingMemoryBound(to: Float.self) else { continue }
    for frame in start..<max(min(end, Int(first[index].mDataByteSize) / 4), start) {
      samples[frame] = 0
    }
  }
}

/// [render thread] Pulls bus 0 of a unit; false if it fails.
///
/// The library's render path is real-time safe.
@_semantics("no_performance_analysis") @inline(never)
func renderUnit(
  _ unit: AudioUnit, _ time: UnsafePointer<AudioTimeStamp>, _ count: Int,
  _ list: UnsafeMutablePointer<AudioBufferList>
) -> Bool {
  var flags = AudioUnitRenderActionFlags()
  return AudioUnitRender(unit, &flags, time, 0, UInt32(truncatingIfNeeded: count), list) == noErr
}

/// [render thread] The buffers of a list, of which Swift imports only the first.
@_noLocks
func buffers(of list: UnsafeMutablePointer<AudioBufferList>) -> UnsafeMutablePointer<AudioBuffer> {
  // They follow the count, at the alignment of their pointers.
  (UnsafeMutableRawPointer(list) + MemoryLayout<AudioBuffer>.alignment)
    .assumingMemoryBound(to: AudioBuffer.self)
}
