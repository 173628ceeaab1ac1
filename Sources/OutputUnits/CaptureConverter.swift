// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioUnitCore
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Converts planar Float32 that a device captured to the format and rate of a program.
///
/// Each part of a device cycle becomes one block, which can be read any number of times until the
/// next part. If the rates differ, a few frames are kept in reserve, so that a block has exactly
/// as many frames as the playback of the same part.
struct CaptureConverter: ~Copyable {
  /// Reserve frames if the rates differ, because playback may be a frame ahead of its share and
  /// capture a frame behind.
  private static var reserve: Int { @_noLocks get { 4 } }
  /// More frames than this accumulate only if playback stops while capture continues. Then the
  /// oldest are dropped, so that captured frames do not get old and the memory does not fill up.
  private static var maximumHeld: Int { @_noLocks get { 4 * reserve } }

  private let channelCount: Int
  private let changesRate: Bool
  private let memory = OwnedMemory()
  /// Device frames mapped to the program's channels: first those that the converter has not
  /// consumed yet, then the newest.
  private let mapped: PlanarBuffer
  private var waitingFrames = 0
  /// Frames at the program's rate.
  private let block: PlanarBuffer
  private let writer: BufferListWriter
  /// As in `PullConverter`.
  private let map: UnsafeMutablePointer<ChannelMap>
  private let rate: UnsafeMutablePointer<SampleRateConverter>
  /// The frames of `block` that belong to this part, and all frames that it holds.
  private var blockFrames = 0
  private var heldFrames = 0

  /// [control thread] Converts `channelCount` channels at `sampleRate` to `format`, at most
  /// `maximumFrames` of the device at once. `map` contains a device channel for each channel of the
  /// format.
  init(
    from sampleRate: Double, channelCount deviceChannels: Int, to format: StreamFormat,
    map: [Int32]?, maximumFrames: Int, quality: SampleRateConverter.Quality
  ) {
    channelCount = format.channelCount
    changesRate = format.sampleRate != sampleRate
    let capacity =
      Int(saturating: (Double(maximumFrames) * max(1, format.sampleRate / sampleRate)).rounded(.up))
      + Self.maximumHeld
    // A converter consumes the input of whole output frames; less than the share of one output
    // frame remains.
    let share = Int(saturating: (sampleRate / format.sampleRate).rounded(.up)) + 1
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

  /// [render thread] Clears the signal history.
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

  /// [render thread] Converts one part of the device's input and returns how many frames the block
  /// of this part has: `requested` if available, or all except the reserve if that is nil.
  @_noLocks
  mutating func capture(
    _ input: UnsafePointer<UnsafePointer<Float>>, frames: Int, requested: Int?
  ) -> Int {
    // Moves the frames that the previous part did not need to the front.
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

  /// Converts as many of the first `frames` frames of `mapped` as possible, and keeps the rest.
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
