// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Latency compensation")
struct LatencyTests {
  /// A ramp by three ways to a sum: straight, by one unit that lags and by two.
  private func branches(compensating: Bool) throws -> (Graph, sum: AUNode, output: AUNode) {
    let graph = try Graph()
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    try check(AUGraphSetLatencyCompensation(graph.handle, compensating))
    try graph.open()
    for lags in 0..<3 {
      var last = try graph.add(.steps)
      try graph.setParameter(last, 0, 1)
      try graph.setParameter(last, 1, 0)
      for _ in 0..<lags {
        let lag = try graph.add(.lag)
        try check(graph.connect(last, to: lag))
        last = lag
      }
      try check(graph.connect(last, to: sum, UInt32(lags)))
    }
    try check(graph.connect(sum, to: output))
    try graph.initialize()
    return (graph, sum, output)
  }

  /// The ramp, held back.
  private func ramp(_ count: Int, lag: Int) -> [Float] {
    (0..<count).map { $0 < lag ? 0 : Float(($0 - lag) % 64) }
  }

  @Test("is off at first: branches arrive when they do")
  func off() throws {
    let (graph, _, output) = try branches(compensating: false)
    var isOn = true
    #expect(AUGraphGetLatencyCompensation(graph.handle, &isOn) == noErr)
    #expect(!isOn)
    let ways = (0..<3).map { ramp(600, lag: $0 * Lag.distance) }
    #expect(
      try graph.render(output, 600, slice: 77)
        == (0..<600).map { ways[0][$0] + ways[1][$0] + ways[2][$0] })
  }

  @Test("lets all branches arrive with the latest, in slices of any size", arguments: [512, 77, 1])
  func on(slice: Int) throws {
    let (graph, _, output) = try branches(compensating: true)
    #expect(
      try graph.render(output, 600, slice: slice)
        == ramp(600, lag: 2 * Lag.distance).map { 3 * $0 })
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(abs(seconds * 44_100 - 200) < 1e-6)
  }

  @Test("continues without a gap in branches that an edit leaves alone")
  func edits() throws {
    let (graph, sum, output) = try branches(compensating: true)
    _ = try graph.render(output, 500, slice: 100)
    // Another branch, as late as the straight one; it begins at zero.
    let late = try graph.add(.steps)
    try graph.setParameter(late, 1, 0)
    #expect(graph.connect(late, to: sum, 7) == noErr)
    #expect(graph.update() == noErr)
    let heard = try graph.render(output, 300, from: 500, slice: 100)
    #expect(heard == ramp(800, lag: 2 * Lag.distance)[500...].map { 3 * $0 })
    // Without the longest way the others are held back by less.
    #expect(graph.disconnect(sum, 2) == noErr)
    #expect(graph.update() == noErr)
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(abs(seconds * 44_100 - 100) < 1e-6)
  }

  @Test("is switched in a running graph, from the update on")
  func switching() throws {
    let (graph, _, output) = try branches(compensating: false)
    _ = try graph.render(output, 512)
    #expect(AUGraphSetLatencyCompensation(graph.handle, true) == noErr)
    #expect(graph.update() == noErr)
    // Once the lines are full.
    _ = try graph.render(output, 512, from: 512)
    let heard = try graph.render(output, 100, from: 1_024)
    #expect(heard == ramp(1_124, lag: 2 * Lag.distance)[1_024...].map { 3 * $0 })
  }

  @Test("is 0 before the graph is initialised")
  func uninitialized() throws {
    let graph = try Graph()
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(seconds == 0)
  }
}
