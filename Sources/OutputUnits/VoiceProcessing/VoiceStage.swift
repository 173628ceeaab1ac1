// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioUnitCore
import SignalProcessing

/// The voice processing in a cycle: mixes captured sound to one channel and removes the echo of the
/// playback.
struct VoiceStage: ~Copyable {
  /// The level above which the far talker counts as speaking: -50 dBFS.
  private static var audible: Float { @_noLocks get { 1e-5 } }

  private let control: VoiceControl
  private let memory = OwnedMemory()
  private let processor: UnsafeMutablePointer<VoiceProcessor>
  private let mono: PlanarBuffer
  /// The latency of captured sound in seconds.
  let latency: Double

  /// [control thread] Prepares for a device's rate, at most `maximumFrames` at a time, and an echo
  /// path of at most `reach` seconds.
  init(sampleRate: Double, maximumFrames: Int, reach: Double, control: VoiceControl) {
    self.control = control
    processor = memory.cell(VoiceProcessor(sampleRate: sampleRate, reach: reach))
    mono = PlanarBuffer(channelCount: 1, capacity: maximumFrames, in: memory)
    latency = Double(processor.pointee.latencyFrames) / sampleRate
  }

  deinit {
    processor.pointee.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears the signal history and the estimate of the echo path.
  @_noLocks
  borrowing func reset() { processor.pointee.reset() }

  /// [render thread] Replaces each captured channel by the near talker alone.
  @_noLocks
  borrowing func process(
    _ channels: UnsafeMutablePointer<UnsafePointer<Float>>, count: Int, frames: Int
  ) {
    let samples = mono.channels[0]
    mix(UnsafePointer(channels), count: count, frames: frames)
    processor.pointee.isBypassed = control.isBypassed
    processor.pointee.isMuted = control.isMuted
    processor.pointee.followsLevel = control.followsLevel
    processor.pointee.setReportedDelay(control.delay)
    processor.pointee.process(samples, frames: frames)
    control.isNearTalkerSpeaking = processor.pointee.nearActivity > 0.5
    for channel in 0..<count { channels[channel] = UnsafePointer(samples) }
  }

  /// [render thread] Stores the frames played at the same time, called after the captured frames.
  @_noLocks
  borrowing func play(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, frames: Int
  ) {
    let samples = mono.channels[0]
    Samples.clear(samples, count: frames)
    for channel in 0..<count {
      for index in 0..<frames { samples[index] += channels[channel][index] }
    }
    let energy = Samples.energyAndPeak(samples, count: frames).energy
    control.isFarTalkerSpeaking = energy > Self.audible * Float(frames)
    processor.pointee.play(samples, frames: frames)
  }

  @_noLocks
  private borrowing func mix(
    _ channels: UnsafePointer<UnsafePointer<Float>>, count: Int, frames: Int
  ) {
    let samples = mono.channels[0]
    Samples.copy(channels[0], to: samples, count: frames)
    guard count > 1 else { return }
    for channel in 1..<count {
      for index in 0..<frames { samples[index] += channels[channel][index] }
    }
    let scale = 1 / Float(count)
    for index in 0..<frames { samples[index] *= scale }
  }
}
