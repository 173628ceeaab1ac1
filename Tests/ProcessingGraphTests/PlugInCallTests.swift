// SPDX-License-Identifier: Apache-2.0
@testable import AudioSupport
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// The library holds none of its locks while it calls a function of a plug-in. Here each such
/// function makes every call on another thread and waits for that thread.
@Suite("While a function of a plug-in is called", .timeLimit(.minutes(60)))
struct PlugInCallTests {
  /// A graph of a source (node 1), a plug-in (node 2) and a generic output (node 3).
  private final class Program: @unchecked Sendable {
    let graph: Graph
    private let function: WatchedPlugIn.Function
    private let state = Mutex((calls: 0, problems: [String]()))
    private let plugIn = Mutex<UInt?>(nil)

    init(_ function: WatchedPlugIn.Function, number: Int) throws {
      self.function = function
      graph = try Graph()
      let description = WatchedPlugIn.register(code("wat0") + UInt32(number)) {
        [weak self] called in
        self?.wasCalled(called)
      }
      let (source, effect, output) = (
        try graph.add(.steps), try graph.add(description), try graph.addOutput()
      )
      #expect(graph.connect(source, to: effect) == noErr)
      #expect(graph.connect(effect, to: output) == noErr)
    }

    var callCount: Int { state.withLock { $0.calls } }
    /// The calls that did not return meanwhile, and the functions called with a lock held.
    var problems: [String] { state.withLock { $0.problems } }

    func open() throws {
      try graph.open()
      let unit = try graph.unit(2)
      plugIn.withLock { $0 = UInt(bitPattern: unit) }
    }

    private func wasCalled(_ called: WatchedPlugIn.Function) {
      let locks = Lock.heldCount
      let isFirst = state.withLock { state in
        if locks > 0 { state.problems.append("\(locks) locks are held in \(called)") }
        guard called == function else { return false }
        state.calls += 1
        return state.calls == 1
      }
      if isFirst { makeCalls() }
    }

    private func makeCalls() {
      // Close and Dispose would wait for this function.
      let teardown = GraphCall.teardown.filter { $0.name == "Uninitialize" }
      for call in GraphCall.others + GraphCall.setup + teardown {
        run(call.name) { [graph] in _ = call(graph.handle) }
      }
      guard let unit = plugIn.withLock({ $0 }).flatMap({ AudioUnit(bitPattern: $0) }) else {
        return
      }
      for (name, call) in UnitCall.all(unit) { run(name, call) }
    }

    private func run(_ name: String, _ call: @escaping @Sendable () -> Void) {
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        call()
        isDone.signal()
      }
      guard isDone.wait(timeout: .now() + 30) != .success else { return }
      state.withLock { $0.problems.append("\(name) waited for \(function)") }
    }
  }

  @Test("every call returns, and no lock is held", arguments: WatchedPlugIn.Function.allCases)
  func everyCall(function: WatchedPlugIn.Function) throws {
    let number = WatchedPlugIn.Function.allCases.firstIndex(of: function) ?? 0
    let program = try Program(function, number: number)
    let graph = program.graph.handle
    // The calls made meanwhile may leave nothing to initialise.
    try program.open()
    _ = AUGraphInitialize(graph)
    _ = AUGraphConnectNodeInput(graph, 1, 0, 2, 0)
    _ = AUGraphDisconnectNodeInput(graph, 2, 0)
    _ = AUGraphUpdate(graph, nil)
    _ = AUGraphUninitialize(graph)
    #expect(AUGraphClose(graph) == noErr)
    #expect(program.callCount > 0)
    #expect(program.problems.isEmpty)
  }

  @Test("an edit made during the call takes effect without a second update")
  func edited() throws {
    let graph = try Graph()
    let handle = UInt(bitPattern: graph.handle)
    let hasEdited = Atomic(false)
    let description = WatchedPlugIn.register(code("watx")) { called in
      guard called == .initialize, !hasEdited.exchange(true, ordering: .sequentiallyConsistent)
      else { return }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        // Node 4 replaces node 1.
        if let graph = AUGraph(bitPattern: handle) {
          _ = AUGraphDisconnectNodeInput(graph, 2, 0)
          _ = AUGraphConnectNodeInput(graph, 4, 0, 2, 0)
        }
        isDone.signal()
      }
      isDone.wait()
    }
    let (one, effect, output) = (
      try graph.add(.steps), try graph.add(description), try graph.addOutput()
    )
    let other = try graph.add(.steps)
    #expect(graph.connect(one, to: effect) == noErr && graph.connect(effect, to: output) == noErr)
    try graph.open()
    try graph.setParameter(other, 1, 3)
    try graph.initialize()
    let wasEdited = hasEdited.load(ordering: .sequentiallyConsistent)
    #expect(wasEdited)
    #expect(try graph.render(output, 4) == [3, 3, 3, 3])
  }

  @Test("a change of the graph's state by that function is refused at once")
  func inside() throws {
    let graph = try Graph()
    let handle = UInt(bitPattern: graph.handle)
    let statuses = Mutex<[OSStatus]>([])
    let description = WatchedPlugIn.register(code("waty")) { called in
      guard called == .initialize, let graph = AUGraph(bitPattern: handle) else { return }
      let found = [AUGraphUpdate(graph, nil), AUGraphUninitialize(graph), AUGraphStart(graph)]
      statuses.withLock { $0 = found }
    }
    let (effect, output) = (try graph.add(description), try graph.addOutput())
    #expect(graph.connect(effect, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    let refused = kAUGraphErr_CannotDoInCurrentContext
    #expect(statuses.withLock { $0 } == [refused, refused, refused])
    #expect(graph.states == [true, true, false])
  }
}

/// A callback of a render in progress may wait for another thread of the program.
@Suite("While a call waits for a render", .timeLimit(.minutes(60)))
struct WaitingForRenderTests {
  /// A callback that waits until it may return.
  private final class BlockingCallback: @unchecked Sendable {
    let isInside = DispatchSemaphore(value: 0)
    let mayReturn = DispatchSemaphore(value: 0)
    private let isFirst = Atomic(true)

    static let function: AURenderCallback = { context, _, _, _, frames, data in
      let callback = Unmanaged<BlockingCallback>.fromOpaque(context).takeUnretainedValue()
      if callback.isFirst.exchange(false, ordering: .sequentiallyConsistent) {
        callback.isInside.signal()
        callback.mayReturn.wait()
      }
      return noErr
    }

    var input: AURenderCallbackStruct {
      AURenderCallbackStruct(
        inputProc: Self.function, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  @Test(
    "queries of the unit and the graph return, whichever call waits",
    arguments: ["callback", "connection", "uninitialize", "stop", "remove notify"])
  func queries(waitingCall: String) throws {
    let graph = try Graph()
    let (source, gain, output) = (
      try graph.add(.steps), try graph.add(.gain), try graph.addOutput()
    )
    #expect(graph.connect(gain, to: output) == noErr)
    try graph.open()
    nonisolated(unsafe) let (unit, head) = (try graph.unit(gain), try graph.unit(output))
    nonisolated(unsafe) let other = try graph.unit(source)
    let blocking = BlockingCallback()
    try graph.set(
      gain, kAudioUnitProperty_SetRenderCallback, blocking.input, kAudioUnitScope_Input)
    try graph.initialize()
    let renderer = OwnThread { _ = try? renderSlice(head, 4, at: 0) }
    blocking.isInside.wait()
    let hasBegun = DispatchSemaphore(value: 0)
    let waiter = OwnThread {
      hasBegun.signal()
      switch waitingCall {
      case "callback":
        try? graph.set(
          gain, kAudioUnitProperty_SetRenderCallback, blocking.input, kAudioUnitScope_Input)
      case "connection":
        try? graph.set(
          gain, kAudioUnitProperty_MakeConnection,
          AudioUnitConnection(
            sourceAudioUnit: other, sourceOutputNumber: 0, destInputNumber: 0),
          kAudioUnitScope_Input)
      case "uninitialize": AudioUnitUninitialize(unit)
      case "stop": AUGraphStop(graph.handle)
      default: AUGraphRemoveRenderNotify(graph.handle, BlockingCallback.function, nil)
      }
    }
    hasBegun.wait()
    // In most runs it waits by now. The queries must return in any case.
    usleep(20_000)
    let haveReturned = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? graph.get(gain, kAudioUnitProperty_MaximumFramesPerSlice, as: UInt32(0))
      _ = graph.nodeCount
      haveReturned.signal()
    }
    #expect(haveReturned.wait(timeout: .now() + 30) == .success)
    blocking.mayReturn.signal()
    renderer.join()
    waiter.join()
  }
}
