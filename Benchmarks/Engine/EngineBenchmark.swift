// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation

/// An engine of 32 players, 8 equalisers and 3 mixers, compared with the same graph in C, and with a
/// Web Audio implementation; and what the calls of a program cost.
enum EngineBenchmark {
  static func run(in folder: URL) {
    Report.title(
      "an engine of 32 players, 8 equalisers of a band and 3 mixers, stereo (ns per slice)")
    do {
      for frames in [64, 512] as [UInt32] { try compare(frames) }
      try runPeer(in: folder)
      Report.title("calls of an engine's program")
      Report.own("1,000 buffers scheduled", try schedule(1_000) / 1e6, "ms", target: 2)
      Report.own("a source connected and detached while it runs", try edit() / 1e3, "µs")
      let cycles = try firstSamples(in: folder)
      Report.own("start() to the first sample of a source", cycles.source, "cycles", target: 2)
      Report.own("play() to the first sample of a player", cycles.player, "cycles", target: 2)
    } catch { Report.note("\(error)") }
  }

  /// Both graphs in alternation, because the speed of a machine varies. The ratio is the median of those of
  /// neighbouring runs of some milliseconds.
  private static func compare(_ frames: UInt32) throws {
    let (engine, graph) = (try PlayingEngine(), PlayingGraph())
    expectEqualSound(engine, graph, frames)
    let slices = 100 * 512 / Int(frames)
    let runs = (0..<99).map { _ in
      (time(of: slices) { engine.render(frames) }, time(of: slices) { graph.render(frames) })
    }
    Report.own("AVAudioEngine, renderOffline, \(frames) frames", median(runs.map(\.0)), "ns")
    Report.own("AUGraph with the same units, \(frames) frames", median(runs.map(\.1)), "ns")
    let ratio = median(runs.map { $0 / $1 })
    Report.own("ratio of the two, \(frames) frames", ratio, "times", target: 1.05)
  }

  /// The nanoseconds of one slice of several.
  private static func time(of slices: Int, _ render: () -> Void) -> Double {
    let start = Stopwatch.now
    for _ in 0..<slices { render() }
    return (Stopwatch.now - start) / Double(slices)
  }

  private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

  /// Ends the program if the graphs do not sound alike: they would do different work.
  private static func expectEqualSound(
    _ engine: PlayingEngine, _ graph: PlayingGraph, _ frames: UInt32
  ) {
    var (difference, level): (Float, Float) = (0, 0)
    for _ in 0..<20 {
      engine.render(frames)
      graph.render(frames)
      for frame in 0..<Int(frames) {
        level = max(level, engine.samples[frame].magnitude)
        difference = max(difference, (engine.samples[frame] - graph.samples[frame]).magnitude)
      }
    }
    guard level > 0.01, difference < 1e-4 else {
      fail("the engine and the graph differ by \(difference), at a level of \(level)")
    }
  }

  /// The Web Audio implementation, in its slices of 128 frames.
  private static func runPeer(in folder: URL) throws {
    let engine = try PlayingEngine()
    let ours = Stopwatch.nanoseconds { engine.render(128) } / 128
    Report.own("AVAudioEngine, 128 frames, per frame", ours, "ns")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../EnginePeers/webaudio.py").path
    let peer = Peer(
      name: "web-audio-api (the library of node-web-audio-api)",
      command: { seconds, _ in ["python3", script, "\(seconds)"] }, lengths: (5, 45),
      samplesPerSecond: PlayingEngine.sampleRate)
    Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
  }

  // MARK: Calls

  private static func schedule(_ count: Int) throws -> Double {
    let engine = try PlayingEngine()
    let (player, buffer) = (AVAudioPlayerNode(), engine.sound)
    engine.engine.attach(player)
    engine.engine.connect(player, to: engine.engine.mainMixerNode, format: buffer.format)
    let times = (0..<7).map { _ in
      let start = Stopwatch.now
      for _ in 0..<count { player.scheduleBuffer(buffer) }
      let time = Stopwatch.now - start
      player.stop()
      return time
    }
    return times.sorted()[3]
  }

  private static func edit() throws -> Double {
    let engine = try PlayingEngine().engine
    let source = AVAudioSourceNode { _, _, _, _ in noErr }
    return Stopwatch.nanoseconds {
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      engine.detach(source)
    }
  }

  /// Cycles of a device before the first sample: of a source after the start of the engine, counted in
  /// the file that the device writes; of a player after the cycle before `play()`.
  private static func firstSamples(in folder: URL) throws -> (source: Double, player: Double) {
    let file = folder.appendingPathComponent("engine.wav")
    setenv("AUDIOTOOLBOX_DEVICE", "file:\(file.path)", 1)
    setenv("AUDIOTOOLBOX_FRAMES", "512", 1)
    defer {
      unsetenv("AUDIOTOOLBOX_DEVICE")
      unsetenv("AUDIOTOOLBOX_FRAMES")
    }
    return (Double(try firstOfSource(file)) / 512, Double(try firstOfPlayer()) / 512)
  }

  private static func firstOfSource(_ file: URL) throws -> Int {
    let engine = AVAudioEngine()
    let source = AVAudioSourceNode { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
      }
      return noErr
    }
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    try engine.start()
    usleep(300_000)
    engine.stop()
    let recording = try AVAudioFile(forReading: file)
    guard
      let buffer = AVAudioPCMBuffer(
        pcmFormat: recording.processingFormat,
        frameCapacity: AVAudioFrameCount(clamping: recording.length))
    else { fail("no room for a recording") }
    try recording.read(into: buffer)
    let samples = UnsafeBufferPointer(
      start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
    guard let first = samples.firstIndex(where: { $0 != 0 }) else { fail("the engine is silent") }
    return first
  }

  private static func firstOfPlayer() throws -> Int {
    let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    player.scheduleBuffer(try PlayingEngine.noise(player.outputFormat(forBus: 0), 48_000))
    try engine.start()
    usleep(100_000)
    let before = player.lastRenderTime
    player.play()
    usleep(100_000)
    let start = AVAudioTime(sampleTime: 0, atRate: player.outputFormat(forBus: 0).sampleRate)
    guard let before, let first = player.nodeTime(forPlayerTime: start) else {
      fail("the player does not play")
    }
    return Int(first.sampleTime - before.sampleTime)
  }
}
