// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
@_spi(TrappingConversions) import CheckedNumbers

/// Encodes a lossless format, whose packets do not depend on each other, on several threads, each of
/// which has an encoder. The packets are those of a single encoder, byte by byte.
final class ParallelPacketEncoder: PacketEncoder {
  /// An encoder with its thread, which gets every n-th pass.
  private final class Lane: @unchecked Sendable {  // only jobs of its worker use the encoder
    let encoder: LibAVPacketEncoder
    let worker = SerialWorker(name: "encoder")

    init(_ encoder: LibAVPacketEncoder) { self.encoder = encoder }
  }

  /// The frames of a pass, and their packets once `isDone` was raised.
  private final class Job: @unchecked Sendable {  // handed over by `isDone`
    let frames: [Int32]
    let frameCount: Int
    let packets = PacketQueue()
    var failure: AudioError?
    let isDone = WakeUp()

    init(_ frames: UnsafeRawPointer, _ frameCount: Int, channels: Int) {
      self.frames = Array(
        UnsafeBufferPointer(
          start: frames.assumingMemoryBound(to: Int32.self), count: frameCount * channels))
      self.frameCount = frameCount
    }
  }

  /// Passes that may wait for each thread.
  private static let depth = 4

  let format: StreamFormat
  let framesPerPass: Int
  let framesPerPacket: Int
  let delayFrames: Int
  let maximumPacketSize: Int
  private(set) var cookie: [UInt8]
  private let lanes: [Lane]
  /// The passes whose packets have not been added yet, the oldest first.
  private var jobs: [Job] = []
  private var passCount = 0
  /// What the header of FLAC states of the whole stream; nil for other formats.
  private var information: FLACStreamInformation?
  private let convertCookie: ([UInt8]) -> [UInt8]

  /// [control thread] Opens an encoder for each thread. `cookie` converts libavcodec's form of the
  /// cookie to the form in files.
  init(
    _ stream: LibAVCodec.Stream, threads: Int, isFLAC: Bool, cookie: @escaping ([UInt8]) -> [UInt8]
  ) throws(AudioError) {
    var lanes: [Lane] = []
    for _ in 0..<max(1, threads) {
      lanes.append(Lane(try LibAVPacketEncoder(stream, cookie: cookie)))
    }
    self.lanes = lanes
    let first = lanes[0].encoder
    format = first.format
    framesPerPass = first.framesPerPass
    framesPerPacket = first.framesPerPacket
    delayFrames = first.delayFrames
    maximumPacketSize = first.maximumPacketSize
    self.cookie = first.cookie
    convertCookie = cookie
    if isFLAC { information = FLACStreamInformation(first.setup, bits: stream.bits) }
  }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    if jobs.count >= Self.depth * lanes.count { try addOldest(to: packets) }
    let job = Job(frames, count, channels: format.channelCount)
    let (lane, number) = (lanes[passCount % lanes.count], information == nil ? nil : passCount)
    passCount += 1
    jobs.append(job)
    lane.worker.perform {
      Self.encode(job, with: lane.encoder, number: number)
      job.isDone.raise()
    }
    // The threads work meanwhile.
    job.frames.withUnsafeBufferPointer { information?.add($0) }
    information?.frameCount += count
  }

  func finish(into packets: PacketQueue) throws(AudioError) {
    while !jobs.isEmpty { try addOldest(to: packets) }
    if let information { cookie = convertCookie(information.finished()) }
  }

  private func addOldest(to packets: PacketQueue) throws(AudioError) {
    let job = jobs.removeFirst()
    job.isDone.wait()
    if let failure = job.failure { throw failure }
    while let packet = job.packets.first {
      withUnsafeTemporaryAllocation(byteCount: packet.size, alignment: 1) { bytes in
        guard let start = bytes.baseAddress else { return }
        job.packets.moveFirst(to: start)
        packets.add(UnsafeRawBufferPointer(bytes), frames: packet.frames)
      }
      information?.add(packetOf: packet.size)
    }
  }

  /// [an encoder's thread] Encodes a pass; `number` is that of a frame of FLAC.
  private static func encode(_ job: Job, with encoder: LibAVPacketEncoder, number: Int?) {
    let made = number == nil ? job.packets : PacketQueue()
    job.frames.withUnsafeBytes { frames in
      guard let start = frames.baseAddress else { return }
      do throws(AudioError) { try encoder.encode(start, count: job.frameCount, into: made) } catch {
        job.failure = error
      }
    }
    guard let number else { return }
    while let packet = made.first {
      var bytes = [UInt8](repeating: 0, count: packet.size)
      bytes.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { made.moveFirst(to: start) }
      }
      FLACFrameNumber.set(number, in: &bytes)
      bytes.withUnsafeBytes { job.packets.add($0, frames: packet.frames) }
    }
  }
}

/// What the header of FLAC states of a whole stream (RFC 9639, section 8.2).
private struct FLACStreamInformation {
  /// The frames so far.
  var frameCount = 0
  private let start: [UInt8]
  private let bits: Int
  private let digest: Digest
  private var sizes: ClosedRange<Int>?

  /// The owner of a checksum.
  private final class Digest {
    let digest: OpaquePointer

    init(_ digest: OpaquePointer) { self.digest = digest }
    deinit { libav_digest_free(digest) }
  }

  /// `start`: the block at the beginning of the stream. Nil without the library.
  init?(_ start: [UInt8], bits: Int) {
    guard start.count == 34, let digest = libav_digest() else { return nil }
    self.start = start
    self.bits = bits
    self.digest = Digest(digest)
  }

  /// Adds interleaved samples to the checksum.
  func add(_ samples: UnsafeBufferPointer<Int32>) {
    libav_digest_add(digest.digest, samples.baseAddress, samples.count, Int32(clamping: bits))
  }

  mutating func add(packetOf size: Int) {
    sizes = min(sizes?.lowerBound ?? size, size)...max(sizes?.upperBound ?? size, size)
  }

  /// The block at the end of the stream, after which nothing may be added.
  func finished() -> [UInt8] {
    var block = start
    func put(_ value: UInt64, at position: Int, _ count: Int) {
      for index in 0..<count {
        block[position + index] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - index)))
      }
    }
    if let sizes {
      put(UInt64(clamping: sizes.lowerBound), at: 4, 3)
      put(UInt64(clamping: sizes.upperBound), at: 7, 3)
    }
    // Four bits of the depth precede the 36 bits of the number of frames.
    put(UInt64(block[13] & 0xF0) << 32 | UInt64(clamping: frameCount) & 0xF_FFFF_FFFF, at: 13, 5)
    block.withUnsafeMutableBufferPointer { block in
      if let start = block.baseAddress { libav_digest_finish(digest.digest, start + 18) }
    }
    return block
  }
}
