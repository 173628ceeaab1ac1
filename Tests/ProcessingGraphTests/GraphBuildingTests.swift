// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CAllocationProbe
import Testing

@Suite("Building a graph")
struct GraphBuildingTests {
  /// The number of heap operations for connecting a chain of `count` units. Unlike time, it does
  /// not depend on the load of the machine.
  private func connectionWork(_ count: Int, isOpen: Bool, isReversed: Bool) throws -> Int64 {
    let graph = try Graph()
    let source = try graph.add(.steps)
    let gains = try (0..<count).map { _ in try graph.add(.gain) }
    let output = try graph.addOutput()
    if isOpen { try graph.open() }
    var pairs = Array(zip([source] + gains, gains + [output]))
    if isReversed { pairs.reverse() }
    let before = heap_operations()
    for (source, destination) in pairs { try check(graph.connect(source, to: destination)) }
    let work = heap_operations() - before
    if !isOpen { try graph.open() }
    try graph.initialize()
    try graph.start()
    #expect(try graph.render(output, 8) == Array(repeating: 1, count: 8))
    return work
  }

  @Test(
    "needs work in proportion to the number of connections, in any state and order",
    .enabled(if: heap_is_counted()),
    arguments: [true, false], [true, false])
  func connecting(isOpen: Bool, isReversed: Bool) throws {
    _ = try connectionWork(10, isOpen: isOpen, isReversed: isReversed)
    let few = try connectionWork(50, isOpen: isOpen, isReversed: isReversed)
    let many = try connectionWork(400, isOpen: isOpen, isReversed: isReversed)
    // Eight times as many connections. If each examined all others it would be 64 times the work.
    #expect(many < 12 * few, "\(few) for 50, \(many) for 400")
  }

  @Test(
    "needs work in proportion to the number of callbacks", .enabled(if: heap_is_counted()))
  func callbacks() throws {
    func work(_ count: Int) throws -> Int64 {
      let graph = try Graph()
      let gains = try (0..<count).map { _ in try graph.add(.gain) }
      try graph.open()
      let callback = Callback.constant(1)
      let before = heap_operations()
      for gain in gains { try check(graph.feed(gain, 0, callback)) }
      for gain in gains { try check(graph.feed(gain, 0, callback)) }
      for gain in gains { try check(graph.disconnect(gain)) }
      return heap_operations() - before
    }
    _ = try work(10)
    let (few, many) = (try work(50), try work(400))
    #expect(many < 12 * few, "\(few) for 50, \(many) for 400")
  }

  @Test("propagates formats with each connection at once")
  func formats() throws {
    let graph = try Graph()
    let (source, gain, output) = (
      try graph.add(.steps), try graph.add(.gain), try graph.addOutput()
    )
    try graph.open()
    func set(_ node: AUNode, _ scope: AudioUnitScope, channels: UInt32) throws -> OSStatus {
      var format = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout.size(ofValue: format))
      let unit = try graph.unit(node)
      try check(
        AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, &size))
      format.mChannelsPerFrame = channels
      return AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, size)
    }
    try check(set(source, kAudioUnitScope_Output, channels: 1))
    try check(graph.connect(source, to: gain))
    try check(set(gain, kAudioUnitScope_Output, channels: 1))
    try check(graph.connect(gain, to: output))
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    for node in [gain, output] {
      try check(
        AudioUnitGetProperty(
          graph.unit(node), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
          &size))
      #expect(format.mChannelsPerFrame == 1)
    }
    // The format of a connected input is that of its connection; without one it can be set.
    #expect(
      try set(gain, kAudioUnitScope_Input, channels: 2) == kAudioUnitErr_PropertyNotWritable)
    try check(graph.disconnect(gain))
    #expect(try set(gain, kAudioUnitScope_Input, channels: 2) == noErr)
  }
}
