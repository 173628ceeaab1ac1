// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import SignalProcessing

/// Encodes linear PCM to packets. One thread at a time.
public protocol PacketEncoder: AnyObject {
  /// The input format: interleaved.
  var format: StreamFormat { get }
  /// Frames per call of `encode`; only the last call may have fewer.
  var framesPerPass: Int { get }
  /// Frames per packet; 0 when packets differ.
  var framesPerPacket: Int { get }
  /// Frames that a decoder outputs before the first input frame.
  var delayFrames: Int { get }
  /// The magic cookie for a decoder, in the form of files.
  var cookie: [UInt8] { get }
  /// Bytes of the largest possible packet.
  var maximumPacketSize: Int { get }
  /// The samples that the encoder could not take as they were.
  var repairs: SampleRepairs { get }
  /// Encodes frames and adds the packets that are ready.
  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  /// Adds the remaining packets, after the last frame.
  func finish(into packets: PacketQueue) throws(AudioError)
}

extension PacketEncoder {
  /// None: samples that are integers have no need.
  public var repairs: SampleRepairs { SampleRepairs() }
}

/// A queue of packets waiting to be read, the oldest first.
public final class PacketQueue {
  /// A packet's size in bytes, and its number of frames.
  public struct Packet: Sendable {
    public let size: Int
    public let frames: Int
  }

  private var bytes: [UInt8] = []
  private var packets: [Packet] = []
  private var nextByte = 0
  private var nextPacket = 0

  /// [control thread] Creates an empty queue.
  public init() {}

  /// Waiting packets.
  public var count: Int { packets.count - nextPacket }

  /// The oldest packet.
  public var first: Packet? { nextPacket < packets.count ? packets[nextPacket] : nil }

  /// Adds a packet.
  public func add(_ data: UnsafeRawBufferPointer, frames: Int) {
    if nextPacket == packets.count { removeAll() }
    bytes.append(contentsOf: data)
    packets.append(Packet(size: data.count, frames: frames))
  }

  /// Copies the oldest packet to memory that is large enough, and removes it.
  public func moveFirst(to memory: UnsafeMutableRawPointer) {
    guard let packet = first else { return }
    bytes.withUnsafeBytes {
      guard let start = $0.baseAddress else { return }
      memory.copyMemory(from: start + nextByte, byteCount: packet.size)
    }
    nextByte += packet.size
    nextPacket += 1
  }

  /// Removes all packets.
  public func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    packets.removeAll(keepingCapacity: true)
    nextByte = 0
    nextPacket = 0
  }
}
