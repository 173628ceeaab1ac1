// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

// What feeds and readers of an engine do with buffers on render threads.

extension UnsafeMutablePointer<AudioBufferList> {
  /// [render thread] Fills the buffers with zeros, and says so.
  @_noLocks
  func silence(_ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>) {
    for index in 0..<Int(pointee.mNumberBuffers) {
      let buffer = buffers[index]
      guard let data = buffer.mData else { continue }
      data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(buffer.mDataByteSize))
    }
    flags.claimSilence()
  }

  /// [render thread] Makes buffers of Float32 that get their memory from a unit.
  @_noLocks
  func emptyBuffers(_ frames: UInt32) {
    for index in 0..<Int(pointee.mNumberBuffers) {
      buffers[index].mData = nil
      buffers[index].mDataByteSize = 4 &* frames
    }
  }

  /// [render thread] Copies the frames of another list; false, and nothing is copied, if that has too
  /// few, or another number of buffers.
  @_noLocks
  func copyFrames(of source: UnsafeMutablePointer<AudioBufferList>) -> Bool {
    let count = pointee.mNumberBuffers
    guard source.pointee.mNumberBuffers == count else { return false }
    for index in 0..<Int(count) {
      let from = source.buffers[index]
      guard from.mData != nil, from.mDataByteSize >= buffers[index].mDataByteSize else {
        return false
      }
    }
    for index in 0..<Int(count) {
      let to = buffers[index]
      guard let samples = source.buffers[index].mData, let memory = to.mData else { continue }
      memory.copyMemory(from: samples, byteCount: Int(to.mDataByteSize))
    }
    return true
  }
}

extension UnsafeMutablePointer<AudioUnitRenderActionFlags> {
  /// [render thread] Says that the frames are zeros.
  @_noLocks
  func claimSilence() {
    pointee = AudioUnitRenderActionFlags(
      rawValue: pointee.rawValue
        | AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue)
  }
}
