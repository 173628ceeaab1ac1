// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox
public import Foundation

/// Memory for samples of a linear format. Only one thread may change a buffer at a time.
open class AVAudioPCMBuffer: AVAudioBuffer {
  private let bytesPerFrame: UInt32
  private let channelStride: Int
  /// The address of the first sample of each channel.
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  // MARK: Initializers

  /// A buffer of silence, of which no frame is valid yet. Nil if the format is not linear or has no
  /// channels, if a channel would have 4 GiB or more, or if there is not enough memory.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    guard let shape = Shape(format),
      case let (bytes, overflow) = frameCapacity.multipliedReportingOverflow(
        by: shape.bytesPerFrame), !overflow,
      let storage = BufferStorage(
        bufferCount: shape.bufferCount, channelsPerBuffer: shape.channelsPerBuffer,
        capacity: bytes)
    else { return nil }
    bytesPerFrame = shape.bytesPerFrame
    channelStride = Int(shape.channelsPerBuffer)
    channels = Self.channels(of: storage, shape)
    super.init(format, storage)
  }

  /// A buffer in the memory of a list, without a copy; all of it is valid. Its capacity is that of the
  /// smallest buffer of the list. `deallocator` is called once, with an equal list, when the memory
  /// is no longer used.
  ///
  /// Nil, without a call of `deallocator`, if the format is not linear or has no channels, if the
  /// list does not have the buffers of the format, or if one of them has no memory.
  public init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    let buffers = UnsafeMutablePointer(mutating: bufferList).allBuffers
    guard let shape = Shape(format), buffers.count == shape.bufferCount,
      buffers.allSatisfy({ $0.mData != nil }),
      let smallest = buffers.map(\.mDataByteSize).min(), smallest >= shape.bytesPerFrame
    else { return nil }
    let original = UnsafeMutablePointer<AudioBufferList>.allocate(bufferCount: buffers.count)
    for index in buffers.indices { original.buffers[index] = buffers[index] }
    let storage = BufferStorage(
      original, capacity: smallest / shape.bytesPerFrame * shape.bytesPerFrame
    ) {
      deallocator?(original)
      original.deallocate()
    }
    bytesPerFrame = shape.bytesPerFrame
    channelStride = Int(shape.channelsPerBuffer)
    channels = Self.channels(of: storage, shape)
    super.init(format, storage)
  }

  /// A buffer with its own copy of the samples of another. The process ends if there is not enough
  /// memory.
  public init(copying source: AVAudioPCMBuffer) {
    guard let shape = Shape(source.format),
      let storage = BufferStorage(
        bufferCount: shape.bufferCount, channelsPerBuffer: shape.channelsPerBuffer,
        capacity: source.storage.capacity)
    else { fatalError("AVAudioPCMBuffer: no memory for a copy of \(source.frameCapacity) frames") }
    storage.copy(from: source.storage)
    bytesPerFrame = shape.bytesPerFrame
    channelStride = Int(shape.channelsPerBuffer)
    channels = Self.channels(of: storage, shape)
    super.init(source.format, storage)
  }

  deinit { channels.deallocate() }

  /// How samples of a format are arranged in buffers; nil if it is not linear or has no channels.
  struct Shape {
    let bufferCount: Int
    let channelsPerBuffer: UInt32
    let bytesPerFrame: UInt32
    let bytesPerSample: Int

    init?(_ format: AVAudioFormat) {
      guard let linear = format.storage.linear, format.channelCount > 0 else { return nil }
      bufferCount = linear.bufferCount
      channelsPerBuffer = UInt32(linear.channelsPerBuffer)
      bytesPerFrame = UInt32(linear.bytesPerFrame)
      bytesPerSample = linear.bytesPerSample
    }
  }

  private static func channels(
    of storage: BufferStorage, _ shape: Shape
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    let addresses = (0..<shape.bufferCount).compactMap { storage.memory($0) }.flatMap { memory in
      (0..<Int(shape.channelsPerBuffer)).map { memory + $0 * shape.bytesPerSample }
    }
    let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: addresses.count)
    channels.initialize(from: addresses, count: addresses.count)
    return channels
  }

  // MARK: Frames

  /// The number of frames for which there is memory.
  open var frameCapacity: AVAudioFrameCount { storage.capacity / bytesPerFrame }

  /// The number of valid frames, at most the capacity; a greater number ends the process. Setting it
  /// sets the byte counts of the buffer lists, and the other way round.
  open var frameLength: AVAudioFrameCount {
    get { storage.validBytes / bytesPerFrame }
    set {
      guard newValue <= frameCapacity else {
        fatalError(
          "AVAudioPCMBuffer: frameLength is set to \(newValue), more than the frameCapacity of "
            + "\(frameCapacity)")
      }
      storage.validBytes = newValue * bytesPerFrame
    }
  }

  // MARK: Samples

  /// Samples from one frame to the next of a channel: 1, or the number of interleaved channels.
  open var stride: Int { channelStride }

  /// The samples of each channel; nil if they are not Float32.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    channels(of: .pcmFormatFloat32)
  }

  /// The samples of each channel; nil if they are not 16-bit integers.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    channels(of: .pcmFormatInt16)
  }

  /// The samples of each channel; nil if they are not 32-bit integers.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    channels(of: .pcmFormatInt32)
  }

  private func channels<Sample>(
    of format: AVAudioCommonFormat
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard self.format.commonFormat == format else { return nil }
    return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }

  /// The list of the samples, as C sees it, for the time of a closure, which must not change them.
  public final func withUnsafeAudioBufferList<Result>(
    _ body: (UnsafePointer<AudioBufferList>) throws -> Result
  ) rethrows -> Result { try withExtendedLifetime(self) { try body(audioBufferList) } }

  // MARK: Copies

  /// A buffer with its own copy of the samples.
  open override func copy(with zone: NSZone? = nil) -> Any { AVAudioPCMBuffer(copying: self) }

  open override var description: String {
    "<AVAudioPCMBuffer 0x\(address(of: self)): \(frameLength)/\(frameCapacity) frames, \(format)>"
  }
}
