// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioDevices
import AudioToolbox
import Foundation
import Testing

/// Edits while a device renders, without fades: then every slice is of one graph. They last two seconds, or as many minutes as
/// `AUDIOTOOLBOX_TEST_MINUTES` or seconds as `AUDIOTOOLBOX_TEST_STORM_SECONDS` says.
@Suite("Graph under many edits", .serialized)
struct GraphSoakTests {
  private static var seconds: Double {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 2
  }

  /// Runs `body` with the device `null`.
  private func onNullDevice<Result>(_ body: () throws -> Result) rethrows -> Result {
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    environment.cycleFrames = 64
    return try environment.use(body)
  }

  /// A running graph: a sum and an I/O unit, at the device's rate and so without conversion.
  private func playing(_ checker: SliceChecker, inputs: UInt32, threads: UInt32 = 1) throws
    -> (Graph, sum: AUNode, io: AUNode)
  {
    let graph = try Graph()
    try check(AUGraphSetRenderThreads(graph.handle, threads))
    try check(AUGraphSetEditFades(graph.handle, .never))
    graph.retain(checker)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput(kAudioUnitSubType_RemoteIO))
    #expect(graph.connect(sum, to: output) == noErr)
    try onNullDevice {
      try graph.open()
      try graph.set(sum, kAudioUnitProperty_ElementCount, inputs, kAudioUnitScope_Input)
      try graph.setFormat(sum, kAudioUnitScope_Output, rate: 48_000)
      for input in 0..<inputs {
        try graph.setFormat(sum, kAudioUnitScope_Input, input, rate: 48_000)
      }
      try check(AUGraphAddRenderNotify(graph.handle, SliceChecker.function, checker.context))
      try graph.initialize()
      try graph.start()
    }
    return (graph, sum, output)
  }

  @Test("replaces a callback a thousand times; each slice is from one, and none is called again")
  func replacements() throws {
    let checker = SliceChecker { $0 == 0 || $0 >= 1 }
    let (graph, _, output) = try playing(checker, inputs: 1)
    let sources = (0..<1_000).map { ConstantSource(Float($0 + 1)) }
    for (index, source) in sources.enumerated() {
      var callback = source.input
      #expect(AUGraphSetNodeInputCallback(graph.handle, output, 0, &callback) == noErr)
      #expect(graph.update() == noErr)
      // The one before is not called any more; its memory may be released.
      if index > 0 { sources[index - 1].expectNoMoreCalls() }
    }
    for _ in 0..<100_000 where checker.largest < 1_000 { usleep(100) }
    try graph.stop()
    #expect(checker.torn == 0)
    #expect(checker.largest == 1_000)
    #expect(checker.decreases == 0)
    #expect(sources.allSatisfy { $0.lateCalls == 0 })
  }

  @Test(
    "can be edited by four threads while it plays: every slice is of the old graph or the new one",
    arguments: [1, 3])
  func storm(threads: UInt32) throws {
    // Inputs 0 and 1 change together; each supplies 0, 1 or 100. The others supply thousands.
    let checker = SliceChecker { value in [0, 2, 200].contains(Int(value) % 1_000) }
    let (graph, sum, _) = try playing(checker, inputs: 24, threads: threads)
    let sources = [1, 100, 1_000].map { ConstantSource(Float($0)) }
    for source in sources { graph.retain(source) }
    let pair = NSLock()
    let end = Date().addingTimeInterval(Self.seconds)
    let threads = (0..<4).map { number in
      OwnThread { () -> Int in
        var random = RandomNumbers(number)
        var updates = 0
        while Date() < end {
          switch random.next(6) {
          case 0:
            // Two edits that belong together: no other thread's update may come between them.
            let source = sources[random.next(2)]
            pair.withLock {
              for input in 0..<2 as Range<UInt32> {
                var callback = source.input
                AUGraphSetNodeInputCallback(graph.handle, sum, input, &callback)
              }
              if AUGraphUpdate(graph.handle, nil) == noErr { updates += 1 }
            }
          default:
            // Edits of several threads may combine; an update applies or refuses all of them.
            if random.next(6) > 0 {
              edit(graph, sum, 2 + UInt32(5 * number), sources[2], &random)
            }
            pair.withLock {
              if random.next(6) == 0 { refuse(graph) }
              var isUpdated = false
              let status =
                random.next(2) == 0
                ? graph.update() : AUGraphUpdate(graph.handle, &isUpdated)
              if status == noErr { updates += 1 }
            }
          }
        }
        return updates
      }
    }
    let updates = threads.map { $0.join() }
    let before = checker.slices
    for _ in 0..<100_000 where checker.slices < before + 4 { usleep(100) }
    try graph.stop()
    #expect(updates.allSatisfy { $0 > 0 })
    #expect(checker.slices > 0)
    #expect(checker.torn == 0)
    #expect(checker.impossible == 0)
    #expect(graph.dispose() == noErr)
  }

  /// A random edit of the five inputs of one thread, from `first` on.
  private func edit(
    _ graph: Graph, _ sum: AUNode, _ first: UInt32, _ source: ConstantSource,
    _ random: inout RandomNumbers
  ) {
    let input = first + UInt32(random.next(5))
    switch random.next(5) {
    case 4:
      // A parameter of a generator; other units refuse it.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      AUGraphGetIndNode(graph.handle, UInt32(random.next(Int(count))), &node)
      _ = try? graph.setParameter(node, 1, Float(random.next(64)))
    case 0:
      var callback = source.input
      AUGraphSetNodeInputCallback(graph.handle, sum, input, &callback)
    case 1: AUGraphDisconnectNodeInput(graph.handle, sum, input)
    case 2:
      // A branch of two units; if the input is connected already, it stays unconnected.
      guard let steps = try? graph.add(.steps), let gain = try? graph.add(.gain) else { return }
      for node in [steps, gain] {
        _ = try? graph.setFormat(node, kAudioUnitScope_Output, rate: 48_000)
      }
      _ = try? graph.setParameter(gain, 0, 0)
      _ = graph.connect(steps, to: gain)
      _ = graph.connect(gain, to: sum, input)
    default:
      // Any node except the first two, the sum and the output.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      guard count > 2 else { return }
      AUGraphGetIndNode(graph.handle, 2 + UInt32(random.next(Int(count) - 2)), &node)
      _ = graph.remove(node)
    }
  }

  /// Makes an edit that is refused as a whole and discarded.
  private func refuse(_ graph: Graph) {
    guard let one = try? graph.add(.gain), let two = try? graph.add(.gain) else { return }
    _ = graph.connect(one, to: two)
    _ = graph.connect(two, to: one)
    AUGraphUpdate(graph.handle, nil)
    _ = graph.remove(one)
    _ = graph.remove(two)
  }

  @Test("does not use the heap in its render thread while it is edited", arguments: [1, 3])
  func heap(threads: UInt32) throws {
    let checker = SliceChecker { _ in true }
    let (graph, sum, _) = try playing(checker, inputs: 8, threads: threads)
    let source = ConstantSource(1)
    for round in 0..<150 {
      let (steps, gain) = (try graph.add(.steps), try graph.add(.gain))
      for node in [steps, gain] {
        try graph.setFormat(node, kAudioUnitScope_Output, rate: 48_000)
      }
      #expect(graph.connect(steps, to: gain) == noErr)
      #expect(graph.connect(gain, to: sum, UInt32(round % 4)) == noErr)
      var callback = source.input
      #expect(AUGraphSetNodeInputCallback(graph.handle, sum, 5, &callback) == noErr)
      #expect(graph.update() == noErr)
      #expect(graph.disconnect(sum, 5) == noErr)
      #expect(graph.remove(steps) == noErr)
      #expect(graph.remove(gain) == noErr)
      #expect(graph.update() == noErr)
    }
    for _ in 0..<100_000 where checker.slices < 20 { usleep(100) }
    try graph.stop()
    #expect(checker.slices >= 20)
    #expect(checker.heapOperations == 0)
  }

  @Test("can be disposed of while it plays, also from its own callback")
  func disposal() throws {
    for round in 0..<60 {
      let checker = SliceChecker { _ in true }
      let (graph, sum, _) = try playing(checker, inputs: 2, threads: UInt32(round % 3 + 1))
      let unit = try graph.unit(sum)
      let source = ConstantSource(1)
      graph.retain(source)
      source.graphToDispose = round % 2 == 0 ? graph.handle : nil
      var callback = source.input
      #expect(AUGraphSetNodeInputCallback(graph.handle, sum, 0, &callback) == noErr)
      // The callback may dispose of the graph before this call.
      let status = graph.update()
      #expect(status == noErr || status == kAudio_ParamError)
      guard round % 2 == 0 else { continue }
      // The notifier disposes of it after that callback; the output stops before the units.
      for _ in 0..<100_000 where isLive(unit) { usleep(100) }
      #expect(!isLive(unit))
      withExtendedLifetime(source) {}
    }
  }
}

/// Whether a unit has not been disposed of.
private func isLive(_ unit: AudioUnit) -> Bool {
  AudioUnitReset(unit, kAudioUnitScope_Global, 0) == noErr
}
