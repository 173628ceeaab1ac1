// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Encodes a lossless format, whose packets do not depend on each other, on several threads, each of
/// which has an encoder. The packets are those of a single encoder, byte by byte.
final class ParallelPacketEncoder: PacketEncoder {
  /// An encoder with its thread, which gets every n-th pass.
  private final class Lane: @unchecked Sendable {  // only jobs of its worker use the encoder
    let encoder: any PacketEncoder
    let worker = SerialWorker(name: "encoder")

    init(_ encoder: any PacketEncoder) { self.encoder = encoder }
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

  /// [control thread] Gives each encoder a thread. `information`: what the header of FLAC states, to
  /// which the passes are added.
  init(_ encoders: [any PacketEncoder], information: FLACStreamInformation? = nil) {
    lanes = encoders.map(Lane.init)
    self.information = information
    let first = encoders[0]
    format = first.format
    framesPerPass = first.framesPerPass
    framesPerPacket = first.framesPerPacket
    delayFrames = first.delayFrames
    maximumPacketSize = first.maximumPacketSize
    cookie = first.cookie
  }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    if jobs.count >= Self.depth * lanes.count { try addOldest(to: packets) }
    let job = Job(frames, count, channels: format.channelCount)
    let lane = lanes[passCount % lanes.count]
    passCount += 1
    jobs.append(job)
    lane.worker.perform {
      Self.encode(job, with: lane.encoder)
      job.isDone.raise()
    }
    // The threads work meanwhile.
    job.frames.withUnsafeBufferPointer { frames in
      if let start = frames.baseAddress { information?.add(start, frames: count) }
    }
  }

  func finish(into packets: PacketQueue) throws(AudioError) {
    while !jobs.isEmpty { try addOldest(to: packets) }
    if let information { cookie = information.finished().cookie }
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

  /// [an encoder's thread] Encodes a pass.
  private static func encode(_ job: Job, with encoder: any PacketEncoder) {
    job.frames.withUnsafeBytes { frames in
      guard let start = frames.baseAddress else { return }
      do throws(AudioError) {
        try encoder.encode(start, count: job.frameCount, into: job.packets)
      } catch { job.failure = error }
    }
  }
}
