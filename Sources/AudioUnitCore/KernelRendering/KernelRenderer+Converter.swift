// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// How a converter renders: it says how many frames it needs, and gets them.
extension KernelRenderer {
  /// Gives the kernel as many input frames as it asks for, in pieces of at most a maximum slice.
  @_noLocks
  mutating func fillConverter(
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    readValues()
    var needed = inputFrameCount(neededBy: kernel, for: frames, values)
    var time = stamp.pointee
    // The source's time runs by its own frames, from where it began.
    if inputTime.isNaN { inputTime = time.mSampleTime }
    while needed > 0 {
      let piece = min(needed, maximumFrames)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      time.mSampleTime = inputTime
      let status = plan.pull(
        0, &flags, &time, piece, into: inputs.buffer(0), allocates: inputs[0].pointee.allocates)
      guard status == noErr else { return status }
      giveInput(to: kernel, inputs.slice(0, piece, offset: 0), values)
      inputTime += Double(piece)
      needed -= piece
    }
    renderSlices(frames)
    return noErr
  }
}
