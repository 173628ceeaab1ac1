// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// What render threads use of a tap: it copies what a bus renders, with the time of each render,
/// and makes buffers of it on other threads.
final class TapRecorder: @unchecked Sendable {  // two rings, each with one writer and one reader
  /// One render in the ring.
  private struct Stamp: BitwiseCopyable, Sendable {
    /// The frame in the ring, and the number of frames.
    var start = 0
    var count = 0
    var sampleTime = 0.0
    var hostTime: UInt64 = 0
    var hasHostTime = false

    init() {}

    @_noLocks
    init(start: Int, count: Int, _ time: AudioTimeStamp) {
      (self.start, self.count) = (start, count)
      (sampleTime, hostTime) = (time.mSampleTime, time.mHostTime)
      hasHostTime = time.mFlags.rawValue & AudioTimeStampFlags.hostTimeValid.rawValue != 0
    }
  }

  /// A buffer, and the time of its first frame.
  struct Part {
    let buffer: AVAudioPCMBuffer
    let time: AVAudioTime
  }

  /// The format of the bus.
  let format: AVAudioFormat
  private let bus: UInt32
  private let frameBytes: Int
  private let samples: Ring<UInt8>
  private let stamps: Ring<Stamp>
  private let stamp = UnsafeMutablePointer<UnsafeMutablePointer<Stamp>>.allocate(capacity: 1)
  private let size: AVAudioFrameCount
  // The reader's: the buffer being filled, the time of its first frame, and the next frame's.
  private var buffer: AVAudioPCMBuffer?
  private var start = Stamp()
  private var nextTime = Double.nan

  /// Copies the frames of a bus with a format into buffers of `size` frames. `renderFrames` is the
  /// most that the bus renders at once.
  init(_ bus: Int, _ format: AVAudioFormat, size: AVAudioFrameCount, renderFrames: Int) {
    self.bus = UInt32(clamping: bus)
    self.format = format
    self.size = size
    let fields = format.streamDescription.pointee
    frameBytes = Int(fields.mBytesPerFrame)
    let buffers = format.isInterleaved ? 1 : Int(fields.mChannelsPerFrame)
    let frames = max(2 * Int(clamping: Int64(saturating: format.sampleRate)), 8 * renderFrames)
    samples = Ring(channelCount: buffers, capacity: frames * frameBytes)
    stamps = Ring(channelCount: 1, capacity: 4_096)
    stamp.initialize(to: .allocate(capacity: 1))
    stamp.pointee.initialize(to: Stamp())
  }

  deinit {
    stamp.pointee.deallocate()
    stamp.deallocate()
  }

  // MARK: Rendering

  /// The notification of the unit, whose context is a recorder.
  static let notification: AURenderCallback = { context, flags, time, bus, frames, list in
    Unmanaged<TapRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.notify(flags.pointee.rawValue, time, bus, frames, list)
    }
    return noErr
  }

  /// [render thread] Copies a render of the bus that has succeeded.
  @_noLocks
  private func notify(
    _ flags: UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
  ) {
    let (after, failed) = (
      AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue,
      AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue
    )
    guard flags & after != 0, flags & failed == 0, bus == self.bus, let list else { return }
    record(time, Int(frames), list)
  }

  /// [render thread] Copies one render. If there is no room for it, it is left out as a whole, and
  /// the next buffer begins after it.
  @_noLocks
  func record(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) {
    let bytes = frames * frameBytes
    guard Int(list.pointee.mNumberBuffers) == samples.channelCount, samples.room >= bytes,
      stamps.room > 0
    else { return }
    let position = samples.written
    for index in 0..<samples.channelCount {
      let buffer = list.buffers[index]
      guard let data = buffer.mData, Int(buffer.mDataByteSize) >= bytes else { return }
      copy(data, bytes, to: samples.channels[index], at: position)
    }
    samples.publish(upTo: position &+ bytes)
    stamp.pointee.pointee = Stamp(start: position, count: frames, time.pointee)
    _ = stamps.write(UnsafePointer(stamp), count: 1)
  }

  /// [render thread] Copies bytes into a channel of the ring, at most in two parts.
  @_noLocks
  private func copy(
    _ data: UnsafeMutableRawPointer, _ bytes: Int, to channel: UnsafeMutablePointer<UInt8>,
    at position: Int
  ) {
    let index = samples.index(of: position)
    let first = min(bytes, samples.capacity &- index)
    UnsafeMutableRawPointer(channel + index).copyMemory(from: data, byteCount: first)
    UnsafeMutableRawPointer(channel).copyMemory(from: data + first, byteCount: bytes &- first)
  }

  // MARK: Buffers

  /// [one thread at a time] Takes what has been rendered, and passes on each buffer that is full, or
  /// that ends where frames are missing. With `all` it passes on the rest too.
  func collect(all: Bool, _ body: (Part) -> Void) {
    while stamps.fill > 0 {
      // A copy of elements also copies the padding behind each, which a variable need not have.
      let next = stamps.channels[0][stamps.index(of: stamps.read)]
      stamps.release(upTo: stamps.read &+ 1)
      if next.sampleTime != nextTime { finish(body) }
      take(next, body)
      nextTime = next.sampleTime + Double(next.count)
    }
    if all { finish(body) }
  }

  private func take(_ render: Stamp, _ body: (Part) -> Void) {
    var done = 0
    while done < render.count {
      guard let buffer = buffer ?? AVAudioPCMBuffer(pcmFormat: format, frameCapacity: size) else {
        break
      }
      if self.buffer == nil {
        self.buffer = buffer
        start = render
        start.sampleTime += Double(done)
        start.hostTime += UInt64(saturating: Double(done) / format.sampleRate * 1e9)
      }
      let filled = Int(buffer.frameLength)
      let count = min(render.count - done, Int(size) - filled)
      let list = buffer.mutableAudioBufferList.allBuffers
      for (channel, target) in list.enumerated() {
        guard let data = target.mData else { continue }
        samples.copy(
          channel: channel,
          to: (data + filled * frameBytes).assumingMemoryBound(to: UInt8.self),
          count: count * frameBytes)
      }
      samples.release(upTo: samples.read &+ count * frameBytes)
      buffer.frameLength = AVAudioFrameCount(filled + count)
      done += count
      if buffer.frameLength == size { finish(body) }
    }
    samples.release(upTo: render.start &+ render.count * frameBytes)
  }

  /// Passes on the buffer that is being filled.
  private func finish(_ body: (Part) -> Void) {
    guard let buffer else { return }
    self.buffer = nil
    let position = AVAudioFramePosition(saturating: start.sampleTime)
    let time =
      start.hasHostTime
      ? AVAudioTime(hostTime: start.hostTime, sampleTime: position, atRate: format.sampleRate)
      : AVAudioTime(sampleTime: position, atRate: format.sampleRate)
    body(Part(buffer: buffer, time: time))
  }
}
