// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

/// Another program that reads and writes sound files.
private enum Peer {
  static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Runs the program; returns its standard output.
  static func run(_ arguments: [String]) throws -> Data {
    // Not Foundation's Process, which under load may report the end while the program still writes.
    let path = NSTemporaryDirectory() + "peer-\(UUID().uuidString)"
    let output = open(path, O_RDWR | O_CREAT, 0o600)
    defer {
      close(output)
      unlink(path)
    }
    let process = try spawn(
      [try #require(ffmpeg), "-v", "error", "-nostdin", "-y"] + arguments,
      environment: ProcessInfo.processInfo.environment, output: output, errors: STDERR_FILENO)
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    #expect(end == 0, "\(arguments)")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The samples of a file according to the program, interleaved.
  static func samples(_ path: String) throws -> [Float] {
    let data = try run(["-i", path, "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}

@Suite("Files and other programs", .enabled(if: Peer.ffmpeg != nil))
struct PeerTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("peers-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  /// The samples of a file according to our reader, interleaved.
  private func samples(_ path: String) throws -> [Float] {
    var reader = try SoundFileReader(path: path)
    let planes = try reader.readAll()
    return (0..<(planes.first?.count ?? 0)).flatMap { frame in planes.map { $0[frame] } }
  }

  private static let linear = Samples.all.filter {
    $0.format.mFormatID == kAudioFormatLinearPCM && $0.type != kAudioFileBW64Type
      && $0.format.mBitsPerChannel != 20 && !isLittleWide($0)
  }

  /// Little-endian AIFC of more than 16 bits, which the other program does not read.
  private static func isLittleWide(_ sample: Samples.Case) -> Bool {
    let flags = sample.format.mFormatFlags
    return sample.type == kAudioFileAIFCType && sample.format.mBitsPerChannel > 16
      && flags & (kAudioFormatFlagIsFloat | kAudioFormatFlagIsBigEndian) == 0
  }

  @Test(
    "have the written length in ffmpeg, or more if the file cannot state its end",
    arguments: Recording.all)
  func compressed(recording: Recording) throws {
    // The other program does not support Vorbis in CAF.
    guard recording.type != kAudioFileCAFType || recording.id != Recording.vorbis else { return }
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.\(recording.ending)").path
    try recording.write(path, 50_000)
    let channels = Int(recording.channels)
    let (ours, theirs) = (try samples(path), try Peer.samples(path))
    let isWhole = [kAudioFileOggType, kAudioFileMP3Type, kAudioFileFLACType].contains(
      recording.type)
    if isWhole || recording.flags > 0 { #expect(theirs.count == 50_000 * channels) }
    #expect(theirs.count >= ours.count, "\(theirs.count) \(ours.count)")
    // The other program does not drop the priming frames of CAF.
    let lead = recording.type == kAudioFileCAFType ? theirs.count - ours.count : 0
    guard lead == 0 else { return }
    #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test("have the exact length of AAC in MPEG-4 that ffmpeg wrote")
  func movie() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.m4a").path
    _ = try Peer.run([
      "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=1.2345", "-c:a", "aac",
      "-metadata", "title=A tone", path,
    ])
    let (ours, theirs) = (try samples(path), try Peer.samples(path))
    #expect(ours.count == 59_256)
    #expect(abs(theirs.count - ours.count) < 1_024)
    #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test("have the chapters that ffmpeg wrote, in a track of texts alone, too")
  func chapters() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let texts = folder.appendingPathComponent("chapters.txt")
    let chapter = "[CHAPTER]\nTIMEBASE=1/1000\n"
    try Data(
      (";FFMETADATA1\n\(chapter)START=0\nEND=250\ntitle=One\n"
        + "\(chapter)START=250\nEND=1000\ntitle=Zwölf\n").utf8
    ).write(to: texts)
    for flags in ["0", "disable_chpl"] {
      let path = folder.appendingPathComponent("\(flags).m4a").path
      _ = try Peer.run([
        "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", "-i", texts.path,
        "-map_chapters", "1", "-c:a", "aac", "-movflags", flags, path,
      ])
      let found = try Containers.open(FileStore(path)).markers
      #expect(found.map(\.name) == ["One", "Zwölf"])
      #expect(found.map(\.frame) == [0, 12_000])
    }
  }

  /// Whether samples are equal. Arbitrary bytes may form values that Float32 cannot hold; these are
  /// only checked to be large or not finite.
  private static func isSame(_ ours: Float, _ theirs: Float) -> Bool {
    guard ours.isFinite, theirs.isFinite, ours.magnitude < 1e30 else {
      return !(ours.magnitude < 1)
    }
    return abs(ours - theirs) <= abs(theirs) * 1e-6 + 1e-6
  }

  @Test("have the same samples in ffmpeg that we wrote", arguments: linear)
  func written(sample: Samples.Case) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let ending = try FileKind.of(sample.type).extensions[0]
    let path = folder.appendingPathComponent("a.\(ending)").path
    let store = try FileStore(creating: path, erases: true)
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 500)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.close()
    let (ours, theirs) = (try samples(path), try Peer.samples(path))
    #expect(ours.count == theirs.count)
    #expect(zip(ours, theirs).allSatisfy(Self.isSame))
  }

  @Test(
    "have the same samples in our reader that ffmpeg wrote",
    arguments: [
      "pcm_u8 wav", "pcm_s16le wav", "pcm_s24le wav", "pcm_f32le wav", "pcm_f64le wav",
      "pcm_s16be aiff", "pcm_s24be aiff", "pcm_s16le caf", "pcm_f32be caf", "pcm_s16le w64",
      "pcm_s16be au", "pcm_f32be au",
    ], ["8000 1", "44100 2", "96000 6", "384000 2"])
  func read(codec: String, shape: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (codec, shape) = (codec.split(separator: " "), shape.split(separator: " "))
    let path = folder.appendingPathComponent("a.\(codec[1])").path
    _ = try Peer.run([
      "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=\(shape[0]):duration=0.1", "-ac",
      "\(shape[1])", "-c:a", "\(codec[0])", path,
    ])
    let (ours, theirs) = (try samples(path), try Peer.samples(path))
    #expect(ours.count == theirs.count && !ours.isEmpty)
    #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test(
    "are decoded to the same length and sound as by ffmpeg",
    arguments: [
      "mp3 libmp3lame 0.001", "flac flac 0.000001", "aac aac 0.001", "ogg libvorbis 0.00001",
      "oga flac 0.000001", "opus libopus 0.001", "m4a alac 0.000001",
    ])
  func decoded(kind: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = kind.split(separator: " ")
    let path = folder.appendingPathComponent("a.\(words[0])").path
    _ = try Peer.run([
      "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=1.2345", "-ac", "2",
      "-c:a", "\(words[1])", "-metadata", "title=A tone", path,
    ])
    let (ours, theirs) = (try samples(path), try Peer.samples(path))
    #expect(ours.count == theirs.count, "\(ours.count) \(theirs.count)")
    let tolerance = try #require(Float(String(words[2])))
    #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < tolerance })
    if words[0] != "aac" {
      let reader = try SoundFileReader(path: path)
      #expect(reader.summary.tags["title"] == "A tone")
      // Seeking returns the same samples.
      var part = try SoundFileReader(path: path)
      part.seek(to: 30_000)
      let planes = Planes(channelCount: 2, frameCount: 2_000)
      #expect(try part.read(into: planes.channels, frameCount: 2_000) == 2_000)
      let found = planes.arrays(2_000)
      #expect((0..<2_000).allSatisfy { abs(found[0][$0] - theirs[2 * (30_000 + $0)]) < tolerance })
    }
  }
}
