// SPDX-License-Identifier: Apache-2.0
import AudioConversion
package import AudioSupport
package import CAudioToolbox
import SignalProcessing

/// Converts planar Float32 to a program's format and writes it into the caller's memory, or, if
/// there is none, into its own memory, whose pointers it returns.
///
/// It consists of plain pointers, which the creator deallocates.
package struct BufferListWriter {
  private let format: SampleFormat
  private let isPlanarFloat: Bool
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let bytesPerFrame: Int
  private let channelCount: Int
  private let bufferCount: Int
  private let memory: BusBuffer

  /// [control thread] Writes at most `maximumFrames` of `format` at a time.
  package init(_ format: StreamFormat, maximumFrames: Int) {
    self.format = format.sampleFormat
    isPlanarFloat = format.isPlanarFloat
    isInterleaved = format.isInterleaved
    sampleBytes = format.bytesPerSample
    bytesPerFrame = format.bytesPerFrame
    channelCount = format.channelCount
    bufferCount = format.bufferCount
    memory = BusBuffer(format, maximumFrames: maximumFrames)
  }

  /// [control thread] Frees the memory. Nothing may use it afterwards.
  package func deallocate() { memory.deallocate() }

  /// [render thread] Whether `frames` frames can be written to a list: it has the buffers of the format,
  /// with enough memory or none.
  @_noLocks
  func fits(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Bool {
    memory.fits(list, frames)
  }

  /// [render thread] Writes `frames` frames. The list has the buffers of the format.
  @_noLocks
  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ frames: Int,
    to list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let buffers = list.buffers
    // Either all buffers have memory or none has.
    let isOurs = buffers[0].mData == nil
    if isOurs { memory.prepare() }
    for index in 0..<bufferCount {
      if isOurs { buffers[index].mData = memory.data(index) }
      guard let data = buffers[index].mData else { return kAudio_ParamError }
      buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: frames * bytesPerFrame)
      if isPlanarFloat {
        data.copyMemory(from: channels[index], byteCount: frames * bytesPerFrame)
      } else if isInterleaved {
        format.encode(
          channels, channelCount: channelCount, frameCount: frames, interleaved: data)
      } else {
        format.encode(channels[index], count: frames, to: data, stride: sampleBytes)
      }
    }
    return noErr
  }
}
