// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// A mono loop in memory, and the render callback that plays it endlessly.
public final class LoopPlayer {
  private let state: UnsafeMutablePointer<State>

  /// The samples and the position, which only the audio thread changes.
  fileprivate struct State {
    let samples: UnsafeMutableBufferPointer<Float>
    var position = 0
  }

  public init(_ loop: [Float]) {
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: loop.count)
    _ = samples.initialize(from: loop)
    state = .allocate(capacity: 1)
    state.initialize(to: State(samples: samples))
  }

  /// No bus may use its callback any more.
  deinit {
    state.pointee.samples.deallocate()
    state.deallocate()
  }

  /// The source of a bus, valid as long as this object exists.
  public var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: renderLoop, inputProcRefCon: state)
  }
}

/// Called on the audio thread: copies the next frames of a loop, and repeats it.
private func renderLoop(
  reference: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let state = reference.assumingMemoryBound(to: LoopPlayer.State.self)
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] = state.pointee.samples[state.pointee.position]
    state.pointee.position += 1
    if state.pointee.position == state.pointee.samples.count { state.pointee.position = 0 }
  }
  return noErr
}
