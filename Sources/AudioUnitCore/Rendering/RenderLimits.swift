// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The limits of a render, fixed while the unit is initialised.
struct RenderLimits: ~Copyable {
  private struct Shape {
    var bufferCount: UInt32
    var bytesPerFrame: UInt32
  }

  private var maximumFrames: UInt32 = 0
  /// The first output's rate, for load measurement.
  private(set) var sampleRate = 44_100.0
  private var outputCount: UInt32 = 0
  private var outputs: UnsafeMutablePointer<Shape> = .allocate(capacity: 1)

  deinit { outputs.deallocate() }

  /// [control thread, while nothing renders] Sets the limits for these outputs.
  mutating func set(maximumFrames: Int, outputs formats: [StreamFormat]) {
    outputs.deallocate()
    outputs = .allocate(capacity: max(formats.count, 1))
    for (index, format) in formats.enumerated() {
      outputs[index] = Shape(
        bufferCount: UInt32(format.bufferCount), bytesPerFrame: UInt32(format.bytesPerFrame))
    }
    self.maximumFrames = UInt32(maximumFrames)
    sampleRate = formats.first?.sampleRate ?? sampleRate
    outputCount = UInt32(formats.count)
  }

  /// [render thread] Checks the arguments of a render, in the documented order of the errors.
  @_noLocks
  func check(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard call.frameCount <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    guard call.bus < outputCount else { return kAudioUnitErr_InvalidElement }
    let shape = outputs[Int(call.bus)]
    guard data.pointee.mNumberBuffers == shape.bufferCount else { return kAudio_ParamError }
    let bytes = call.frameCount * shape.bytesPerFrame
    let buffers = data.buffers
    // Either all buffers have memory, or none has.
    let hasMemory = buffers[0].mData != nil
    for index in 0..<Int(shape.bufferCount) {
      guard (buffers[index].mData != nil) == hasMemory,
        !hasMemory || buffers[index].mDataByteSize >= bytes
      else { return kAudio_ParamError }
    }
    return noErr
  }
}
