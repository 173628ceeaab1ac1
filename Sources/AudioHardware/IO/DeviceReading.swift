// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Synchronization

// Reads recently captured frames, for programs that poll instead of using a callback.
extension DeviceIOs {
  /// [control thread] Fills a list with the frames that a running device captured, beginning at a
  /// time. The list has a buffer for each stream, interleaved Float32, whose sizes set the number
  /// of frames.
  ///
  /// - Throws: An error if the device does not run, or if the frames are not yet or no longer
  ///   available.
  public static func read(
    _ device: AudioObjectID, from time: AudioTimeStamp,
    into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    guard rt_current().pointee.depth == 0 else { throw .cannotDoInCurrentContext }
    let sample = try translate(time, .sampleTimeValid, on: device).mSampleTime.rounded()
    guard let (samples, streams) = known(device)?.captured else {
      throw AudioError(status: kAudioHardwareNotRunningError).because(
        "device \(device) is not capturing")
    }
    let frames = try frames(of: list, streams)
    let range = samples.range
    guard let first = Outside(sample).within(range.lowerBound...range.upperBound),
      frames <= range.upperBound - first
    else { throw unavailable(frames, sample, range) }
    var channel = 0
    for (index, count) in streams.enumerated() {
      for part in 0..<count {
        if let data = list.buffers[index].mData?.assumingMemoryBound(to: Float.self) {
          samples.copy(
            channel + part, from: first, frames: frames, to: data + part, stride: count)
        }
      }
      channel += count
    }
    // The device may have overtaken a reader that was interrupted. The samples are read before this.
    atomicMemoryFence(ordering: .acquiring)
    let rest = samples.range
    guard first >= rest.lowerBound, first + frames <= rest.upperBound else {
      throw unavailable(frames, sample, rest)
    }
  }

  private static func unavailable(_ frames: Int, _ sample: Double, _ range: Range<Int>)
    -> AudioError
  {
    AudioError(status: kAudioHardwareIllegalOperationError).because(
      "\(frames) frames from sample time \(sample): \(range.lowerBound) to "
        + "\(range.upperBound) can be read now")
  }

  /// The number of frames that fit into each buffer of a list.
  private static func frames(
    of list: UnsafeMutablePointer<AudioBufferList>, _ streams: [Int]
  ) throws(AudioError) -> Int {
    func sizeError(_ what: String) -> AudioError {
      AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "the buffer list has \(what); expected a buffer for each of \(streams.count) streams, with "
          + "\(streams.map { "\($0)" }.joined(separator: ", ")) channels and as many frames each")
    }
    guard list.pointee.mNumberBuffers == streams.count else {
      throw sizeError("\(list.pointee.mNumberBuffers) buffers")
    }
    var frames: Int?
    for (index, count) in streams.enumerated() {
      let buffer = list.buffers[index]
      guard buffer.mData != nil else { throw sizeError("a buffer without memory") }
      guard Int(buffer.mNumberChannels) == count, count > 0 else {
        throw sizeError("\(buffer.mNumberChannels) channels in buffer \(index)")
      }
      let own = Int(buffer.mDataByteSize) / (4 * count)
      guard own == frames ?? own else { throw sizeError("buffers of different lengths") }
      frames = own
    }
    return frames ?? 0
  }
}
