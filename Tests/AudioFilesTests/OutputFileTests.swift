// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Foundation
import Testing

@Suite("Files that are being written")
struct OutputFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("output-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func write(_ samples: [Float], to path: String, finishes: Bool = true) throws {
    let planes = Planes([samples])
    let file = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, expecting: samples.count)
    try file.write(planes.channels, frameCount: samples.count)
    if finishes { try file.finish() }
  }

  private func samples(_ path: String) throws -> [Float] {
    var reader = try SoundFileReader(path: path)
    return try reader.readAll()[0]
  }

  @Test("get their final name when they are complete, and leave no other file")
  func whole() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write([1, 2, 3], to: path("a.wav"))
    #expect(try samples(path("a.wav")) == [1, 2, 3])
    #expect(names == ["a.wav"])
  }

  @Test("leave an existing file unchanged when they are not completed")
  func unfinished() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write([1, 2, 3], to: path("a.wav"))
    try write([4], to: path("a.wav"), finishes: false)
    #expect(try samples(path("a.wav")) == [1, 2, 3])
    #expect(names == ["a.wav"])
  }

  @Test("are valid under a temporary name while they grow")
  func partial() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let planes = Planes([[Float](repeating: 0.5, count: 40_000)])
    let file = try SoundFileWriter(
      path("a.wav"), sampleRate: 48_000, channelCount: 1, expecting: nil)
    for _ in 0..<3 { try file.write(planes.channels, frameCount: 40_000) }
    let name = try #require(names.first)
    #expect(names.count == 1)
    // Nothing takes it for a sound file.
    #expect(name.hasPrefix("a.wav.partial-"))
    #expect(try samples(path(name)).count == 120_000)
    try file.finish()
    #expect(names == ["a.wav"])
  }

  @Test("are locked while they grow, so that others do not take them for abandoned files")
  func locks() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var encoding = try SoundFileEncoding(path: path("a.wav"))
    encoding.isSynchronized = true
    let file = try SoundFileWriter(path("a.wav"), sampleRate: 48_000, channelCount: 1, encoding)
    let other = open(path(try #require(names.first)), O_RDONLY)
    #expect(other >= 0 && flock(other, LOCK_EX | LOCK_NB) != 0)
    close(other)
    try file.finish()
    #expect(names == ["a.wav"])
  }

  @Test("keep links and permissions")
  func links() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write([1], to: path("a.wav"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("a.wav"))
    try FileManager.default.createSymbolicLink(
      atPath: path("link.wav"), withDestinationPath: path("a.wav"))
    try write([2], to: path("link.wav"))
    #expect(try samples(path("a.wav")) == [2])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a.wav"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: path("link.wav")) == path("a.wav"))
  }

  @Test("never replace a device, and report that it is full")
  func devices() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = explanation { try write([1], to: "/dev/full") }
    #expect(text == "/dev/full: cannot be written at byte 0: No space left on device")
    try write([1], to: "/dev/null")
    for (path, kind) in [("/dev/null", S_IFCHR), ("/dev/full", S_IFCHR)] {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == kind)
    }
    #expect(
      explanation { try AtomicFile.write("<svg/>".utf8, to: "/dev/full") }.contains("No space"))
  }

  @Test("go to a pipe with a header that states the number of frames")
  func pipe() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    // Opened first, so that the writer need not wait for a reader.
    let reading = open(path("pipe"), O_RDONLY | O_NONBLOCK)
    defer { close(reading) }
    try write([1, 2, 3], to: path("pipe"))
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let count = read(reading, &bytes, bytes.count)
    #expect(count == 94 + 12)
    let copy = ScratchFile(Array(bytes.prefix(count)))
    #expect(try copy.samples() == [[1, 2, 3]])
    #expect(names == ["pipe"])
  }

  @Test("replace only sound files")
  func foreign() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("Dear reader, no sound".utf8).write(to: folder.appendingPathComponent("letter.wav"))
    #expect(
      explanation { try write([1], to: path("letter.wav")) }.contains("is not a sound file"))
    #expect(
      explanation { try write([1], to: folder.path) }.contains("Is a directory"))
    #expect(explanation { try write([1], to: path("no/a.wav")) }.contains("No such file"))
    #expect(names == ["letter.wav"])
  }

  @Test(
    "are refused when their extension is unknown", arguments: ["a.wma", "a.mpg", "a.txt", "a."])
  func kinds(name: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = explanation { try write([1], to: path(name)) }
    #expect(text.contains("cannot be written; choose .wav, .flac"))
    #expect(names.isEmpty)
  }

  @Test("in FLAC keep 24 bits, and clip instead of wrapping")
  func flac() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write([0.5, -0.25, 1.5, -3], to: path("a.flac"))
    let bytes = try Data(contentsOf: folder.appendingPathComponent("a.flac"))
    #expect(bytes.starts(with: Data("fLaC".utf8)))
    #expect(try samples(path("a.flac")) == [0.5, -0.25, 0x7FFFFF / 0x1p23, -1])
    guard dlopen("libsndfile.so.1", RTLD_NOW) != nil else { return }
    #expect(try Flac.samples(path("a.flac")) == [0.5, -0.25, 0x7FFFFF / 0x1p23, -1])
    #expect(names == ["a.flac"])
  }
}

/// Reads a file with libsndfile.
private enum Flac {
  static func samples(_ path: String) throws -> [Float] {
    struct Info {
      var frames: Int64 = 0
      var numbers: (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
    }
    typealias Open =
      @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
    typealias Read = @convention(c) (OpaquePointer, UnsafeMutablePointer<Float>, Int64) -> Int64
    let library = try #require(dlopen("libsndfile.so.1", RTLD_NOW))
    let open = unsafeBitCast(try #require(dlsym(library, "sf_open")), to: Open.self)
    let read = unsafeBitCast(try #require(dlsym(library, "sf_readf_float")), to: Read.self)
    var info = Info()
    let file = try #require(open(path, 0x10, &info))
    var samples = [Float](repeating: 0, count: Int(info.frames))
    #expect(read(file, &samples, info.frames) == info.frames)
    return samples
  }
}
