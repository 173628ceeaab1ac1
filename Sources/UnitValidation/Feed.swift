// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Supplies the input of one bus of the tested unit by a render callback.
final class Feed: @unchecked Sendable {
  /// The state of the render callback.
  struct State {
    /// The signal; after its end there is silence.
    var samples: UnsafeMutablePointer<Float>
    var sampleCount: Int
    var position = 0
    var callCount = 0
    /// The most frames requested by one call.
    var mostFrames = 0
    /// The status that the callback returns.
    var status = noErr
    /// Whether it sets the silence flag.
    var claimsSilence = false
    /// Whether any buffer had no memory, or too little.
    var hadBadBuffer = false
  }

  let state: UnsafeMutablePointer<State>

  init(_ signal: [Float] = []) {
    state = .allocate(capacity: 1)
    state.initialize(to: State(samples: .allocate(capacity: 1), sampleCount: 0))
    play(signal)
  }

  deinit {
    state.pointee.samples.deallocate()
    state.deallocate()
  }

  /// [control thread, while nothing renders] Plays a signal from its beginning.
  func play(_ signal: [Float]) {
    state.pointee.samples.deallocate()
    state.pointee.samples = .allocate(capacity: max(1, signal.count))
    state.pointee.samples.initialize(from: signal, count: signal.count)
    state.pointee.sampleCount = signal.count
    state.pointee.position = 0
  }

  /// The value of SetRenderCallback for this feed.
  var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Feed.function, inputProcRefCon: state)
  }

  /// Fills each channel with the signal, at its own level.
  private static let function: AURenderCallback = { context, flags, _, _, frames, data in
    let state = context.assumingMemoryBound(to: State.self)
    state.pointee.callCount += 1
    state.pointee.mostFrames = max(state.pointee.mostFrames, Int(frames))
    guard state.pointee.status == noErr else { return state.pointee.status }
    guard let data else { return kAudio_ParamError }
    let buffers = UnsafeMutableAudioBufferListPointer(data)
    let position = state.pointee.position
    for channel in 0..<buffers.count {
      let buffer = buffers[channel]
      guard let memory = buffer.mData, Int(buffer.mDataByteSize) >= 4 * Int(frames) else {
        state.pointee.hadBadBuffer = true
        continue
      }
      let samples = memory.assumingMemoryBound(to: Float.self)
      let gain = Feed.gain(channel)
      // Interleaved channels share a buffer.
      let width = max(1, Int(buffer.mNumberChannels))
      guard Int(buffer.mDataByteSize) >= 4 * width * Int(frames) else {
        state.pointee.hadBadBuffer = true
        continue
      }
      for frame in 0..<Int(frames) {
        let place = position + frame
        let value =
          place < state.pointee.sampleCount && !state.pointee.claimsSilence
          ? gain * state.pointee.samples[place] : 0
        for one in 0..<width { samples[frame * width + one] = value }
      }
    }
    if state.pointee.claimsSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    state.pointee.position = position + Int(frames)
    return noErr
  }

  /// The level of a channel; they differ, so that exchanged channels are noticed.
  static func gain(_ channel: Int) -> Float { 1 - 0.0625 * Float(channel & 7) }
}

/// Test signals.
enum TestSignal {
  /// Noise at a quarter of full scale.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    var generator = SeededGenerator(seed)
    return (0..<count).map { _ in Float(generator.next() - 0.5) / 2 }
  }

  /// One sample at half of full scale.
  static func impulse(_ count: Int, at place: Int = 0) -> [Float] {
    var signal = [Float](repeating: 0, count: count)
    signal[place] = 0.5
    return signal
  }
}
