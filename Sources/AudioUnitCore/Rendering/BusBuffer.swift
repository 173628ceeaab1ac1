// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// The memory and the buffer list of one bus, allocated when its unit is initialised.
///
/// Plain pointers, so that render code counts no references; whoever made it deallocates it.
public struct BusBuffer: @unchecked Sendable {
  public let format: StreamFormat
  public let maximumFrames: Int
  /// The list that is handed out; its pointers may be the host's or another unit's after a pull.
  public let list: UnsafeMutablePointer<AudioBufferList>
  /// For planar Float32: where each channel lies now.
  public let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  public let channelCount: Int
  private let bufferCount: Int
  private let bytesPerFrame: Int
  private let channelsPerBuffer: UInt32
  private let memory: UnsafeMutableRawPointer
  private let bufferStride: Int
  private let ownsMemory: Bool
  /// The buffers of `list`; they follow its header in memory.
  private let buffers: UnsafeMutablePointer<AudioBuffer>

  /// Memory for `maximumFrames` of `format`: `external`, when it is large enough, else its own.
  public init(
    _ format: StreamFormat, maximumFrames: Int,
    external: UnsafeMutableRawBufferPointer? = nil
  ) {
    self.format = format
    self.maximumFrames = maximumFrames
    channelCount = format.channelCount
    bytesPerFrame = format.bytesPerFrame
    channelsPerBuffer = UInt32(format.channelsPerBuffer)
    let count = format.bufferCount
    bufferCount = count
    let alignment = 64
    let bufferSize = max(maximumFrames, 1) * format.bytesPerFrame
    let paddedSize = (bufferSize + alignment - 1) / alignment * alignment
    if let external, let base = external.baseAddress, external.count >= bufferSize * count {
      memory = base
      ownsMemory = false
      bufferStride = external.count >= paddedSize * count ? paddedSize : bufferSize
    } else {
      bufferStride = paddedSize
      memory = .allocate(byteCount: bufferStride * count, alignment: alignment)
      ownsMemory = true
    }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: bufferStride * count)
    let listSize = MemoryLayout<AudioBufferList>.size + (count - 1) * MemoryLayout<AudioBuffer>.size
    // The list and the channels side by side: those of a stereo bus in one line of the cache.
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: listSize + count * MemoryLayout<UnsafeMutablePointer<Float>>.stride, alignment: 64)
    list = raw.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(count)
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    buffers = (raw + offset).bindMemory(to: AudioBuffer.self, capacity: count)
    channels = (raw + listSize).bindMemory(to: UnsafeMutablePointer<Float>.self, capacity: count)
    for index in 0..<count {
      channels[index] = (memory + index * bufferStride).assumingMemoryBound(to: Float.self)
    }
    prepare(0)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  public func deallocate() {
    if ownsMemory { memory.deallocate() }
    UnsafeMutableRawPointer(list).deallocate()
  }

  /// [render thread] Points the list at this bus's own memory for `frames` frames.
  @_noLocks
  public func prepare(_ frames: Int) {
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount {
      let base = memory + index * bufferStride
      buffers[index] = AudioBuffer(
        mNumberChannels: channelsPerBuffer,
        mDataByteSize: UInt32(frames * bytesPerFrame), mData: base)
      channels[index] = base.assumingMemoryBound(to: Float.self)
    }
  }

  /// [render thread] Leaves it to whoever fills the list to say where the samples lie.
  @_noLocks
  public func prepareEmpty(_ frames: Int) {
    list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount {
      buffers[index] = AudioBuffer(
        mNumberChannels: channelsPerBuffer,
        mDataByteSize: UInt32(frames * bytesPerFrame), mData: nil)
    }
  }

  /// [render thread] Whether a list has as many buffers as this bus.
  @_noLocks
  func isLike(_ other: UnsafePointer<AudioBufferList>) -> Bool {
    other.pointee.mNumberBuffers == UInt32(bufferCount)
  }

  /// [render thread] Takes over where the samples lie after a pull. False when the list came back
  /// with another number of buffers, without memory, or with less than `frames` frames in a buffer.
  @_noLocks
  public func adopt(_ frames: Int) -> Bool {
    guard isLike(list) else { return false }
    for index in 0..<bufferCount {
      guard let data = buffers[index].mData,
        Int(buffers[index].mDataByteSize) >= frames * bytesPerFrame
      else { return false }
      channels[index] = data.assumingMemoryBound(to: Float.self)
    }
    return true
  }

  /// [render thread] Takes over where another bus of the same format has its samples.
  @_noLocks
  func borrow(_ other: BusBuffer, _ frames: Int) {
    for index in 0..<bufferCount {
      buffers[index] = other.buffers[index]
      channels[index] = other.channels[index]
    }
  }

  /// [render thread] Copies a planar Float32 bus with another number of channels: the last goes to all
  /// that are more, and those that are too many are left out.
  @_noLocks
  func widen(_ other: BusBuffer, _ frames: Int) {
    for index in 0..<bufferCount {
      UnsafeMutableRawPointer(channels[index]).copyMemory(
        from: other.channels[min(index, other.channelCount - 1)], byteCount: frames * bytesPerFrame)
    }
  }

  /// [render thread] Takes over the memory of a caller's list; false when it does not fit.
  @_noLocks
  func point(at other: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) -> Bool {
    guard isLike(other) else { return false }
    let theirs = buffersOf(other)
    for index in 0..<bufferCount { buffers[index] = theirs[index] }
    return adopt(frames)
  }

  /// [render thread] Points a planar Float32 list at channels that lie elsewhere.
  @_noLocks
  public func point(
    at other: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int
  ) {
    for index in 0..<bufferCount {
      channels[index] = other[index] + offset
      buffers[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * bytesPerFrame), mData: channels[index])
    }
  }

  /// [render thread] Where buffer `index` lies now.
  @_noLocks
  public func data(_ index: Int) -> UnsafeMutableRawPointer? { buffers[index].mData }

  /// [render thread] Fills `frames` frames with silence where they lie now.
  @_noLocks
  public func clear(_ frames: Int) {
    for index in 0..<bufferCount {
      guard let data = buffers[index].mData else { continue }
      data.initializeMemory(as: UInt8.self, repeating: 0, count: frames * bytesPerFrame)
    }
  }

  /// [render thread] Hands the samples out: copied into the caller's memory, or by pointer where the
  /// caller brought none.
  @_noLocks
  public func deliver(_ frames: Int, to output: UnsafeMutablePointer<AudioBufferList>) {
    let bytes = frames * bytesPerFrame
    let target = buffersOf(output)
    let byPointer = target[0].mData == nil
    for index in 0..<bufferCount {
      if byPointer {
        target[index].mData = buffers[index].mData
      } else if let to = target[index].mData, let from = buffers[index].mData, to != from {
        to.copyMemory(from: from, byteCount: bytes)
      }
      target[index].mDataByteSize = UInt32(bytes)
    }
  }
}

/// [any thread] The buffers of a list, which follow its header in memory.
@_noLocks @inlinable @inline(__always)
public func buffersOf(_ list: UnsafeMutablePointer<AudioBufferList>) -> UnsafeMutablePointer<
  AudioBuffer
> {
  (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
}
