// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
@testable import AudioUnitCore
import Foundation
@testable import ProcessingGraph
import Synchronization
import Testing

/// Edits by a callback during a slice, and what remains of an update that is refused there.
@Suite("An update during a slice", .timeLimit(.minutes(60)))
struct UpdateInRenderTests {
  /// An initialised graph: a source, a sum with free inputs, and a generic output. A render
  /// notification edits it.
  private final class EditedGraph: @unchecked Sendable {
    let graph: Graph
    let sum: AUNode
    /// A node without connections.
    let idle: AUNode
    let output: AudioUnit
    private let edit = Mutex<(@Sendable () -> Void)?>(nil)
    private var time = 0

    init() throws {
      graph = try Graph()
      let (source, sum, output) = (
        try graph.add(.steps), try graph.add(.sum), try graph.addOutput()
      )
      self.sum = sum
      idle = try graph.add(.gain)
      #expect(graph.connect(source, to: sum, 0) == noErr)
      #expect(graph.connect(sum, to: output) == noErr)
      try graph.open()
      try graph.initialize()
      self.output = try graph.unit(output)
      let context = Unmanaged.passUnretained(self).toOpaque()
      #expect(AUGraphAddRenderNotify(graph.handle, Self.function, context) == noErr)
    }

    private static let function: AURenderCallback = { context, flags, _, _, _, _ in
      guard flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
      let edited = Unmanaged<EditedGraph>.fromOpaque(context).takeUnretainedValue()
      edited.edit.withLock { edit in
        defer { edit = nil }
        return edit
      }?()
      return noErr
    }

    /// Renders a slice and calls `edit` at its end.
    func slice(_ edit: (@Sendable () -> Void)? = nil) throws -> [Float] {
      self.edit.withLock { $0 = edit }
      defer { time += 2 }
      return try renderSlice(output, 2, at: time)
    }

    /// Connects a source to the sum's second input, and updates the graph.
    func connect(_ node: AUNode) -> OSStatus {
      _ = graph.connect(node, to: sum, 1)
      var isUpdated = false
      return AUGraphUpdate(graph.handle, &isUpdated)
    }

    func native(_ node: AUNode) throws -> NativeUnit {
      let handle = try graph.unit(node)
      let entered = try #require(Handles.units.enter(handle))
      defer { Handles.units.leave(handle) }
      return try #require(entered.takeUnretainedValue() as? NativeUnit)
    }
  }

  /// Waits long enough for the notifier to finish its work.
  private func waitForNotifier() { usleep(50_000) }

  @Test("that is refused leaves its units ready for the next one")
  func refused() throws {
    let edited = try EditedGraph()
    let nodes = Mutex<[AUNode]>([])
    let statuses = Mutex<[OSStatus]>([])
    #expect(
      try edited.slice {
        // A valid source, and an effect with two rates.
        guard let bad = try? edited.graph.add(.gain), let good = try? edited.graph.add(.steps)
        else {
          return
        }
        try? edited.graph.setFormat(bad, kAudioUnitScope_Output, rate: 12_345)
        _ = edited.graph.connect(good, to: bad)
        _ = edited.graph.connect(bad, to: edited.sum, 1)
        var isUpdated = false
        let status = AUGraphUpdate(edited.graph.handle, &isUpdated)
        nodes.withLock { $0 = [good, bad] }
        statuses.withLock { $0.append(status) }
      } == [1, 1])
    #expect(statuses.withLock { $0 } != [noErr])
    let good = try #require(nodes.withLock { $0.first })
    _ = try edited.slice {
      let status = edited.connect(good)
      statuses.withLock { $0 = [status] }
    }
    #expect(statuses.withLock { $0 } == [noErr])
    waitForNotifier()
    for _ in 0..<3 { #expect(try edited.slice() == [2, 2]) }
  }

  @Test("that finds a lock held leaves its units ready for the next one")
  func contended() throws {
    let edited = try EditedGraph()
    let idle = try edited.native(edited.idle)
    for _ in 0..<20 {
      let lastStatus = Mutex(noErr)
      let added = try edited.graph.add(.steps)
      // The update checks this unit last.
      idle.lock.lock()
      let slice = OwnThread {
        _ = try? edited.slice {
          let status = edited.connect(added)
          lastStatus.withLock { $0 = status }
        }
      }
      slice.join()
      idle.lock.unlock()
      #expect(lastStatus.withLock { $0 } == kAUGraphErr_CannotDoInCurrentContext)
      // The notifier may still be cleaning up after the refused update.
      for _ in 0..<1_000 {
        _ = try edited.slice {
          let status = edited.connect(added)
          lastStatus.withLock { $0 = status }
        }
        if lastStatus.withLock({ $0 }) == noErr { break }
        usleep(1_000)
      }
      #expect(lastStatus.withLock { $0 } == noErr)
      waitForNotifier()
      #expect(try edited.slice() == [2, 2])
      #expect(edited.graph.remove(added) == noErr)
      #expect(edited.graph.update() == noErr)
      #expect(try edited.slice() == [1, 1])
    }
  }

  @Test("that removes a source discards its slice, even for the same time")
  func staleSlice() throws {
    let graph = try Graph()
    let (source, gain, output) = (
      try graph.add(.steps), try graph.add(.gain), try graph.addOutput()
    )
    #expect(graph.connect(source, to: gain) == noErr && graph.connect(gain, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    #expect(try graph.render(output, 4) == [1, 1, 1, 1])
    #expect(graph.remove(source) == noErr)
    let other = try graph.add(.steps)
    try graph.setParameter(other, 1, 3)
    #expect(graph.connect(other, to: gain) == noErr)
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 4) == [3, 3, 3, 3])
  }

  @Test("works while a listener queries the graph")
  func listenerQueries() throws {
    let edited = try EditedGraph()
    let querying = QueryingListener(edited.graph.handle)
    let (one, other) = (try Unit(.gain), try Unit(.steps))
    #expect(querying.listen(one.handle, kAudioUnitProperty_MakeConnection) == noErr)
    let isDone = Atomic(false)
    let updater = OwnThread {
      let callback = Callback { _, _, _ in }
      var status = noErr
      while !isDone.load(ordering: .sequentiallyConsistent), status == noErr {
        status = edited.graph.feed(edited.sum, 1, callback)
        if status == noErr { status = edited.graph.update() }
      }
      return status
    }
    for round in 0..<200 {
      #expect(one.connect(round % 2 == 0 ? other : nil) == noErr)
    }
    isDone.store(true, ordering: .sequentiallyConsistent)
    #expect(updater.join() == noErr)
    #expect(querying.resultCount == 200)
  }
}

/// A test unit outside a graph.
private final class Unit: @unchecked Sendable {
  let handle: AudioUnit

  init(_ unit: TestUnit) throws {
    var description = unit.description
    let component = try #require(AudioComponentFindNext(nil, &description))
    var instance: AudioUnit?
    try check(AudioComponentInstanceNew(component, &instance))
    handle = try #require(instance)
  }

  deinit { AudioComponentInstanceDispose(handle) }

  func connect(_ source: Unit?) -> OSStatus {
    var connection = AudioUnitConnection(
      sourceAudioUnit: source?.handle, sourceOutputNumber: 0, destInputNumber: 0)
    return AudioUnitSetProperty(
      handle, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
      UInt32(MemoryLayout.size(ofValue: connection)))
  }
}
