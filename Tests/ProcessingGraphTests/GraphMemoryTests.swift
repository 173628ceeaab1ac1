// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore
import Foundation
@testable import ProcessingGraph
import Testing

/// No object of a graph outlives it.
@Suite("Memory of graphs")
struct GraphMemoryTests {
  private struct Weak { weak var object: AnyObject? }

  /// Weak references to a graph and its units.
  private func objects(_ graph: Graph, _ nodes: [AUNode]) throws -> [Weak] {
    let entered = try #require(Handles.graphs.enter(graph.handle))
    defer { Handles.graphs.leave(graph.handle) }
    return try [Weak(object: entered.takeUnretainedValue())]
      + nodes.map { node in
        let handle = try graph.unit(node)
        let unit = try #require(Handles.units.enter(handle))
        defer { Handles.units.leave(handle) }
        return Weak(object: unit.takeUnretainedValue())
      }
  }

  /// The number of objects that remain after the notifier has finished its work.
  private func remainingCount(_ objects: [Weak]) -> Int {
    for _ in 0..<20_000 where objects.contains(where: { $0.object != nil }) { usleep(100) }
    return objects.count { $0.object != nil }
  }

  @Test("is released by thousands of them, in whatever state they are disposed of")
  func thousands() throws {
    var seen: [Weak] = []
    for round in 0..<3_000 {
      let graph = try Graph()
      let (source, gain) = (try graph.add(.steps), try graph.add(.gain))
      let (sum, output) = (try graph.add(.sum), try graph.addOutput())
      try check(graph.connect(source, to: gain))
      try check(graph.connect(gain, to: sum, 1))
      try check(graph.connect(sum, to: output))
      if round % 3 == 0 {
        let (node, sub) = try graph.addSubgraph()
        try check(sub.connect(sub.add(.steps), to: sub.addOutput()))
        try check(graph.connect(node, to: sum, 2))
      }
      try graph.open()
      if round % 10 == 0 { seen += try objects(graph, [source, gain, sum, output]) }
      if round % 2 == 0 { try graph.initialize() }
      if round % 4 == 0 {
        try graph.start()
        _ = try graph.render(output, 8)
        // An edit that is never applied, and one that is.
        try check(graph.disconnect(gain))
        if round % 8 == 0 { try check(graph.update()) }
        if round % 16 == 0 { try check(graph.remove(gain)) }
      }
      if round % 5 == 0 { try check(AUGraphClose(graph.handle)) }
      #expect(graph.dispose() == noErr)
    }
    #expect(seen.count == 300 * 5)
    #expect(remainingCount(seen) == 0)
  }

  @Test("of edits is released while the graph exists")
  func edits() throws {
    let graph = try Graph()
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try check(graph.connect(sum, to: output))
    try graph.open()
    try graph.initialize()
    var seen: [Weak] = []
    for round in 0..<300 {
      let (source, gain) = (try graph.add(.steps), try graph.add(.gain))
      try check(graph.connect(source, to: gain))
      try check(graph.connect(gain, to: sum, UInt32(round % 8)))
      try check(graph.update())
      _ = try graph.render(output, 4, from: 4 * round)
      seen += try objects(graph, [source, gain]).dropFirst()
      try check(graph.remove(source))
      try check(graph.remove(gain))
      try check(graph.update())
    }
    #expect(remainingCount(seen) == 0)
    let handle = try graph.unit(sum)
    let unit = try #require(Handles.units.enter(handle))
    defer { Handles.units.leave(handle) }
    let native = try #require(unit.takeUnretainedValue() as? NativeUnit)
    #expect(native.side.pointee.sources.retiredCount == 0)
  }
}
