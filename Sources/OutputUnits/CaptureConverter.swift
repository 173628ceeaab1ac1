// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Converts planar Float32 that a device captured into a program's format and rate.
///
/// Each slice of a device cycle becomes one block, which can be read any number of times until the
/// next slice. Where rates differ a few frames are kept in hand, so that a block has just as many
/// frames as the playback of the same slice.
struct CaptureConverter: ~Copyable {
  /// Reserve frames if rates differ: playback may be a frame ahead of its share, capture behind.
  private static var reserve: Int { @_noLocks get { 4 } }
  /// More frames than this accumulate only when playback stops while capture continues: the oldest
  /// are dropped, so that captured frames do not grow old, nor their memory full.
  private static var maximumHeld: Int { @_noLocks get { 4 * reserve } }

  private let channelCount: Int
  private let changesRate: Bool
  private let memory = OwnedMemory()
  /// Device frames in the program's channels: the newest, after those that the converter has not
  /// requested yet.
  private let mapped: PlanarBuffer
  private var waitingFrames = 0
  /// Frames in the program's rate.
  private let block: PlanarBuffer
  private let writer: BufferListWriter
  /// As in `PullConverter`.
  private let map: UnsafeMutablePointer<ChannelMap>
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  /// Frames of `block` that belong to this slice, and all that it holds.
  private var blockFrames = 0
  private var heldFrames = 0

  /// [control thread] From `channelCount` channels at `sampleRate` to `format`, at most
  /// `maximumFrames` of the device at once. `map` names a device channel for each channel of the
  /// format.
  init(
    from sampleRate: Double, channelCount deviceChannels: Int, to format: StreamFormat,
    map: [Int32]?, maximumFrames: Int, quality: SampleRateConverter.Quality
  ) {
    channelCount = format.channelCount
    changesRate = format.sampleRate != sampleRate
    let capacity =
      Int((Double(maximumFrames) * max(1, format.sampleRate / sampleRate)).rounded(.up))
      + Self.maximumHeld
    // A converter requests the frames of whole outputs; less than one output's share waits.
    let share = Int((sampleRate / format.sampleRate).rounded(.up)) + 1
    mapped = PlanarBuffer(
      channelCount: format.channelCount, capacity: maximumFrames + share, in: memory)
    block = PlanarBuffer(channelCount: format.channelCount, capacity: 2 * capacity, in: memory)
    writer = BufferListWriter(format, maximumFrames: 2 * capacity)
    self.map = memory.cell(
      ChannelMap.make(map, from: deviceChannels, to: format.channelCount))
    rate = memory.cell(
      SampleRateConverter(
        inputRate: sampleRate, outputRate: format.sampleRate, channelCount: format.channelCount,
        quality: quality))
    reset()
  }

  deinit {
    writer.deallocate()
    memory.deallocate()
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  mutating func reset() {
    let rate = rate
    rate.pointee.reset()
    waitingFrames = 0
    blockFrames = 0
    heldFrames = changesRate ? Self.reserve : 0
    for channel in 0..<channelCount {
      Samples.clear(block.channels[channel], count: Self.reserve)
    }
  }

  /// [render thread] Takes one slice of the device's input, and returns how many frames the block
  /// of this slice has: `requested`, if available; all except the reserve if that is nil.
  @_noLocks
  mutating func capture(
    _ input: UnsafePointer<UnsafePointer<Float>>, frames: Int, requested: Int?
  ) -> Int {
    // Frames that the previous slice did not need move to the front.
    var used = blockFrames
    if heldFrames - used > Self.maximumHeld { used = heldFrames - Self.reserve }
    heldFrames -= used
    for channel in 0..<channelCount where used > 0 && heldFrames > 0 {
      Samples.move(block.channels[channel] + used, to: block.channels[channel], count: heldFrames)
    }
    map.pointee.apply(input, to: mapped.from(waitingFrames), frameCount: frames)
    if changesRate {
      convert(waitingFrames + frames)
    } else {
      for channel in 0..<channelCount {
        Samples.copy(
          mapped.channels[channel], to: block.channels[channel] + heldFrames, count: frames)
      }
      heldFrames += frames
    }
    blockFrames = max(
      0, min(requested ?? heldFrames - (changesRate ? Self.reserve : 0), heldFrames))
    return blockFrames
  }

  /// Converts as many of the first frames of `mapped` as possible, and keeps the rest.
  @_noLocks
  private mutating func convert(_ frames: Int) {
    let rate = rate
    let count = min(rate.pointee.outputFramesAvailable(from: frames), block.capacity - heldFrames)
    let used = rate.pointee.process(
      input: mapped.readable, inputFrames: frames, output: block.from(heldFrames),
      outputFrames: count)
    heldFrames += count
    waitingFrames = frames - used
    for channel in 0..<channelCount where used > 0 {
      Samples.move(
        mapped.channels[channel] + used, to: mapped.channels[channel], count: waitingFrames)
    }
  }

  /// [render thread] Writes the first `frames` frames of the block.
  @_noLocks
  borrowing func read(_ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    guard frames <= blockFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    return writer.write(block.readable, frames, to: list)
  }
}
