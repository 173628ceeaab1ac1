// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioUnitCore
import SignalProcessing

/// The part of a cycle that processes voice: what the device captured becomes one channel without the
/// echo of what is played.
struct VoiceStage: ~Copyable {
  /// From which level on the other end is taken to speak: -50 dBFS.
  private static var audible: Float { @_noLocks get { 1e-5 } }

  private let control: VoiceControl
  private let memory = OwnedMemory()
  private let processor: UnsafeMutablePointer<VoiceProcessor>
  private let mono: PlanarBuffer
  /// Seconds by which what is captured is later.
  let latency: Double

  /// [control thread] For a device's clock, at most `maximumFrames` at a time, and a way of the echo of
  /// at most `reach` seconds.
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

  /// [render thread] Forgets the sound; what was learnt of the room with it.
  @_noLocks
  borrowing func reset() { processor.pointee.reset() }

  /// [render thread] Replaces each channel of what was captured by the talker alone.
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
    control.isTalkerSpeaking = processor.pointee.nearActivity > 0.5
    for channel in 0..<count { channels[channel] = UnsafePointer(samples) }
  }

  /// [render thread] Takes what is played in the same frames, after what was captured in them.
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
    control.isOtherSpeaking = energy > Self.audible * Float(frames)
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
