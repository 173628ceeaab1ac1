// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A graph that the test pulls, in slices of one size, while it is edited; its edits fade.
final class PlayedGraph {
  let graph: Graph
  let output: AUNode
  let slice: Int
  /// The first channel of everything that was played.
  private(set) var played: [Float] = []

  init(slice: Int = 512, fades: AUGraphEditFades = .always) throws {
    self.slice = slice
    graph = try Graph()
    output = try graph.addOutput()
    try check(AUGraphSetEditFades(graph.handle, fades))
    try graph.open()
  }

  /// Adds a tone generator that plays a sine with a level of 0.25.
  func addSine(_ frequency: Float = 1_000) throws -> AUNode {
    let node = try graph.add(
      AudioComponentDescription(
        componentType: kAudioUnitType_Generator,
        componentSubType: kAudioUnitSubType_ToneGenerator,
        componentManufacturer: kAudioUnitManufacturer_SwiftAudioToolbox, componentFlags: 0,
        componentFlagsMask: 0))
    try graph.setParameter(node, 0, frequency)
    return node
  }

  func addEffect(_ subType: OSType, _ type: OSType = kAudioUnitType_Effect) throws -> AUNode {
    try graph.add(.apple(type, subType))
  }

  /// Connects nodes in a row, the last one to the output.
  func connect(_ nodes: AUNode...) throws {
    let destinations = nodes.dropFirst() + [output]
    // An output feeds one input only.
    for node in destinations { _ = graph.disconnect(node) }
    for (from, to) in zip(nodes, destinations) { try check(graph.connect(from, to: to)) }
  }

  /// Connects a node to an input instead of what was connected to it.
  func reconnect(_ node: AUNode, to other: AUNode, _ input: UInt32 = 0) throws {
    _ = graph.disconnect(other, input)
    try check(graph.connect(node, to: other, input))
  }

  func play(_ frames: Int) throws {
    var left = frames
    while left > 0 {
      let count = min(left, slice)
      played += try graph.render(output, count, from: played.count, slice: count)
      left -= count
    }
  }

  /// Updates the graph, and plays until its fades have ended and some time longer.
  func update() throws {
    try check(graph.update(), "AUGraphUpdate")
    for _ in 0..<2_000 {
      var isUpdated = false
      try check(AUGraphUpdate(graph.handle, &isUpdated))
      if isUpdated { return try play(4_096) }
      try play(max(slice, 64))
      usleep(500)
    }
    Issue.record("the fades do not end")
  }

  /// The highest peak above 8 kHz, in dBFS.
  var click: Double {
    let peak = HighBand.peak(of: played.map(Double.init), in: 512..<played.count - 512)
    return 20 * log10(max(peak, 1e-12))
  }
}
