// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A plug-in that counts how many of it are open, and is slow to close.
private enum CountedPlugIn {
  static let openCount = Atomic(0)
  static let closingThread = Atomic<UInt>(0)

  /// How many are open.
  static var count: Int { openCount.load(ordering: .sequentiallyConsistent) }
  static var closer: UInt { closingThread.load(ordering: .sequentiallyConsistent) }

  static let description = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x636F_756E,
    componentManufacturer: 0x7465_7374, componentFlags: 0, componentFlagsMask: 0)

  nonisolated(unsafe) private static let interface:
    UnsafeMutablePointer<
      AudioComponentPlugInInterface
    > = {
      let interface = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
      interface.initialize(
        to: AudioComponentPlugInInterface(
          Open: { _, _ in
            CountedPlugIn.openCount.add(1, ordering: .sequentiallyConsistent)
            return noErr
          },
          Close: { _ in
            usleep(50_000)
            CountedPlugIn.closingThread.store(
              UInt(pthread_self()), ordering: .sequentiallyConsistent)
            CountedPlugIn.openCount.subtract(1, ordering: .sequentiallyConsistent)
            return noErr
          }, Lookup: { _ in nil }, reserved: nil))
      return interface
    }()

  static let registration: Void = {
    var description = Self.description
    _ = AudioComponentRegister(
      &description, "Tests: Counted" as CFString, 1, { _ in CountedPlugIn.interface })
  }()
}

@Suite("The end of a graph's units", .timeLimit(.minutes(15)), .serialized)
struct GraphEndTests {
  private func graph() throws -> (Graph, AUNode) {
    CountedPlugIn.registration
    let graph = try Graph()
    let node = try graph.add(CountedPlugIn.description)
    try graph.open()
    #expect(CountedPlugIn.count == 1)
    return (graph, node)
  }

  private func expectClosedHere() {
    #expect(CountedPlugIn.count == 0)
    #expect(CountedPlugIn.closer == UInt(pthread_self()))
  }

  @Test("has come when the graph has been closed, on the thread that closed it")
  func close() throws {
    let (graph, _) = try graph()
    #expect(AUGraphClose(graph.handle) == noErr)
    expectClosedHere()
  }

  @Test("has come when the graph has been disposed of")
  func dispose() throws {
    let (graph, _) = try graph()
    #expect(graph.dispose() == noErr)
    expectClosedHere()
  }

  @Test("has come when an update without a question has taken a node out")
  func removal() throws {
    let (graph, node) = try graph()
    let (output, source) = (try graph.addOutput(), try graph.add(.steps))
    #expect(graph.connect(source, to: output) == noErr)
    try graph.initialize()
    #expect(graph.remove(node) == noErr)
    #expect(graph.update() == noErr)
    expectClosedHere()
  }

  @Test("waits for a listener that asks the graph something, and lets it have its answer")
  func listenerAsks() throws {
    let graph = try Graph()
    let (output, source) = (try graph.addOutput(), try graph.add(.steps))
    #expect(graph.connect(source, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    let asking = AskingListener(graph.handle)
    #expect(asking.listen(try graph.unit(output), kAudioOutputUnitProperty_IsRunning) == noErr)
    try graph.start()
    #expect(asking.answers == 1)
    let closer = OwnThread { AUGraphClose(graph.handle) }
    #expect(closer.join() == noErr)
    #expect(asking.answers == 2)
  }
}

/// A property listener that has another thread ask its graph, and waits for the answer.
final class AskingListener: @unchecked Sendable {
  private let graph: UInt
  private let count = Atomic(0)

  init(_ graph: AUGraph) { self.graph = UInt(bitPattern: graph) }

  /// How often an answer came.
  var answers: Int { count.load(ordering: .sequentiallyConsistent) }

  func listen(_ unit: AudioUnit, _ id: AudioUnitPropertyID) -> OSStatus {
    AudioUnitAddPropertyListener(
      unit, id,
      { context, _, _, _, _ in
        let listener = Unmanaged<AskingListener>.fromOpaque(context).takeUnretainedValue()
        let graph = listener.graph
        let status = OwnThread { () -> OSStatus in
          var nodes: UInt32 = 0
          guard let graph = AUGraph(bitPattern: graph) else { return kAudio_ParamError }
          return AUGraphGetNodeCount(graph, &nodes)
        }.join()
        if status == noErr { listener.count.add(1, ordering: .sequentiallyConsistent) }
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
