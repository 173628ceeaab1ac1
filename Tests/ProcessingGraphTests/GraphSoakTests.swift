// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioDevices
import AudioToolbox
import Foundation
import Testing

/// Edits while a device renders. Seconds here; as many minutes as `AUDIOTOOLBOX_TEST_MINUTES` says
/// when they are to last, or seconds by `AUDIOTOOLBOX_TEST_STORM_SECONDS`, as under the sanitizers.
@Suite("Graph in a storm", .serialized)
struct GraphSoakTests {
  private static var seconds: Double {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 2
  }

  /// Lets `body` run where the device is `null`.
  private func onNullDevice<Result>(_ body: () throws -> Result) rethrows -> Result {
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    environment.cycleFrames = 64
    return try DeviceEnvironment.$override.withValue(environment, operation: body)
  }

  /// A sum that an I/O unit plays, at the device's rate and so without conversion.
  private func playing(_ judge: Judge, inputs: UInt32, threads: UInt32 = 1) throws
    -> (Graph, sum: AUNode, io: AUNode)
  {
    let graph = try Graph()
    try check(AUGraphSetRenderThreads(graph.handle, threads))
    graph.keep(judge)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput(kAudioUnitSubType_RemoteIO))
    #expect(graph.connect(sum, to: output) == noErr)
    try onNullDevice {
      try graph.open()
      try graph.set(sum, kAudioUnitProperty_ElementCount, inputs, kAudioUnitScope_Input)
      try graph.setFormat(sum, kAudioUnitScope_Output, rate: 48_000)
      for input in 0..<inputs {
        try graph.setFormat(sum, kAudioUnitScope_Input, input, rate: 48_000)
      }
      try check(AUGraphAddRenderNotify(graph.handle, Judge.function, judge.context))
      try graph.initialize()
      try graph.start()
    }
    return (graph, sum, output)
  }

  @Test("swaps a callback a thousand times; each block is of one callback, and none comes back")
  func swaps() throws {
    let judge = Judge { $0 == 0 || $0 >= 1 }
    let (graph, _, output) = try playing(judge, inputs: 1)
    let sources = (0..<1_000).map { ConstantSource(Float($0 + 1)) }
    for (index, source) in sources.enumerated() {
      var callback = source.input
      #expect(AUGraphSetNodeInputCallback(graph.handle, output, 0, &callback) == noErr)
      #expect(graph.update() == noErr)
      // Whoever was before is called no more, and its memory may go.
      if index > 0 { sources[index - 1].end() }
    }
    for _ in 0..<100_000 where judge.largest < 1_000 { usleep(100) }
    try graph.stop()
    #expect(judge.torn == 0)
    #expect(judge.largest == 1_000)
    #expect(judge.steps == 0)
    #expect(sources.allSatisfy { $0.lateCalls == 0 })
  }

  @Test(
    "lets four threads edit what plays: every slice is either the old graph or the new one",
    arguments: [1, 3])
  func storm(threads: UInt32) throws {
    // Inputs 0 and 1 change together, by 1 or by 100 each. The others give thousands.
    let judge = Judge { value in [0, 2, 200].contains(Int(value) % 1_000) }
    let (graph, sum, _) = try playing(judge, inputs: 24, threads: threads)
    let sources = [1, 100, 1_000].map { ConstantSource(Float($0)) }
    for source in sources { graph.keep(source) }
    let pair = NSLock()
    let end = Date().addingTimeInterval(Self.seconds)
    let threads = (0..<4).map { number in
      OwnThread { () -> Int in
        var random = RandomNumbers(number)
        var updates = 0
        while Date() < end {
          switch random.next(6) {
          case 0:
            // Two edits that belong together, as no update of another thread may cut them.
            let source = sources[random.next(2)]
            pair.withLock {
              for input in 0..<2 as Range<UInt32> {
                var callback = source.input
                AUGraphSetNodeInputCallback(graph.handle, sum, input, &callback)
              }
              if AUGraphUpdate(graph.handle, nil) == noErr { updates += 1 }
            }
          default:
            // Edits of several threads meet; an update refuses or takes all that is there.
            if random.next(6) > 0 {
              edit(graph, sum, 2 + UInt32(5 * number), sources[2], &random)
            }
            pair.withLock {
              if random.next(6) == 0 { refuse(graph) }
              var isUpdated = false
              let answer =
                random.next(2) == 0
                ? graph.update() : AUGraphUpdate(graph.handle, &isUpdated)
              if answer == noErr { updates += 1 }
            }
          }
        }
        return updates
      }
    }
    let updates = threads.map { $0.join() }
    let before = judge.slices
    for _ in 0..<100_000 where judge.slices < before + 4 { usleep(100) }
    try graph.stop()
    #expect(updates.allSatisfy { $0 > 0 })
    #expect(judge.slices > 0)
    #expect(judge.torn == 0)
    #expect(judge.strange == 0)
    #expect(graph.dispose() == noErr)
  }

  /// Some edit of the inputs that belong to one thread, from `first` on.
  private func edit(
    _ graph: Graph, _ sum: AUNode, _ first: UInt32, _ source: ConstantSource,
    _ random: inout RandomNumbers
  ) {
    let input = first + UInt32(random.next(5))
    switch random.next(5) {
    case 4:
      // A parameter of some generator; of other units it is refused.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      AUGraphGetIndNode(graph.handle, UInt32(random.next(Int(count))), &node)
      _ = try? graph.setParameter(node, 1, Float(random.next(64)))
    case 0:
      var callback = source.input
      AUGraphSetNodeInputCallback(graph.handle, sum, input, &callback)
    case 1: AUGraphDisconnectNodeInput(graph.handle, sum, input)
    case 2:
      // A branch of two units; where the input is taken, it stays unconnected.
      guard let steps = try? graph.add(.steps), let gain = try? graph.add(.gain) else { return }
      for node in [steps, gain] {
        _ = try? graph.setFormat(node, kAudioUnitScope_Output, rate: 48_000)
      }
      _ = try? graph.setParameter(gain, 0, 0)
      _ = graph.connect(steps, to: gain)
      _ = graph.connect(gain, to: sum, input)
    default:
      // Any node but the sum and the output, the first two.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      guard count > 2 else { return }
      AUGraphGetIndNode(graph.handle, 2 + UInt32(random.next(Int(count) - 2)), &node)
      _ = graph.remove(node)
    }
  }

  /// An edit that cannot be: refused as a whole, and forgotten.
  private func refuse(_ graph: Graph) {
    guard let one = try? graph.add(.gain), let two = try? graph.add(.gain) else { return }
    _ = graph.connect(one, to: two)
    _ = graph.connect(two, to: one)
    AUGraphUpdate(graph.handle, nil)
    _ = graph.remove(one)
    _ = graph.remove(two)
  }

  @Test("leaves the heap alone in its render thread while edits land", arguments: [1, 3])
  func heap(threads: UInt32) throws {
    let judge = Judge { _ in true }
    let (graph, sum, _) = try playing(judge, inputs: 8, threads: threads)
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
    for _ in 0..<100_000 where judge.slices < 20 { usleep(100) }
    try graph.stop()
    #expect(judge.slices >= 20)
    #expect(judge.heapOperations == 0)
  }

  @Test("is disposed of while it plays, over and over, also from its own callback")
  func disposal() throws {
    for round in 0..<60 {
      let judge = Judge { _ in true }
      let (graph, sum, _) = try playing(judge, inputs: 2, threads: UInt32(round % 3 + 1))
      let unit = try graph.unit(sum)
      let source = ConstantSource(1)
      graph.keep(source)
      source.graphToDispose = round % 2 == 0 ? graph.handle : nil
      var callback = source.input
      #expect(AUGraphSetNodeInputCallback(graph.handle, sum, 0, &callback) == noErr)
      // A callback may be faster than this call.
      let answer = graph.update()
      #expect(answer == noErr || answer == kAudio_ParamError)
      guard round % 2 == 0 else { continue }
      // The notifier ends it after that callback; its head stops before its units end.
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
