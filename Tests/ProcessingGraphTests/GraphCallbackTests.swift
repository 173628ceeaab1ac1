// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
import Foundation
@testable import ProcessingGraph
import Testing

/// What graph functions return during a render, on the rendering thread.
@Suite("A graph called from its own notification")
struct GraphCallbackTests {
  /// An initialised graph: a sub-graph and a source, a sum, and a generic output.
  private func mixing() throws -> (Graph, sub: AUNode, output: AUNode) {
    let graph = try Graph()
    let (source, sum, output) = (
      try graph.add(.steps), try graph.add(.sum), try graph.addOutput()
    )
    let (sub, part) = try graph.addSubgraph()
    let (inner, end) = (try part.add(.steps), try part.addOutput())
    #expect(part.connect(inner, to: end) == noErr)
    #expect(graph.connect(source, to: sum, 0) == noErr)
    #expect(graph.connect(sub, to: sum, 1) == noErr)
    #expect(graph.connect(sum, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    return (graph, sub, output)
  }

  /// The results of `body` when it is called by the notification after a render.
  private func statuses(
    _ graph: Graph, _ output: AUNode, _ body: @escaping @Sendable () -> [OSStatus]
  ) throws -> [OSStatus] {
    let notify = CallingNotify(body)
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    #expect(try graph.render(output, 2) == [2, 2])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    return notify.statuses
  }

  @Test("refuses to be opened, initialised or started, and to remove its output and sub-graphs")
  func refusals() throws {
    let (graph, sub, output) = try mixing()
    let handle = GraphReference(graph.handle)
    let statuses = try statuses(graph, output) {
      GraphCall.setup.map { $0(handle.graph) } + [
        AUGraphRemoveNode(handle.graph, output), AUGraphRemoveNode(handle.graph, sub),
      ]
    }
    #expect(statuses == Array(repeating: kAUGraphErr_CannotDoInCurrentContext, count: 5))
    #expect(graph.states == [true, true, false])
    #expect(graph.nodeCount == 4)
    #expect(try graph.render(output, 2, from: 2) == [2, 2])
    // Outside the callback the sub-graph can be removed.
    #expect(graph.remove(sub) == noErr)
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 2, from: 4) == [1, 1])
  }

  @Test("does not wait: while another thread holds its lock, every call fails")
  func contended() throws {
    let (graph, _, output) = try mixing()
    let handle = GraphReference(graph.handle)
    let calls = GraphCall.setup + GraphCall.others
    let notify = CallingNotify { calls.map { $0(handle.graph) } }
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    let unit = UnitReference(try graph.unit(output))
    let entered = try #require(Handles.graphs.enter(graph.handle)).takeUnretainedValue()
    defer { Handles.graphs.leave(graph.handle) }
    let isDone = DispatchSemaphore(value: 0)
    entered.state.turns.lock.lock()
    let slice = OwnThread { () -> [Float] in
      defer { isDone.signal() }
      return (try? renderSlice(unit.handle, 4, at: 0)) ?? []
    }
    // A call that waits makes the test fail below, not hang.
    let hasReturned = isDone.wait(timeout: .now() + 60)
    entered.state.turns.lock.unlock()
    #expect(slice.join() == [2, 2, 2, 2])
    #expect(hasReturned == .success)
    for (call, status) in zip(calls, notify.statuses) {
      #expect(status == kAUGraphErr_CannotDoInCurrentContext, "\(call.name)")
    }
    #expect(notify.statuses.count == calls.count)
    #expect(graph.nodeCount == 4)
    #expect(graph.interactionCount == 3)
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
  }

  @Test("is stopped at once, and uninitialised and closed after that slice", arguments: 0..<3)
  func teardown(depth: Int) throws {
    let (graph, _, output) = try mixing()
    try graph.start()
    let handle = GraphReference(graph.handle)
    let calls: [@Sendable (AUGraph) -> OSStatus] = [
      { AUGraphStop($0) }, { AUGraphUninitialize($0) }, { AUGraphClose($0) },
    ]
    let notify = CallingNotify { [calls[depth](handle.graph)] }
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    #expect(try graph.render(output, 2) == [2, 2])
    #expect(notify.statuses == [noErr])
    let expected = [depth < 2, depth < 1, false]
    for _ in 0..<600_000 where graph.states != expected { usleep(100) }
    #expect(graph.states == expected)
    // The graph can be started again.
    try graph.open()
    try graph.initialize()
    try graph.start()
    #expect(graph.states == [true, true, true])
    #expect(try graph.render(output, 2, from: depth < 1 ? 2 : 0) == [2, 2])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
  }
}

/// A handle that is passed to another thread.
private struct GraphReference: @unchecked Sendable {
  let graph: AUGraph

  init(_ graph: AUGraph) { self.graph = graph }
}

/// A render notification that calls `body` once, after the first render.
private final class CallingNotify: @unchecked Sendable {
  private let body: @Sendable () -> [OSStatus]
  private var hasCalled = false
  private(set) var statuses: [OSStatus] = []

  init(_ body: @escaping @Sendable () -> [OSStatus]) { self.body = body }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let function: AURenderCallback = { context, flags, _, _, _, _ in
    guard flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
    let notify = Unmanaged<CallingNotify>.fromOpaque(context).takeUnretainedValue()
    if !notify.hasCalled {
      notify.hasCalled = true
      notify.statuses = notify.body()
    }
    return noErr
  }
}
