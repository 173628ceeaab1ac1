// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

/// Compares what sndfile-info, soxi and ffprobe report about our files, and what we read from files
/// that sox wrote.
@Suite("Files of all rates and numbers of channels, and other programs")
struct PeerShapeTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func path(_ program: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/"].map { $0 + program }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// The output of a program; nil when it is not installed, or fails.
  private func run(_ program: String, _ words: [String]) throws -> String? {
    guard let path = Self.path(program) else { return nil }
    let output = folder.path("output")
    let descriptor = open(output, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let process = try spawn(
      [path] + words, environment: ProcessInfo.processInfo.environment, output: descriptor,
      errors: descriptor)
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    return end == 0 ? try String(contentsOfFile: output, encoding: .utf8) : nil
  }

  /// Rate, channels and frames.
  private struct Shape: Equatable {
    var rate: Int
    var channels: Int
    var frames: Int
  }

  private func sndfile(_ path: String) throws -> Shape? {
    guard let text = try run("sndfile-info", [path]) else { return nil }
    func number(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix(name) }
        .flatMap { $0.split(separator: ":").last }
        .flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    guard let rate = number("Sample Rate"), let channels = number("Channels"),
      let frames = number("Frames")
    else { return nil }
    return Shape(rate: rate, channels: channels, frames: frames)
  }

  private func sox(_ path: String) throws -> Shape? {
    guard let text = try run("soxi", [path]) else { return nil }
    func number(_ name: String, after mark: String) -> Int? {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      guard let rest = line?.components(separatedBy: mark).dropFirst().first else { return nil }
      return Int(rest.trimmingCharacters(in: .whitespaces).prefix { $0.isNumber })
    }
    guard let rate = number("Sample Rate", after: ":"),
      let channels = number("Channels", after: ":"),
      let frames = number("Duration", after: "= ")
    else { return nil }
    return Shape(rate: rate, channels: channels, frames: frames)
  }

  private func ffprobe(_ path: String) throws -> Shape? {
    let words = [
      "-v", "error", "-show_entries", "stream=sample_rate,channels,duration_ts", "-of", "csv=p=0",
      path,
    ]
    let values = try run("ffprobe", words)?.trimmingCharacters(in: .whitespacesAndNewlines)
      .split(separator: ",").map { Int($0) ?? 0 }
    guard let values, values.count == 3 else { return nil }
    return Shape(rate: values[0], channels: values[1], frames: values[2])
  }

  /// A multiple of eight bytes, because the other programs read the padding of a Wave64 chunk as
  /// sound.
  private static let frames = 784

  private static let kinds: [SoundFileKind] = [.wav, .rf64, .w64, .aiff, .aifc, .caf, .au, .flac]

  @Test(
    "are reported alike by all programs", arguments: kinds,
    ["8000 1", "44100 2", "96000 6", "384000 32"])
  func written(kind: SoundFileKind, shape text: String) throws {
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    let shape = Shape(
      rate: numbers[0], channels: kind == .flac ? min(8, numbers[1]) : numbers[1],
      frames: Self.frames)
    let path = folder.path("a.\(kind.rawValue)")
    func sample(_ frame: Int, _ channel: Int) -> Float {
      Float((frame * 31 + channel * 7) % 200 - 100) / 128
    }
    let planes = Planes(
      (0..<shape.channels).map { channel in (0..<Self.frames).map { sample($0, channel) } })
    var encoding = try SoundFileEncoding(path: path)
    encoding.bits = 24
    let file = try SoundFileWriter(
      path, sampleRate: Double(shape.rate), channelCount: shape.channels, encoding)
    try file.write(planes.channels, frameCount: Self.frames)
    try file.finish()
    var reader = try SoundFileReader(path: path)
    #expect(try reader.readAll() == planes.arrays(Self.frames))
    if let reported = try sndfile(path) { #expect(reported == shape) }
    if let reported = try ffprobe(path) { #expect(reported == shape) }
    if let reported = try sox(path) { #expect(reported == shape) }
  }

  @Test(
    "are read as sox wrote them",
    arguments: ["wav", "aiff", "au", "flac", "w64", "caf"], ["8000 1", "192000 6"])
  func read(ending: String, shape text: String) throws {
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    let path = folder.path("b.\(ending)")
    let words = [
      "-n", "-r", "\(numbers[0])", "-c", "\(numbers[1])", "-b", "24", path, "synth", "0.1", "sine",
      "440", "gain", "-6",
    ]
    guard try run("sox", words) != nil else { return }
    var reader = try SoundFileReader(path: path)
    let reported = Shape(
      rate: Int(reader.format.sampleRate), channels: reader.format.channelCount,
      frames: reader.frameCount)
    #expect(reported == Shape(rate: numbers[0], channels: numbers[1], frames: numbers[0] / 10))
    let peak = try reader.readAll()[0].map(abs).max() ?? 0
    #expect(abs(peak - 0.5) < 0.02)
  }
}
