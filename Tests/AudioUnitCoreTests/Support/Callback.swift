// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// A closure as a C render callback or render notify. A host retains it as long as its unit.
final class Callback: @unchecked Sendable {
  /// The arguments of one call.
  struct Call {
    var flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
    var time: AudioTimeStamp
    var bus: UInt32
    var frameCount: Int
    var data: UnsafeMutableAudioBufferListPointer

    /// Writes `value` of every frame, counted from the first frame of the render, to all channels.
    func fill(_ value: (Int) -> Float) {
      for buffer in data {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for index in 0..<min(frameCount, samples.count) { samples[index] = value(index) }
      }
    }
  }

  private let body: @Sendable (Call) -> OSStatus

  init(_ body: @escaping @Sendable (Call) -> OSStatus) { self.body = body }

  /// Plays `value` of every frame, counted by sample time.
  static func signal(_ value: @escaping @Sendable (Int) -> Float) -> Callback {
    Callback { call in
      let start = Int(call.time.mSampleTime)
      call.fill { value(start + $0) }
      return noErr
    }
  }

  static func constant(_ value: Float) -> Callback { signal { _ in value } }

  static let function: AURenderCallback = { context, flags, time, bus, frames, data in
    let callback = Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
    guard let data = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    return callback.body(
      Call(flags: flags, time: time.pointee, bus: bus, frameCount: Int(frames), data: data))
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The callback for an input.
  var input: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Self.function, inputProcRefCon: context)
  }

  /// Adds it to a unit as a render notify.
  func notify(_ host: Host) -> OSStatus {
    host.retain(self)
    return AudioUnitAddRenderNotify(host.unit, Self.function, context)
  }
}
