// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Takes planar Float32 as a device captured it and gives it out in a program's format and rate.
///
/// Each slice of a device cycle becomes one block, which can be read any number of times until the
/// next slice. Where rates differ a few frames are kept in hand, so that a block has just as many
/// frames as the playback of the same slice.
struct CaptureConverter: ~Copyable {
  /// Frames in hand where rates differ.
  private static var reserve: Int { @_noLocks get { 4 } }

  private let format: SampleFormat
  private let isPlanarFloat: Bool
  private let isInterleaved: Bool
  private let sampleBytes: Int
  private let channelCount: Int
  private let changesRate: Bool
  private let mapped: PlanarBuffer
  private let block: PlanarBuffer
  private let memory: BusBuffer
  private let map: UnsafeMutablePointer<ChannelMap>
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  /// Frames of `block` that belong to this slice, and all that it holds.
  private var blockFrames = 0
  private var held = 0

  /// [control thread] From `channelCount` channels at `sampleRate` to `format`. `map` names a device
  /// channel for each channel of the format.
  init(
    from sampleRate: Double, channelCount deviceChannels: Int, to format: StreamFormat,
    map: [Int32]?, maximumFrames: Int, quality: SampleRateConverter.Quality
  ) {
    self.format = format.sampleFormat
    isPlanarFloat = format.isPlanarFloat
    isInterleaved = format.isInterleaved
    sampleBytes = format.bytesPerSample
    channelCount = format.channelCount
    changesRate = format.sampleRate != sampleRate
    let capacity =
      Int((Double(maximumFrames) * max(1, format.sampleRate / sampleRate)).rounded(.up))
      + 4 * Self.reserve
    mapped = PlanarBuffer(channelCount: format.channelCount, capacity: maximumFrames)
    block = PlanarBuffer(channelCount: format.channelCount, capacity: 2 * capacity)
    memory = BusBuffer(format, maximumFrames: capacity)
    self.map = .make(map, from: deviceChannels, to: format.channelCount)
    rate = .allocate(capacity: 1)
    rate.initialize(
      to: SampleRateConverter(
        inputRate: sampleRate, outputRate: format.sampleRate, channelCount: format.channelCount,
        quality: quality))
    reset()
  }

  deinit {
    memory.deallocate()
    rate.deinitialize(count: 1).deallocate()
    map.deinitialize(count: 1).deallocate()
  }

  /// Seconds that converting the rate delays.
  var latency: Double { changesRate ? rate.pointee.latency : 0 }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    rate.pointee.reset()
    blockFrames = 0
    held = changesRate ? Self.reserve : 0
    for channel in 0..<channelCount {
      Samples.clear(block.channels[channel], count: Self.reserve)
    }
  }

  /// [render thread] Takes one slice of the device's input, and answers how many frames the block of
  /// this slice has: `wanted` of them, if they are there.
  @_noLocks
  mutating func take(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, wanted: Int?
  ) -> Int {
    // What the slice before did not need moves to the front.
    held -= blockFrames
    for channel in 0..<channelCount where blockFrames > 0 && held > 0 {
      Samples.move(block.channels[channel] + blockFrames, to: block.channels[channel], count: held)
    }
    map.pointee.apply(reading(input), to: mapped.channels, frameCount: frames)
    if changesRate {
      let room = block.capacity - held
      let count = min(rate.pointee.outputFramesAvailable(from: frames), room)
      rate.pointee.process(
        input: mapped.readable, inputFrames: frames, output: block.from(held), outputFrames: count)
      held += count
    } else {
      for channel in 0..<channelCount {
        Samples.copy(mapped.channels[channel], to: block.channels[channel] + held, count: frames)
      }
      held += frames
    }
    blockFrames = min(wanted ?? held - (changesRate ? Self.reserve : 0), held)
    return max(blockFrames, 0)
  }

  /// [render thread] Gives out the first `frames` frames of the block.
  @_noLocks
  borrowing func read(_ frames: Int, into data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard frames <= blockFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    memory.prepare(frames)
    if isPlanarFloat {
      for channel in 0..<channelCount {
        Samples.copy(block.channels[channel], to: memory.channels[channel], count: frames)
      }
    } else if isInterleaved {
      guard let target = memory.data(0) else { return kAudio_ParamError }
      format.encode(
        block.readable, channelCount: channelCount, frameCount: frames, interleaved: target)
    } else {
      for channel in 0..<channelCount {
        guard let target = memory.data(channel) else { return kAudio_ParamError }
        format.encode(
          block.channels[channel], count: frames, to: target, stride: sampleBytes)
      }
    }
    memory.deliver(frames, to: data)
    return noErr
  }
}
