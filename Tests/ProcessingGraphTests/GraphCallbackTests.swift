// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
import Foundation
@testable import ProcessingGraph
import Testing

/// What a graph answers while it renders, on the thread that renders it.
@Suite("A graph called from its own notification")
struct GraphCallbackTests {
  /// A sub-graph and a source into a sum, and a generic output; initialised.
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

  /// What `body` gives inside the notification after a render.
  private func answers(
    _ graph: Graph, _ output: AUNode, _ body: @escaping @Sendable () -> [OSStatus]
  ) throws -> [OSStatus] {
    let notify = CallingNotify(body)
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    #expect(try graph.render(output, 2) == [2, 2])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    return notify.answers
  }

  @Test("rises to no other state, and keeps its output and its sub-graphs")
  func refusals() throws {
    let (graph, sub, output) = try mixing()
    let handle = GraphReference(graph.handle)
    let heard = try answers(graph, output) {
      GraphCall.rising.map { $0(handle.graph) } + [
        AUGraphRemoveNode(handle.graph, output), AUGraphRemoveNode(handle.graph, sub),
      ]
    }
    #expect(heard == Array(repeating: kAUGraphErr_CannotDoInCurrentContext, count: 5))
    #expect(graph.states == [true, true, false])
    #expect(graph.nodeCount == 4)
    #expect(try graph.render(output, 2, from: 2) == [2, 2])
    // Elsewhere the same may go.
    #expect(graph.remove(sub) == noErr)
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 2, from: 4) == [1, 1])
  }

  @Test("waits for nobody: where another thread holds it, nothing is done")
  func taken() throws {
    let (graph, _, output) = try mixing()
    let handle = GraphReference(graph.handle)
    let calls = GraphCall.rising + GraphCall.others
    let notify = CallingNotify { calls.map { $0(handle.graph) } }
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    let unit = UnitReference(try graph.unit(output))
    let entered = try #require(Handles.graphs.enter(graph.handle)).takeUnretainedValue()
    defer { Handles.graphs.leave(graph.handle) }
    let isDone = DispatchSemaphore(value: 0)
    entered.lock.lock()
    let slice = OwnThread { () -> [Float] in
      defer { isDone.signal() }
      return (try? renderSlice(unit.handle, 4, at: 0)) ?? []
    }
    // One that waits nevertheless fails below, and does not hang for ever.
    let hasReturned = isDone.wait(timeout: .now() + 60)
    entered.lock.unlock()
    #expect(slice.join() == [2, 2, 2, 2])
    #expect(hasReturned == .success)
    for (call, answer) in zip(calls, notify.answers) {
      #expect(answer == kAUGraphErr_CannotDoInCurrentContext, "\(call.name)")
    }
    #expect(notify.answers.count == calls.count)
    #expect(graph.nodeCount == 4)
    #expect(graph.interactionCount == 3)
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
  }

  @Test("is stopped at once, and uninitialised and closed after that slice", arguments: 0..<3)
  func falling(depth: Int) throws {
    let (graph, _, output) = try mixing()
    try graph.start()
    let handle = GraphReference(graph.handle)
    let calls: [@Sendable (AUGraph) -> OSStatus] = [
      { AUGraphStop($0) }, { AUGraphUninitialize($0) }, { AUGraphClose($0) },
    ]
    let notify = CallingNotify { [calls[depth](handle.graph)] }
    #expect(AUGraphAddRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
    #expect(try graph.render(output, 2) == [2, 2])
    #expect(notify.answers == [noErr])
    let expected = [depth < 2, depth < 1, false]
    for _ in 0..<600_000 where graph.states != expected { usleep(100) }
    #expect(graph.states == expected)
    // And once more from there.
    try graph.open()
    try graph.initialize()
    try graph.start()
    #expect(graph.states == [true, true, true])
    #expect(try graph.render(output, 2, from: depth < 1 ? 2 : 0) == [2, 2])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CallingNotify.function, notify.context) == noErr)
  }
}

/// A handle on its way to another thread.
private struct GraphReference: @unchecked Sendable {
  let graph: AUGraph

  init(_ graph: AUGraph) { self.graph = graph }
}

/// A render notification that calls once, after the first render.
private final class CallingNotify: @unchecked Sendable {
  private let body: @Sendable () -> [OSStatus]
  private var hasCalled = false
  private(set) var answers: [OSStatus] = []

  init(_ body: @escaping @Sendable () -> [OSStatus]) { self.body = body }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let function: AURenderCallback = { context, flags, _, _, _, _ in
    guard flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
    let notify = Unmanaged<CallingNotify>.fromOpaque(context).takeUnretainedValue()
    if !notify.hasCalled {
      notify.hasCalled = true
      notify.answers = notify.body()
    }
    return noErr
  }
}
