// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// Decodes packets to linear PCM. One thread at a time.
public protocol PacketDecoder: AnyObject {
  /// The output format: interleaved.
  var format: StreamFormat { get }
  /// Priming frames at the beginning, according to the stream.
  var leadingFrames: Int { get }
  /// Decodes one packet, or a run of packets of the same size.
  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameQueue) throws(AudioError)
  /// Outputs the remaining frames, after the last packet.
  func finish(into frames: FrameQueue) throws(AudioError)
  /// Clears the signal history.
  func reset()
}

/// A queue of linear PCM frames waiting to be read, the oldest first. Grows as needed.
public final class FrameQueue {
  /// Bytes of a frame.
  public let frameSize: Int
  private var memory: UnsafeMutableRawPointer
  private var capacity = 4_096
  private var start = 0
  /// Waiting frames.
  public private(set) var count = 0

  /// [control thread] Creates an empty queue.
  public init(frameSize: Int) {
    self.frameSize = frameSize
    memory = .allocate(byteCount: capacity * frameSize, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// The oldest frame; valid until frames are added.
  public var first: UnsafeMutableRawPointer { memory + start * frameSize }

  /// Memory for this many more frames, which count as written.
  public func add(_ frames: Int) -> UnsafeMutableRawPointer {
    if start + count + frames > capacity {
      let needed = count + frames
      if needed > capacity {
        capacity = needed * 2
        let larger = UnsafeMutableRawPointer.allocate(
          byteCount: capacity * frameSize, alignment: 16)
        larger.copyMemory(from: first, byteCount: count * frameSize)
        memory.deallocate()
        memory = larger
      } else {
        memory.copyMemory(from: first, byteCount: count * frameSize)
      }
      start = 0
    }
    defer { count += frames }
    return memory + (start + count) * frameSize
  }

  /// Drops the oldest frames.
  public func drop(_ frames: Int) {
    let frames = min(frames, count)
    start += frames
    count -= frames
    if count == 0 { start = 0 }
  }

  /// Drops the newest frames.
  public func dropLast(_ frames: Int) { count -= min(frames, count) }
}
