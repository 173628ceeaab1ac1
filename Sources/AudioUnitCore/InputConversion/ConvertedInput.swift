// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import CAudioToolbox
import SignalProcessing

/// An input bus that converts any source to planar Float32 at the required rate: a converter, the
/// source's own time and, where the host can adjust it, the playback rate.
package struct ConvertedInput: ~Copyable {
  private let memory = OwnedMemory()
  private let converter: UnsafeMutablePointer<PullConverter>
  private let converterLatency: Double
  private var clock: SourceClock
  /// Plays the contents of `converted` faster or slower. The converter fills that buffer in pieces
  /// of at most a maximum slice.
  private let player: UnsafeMutablePointer<VariableRateConverter>?
  private var playerClock = SourceClock(ratio: 1)
  private let converted: PlanarBuffer
  private let maximumFrames: Int
  private let playerLatency: Double
  /// Frames since the source became silent, counted at the player's input.
  private var silentFrames = 0

  /// [control thread] Allocates everything that converting needs.
  package init(_ setup: PullConverter.Setup, variesRate: Bool = false) {
    converter = memory.cell(PullConverter(setup))
    converterLatency = converter.pointee.latency
    clock = SourceClock(ratio: setup.source.sampleRate / setup.sampleRate)
    maximumFrames = setup.maximumFrames
    converted = PlanarBuffer(
      channelCount: setup.channelCount, capacity: variesRate ? setup.maximumFrames : 0, in: memory)
    player =
      variesRate
      ? memory.cell(
        VariableRateConverter(
          channelCount: setup.channelCount, maximumFrames: setup.maximumFrames)) : nil
    playerLatency = Double(player?.pointee.latencyFrames ?? 0) / setup.sampleRate
  }

  deinit { memory.deallocate() }

  /// The delay of the conversion in seconds, at a playback rate of 1.
  package var latency: Double { converterLatency + playerLatency }

  /// [render thread] Clears the signal history.
  @_noLocks
  package mutating func reset() {
    let (converter, player) = (converter, player)
    converter.pointee.reset()
    if let player { player.pointee.reset() }
    clock.reset()
    playerClock.reset()
    silentFrames = 0
  }

  /// [render thread] Pulls bus `bus` of `sources` and fills `output` with `frames` frames.
  @_noLocks
  package mutating func render(
    _ sources: SourceTable, _ bus: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
    playback: UnsafePointer<PlaybackRates>? = nil,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    let player = player
    guard let player, let playback else {
      return convert(sources, bus, flags, time, frames: frames, to: output)
    }
    let (lengths, rates, pieceCount) = (
      playback.pointee.lengths, playback.pointee.rates, playback.pointee.count
    )
    let needed = player.pointee.inputFramesNeeded(lengths: lengths, rates: rates, count: pieceCount)
    var stamp = playerClock.stamp(time.pointee)
    playerClock.advance(frames, source: needed)
    var done = 0
    while done < needed {
      let piece = min(needed - done, maximumFrames)
      flags.pointee.outputIsSilence = false
      let status = convert(sources, bus, flags, &stamp, frames: piece, to: converted.channels)
      guard status == noErr else { return status }
      // The player's filter would spread a NaN over the neighbouring samples.
      for channel in 0..<player.pointee.channelCount {
        Samples.discardUnusable(converted.channels[channel], count: piece)
      }
      silentFrames = flags.pointee.outputIsSilence ? silentFrames + piece : 0
      player.pointee.consume(converted.readable, frames: piece)
      stamp.mSampleTime += Double(piece)
      done += piece
    }
    var frame = 0
    for piece in 0..<pieceCount {
      player.pointee.set(rate: rates[piece])
      player.pointee.render(to: output, offset: frame, frames: Int(lengths[piece]))
      frame += Int(lengths[piece])
    }
    // Silent once all samples in the player are silent.
    flags.pointee.outputIsSilence = silentFrames > needed + 2 * player.pointee.latencyFrames
    return noErr
  }

  /// [render thread] Converts a caller's list to the same number of frames, at the recorded
  /// playback rate. Fails unless input and output have the same sample rate.
  @_noLocks
  package mutating func convert(
    _ list: UnsafePointer<AudioBufferList>, frames: Int,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    let converter = converter
    guard !converter.pointee.changesRate else { return kAudioUnitErr_FormatNotSupported }
    guard converter.pointee.consume(list, frames: frames) else { return kAudio_ParamError }
    converter.pointee.convert(frames, to: output, frames: frames)
    return noErr
  }

  @_noLocks
  private mutating func convert(
    _ sources: SourceTable, _ bus: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    let converter = converter
    let needed = converter.pointee.sourceFrames(for: frames)
    var stamp = clock.stamp(time.pointee)
    if needed > 0 {
      let status = converter.pointee.pull(sources, flags, &stamp, frames: needed, bus: bus)
      guard status == noErr else { return status }
    }
    clock.advance(frames, source: needed)
    converter.pointee.convert(needed, to: output, frames: frames)
    return noErr
  }
}

/// The time stamps for a source with another sample rate: they count the source's own frames as
/// long as the caller's time continues without a jump.
struct SourceClock: BitwiseCopyable {
  /// Source frames per frame of the caller, used where the caller's time jumps.
  private let ratio: Double
  /// The time of the next frame for the caller, and for the source.
  private var time = -Double.greatestFiniteMagnitude
  private var sourceTime = 0.0

  init(ratio: Double) { self.ratio = ratio }

  /// [render thread] Treats the next time stamp as a jump.
  @_noLocks
  mutating func reset() { time = -Double.greatestFiniteMagnitude }

  /// [render thread] The source's time stamp for one of the caller.
  @_noLocks
  mutating func stamp(_ caller: AudioTimeStamp) -> AudioTimeStamp {
    var stamp = caller
    let isValid = caller.mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0
    let callerTime = isValid ? caller.mSampleTime : max(time, 0)
    if callerTime != time {
      time = callerTime
      sourceTime = callerTime * ratio
    }
    stamp.mSampleTime = sourceTime
    return stamp
  }

  /// [render thread] Advances the caller's time by `frames` and the source's by `source` frames.
  @_noLocks
  mutating func advance(_ frames: Int, source: Int) {
    time += Double(frames)
    sourceTime += Double(source)
  }
}
