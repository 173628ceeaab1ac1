// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import SignalProcessing

/// Conversion of sample rates and of sample formats, compared with other libraries.
enum ConverterBenchmark {
  /// The libraries for sample rate conversion: package and macro for `RatePeers/rates.c`.
  private static let ratePeers: [(package: String, macro: String)] = [
    ("soxr", "PEER_SOXR"), ("samplerate", "PEER_SAMPLERATE"),
    ("speexdsp", "PEER_SPEEXDSP"), ("libswresample libavutil", "PEER_SWRESAMPLE"),
  ]

  static func run(in folder: URL) {
    let peers = ratePeers.map { compile($0.package, $0.macro, folder) }
    for frames in [64, 512] {
      for (from, to) in [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100)] {
        Report.title(
          "\(Int(from)) to \(Int(to)) Hz, \(frames) frames (ns per output sample and channel)")
        for quality in SampleRateConverter.Quality.allCases {
          Report.own("\(quality)", convert(from, to, quality, frames), "ns")
        }
        Report.own(
          "normal, minimum phase", convert(from, to, .normal, frames, phase: .minimum), "ns")
        Report.own(
          "normal, adjustable", convert(from, to, .normal, frames, isAdjustable: true), "ns")
        let ours = convert(from, to, .normal, frames)
        for (peer, program) in zip(ratePeers, peers) {
          show(peer.package, program, from, to, frames, ours: ours)
        }
      }
    }
    runFormats(in: folder)
  }

  private static func convert(
    _ from: Double, _ to: Double, _ quality: SampleRateConverter.Quality, _ frames: Int,
    phase: SampleRateConverter.Phase = .linear, isAdjustable: Bool = false
  ) -> Double {
    var converter = SampleRateConverter(
      inputRate: from, outputRate: to, channelCount: 1, quality: quality, phase: phase,
      isAdjustable: isAdjustable)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: 8192)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer {
      input.deallocate()
      output.deallocate()
    }
    input.initialize(repeating: 0.25, count: 8192)
    var inputs = UnsafePointer(input)
    var outputs = output
    return Stopwatch.nanoseconds {
      let needed = converter.inputFramesNeeded(for: frames)
      converter.process(
        input: &inputs, inputFrames: needed, output: &outputs, outputFrames: frames)
    } / Double(frames)
  }

  /// Compiles the program for a library; nil if the library is not installed.
  private static func compile(
    _ packages: String, _ macro: String, _ folder: URL, source: String = "rates"
  ) -> String? {
    let program = folder.appendingPathComponent("\(source)-\(macro)").path
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("RatePeers/\(source).c").path
    let words =
      "cc -O2 -D\(macro) '\(source)' -o '\(program)' $(pkg-config --cflags --libs \(packages))"
    return output(of: ["sh", "-c", "exec 2>/dev/null; \(words)"]) == nil ? nil : program
  }

  private static func show(
    _ package: String, _ program: String?, _ from: Double, _ to: Double, _ frames: Int,
    ours: Double
  ) {
    guard let program,
      let text = output(of: [program, "\(Int(from))", "\(Int(to))", "\(frames)"])
    else { return Report.peer(package, nil, "ns", ours: ours) }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      if parts.count == 2 {
        Report.peer(String(parts[0]), Double(parts[1]), "ns", ours: ours)
      }
    }
  }

  /// The output of a command; nil if it fails.
  static func output(of words: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  // MARK: Formats

  private static func runFormats(in folder: URL) {
    Report.title("sample formats, 512 frames of two channels (ns per sample)")
    let formats: [(String, SampleFormat)] = [
      ("16 bits", .int16), ("24 bits", .int24), ("32 bits", .int32), ("Float32", .float32),
      ("16 bits, big endian", SampleFormat(.signedInteger, bits: 16, isBigEndian: true)),
    ]
    let frames = 512
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * frames, alignment: 64)
    defer {
      samples.deallocate()
      memory.deallocate()
    }
    for index in 0..<2 * frames { samples[index] = Float(sin(Double(index))) * 0.9 }
    let channels = [samples, samples + frames]
    let sources = channels.map { UnsafePointer($0) }
    let peers = formatPeers(in: folder)
    func show(_ name: String, _ work: () -> Void) {
      let time = Stopwatch.nanoseconds(work) / Double(2 * frames)
      Report.own("\(name) channels", time, "ns")
      if let peer = peers[name] { Report.peer("libswresample", peer, "ns", ours: time) }
    }
    for (name, format) in formats {
      show("\(name) from Float32") {
        format.encode(sources, channelCount: 2, frameCount: frames, interleaved: memory)
      }
      show("\(name) to Float32") {
        format.decode(interleaved: memory, channelCount: 2, into: channels, frameCount: frames)
      }
    }
    for kind in [Dither.Kind.triangular, .shaped] {
      var states = (0..<2).map { DitherState(Dither(kind), channel: $0) }
      show("16 bits with \(kind) dither from Float32") {
        SampleFormat.int16.encode(
          sources, channelCount: 2, frameCount: frames, interleaved: memory, dither: &states)
      }
    }
  }

  /// The times of libswresample; empty if it is not installed.
  private static func formatPeers(in folder: URL) -> [String: Double] {
    let packages = "libswresample libavutil"
    guard let program = compile(packages, "PEER_SWRESAMPLE", folder, source: "formats"),
      let text = output(of: [program])
    else { return [:] }
    let rows = text.split(separator: "\n").map { $0.split(separator: "\t") }
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        row.count == 2 ? Double(row[1]).map { (String(row[0]), $0) } : nil
      })
  }
}
