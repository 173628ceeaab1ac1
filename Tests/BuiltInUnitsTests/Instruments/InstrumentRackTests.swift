// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BuiltInUnits

@Suite("Synthesizers of instruments", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentRackTests {
  @Test("are new to the renderer even at the address of those that were freed")
  func sameAddress() throws {
    let player = InstrumentPlayer()
    let (first, _) = try SynthRack.make(.system, sampleRate: 48_000, members: 1)
    let (second, _) = try SynthRack.make(.system, sampleRate: 48_000, members: 1)
    #expect(first.number != second.number)
    player.publish(first) { 0 }
    var renderer = InstrumentRenderer(
      player, sampleRate: 48_000, maximumFrames: 64, frameRatio: 1)
    defer { renderer.deallocate() }
    #expect(renderer.channels[0].preset >= 0)
    renderer.channels[0].preset = -1
    renderer.reset()
    #expect(renderer.channels[0].preset == -1)  // nothing is chosen anew
    let rack = player.memory.pointee.currentRack()
    try #require(rack).pointee = second
    renderer.reset()
    #expect(renderer.channels[0].preset >= 0)
    first.deallocate()
  }
}
