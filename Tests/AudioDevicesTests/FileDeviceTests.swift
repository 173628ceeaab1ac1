// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioFiles
import AudioSupport
import Foundation
import Testing

@Suite("File device")
struct FileDeviceTests {
  private let folder = Folder()

  /// Plays frame numbers that continue those of earlier calls, for exactly `cycles` cycles.
  private func play(
    _ environment: DeviceEnvironment, cycles: Int, from start: Double = 0,
    owner: String = "a test"
  ) throws {
    let stream = Guarded<(any DeviceStream)?>(nil)
    let probe = Probe { count, cycle in
      writeFrameNumbers(cycle, from: start)
      if count == cycles - 1 { stream.withLock { $0 }?.stop() }
    }
    let opened = try open(environment, StreamRequest(owner: owner), probe)
    stream.withLock { $0 = opened }
    try opened.start()
    #expect(probe.waitForCalls(cycles))
    opened.stop()
    stream.withLock { $0 = nil }
  }

  @Test("records exactly the rendered samples", arguments: [1, 2, 5])
  func records(channelCount: Int) throws {
    let environment = fast("file:\(folder("out.wav"))") {
      $0.channelCount = channelCount
      $0.cycleFrames = 441
      $0.sampleRate = 44_100
    }
    try play(environment, cycles: 700)  // more than the rings can hold
    let numbers = frameNumbers(700 * 441)
    #expect(try folder.samples("out.wav") == Array(repeating: numbers, count: channelCount))
    let format = try SoundFileReader(path: folder("out.wav")).format
    #expect(format == SoundFileFormat(sampleRate: 44_100, channelCount: channelCount))
  }

  @Test("has a valid file at every moment")
  func validWhileRunning() throws {
    let probe = Probe { _, cycle in writeFrameNumbers(cycle) }
    let stream = try open(
      paced("file:\(folder("out.wav"))") { $0.cycleFrames = 64 }, StreamRequest(), probe)
    #expect(try folder.samples("out.wav") == [[], []])
    try stream.start()
    var lengths: Set<Int> = []
    for _ in 0..<50 {
      let samples = try folder.samples("out.wav")
      #expect(samples[0] == frameNumbers(samples[0].count))
      lengths.insert(samples[0].count)
      usleep(10_000)
    }
    stream.stop()
    #expect(lengths.count > 3)
    #expect(try folder.samples("out.wav")[1] == frameNumbers(probe.count * 64))
  }

  @Test("appends later sound to the file without a gap")
  func appends() throws {
    let environment = fast("file:\(folder("out.wav"))")
    for round in 0..<4 { try play(environment, cycles: 3, from: Double(round * 3 * 512)) }
    #expect(try folder.samples("out.wav")[0] == frameNumbers(12 * 512))
  }

  @Test("also appends if one stream is started again")
  func restart() throws {
    let probe = Probe { _, cycle in writeFrameNumbers(cycle) }
    let stream = try open(fast("file:\(folder("out.wav"))"), StreamRequest(), probe)
    for round in 1...3 {
      try stream.start()
      #expect(probe.waitForCalls(round))
      stream.stop()
    }
    #expect(try folder.samples("out.wav")[0].count == probe.count * 512)
  }

  @Test("starts the file again in another format, or if the file was replaced")
  func newRecording() throws {
    let environment = fast("file:\(folder("out.wav"))")
    try play(environment, cycles: 3)
    try play(fast("file:\(folder("out.wav"))") { $0.channelCount = 1 }, cycles: 2)
    #expect(try folder.samples("out.wav") == [frameNumbers(1_024)])
    try FileManager.default.removeItem(atPath: folder("out.wav"))
    try play(environment, cycles: 1)
    #expect(try folder.samples("out.wav")[0] == frameNumbers(512))
    try folder.write([[9], [9]], to: "out.wav")
    try play(environment, cycles: 1)
    #expect(try folder.samples("out.wav")[0] == frameNumbers(512))
  }

  @Test("allows one stream per file, for every spelling of the path")
  func exclusive() throws {
    let environment = fast("file:\(folder("out.wav"))")
    let first = try open(environment, StreamRequest(owner: "output unit #1"))
    for path in [
      "out.wav", "./out.wav", "../\(URL(filePath: folder.path).lastPathComponent)/out.wav",
    ] {
      let text = explanation { _ = try open(fast("file:\(folder(path))")) }
      #expect(text.contains("output unit #1 is recording to it"))
    }
    try first.start()
    first.stop()
    try play(environment, cycles: 1)
  }

  @Test("captures a file, then silence, and reports its end once")
  func input() throws {
    try folder.write([(1...1_000).map { Float($0) }], to: "in.wav")
    let captured = Guarded<[Float]>([])
    let probe = Probe { _, cycle in
      guard let input = cycle.input, cycle.inputChannelCount == 1 else { return }
      captured.withLock {
        $0.append(contentsOf: UnsafeBufferPointer(start: input[0], count: cycle.frameCount))
      }
    }
    let stream = try open(
      fast("file:,\(folder("in.wav"))") { $0.cycleFrames = 300 },
      StreamRequest(usesInput: true, usesOutput: false), probe)
    #expect(stream.device.inputChannelCount == 1)
    try stream.start()
    #expect(wait { !probe.events.isEmpty })
    #expect(probe.waitForCalls(probe.count + 10))
    stream.stop()
    let samples = captured.withLock { $0 }
    #expect(samples.prefix(1_000).elementsEqual((1...1_000).map { Float($0) }))
    #expect(samples.dropFirst(1_000).allSatisfy { $0 == 0 })
    #expect(probe.events == [.inputEnded(reason: "the input file ended")])
  }

  @Test("captures a file in a loop if requested")
  func loop() throws {
    try folder.write([frameNumbers(777), frameNumbers(777)], to: "in.wav")
    let isWrong = Flag()
    let probe = Probe { _, cycle in
      guard let input = cycle.input else { return isWrong.raise() }
      for frame in 0..<cycle.frameCount {
        let expected = Float((Int(cycle.sampleTime) + frame) % 777)
        if input[1][frame] != expected { isWrong.raise() }
      }
    }
    let environment = fast("file:,\(folder("in.wav"))") { $0.inputEnd = .loop }
    let stream = try open(environment, StreamRequest(usesInput: true), probe)
    try stream.start()
    #expect(probe.waitForCalls(500))
    stream.stop()
    #expect(!isWrong.isRaised)
    #expect(probe.events.isEmpty)
  }

  @Test(
    "passes its input to its output, sample by sample",
    arguments: [DeviceEnvironment.Clock.fast, .paced])
  func duplex(clock: DeviceEnvironment.Clock) throws {
    try folder.write([frameNumbers(9_000), frameNumbers(9_000)], to: "in.wav")
    let probe = Probe { _, cycle in
      guard let input = cycle.input, let output = cycle.output else { return }
      output[0].update(from: input[1], count: cycle.frameCount)
    }
    let stream = try open(
      paced("file:\(folder("out.wav")),\(folder("in.wav"))") { $0.clock = clock },
      StreamRequest(usesInput: true), probe)
    try stream.start()
    #expect(wait { !probe.events.isEmpty })
    stream.stop()
    #expect(try folder.samples("out.wav")[0].prefix(9_000) == frameNumbers(9_000)[...])
  }

  @Test("may be stopped and released by the handler of the end")
  func stopFromEvent() throws {
    try folder.write([[1]], to: "in.wav")
    let stream = Guarded<(any DeviceStream)?>(nil)
    var probe = Probe(onEvent: { _ in
      let last = stream.withLock { $0.take() }
      last?.stop()
    })
    try stream.withLock {
      $0 = try open(fast("file:,\(folder("in.wav"))"), StreamRequest(usesInput: true), probe)
      try $0?.start()
    }
    #expect(wait { !probe.events.isEmpty && isKnownUniquelyReferenced(&probe) })
  }

  @Test("ends if a file fails, reports why, and keeps the recording")
  func failure() throws {
    try folder.write([frameNumbers(300_000)], to: "in.wav")  // more than is read ahead
    let probe = Probe { _, cycle in writeFrameNumbers(cycle) }
    let stream = try open(
      paced("file:\(folder("out.wav")),\(folder("in.wav"))"), StreamRequest(usesInput: true), probe)
    try stream.start()
    #expect(truncate(folder("in.wav"), 1_000) == 0)
    #expect(wait { !probe.events.isEmpty })
    let count = probe.count
    #expect(try folder.samples("out.wav")[0] == frameNumbers(count * 512))
    stream.stop()
    #expect(probe.count == count)
    #expect(probe.events.count == 1)
    guard case .ended(let reason) = probe.events.first else {
      Issue.record("received \(probe.events)")
      return
    }
    #expect(reason.contains("in.wav: became shorter while it was read"))
    // After a restart it finds a short but complete file.
    try stream.start()
    #expect(probe.waitForCalls(count + 1))
    stream.stop()
  }

  @Test("reports what is wrong with its files")
  func errors() throws {
    try folder.write([[1]], to: "in.wav", sampleRate: 44_100)
    let cases = [
      ("file:\(folder("out.wav")),\(folder("in.wav"))", "has 44100.0 Hz and the device 48000.0 Hz"),
      ("file:,\(folder("none.wav"))", "No such file"),
      ("file:\(folder("no/out.wav"))", "No such file"),
      ("file:\(folder.path)", "cannot be opened"),
      ("file", "expected file:OUT.wav"),
      ("file:,", "expected file:OUT.wav"),
      ("file:a,b,c", "expected file:OUT.wav"),
    ]
    for (device, says) in cases {
      let text = explanation { _ = try open(fast(device), StreamRequest(usesInput: true)) }
      #expect(text.contains(says), "\(device): \(text)")
    }
    try folder.write([[1]], to: "both.wav")
    let both = "file:\(folder("both.wav")),\(folder("./both.wav"))"
    #expect(
      explanation { _ = try open(fast(both), StreamRequest(usesInput: true)) }
        .contains("both input and output"))
    #expect(try folder.samples("both.wav") == [[1]])
  }

  @Test(
    "reads its paths from its name",
    arguments: [
      ("a.wav", "a.wav", nil), ("a.wav,b.wav", "a.wav", "b.wav"), (",b.wav", nil, "b.wav"),
      ("a.wav,", "a.wav", nil), ("a\\,b.wav,c\\\\d.wav", "a,b.wav", "c\\d.wav"),
      ("a\\b.wav", "a\\b.wav", nil),
    ] as [(String, String?, String?)])
  func paths(text: String, output: String?, input: String?) throws {
    let paths = try FilePaths(text)
    #expect(paths.output == output)
    #expect(paths.input == input)
  }
}
