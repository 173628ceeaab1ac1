// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// Conversion of two channels between interleaved samples and Float32 channels, compared with
/// libswresample.
enum FormatBenchmark {
  private static let frames = 512

  static func run(in folder: URL) {
    Stopwatch.onOneProcessor {
      let library = PeerLibrary(
        "formats", defining: "PEER_SWRESAMPLE", "libswresample libavutil", in: folder)
      Report.table(
        "512 frames of two channels (ns per sample; libswresample as a multiple)",
        ["ours", "libswresample"],
        works().map { name, work in
          let peer = library.flatMap { peerWork($0, name) }
          let times = Stopwatch.inTurns([work, peer ?? {}]).map {
            $0 / Double(calls * 2 * frames)
          }
          let other = peer.map { _ in times[1] }
          return [name, Report.cell(times[0]), Report.multiple(other, of: times[0])]
        })
    }
  }

  /// Calls of a round.
  private static let calls = 100

  private static func works() -> [(name: String, work: () -> Void)] {
    let formats: [(String, SampleFormat)] = [
      ("16 bits", .int16), ("24 bits", .int24), ("32 bits", .int32), ("Float32", .float32),
      ("Float64", .float64),
      ("16 bits, big endian", SampleFormat(.signedInteger, bits: 16, isBigEndian: true)),
    ]
    let channels = TwoChannels(frames)
    var works: [(String, () -> Void)] = formats.flatMap { name, format in
      [
        ("\(name) to Float32", { channels.repeat(calls) { $0.decode(format) } }),
        ("\(name) from Float32", { channels.repeat(calls) { $0.encode(format) } }),
      ]
    }
    for kind in [Dither.Kind.triangular, .shaped] {
      let dithered = TwoChannels(frames, dither: kind)
      works.append(
        (
          "16 bits with \(kind) dither from Float32",
          { dithered.repeat(calls) { $0.encodeDithered() } }
        ))
    }
    return works
  }

  /// The same conversion by libswresample, if it has it.
  private static func peerWork(_ library: PeerLibrary, _ name: String) -> (() -> Void)? {
    typealias Make = @convention(c) (Int32) -> UnsafeMutableRawPointer?
    typealias Convert = @convention(c) (Int32, UnsafeMutableRawPointer) -> Void
    guard let index = library.names.firstIndex(of: name),
      let context = library.function("peer_make", as: Make.self)(Int32(index))
    else { return nil }
    let convert = library.function("peer_convert", as: Convert.self)
    return { for _ in 0..<calls { convert(Int32(index), context) } }
  }
}

/// Memory for two channels and for their interleaved samples.
private final class TwoChannels {
  private let frames: Int
  private let samples: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutableRawPointer
  private let channels: [UnsafeMutablePointer<Float>]
  private let sources: [UnsafePointer<Float>]
  private var states: [DitherState]

  init(_ frames: Int, dither: Dither.Kind = .triangular) {
    self.frames = frames
    samples = .allocate(capacity: 2 * frames)
    memory = .allocate(byteCount: 16 * frames, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 16 * frames)
    for index in 0..<2 * frames { samples[index] = Float(sin(Double(index))) * 0.9 }
    channels = [samples, samples + frames]
    sources = channels.map { UnsafePointer($0) }
    states = (0..<2).map { DitherState(Dither(dither), channel: $0) }
  }

  deinit {
    samples.deallocate()
    memory.deallocate()
  }

  func `repeat`(_ count: Int, _ work: (TwoChannels) -> Void) {
    for _ in 0..<count { work(self) }
  }

  func decode(_ format: SampleFormat) {
    format.decode(interleaved: memory, channelCount: 2, into: channels, frameCount: frames)
  }

  func encode(_ format: SampleFormat) {
    format.encode(sources, channelCount: 2, frameCount: frames, interleaved: memory)
  }

  func encodeDithered() {
    SampleFormat.int16.encode(
      sources, channelCount: 2, frameCount: frames, interleaved: memory, dither: &states)
  }
}
