// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox
public import Foundation

/// Memory for packets of a compressed format. Only one thread may change a buffer at a time.
open class AVAudioCompressedBuffer: AVAudioBuffer {
  private let packetLimit: AVAudioPacketCount
  private let packetSize: Int
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private var count: AVAudioPacketCount = 0

  /// An empty buffer. A linear format, a size below zero, or 4 GiB or more in total end the process.
  public init(
    format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int
  ) {
    let storage = Self.storage(format, packetCapacity, maximumPacketSize)
    (packetLimit, packetSize) = (packetCapacity, maximumPacketSize)
    descriptions = Self.descriptions(format, packetCapacity)
    super.init(format, storage)
  }

  /// An empty buffer for packets of one size; a format whose packets differ in size ends the process.
  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    let size = format.streamDescription.pointee.mBytesPerPacket
    guard size > 0 else {
      fatalError(
        "AVAudioCompressedBuffer: the packets of \(format) differ in size; use the initializer "
          + "with maximumPacketSize")
    }
    let storage = Self.storage(format, packetCapacity, Int(size))
    (packetLimit, packetSize) = (packetCapacity, Int(size))
    descriptions = Self.descriptions(format, packetCapacity)
    super.init(format, storage)
  }

  private static func storage(
    _ format: AVAudioFormat, _ packetCapacity: AVAudioPacketCount, _ maximumPacketSize: Int
  ) -> BufferStorage {
    let fields = format.streamDescription.pointee
    guard fields.mFormatID != kAudioFormatLinearPCM else {
      fatalError("AVAudioCompressedBuffer: \(format) is linear; use AVAudioPCMBuffer")
    }
    let (bytes, overflow) = Int(packetCapacity).multipliedReportingOverflow(by: maximumPacketSize)
    guard maximumPacketSize >= 0, !overflow, let capacity = UInt32(exactly: bytes) else {
      fatalError(
        "AVAudioCompressedBuffer: \(packetCapacity) packets of at most \(maximumPacketSize) bytes "
          + "do not have from 0 to 4,294,967,295 bytes")
    }
    let storage = BufferStorage(
      bufferCount: 1, channelsPerBuffer: fields.mChannelsPerFrame, capacity: capacity)
    guard let storage else {
      fatalError("AVAudioCompressedBuffer: no memory for \(capacity) bytes")
    }
    return storage
  }

  /// Room for the positions and sizes of packets; nil if all packets are equally long.
  private static func descriptions(
    _ format: AVAudioFormat, _ packetCapacity: AVAudioPacketCount
  ) -> UnsafeMutablePointer<AudioStreamPacketDescription>? {
    let fields = format.streamDescription.pointee
    guard fields.mBytesPerPacket == 0 || fields.mFramesPerPacket == 0 else { return nil }
    let size = max(1, Int(packetCapacity))
    let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: size)
    descriptions.initialize(repeating: AudioStreamPacketDescription(), count: size)
    return descriptions
  }

  deinit { descriptions?.deallocate() }

  /// The number of packets for which there is memory.
  open var packetCapacity: AVAudioPacketCount { packetLimit }

  /// The greatest size of a packet in bytes.
  open var maximumPacketSize: Int { packetSize }

  /// The number of packets in the buffer; one above the capacity ends the process.
  open var packetCount: AVAudioPacketCount {
    get { count }
    set {
      guard newValue <= packetCapacity else {
        fatalError(
          "AVAudioCompressedBuffer: packetCount is set to \(newValue), more than the "
            + "packetCapacity of \(packetCapacity)")
      }
      count = newValue
    }
  }

  /// The bytes of the packets.
  open var data: UnsafeMutableRawPointer {
    guard let memory = storage.memory(0) else { fatalError("the storage has an address") }
    return memory
  }

  /// The number of bytes for which there is memory.
  open var byteCapacity: UInt32 { storage.capacity }

  /// The number of valid bytes; one above the capacity ends the process.
  open var byteLength: UInt32 {
    get { storage.validBytes }
    set {
      guard newValue <= byteCapacity else {
        fatalError(
          "AVAudioCompressedBuffer: byteLength is set to \(newValue), more than the byteCapacity "
            + "of \(byteCapacity)")
      }
      storage.validBytes = newValue
    }
  }

  /// The position and size of each packet; nil if all packets are equally long.
  open var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { descriptions }

  /// Nil: every packet of the formats that the library decodes stands alone.
  open var packetDependencies: UnsafeMutablePointer<AudioStreamPacketDependencyDescription>? { nil }

  /// A buffer with its own copy of the packets.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = AVAudioCompressedBuffer(
      format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
    copy.storage.copy(from: storage)
    copy.packetCount = packetCount
    if let descriptions {
      copy.descriptions?.update(from: descriptions, count: Int(packetCapacity))
    }
    return copy
  }

  open override var description: String {
    "<AVAudioCompressedBuffer 0x\(address(of: self)): \(packetCount)/\(packetCapacity) packets, "
      + "\(byteLength)/\(byteCapacity) bytes, \(format)>"
  }
}
