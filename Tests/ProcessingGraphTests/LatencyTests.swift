// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Latency compensation")
struct LatencyTests {
  /// A sum of the same ramp through three branches, with no delaying unit, with one and with two.
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

  /// The delayed ramp.
  private func ramp(_ count: Int, lag: Int) -> [Float] {
    (0..<count).map { $0 < lag ? 0 : Float(($0 - lag) % 64) }
  }

  @Test("is off by default: each branch arrives with its own latency")
  func off() throws {
    let (graph, _, output) = try branches(compensating: false)
    var isOn = true
    #expect(AUGraphGetLatencyCompensation(graph.handle, &isOn) == noErr)
    #expect(!isOn)
    let branchRamps = (0..<3).map { ramp(600, lag: $0 * Lag.distance) }
    #expect(
      try graph.render(output, 600, slice: 77)
        == (0..<600).map { branchRamps[0][$0] + branchRamps[1][$0] + branchRamps[2][$0] })
  }

  @Test("delays all branches to the longest latency, in any slice size", arguments: [512, 77, 1])
  func on(slice: Int) throws {
    let (graph, _, output) = try branches(compensating: true)
    #expect(
      try graph.render(output, 600, slice: slice)
        == ramp(600, lag: 2 * Lag.distance).map { 3 * $0 })
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(abs(seconds * 44_100 - 200) < 1e-6)
  }

  @Test("continues without a gap in branches that are not edited")
  func edits() throws {
    let (graph, sum, output) = try branches(compensating: true)
    _ = try graph.render(output, 500, slice: 100)
    // Another branch without delay; it begins at zero.
    let late = try graph.add(.steps)
    try graph.setParameter(late, 1, 0)
    #expect(graph.connect(late, to: sum, 7) == noErr)
    #expect(graph.update() == noErr)
    let rendered = try graph.render(output, 300, from: 500, slice: 100)
    #expect(rendered == ramp(800, lag: 2 * Lag.distance)[500...].map { 3 * $0 })
    // Without the longest branch the others are delayed less.
    #expect(graph.disconnect(sum, 2) == noErr)
    #expect(graph.update() == noErr)
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(abs(seconds * 44_100 - 100) < 1e-6)
  }

  @Test("can be switched in a running graph; it applies from the update on")
  func switching() throws {
    let (graph, _, output) = try branches(compensating: false)
    _ = try graph.render(output, 512)
    #expect(AUGraphSetLatencyCompensation(graph.handle, true) == noErr)
    #expect(graph.update() == noErr)
    // Fill the delay lines.
    _ = try graph.render(output, 512, from: 512)
    let rendered = try graph.render(output, 100, from: 1_024)
    #expect(rendered == ramp(1_124, lag: 2 * Lag.distance)[1_024...].map { 3 * $0 })
  }

  @Test("reports a latency of 0 before the graph is initialised")
  func uninitialized() throws {
    let graph = try Graph()
    var seconds = -1.0
    #expect(AUGraphGetLatency(graph.handle, &seconds) == noErr)
    #expect(seconds == 0)
  }
}
