// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

/// Files that change while they are read, that are no sound files, or that make impossible claims.
@Suite("Hostile files")
struct HostileFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Kinds of file with uncompressed samples, each in one format.
  static let linear: [Samples.Case] = [
    kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileWave64Type, kAudioFileAIFFType,
    kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType,
  ].compactMap { type in Samples.all.first { $0.type == type } }

  private func make(_ sample: Samples.Case, packets: Int) throws -> String {
    let path = folder.path("a.\(try FileKind.of(sample.type).extensions[0])")
    let file = try Containers.create(
      FileStore(creating: path, erases: true), sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * packets)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.close()
    return path
  }

  /// Reads all frames; returns their number.
  private func readAll(_ reader: inout SoundFileReader) throws(AudioError) -> Int {
    let planes = Planes(channelCount: reader.format.channelCount, frameCount: 1_024)
    var frames = 0
    while case let count = try reader.read(into: planes.channels, frameCount: 1_024), count > 0 {
      frames += count
    }
    return frames
  }

  private func cut(_ path: String, to byteCount: Int) {
    #expect(truncate(path, off_t(byteCount)) == 0)
  }

  @Test("that shrink while they are read are reported, with their name", arguments: linear)
  func shrinking(sample: Samples.Case) throws {
    let path = try make(sample, packets: 50_000)
    var reader = try SoundFileReader(path: path)
    cut(path, to: 20_000)
    let text = explanation { _ = try readAll(&reader) }
    #expect(text.contains(path) && text.contains("shorter"), "\(text)")
  }

  @Test(
    "that shrink while they are decoded are reported, with their name", arguments: Recording.all)
  func shrinkingPackets(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 60_000)
    var reader = try SoundFileReader(path: path)
    cut(path, to: 6_000)
    let text = explanation { _ = try readAll(&reader) }
    #expect(text.contains(path), "\(text)")
  }

  @Test("that are no sound files are refused, with their name and the reason")
  func noFiles() throws {
    #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
    #expect(FileManager.default.createFile(atPath: folder.path("empty.wav"), contents: Data()))
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.wav"), withIntermediateDirectories: false)
    for (path, reason) in [
      (folder.path("pipe.wav"), "is not a regular file"), ("/dev/zero", "is not a regular file"),
      (folder.path("folder.wav"), "is not a regular file"), (folder.path("empty.wav"), "is empty"),
      (folder.path("none.wav"), "No such file"),
      (folder.path("empty.wav/a.wav"), "Not a directory"),
    ] {
      let text = explanation { _ = try SoundFileReader(path: path) }
      #expect(text.contains(path) && text.contains(reason), "\(text)")
    }
  }

  /// Reads everything in a file, which must not allocate gigabytes.
  private func inspect(_ bytes: [UInt8]) {
    if let log = try? StreamLog() { try? log.parse(bytes) { 700 } }
    do throws(AudioError) {
      let file = try Containers.open(MemoryStore(bytes, named: "a hostile file"))
      _ = try? file.info
      _ = try? file.artwork
      _ = try? file.markers
      _ = try? file.regions
      #expect(file.frameCount >= 0 && file.packetCount >= 0)
      #expect(file.dataByteCount <= bytes.count)
      for code in file.chunkCodes.prefix(20) { _ = try? file.chunk(code, 0, 0..<1_000) }
    } catch { #expect(error.explanation.contains("a hostile file")) }
  }

  /// Puts extreme sizes at each position of a header: two of them in `make test`, all in `make fuzz`.
  private func inspectWithSizes(_ bytes: [UInt8]) {
    let patterns: [[UInt8]] = [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0],
      [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x80, 0, 0, 0, 0, 0, 0, 0],
    ]
    let isComplete = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"] != nil
    for position in 0..<min(bytes.count - 8, 420) {
      for (index, pattern) in patterns.enumerated()
      where isComplete || index == position % patterns.count || index == 0 {
        var copy = bytes
        copy.replaceSubrange(position..<position + pattern.count, with: pattern)
        inspect(copy)
      }
    }
  }

  @Test("may claim any size anywhere: linear sound", arguments: linear)
  func sizes(sample: Samples.Case) throws {
    let path = try make(sample, packets: 30)
    inspectWithSizes(try FileStore(path).bytes(at: 0, 1 << 20))
  }

  @Test("may claim any size anywhere: compressed sound", arguments: Recording.all)
  func packedSizes(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 1_500) { file in try file.setInfo(["title": "A title"]) }
    inspectWithSizes(try FileStore(path).bytes(at: 0, 1 << 20))
  }

  // MARK: Limits of a process

  /// Runs one of the tasks below in a separate process, with limits set by the shell.
  private func run(_ task: String, _ path: String, limits: String) throws -> (
    code: Int32, text: String
  ) {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let output = folder.path("output-\(UUID().uuidString)")
    let descriptor = open(output, O_RDWR | O_CREAT, 0o600)
    defer {
      close(descriptor)
      unlink(output)
    }
    let environment = ProcessInfo.processInfo.environment.merging(
      ["AUDIOFILES_TASK": task, "AUDIOFILES_PATH": path]) { $1 }
    // The address sanitizer reserves more address space than any limit allows.
    let isSanitized = dlsym(nil, "__asan_init") != nil
    let limits = isSanitized ? limits.replacing(/ulimit -v [0-9]+/, with: "true") : limits
    let line =
      "ulimit -c 0; \(limits); exec \"$0\" --testing-library swift-testing --filter "
      + "HostileFileTasks"
    let process = try spawn(
      ["/bin/bash", "-c", line, program], environment: environment, output: descriptor,
      errors: descriptor)
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return (end & 0x7F == 0 ? end >> 8 & 0xFF : 128 + end & 0x7F, text)
  }

  @Test(
    "are whole after their program was killed while it optimized them",
    arguments: [kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileAIFFType, kAudioFileCAFType])
  func killed(type: AudioFileTypeID) throws {
    let sample = try #require(Samples.all.first { $0.type == type })
    let path = try make(sample, packets: 100_000)
    let file = try Containers.open(FileStore(path, writable: true))
    try file.setChunk("abcd", 0, Samples.bytes(5_000))
    try file.close()
    let before = try FileStore(path).bytes(at: 0, 1 << 24)
    #expect(before.count > 400_000)
    // When the file becomes too large, a signal ends the process in the middle of a write.
    for kilobytes in [8, 200, 395] {
      let end = try run("optimize", path, limits: "ulimit -f \(kilobytes)")
      #expect(end.code == 128 + SIGXFSZ, "\(end)")
      let after = try FileStore(path).bytes(at: 0, 1 << 24)
      #expect(after == before)
    }
    let end = try run("optimize", path, limits: "ulimit -f 4000")
    #expect(end.code == 0, "\(end)")
    let copy = try Containers.open(FileStore(path))
    #expect(copy.isOptimized && copy.packetCount == 100_000)
    let chunk = try copy.chunk("abcd", 0, 0..<5_000)
    #expect(chunk == Samples.bytes(5_000))
    let sound = try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount)
    #expect(sound == Samples.bytes(copy.dataByteCount))
  }

  @Test("of a hundred gigabytes are read in little memory")
  func sparse() throws {
    let path = folder.path("large.rf64")
    let store = try FileStore(creating: path, erases: true)
    let file = try Containers.create(
      store, kAudioFileRF64Type, Samples.pcm(32, kAudioFormatFlagIsFloat))
    try store.resize(to: 100_000_000_000)
    let last = [Float](repeating: 0.25, count: 2)
    try last.withUnsafeBytes { try file.writeData($0, at: 99_999_000_000) }
    try file.close()
    let end = try run("end", path, limits: "ulimit -v 8000000")
    #expect(end.code == 0, "\(end)")
  }

  @Test("with a hundred gigabytes of zeros after their sound are read or refused quickly")
  func sparsePackets() throws {
    for (recording, path) in recordings(folder.path("a")) {
      try recording.write(path, 5_000)
      cut(path, to: 100_000_000_000)
    }
    let end = try run("open", folder.path("a"), limits: "ulimit -v 8000000; ulimit -t 60")
    #expect(end.code == 0, "\(end)")
  }

  @Test("cannot grow on a full disk: that is reported, with their name")
  func full() throws {
    let end = try run("write", folder.path("a"), limits: "trap '' XFSZ; ulimit -f 8")
    #expect(end.code == 0, "\(end)")
  }
}

/// Every recording with a path of its own: a stem, a number and the ending of its kind.
private func recordings(_ stem: String) -> [(recording: Recording, path: String)] {
  Recording.all.enumerated().map { number, recording in
    (recording, "\(stem)\(number).\(recording.ending)")
  }
}

/// The task of a process that a test started; nil in other processes.
private let hostileTask = ProcessInfo.processInfo.environment["AUDIOFILES_TASK"]

/// The tasks of the processes that the tests above start.
@Suite("Tasks of processes that read hostile files", .enabled(if: hostileTask != nil))
struct HostileFileTasks {
  @Test("perform their task")
  func perform() throws {
    let path = try #require(ProcessInfo.processInfo.environment["AUDIOFILES_PATH"])
    switch try #require(hostileTask) {
    case "optimize":
      // The parent process may ignore the signal, and the threads of tests block it.
      signal(SIGXFSZ, SIG_DFL)
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGXFSZ)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let file = try Containers.open(FileStore(path, writable: true))
      try file.optimize()
      try file.close()
    case "end":
      var reader = try SoundFileReader(path: path)
      reader.seek(to: 99_999_000_000 / 8)
      let planes = Planes(channelCount: 2, frameCount: 100_000)
      #expect(try reader.read(into: planes.channels, frameCount: 100_000) == 1)
      #expect(planes.arrays(1) == [[0.25], [0.25]])
    case "open":
      for (_, file) in recordings(path) {
        let text = explanation {
          let reader = try SoundFileReader(path: file)
          #expect(reader.frameCount >= 0)
        }
        #expect(text.isEmpty || text.contains(file), "\(text)")
      }
    case "write":
      for (recording, file) in recordings(path) {
        let text = explanation { try recording.write(file, 400_000) }
        #expect(text.contains(file) && text.contains("File too large"), "\(text)")
      }
    case let task: Issue.record("there is no task \(task)")
    }
  }
}
