// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Synchronization
import Testing

@Suite("Graphs on several threads", .serialized)
struct ThreadedGraphTests {
  private func setThreads(_ graph: Graph, _ count: UInt32) throws {
    try check(AUGraphSetRenderThreads(graph.handle, count), "AUGraphSetRenderThreads")
  }

  @Test("use one thread by default and any number up to 64")
  func option() throws {
    let graph = try Graph()
    var threads: UInt32 = 99
    #expect(AUGraphGetRenderThreads(graph.handle, &threads) == noErr)
    #expect(threads == 1)
    for count in [0, 2, 64] as [UInt32] {
      try setThreads(graph, count)
      #expect(AUGraphGetRenderThreads(graph.handle, &threads) == noErr)
      #expect(threads == count)
    }
    #expect(AUGraphSetRenderThreads(graph.handle, 65) == kAudio_ParamError)
    #expect(explanation.contains("65 threads"))
    #expect(AUGraphGetRenderThreads(graph.handle, &threads) == noErr)
    #expect(threads == 64)
    #expect(AUGraphSetRenderThreads(fromBits(0x77, AUGraph.self), 2) == kAudio_ParamError)
  }

  @Test("render bit-identical sound, in slices of any size", arguments: 0..<16)
  func equality(seed: Int) throws {
    let plan = RandomGraph(seed: 300 + seed, nodeCount: [20, 60, 200][seed % 3])
    let expected = (0..<700).map { plan.value(at: $0) }
    for (build, slice) in [512, 64, 37].enumerated() {
      let built = try plan.build(seed: 100 * seed + build)
      try setThreads(built.graph, UInt32(build + 2))
      try built.graph.initialize()
      #expect(try built.graph.render(built.output, 700, slice: slice) == expected)
    }
  }

  /// One mixer with thirty branches of real units, with different rates, pauses and settings.
  private func studio(threads: UInt32) throws -> (Graph, AUNode) {
    let graph = try Graph()
    try setThreads(graph, threads)
    let mixer = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let output = try graph.addOutput()
    try graph.open()
    try graph.set(mixer, kAudioUnitProperty_ElementCount, UInt32(30), kAudioUnitScope_Input)
    for branch in 0..<30 as Range<UInt32> {
      let group = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
      let filter = try graph.add(.apple(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter))
      let rate = [44_100.0, 48_000, 22_050][Int(branch) % 3]
      for input in 0..<2 as Range<UInt32> {
        try graph.setFormat(group, kAudioUnitScope_Input, input, rate: rate)
        try check(graph.feed(group, input, Self.noise(seed: Int(branch * 2 + input))))
      }
      try graph.setParameter(
        filter, AudioUnitParameterID(kLowPassParam_CutoffFrequency), 900 + 100 * Float(branch))
      try check(graph.connect(group, to: filter))
      try check(graph.connect(filter, to: mixer, branch))
      let unit = try graph.unit(mixer)
      try check(
        AudioUnitSetParameter(
          unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, branch, Float(branch) / 15 - 1,
          0))
      try check(
        AudioUnitSetParameter(
          unit, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, branch,
          branch % 7 == 3 ? 0 : 1, 0))
    }
    try check(graph.connect(mixer, to: output))
    try graph.initialize()
    return (graph, output)
  }

  /// Noise with pauses.
  private static func noise(seed: Int) -> Callback {
    let random = Mutable(RandomNumbers(seed))
    return Callback { time, _, list in
      let isSilent = Int(time.mSampleTime) / 2_000 % 4 == seed % 4
      for buffer in list {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for frame in samples.indices {
          samples[frame] = isSilent ? 0 : Float(random.value.next(2_001)) / 1_000 - 1
        }
      }
    }
  }

  @Test("render bit-identical sound with effects, converted rates and disabled inputs")
  func realUnits() throws {
    func samples(threads: UInt32) throws -> [[Float]] {
      let (graph, output) = try studio(threads: threads)
      let unit = try graph.unit(output)
      return try (0..<40).map { try renderStereo(unit, 441, at: 441 * $0) }
    }
    let expected = try samples(threads: 1)
    #expect(expected.contains { $0.contains { $0.magnitude > 0.1 } })
    for threads in [0, 2, 4] as [UInt32] { #expect(try samples(threads: threads) == expected) }
  }

  @Test("render branches at the same time: two callbacks can wait for each other")
  func concurrency() throws {
    let graph = try Graph()
    try setThreads(graph, 2)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    let meeting = Meeting(2)
    for input in 0..<2 as Range<UInt32> {
      let gain = try graph.add(.gain)
      try check(graph.feed(gain, 0, meeting.callback()))
      try check(graph.connect(gain, to: sum, input))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    _ = try graph.render(output, 64)
    #expect(meeting.wasComplete)
  }

  @Test("call callbacks with the same context one after the other, on one thread")
  func sharedContext() throws {
    let graph = try Graph()
    try setThreads(graph, 4)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    try graph.set(sum, kAudioUnitProperty_ElementCount, UInt32(12), kAudioUnitScope_Input)
    let (inside, collisions, calls) = (Counter(), Counter(), Counter())
    let shared = Callback { _, _, list in
      if inside.add(1) > 0 { _ = collisions.add(1) }
      for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 1) }
      for _ in 0..<2_000 { _ = calls.value }
      _ = calls.add(1)
      _ = inside.add(-1)
    }
    for input in 0..<12 as Range<UInt32> {
      let gain = try graph.add(.gain)
      try check(graph.feed(gain, 0, input % 3 == 2 ? .constant(1) : shared))
      try check(graph.connect(gain, to: sum, input))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    #expect(try graph.render(output, 6_400, slice: 64) == Array(repeating: 12, count: 6_400))
    #expect(calls.value == 800)
    #expect(collisions.value == 0)
  }

  @Test("pull a unit that feeds two branches on one thread at a time")
  func fanOut() throws {
    let graph = try Graph()
    try setThreads(graph, 4)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    // Pairs of branches that share a splitter, and two independent branches.
    for pair in 0..<3 as Range<UInt32> {
      let split = try graph.add(.split)
      let steps = try graph.add(.steps)
      try graph.setParameter(steps, 0, Float(pair + 1))
      try check(graph.connect(steps, to: split))
      for half in 0..<2 as Range<UInt32> {
        let gain = try graph.add(.gain)
        try check(graph.connect(split, half, to: gain))
        try check(graph.connect(gain, to: sum, pair + 3 * half))
      }
    }
    for input in 6..<8 as Range<UInt32> {
      try check(graph.connect(try graph.add(.steps), to: sum, input))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    let expected = (0..<3_000).map { frame in
      2 + (1...3).reduce(Float(0)) { $0 + 2 * Steps.value(frame, step: Float($1), start: 1) }
    }
    #expect(try graph.render(output, 3_000, slice: 32) == expected)
  }

  @Test("can change the number of threads while they play, without a change in the sound")
  func switching() throws {
    let plan = RandomGraph(seed: 4_711, nodeCount: 60)
    let built = try plan.build(seed: 1)
    try built.graph.initialize()
    for round in 0..<24 {
      try setThreads(built.graph, [1, 2, 0, 3][round % 4])
      #expect(built.graph.update() == noErr)
      #expect(
        try built.graph.render(built.output, 100, from: 100 * round, slice: 25)
          == (0..<100).map { plan.value(at: 100 * round + $0) })
    }
    // Uninitialised and initialised again, with the same number of threads.
    try check(AUGraphUninitialize(built.graph.handle))
    try built.graph.initialize()
    #expect(try built.graph.render(built.output, 100) == (0..<100).map { plan.value(at: $0) })
  }

  @Test("report the failure of a branch, and continue after it")
  func failure() throws {
    let graph = try Graph()
    try setThreads(graph, 3)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    let fails = Counter()
    for input in 0..<4 as Range<UInt32> {
      let gain = try graph.add(.gain)
      try check(graph.connect(gain, to: sum, input))
      guard input == 2 else {
        try check(graph.feed(gain, 0, .constant(1)))
        continue
      }
      graph.retain(fails)
      var callback = AURenderCallbackStruct(
        inputProc: { context, _, _, _, _, data in
          guard Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().value == 0 else {
            return -4_242
          }
          for buffer in UnsafeMutableAudioBufferListPointer(data)! {
            UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 1)
          }
          return noErr
        }, inputProcRefCon: Unmanaged.passUnretained(fails).toOpaque())
      try check(AUGraphSetNodeInputCallback(graph.handle, gain, 0, &callback))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    #expect(try graph.render(output, 64) == Array(repeating: 4, count: 64))
    _ = fails.add(1)
    #expect(
      performing: { _ = try graph.render(output, 64, from: 64) },
      throws: { error in
        (error as? CallFailure)?.status == -4_242
      })
    _ = fails.add(-1)
    #expect(try graph.render(output, 64, from: 128) == Array(repeating: 4, count: 64))
  }

  /// Renders two branches, each on its own thread, and counts those that had real-time priority.
  /// The rendering thread has it if `withRealTimeRender`; nil if that is not permitted.
  private func realTimeBranchCount(withRealTimeRender: Bool) throws -> Int? {
    let graph = try Graph()
    try setThreads(graph, 2)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    let (meeting, realTimeCount) = (Meeting(2), Counter())
    let callbacks = (0..<2).map { _ in
      meeting.callback { if currentPriority() > 0 { _ = realTimeCount.add(1) } }
    }
    for input in 0..<2 as Range<UInt32> {
      let gain = try graph.add(.gain)
      try check(graph.feed(gain, 0, callbacks[Int(input)]))
      try check(graph.connect(gain, to: sum, input))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    nonisolated(unsafe) let unit = try graph.unit(output)
    let hasRendered = OwnThread {
      guard !withRealTimeRender || requestPriority() else { return false }
      return (try? renderStereo(unit, 64, at: 0)) != nil
    }.join()
    return hasRendered && meeting.wasComplete ? realTimeCount.value : nil
  }

  @Test("have the rendering thread's priority on every thread: none offline")
  func priority() throws {
    #expect(try realTimeBranchCount(withRealTimeRender: false) == 0)
    // Nil if this user may not have real-time priority.
    #expect(try realTimeBranchCount(withRealTimeRender: true) ?? 2 == 2)
  }

  @Test("do not use the heap on any thread")
  func heap() throws {
    let graph = try Graph()
    try setThreads(graph, 3)
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try graph.open()
    let probes = (0..<8).map { _ in HeapProbe() }
    for (input, probe) in probes.enumerated() {
      let gain = try graph.add(.gain)
      try check(AudioUnitAddRenderNotify(graph.unit(gain), HeapProbe.function, probe.context))
      try check(graph.feed(gain, 0, .constant(1)))
      try check(graph.connect(gain, to: sum, UInt32(input)))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    let unit = try graph.unit(output)
    for slice in 0..<2_000 { _ = try renderStereo(unit, 64, at: 64 * slice) }
    #expect(probes.allSatisfy { $0.renders == 2_000 })
    #expect(probes.allSatisfy { $0.heapOperations == 0 })
  }
}

/// A mutable value, used by one thread at a time.
private final class Mutable<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A number shared by threads.
private final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// Returns the number before the addition.
  func add(_ difference: Int) -> Int {
    number.wrappingAdd(difference, ordering: .sequentiallyConsistent).oldValue
  }
}

/// Callbacks that return when the expected number of them is in progress, or after ten seconds.
private final class Meeting: Sendable {
  private let expected: Int
  private let present = Atomic<Int>(0)

  init(_ expected: Int) { self.expected = expected }

  var wasComplete: Bool { present.load(ordering: .sequentiallyConsistent) == expected }

  /// A callback that begins with `work`.
  func callback(doing work: @escaping @Sendable () -> Void = {}) -> Callback {
    Callback { [self] _, _, list in
      work()
      for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 0) }
      present.add(1, ordering: .sequentiallyConsistent)
      for _ in 0..<100_000 where !wasComplete { usleep(100) }
      // The others did not come.
      if !wasComplete { present.subtract(1, ordering: .sequentiallyConsistent) }
    }
  }
}

/// The real-time priority of the calling thread; 0 if it has none.
private func currentPriority() -> Int {
  var parameters = sched_param()
  var policy: Int32 = 0
  pthread_getschedparam(pthread_self(), &policy, &parameters)
  return Int(parameters.sched_priority)
}

/// Gives the calling thread real-time priority; false if that is not permitted.
private func requestPriority() -> Bool {
  var parameters = sched_param()
  parameters.sched_priority = 1
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
}

/// A render notification that counts the heap operations of its thread during a render. It does not
/// use the heap itself.
private final class HeapProbe: @unchecked Sendable {
  private struct State {
    var before: Int64 = 0
    var renders = 0
    var operations: Int64 = 0
  }

  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init() { state.initialize(to: State()) }

  deinit { state.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  var renders: Int { state.pointee.renders }
  var heapOperations: Int64 { state.pointee.operations }

  static let function: AURenderCallback = { context, flags, _, _, _, _ in
    Unmanaged<HeapProbe>.fromOpaque(context)._withUnsafeGuaranteedRef { probe in
      let state = probe.state
      if flags.pointee.contains(.unitRenderAction_PreRender) {
        state.pointee.before = heap_operations()
      } else if flags.pointee.contains(.unitRenderAction_PostRender) {
        state.pointee.operations += heap_operations() - state.pointee.before
        state.pointee.renders += 1
      }
      return noErr
    }
  }
}
