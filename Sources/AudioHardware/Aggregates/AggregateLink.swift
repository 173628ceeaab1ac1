// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioDevices
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// Carries frames from the thread of one device to that of another, whose clock and rate may
/// differ. A ring holds blocks of frames, and a `ClockBridge` of the reader resamples them to
/// its clock.
// The writer's part and the reader's part belong to one thread each.
final class AggregateLink: @unchecked Sendable {
  let channelCount: Int
  /// The maximum number of frames of one read.
  let maximumFrames: Int
  private let outputRate: Double
  private let memory = OwnedMemory()
  private let ring: Ring<Float>
  /// The blocks in the ring.
  private let blocks: MessageQueue<Block>
  private let bridge: UnsafeMutablePointer<ClockBridge>
  private let block: PlanarBuffer

  /// Frames that were written together, and the host time at which they arrived.
  private struct Block: BitwiseCopyable {
    let count: Int
    let hostTime: UInt64

    @_noLocks
    init(count: Int, hostTime: UInt64) {
      self.count = count
      self.hostTime = hostTime
    }
  }

  /// The most samples of all channels that one link buffers: half a gigabyte.
  private static let mostSamples = 1 << 27
  /// The fewest blocks that can wait to be read.
  private static let fewestBlocks = 256

  /// [control thread] Links the cycles of a device to those of another.
  ///
  /// - Throws: An error if a cycle of one is too long for the rate of the other.
  convenience init(
    channelCount: Int, from input: Device, to output: Device, correctsDrift: Bool
  ) throws(AudioError) {
    let (written, read) = (input.callFrames, output.callFrames)
    let capacity = ClockBridge.capacity(
      inputRate: input.sampleRate, outputRate: output.sampleRate, pushedFrames: written,
      pulledFrames: read)
    guard RenderConversion.converts(input.sampleRate, to: output.sampleRate),
      (Outside(capacity) * channelCount).upTo(Self.mostSamples) != nil
    else {
      throw .failedInitialization.because(
        "\(input.uid) (\(written) frames of \(input.sampleRate.plainText) Hz) and \(output.uid) "
          + "(\(read) frames of \(output.sampleRate.plainText) Hz): their cycles differ too much "
          + "to be combined")
    }
    self.init(
      channelCount: channelCount, inputRate: input.sampleRate, outputRate: output.sampleRate,
      maximumFrames: read, writtenFrames: written, blockFrames: input.cycleFrames,
      correctsDrift: correctsDrift)
  }

  /// [control thread] Links a clock of `inputRate` to one of `outputRate`. At most `maximumFrames`
  /// are read at a time. At most `writtenFrames` are written in one block, usually `blockFrames`
  /// (nil: as many).
  init(
    channelCount: Int, inputRate: Double, outputRate: Double, maximumFrames: Int,
    writtenFrames: Int? = nil, blockFrames: Int? = nil, correctsDrift: Bool
  ) {
    let writtenFrames = writtenFrames ?? maximumFrames
    let capacity = ClockBridge.capacity(
      inputRate: inputRate, outputRate: outputRate, pushedFrames: writtenFrames,
      pulledFrames: maximumFrames)
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    self.outputRate = outputRate
    ring = Ring(channelCount: channelCount, capacity: capacity)
    block = PlanarBuffer(channelCount: channelCount, capacity: writtenFrames, in: memory)
    // Twice as many as fill the ring, because cycles may become shorter.
    blocks = MessageQueue(
      capacity: max(Self.fewestBlocks, 2 * (capacity / max(blockFrames ?? writtenFrames, 1))))
    bridge = memory.cell(
      ClockBridge(
        sampleRate: inputRate, outputRate: outputRate, channelCount: channelCount,
        maximumFrames: maximumFrames, pushedFrames: writtenFrames, quality: .normal,
        correctsDrift: correctsDrift))
  }

  deinit { memory.deallocate() }

  /// [any thread] The latency that it adds, in seconds.
  var latency: Double { bridge.pointee.addedLatency }

  /// [reader's thread] How often it had to restart.
  var gapCount: Int { bridge.pointee.gapCount }

  /// [reader's thread] How much faster the writing clock is than the reading clock, relative.
  var drift: Double { bridge.pointee.drift }

  /// [reader's thread] The host time at which a frame of a cycle is read, if the cycle began at
  /// `start`.
  @_noLocks
  func readingTime(of frame: Int, since start: UInt64) -> UInt64 {
    start &+ Elementary.nanoseconds(Double(frame) / outputRate)
  }

  /// [writer's thread] Stores frames that arrived at a host time. Drops them if the ring is full
  /// because nobody reads.
  @_noLocks
  func write(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, hostTime: UInt64
  ) {
    var frame = 0
    while frame < frames {
      let count = min(frames - frame, block.capacity)
      guard ring.room >= count, blocks.hasRoom(for: 1) else { return }
      frame += ring.write(input, from: frame, count: count)
      _ = blocks.push(Block(count: count, hostTime: hostTime))
    }
  }

  /// [reader's thread] Supplies the frames of a cycle part, at most `maximumFrames`, at a host
  /// time. They are silent until enough frames have arrived.
  @_noLocks
  func read(_ frames: Int, hostTime: UInt64) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    let bridge = bridge
    while let next = blocks.pop() {
      for channel in 0..<channelCount {
        ring.copy(channel: channel, to: block.channels[channel], count: next.count)
      }
      ring.release(upTo: ring.read + next.count)
      bridge.pointee.push(
        UnsafePointer(block.channels), frames: next.count, hostTime: next.hostTime)
    }
    return bridge.pointee.pull(frames, hostTime: hostTime)
  }
}
