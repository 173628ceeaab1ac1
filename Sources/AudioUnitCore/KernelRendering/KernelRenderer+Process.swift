// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Processing without pulling: `AudioUnitProcess` and `AudioUnitProcessMultiple`.
extension KernelRenderer {
  /// [render thread] Processes the caller's lists; null entries are skipped.
  @_noLocks
  mutating func process(
    _ call: RenderCall, _ from: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    _ to: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    let frames = Int(call.frameCount)
    // The buffers no longer contain the frames of a pull.
    (sampleTime, repeatableFrames) = (.nan, 0)
    guard from.count <= inputs.count, to.count <= outputs.count, to.count > 0 else {
      return kAudioUnitErr_InvalidElement
    }
    guard frames <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    for bus in 0..<inputs.count {
      if bus < from.count, let list = from[bus] {
        inputs[bus].beginFilling()
        inputs.buffer(bus).prepare()
        if let conversion = inputs[bus].pointee.conversion {
          let status = convertList(list, by: conversion, frames, to: inputs.buffer(bus).channels)
          guard status == noErr else { return status }
          continue
        }
        guard inputs.buffer(bus).point(at: UnsafeMutablePointer(mutating: list), frames) else {
          return kAudio_ParamError
        }
      } else {
        inputs.idle(bus)
      }
    }
    outputs.prepare()
    for bus in 0..<outputs.count {
      if bus < to.count, let list = to[bus] {
        if let writer = writer(bus) {
          guard writer.fits(list, frames) else { return kAudio_ParamError }
          continue
        }
        guard outputs.buffer(bus).isLike(list) else { return kAudio_ParamError }
        // A list without memory is pointed at ours.
        guard outputs.buffer(bus).isEmpty(list) || outputs.buffer(bus).point(at: list, frames)
        else { return kAudio_ParamError }
      }
    }
    if case .effect = shape {
      outputs.buffer(0).copy(inputs.buffer(0), frames)
      renderEffect(frames, &call.flags.pointee)
    } else {
      renderSlices(frames)
      silenceMixUnlessFinite(frames)
    }
    for bus in 0..<to.count {
      guard let list = to[bus] else { continue }
      let status = deliver(bus, frames, to: list)
      guard status == noErr else { return status }
    }
    return noErr
  }
}
