// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Encodes with libavcodec.
///
/// Some of its encoders end the process, or lose the whole stream, over a sample that is not a number
/// or far too loud. So none gets one: such samples are silenced or clipped here, and counted.
final class LibAVPacketEncoder: PacketEncoder {
  let format: StreamFormat
  let framesPerPass: Int
  let framesPerPacket: Int
  let delayFrames: Int
  private(set) var cookie: [UInt8] = []
  private(set) var repairs = SampleRepairs()
  let maximumPacketSize: Int
  /// Converts a cookie from libavcodec's form to the form in files.
  private let convertCookie: ([UInt8]) -> [UInt8]
  private let encoder: OpaquePointer
  private let name: String

  /// [control thread] Opens the first available encoder of the list. `cookie` converts libavcodec's
  /// form of the cookie to the form in files.
  init(
    _ stream: LibAVCodec.Stream, cookie: @escaping ([UInt8]) -> [UInt8]
  ) throws(AudioError) {
    format = try .interleaved(
      stream.isLossless ? .int32 : .float32, rate: stream.rate, channels: stream.channels)
    name = stream.name
    encoder = try LibAVCodec.open(stream, libav_encoder)
    framesPerPacket = Int(libav_encoder_frames(encoder))
    let pass = Int(libav_encoder_pass(encoder))
    framesPerPass = pass > 0 ? pass : 1_024
    delayFrames = Int(libav_encoder_delay(encoder))
    convertCookie = cookie
    // The uncompressed size plus headers; lossy packets are far smaller.
    let samples = max(framesPerPacket, 8_192) * stream.channels
    maximumPacketSize = stream.isLossless ? samples * 4 + 4_096 : 2_048 * stream.channels + 1_024
    readCookie()
  }

  private func readCookie() {
    var size = 0
    let setup = libav_encoder_setup(encoder, &size)
    cookie = convertCookie(
      Array(UnsafeBufferPointer(start: setup, count: setup == nil ? 0 : size)))
  }

  deinit { libav_encoder_free(encoder) }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    guard format.isFloat else { return try encode(frames, count, into: packets) }
    let samples = frames.assumingMemoryBound(to: Float.self)
    let sampleCount = count * format.channelCount
    let found = SampleRepairs(of: samples, count: sampleCount)
    guard !found.isEmpty else { return try encode(frames, count, into: packets) }
    repairs += found
    let repaired = (0..<sampleCount).map { SampleRepairs.repaired(samples[$0]) }
    var failure: AudioError?
    repaired.withUnsafeBytes { memory in
      do throws(AudioError) { try encode(memory.baseAddress, count, into: packets) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  func finish(into packets: PacketQueue) throws(AudioError) {
    try encode(nil, 0, into: packets)
    // Some encoders complete the cookie only at the end.
    readCookie()
  }

  private func encode(_ frames: UnsafeRawPointer?, _ count: Int, into packets: PacketQueue)
    throws(AudioError)
  {
    let reason = LibAVCodec.reason { reason, size in
      libav_encode(encoder, frames, Int32(clamping: count), reason, size)
    }
    if let reason { throw .codecFailed.because("\(name): \(reason)") }
    var data: UnsafePointer<UInt8>?
    var size = 0
    var duration: Int32 = 0
    while libav_packet(encoder, &data, &size, &duration) {
      packets.add(
        UnsafeRawBufferPointer(start: data, count: size),
        frames: Int(duration))
    }
  }
}
