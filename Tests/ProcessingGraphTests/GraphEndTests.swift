// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A plug-in that counts its open instances, and closes slowly.
private enum CountedPlugIn {
  static let openCount = Atomic(0)
  static let closingThread = Atomic<UInt>(0)

  /// The number of open instances.
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

@Suite("The units of a graph", .timeLimit(.minutes(60)), .serialized)
struct GraphEndTests {
  private func graph() throws -> (Graph, AUNode) {
    CountedPlugIn.registration
    let graph = try Graph()
    let node = try graph.add(CountedPlugIn.description)
    try graph.open()
    #expect(CountedPlugIn.count == 1)
    return (graph, node)
  }

  private func expectClosedByThisThread() {
    #expect(CountedPlugIn.count == 0)
    #expect(CountedPlugIn.closer == UInt(pthread_self()))
  }

  @Test("are disposed of before closing the graph returns, on the closing thread")
  func close() throws {
    let (graph, _) = try graph()
    #expect(AUGraphClose(graph.handle) == noErr)
    expectClosedByThisThread()
  }

  @Test("are disposed of before disposing of the graph returns")
  func dispose() throws {
    let (graph, _) = try graph()
    #expect(graph.dispose() == noErr)
    expectClosedByThisThread()
  }

  @Test("are disposed of before an update without a flag returns that removes their node")
  func removal() throws {
    let (graph, node) = try graph()
    let (output, source) = (try graph.addOutput(), try graph.add(.steps))
    #expect(graph.connect(source, to: output) == noErr)
    try graph.initialize()
    #expect(graph.remove(node) == noErr)
    #expect(graph.update() == noErr)
    expectClosedByThisThread()
  }

  @Test("are disposed of after their listeners have returned, which may query the graph")
  func listenerQueries() throws {
    let graph = try Graph()
    let (output, source) = (try graph.addOutput(), try graph.add(.steps))
    #expect(graph.connect(source, to: output) == noErr)
    try graph.open()
    try graph.initialize()
    let querying = QueryingListener(graph.handle)
    #expect(querying.listen(try graph.unit(output), kAudioOutputUnitProperty_IsRunning) == noErr)
    try graph.start()
    #expect(querying.resultCount == 1)
    let closer = OwnThread { AUGraphClose(graph.handle) }
    #expect(closer.join() == noErr)
    #expect(querying.resultCount == 2)
  }
}

/// A property listener that queries its graph on another thread, and waits for the result.
final class QueryingListener: @unchecked Sendable {
  private let graph: UInt
  private let count = Atomic(0)

  init(_ graph: AUGraph) { self.graph = UInt(bitPattern: graph) }

  /// The number of queries that succeeded.
  var resultCount: Int { count.load(ordering: .sequentiallyConsistent) }

  func listen(_ unit: AudioUnit, _ id: AudioUnitPropertyID) -> OSStatus {
    AudioUnitAddPropertyListener(
      unit, id,
      { context, _, _, _, _ in
        let listener = Unmanaged<QueryingListener>.fromOpaque(context).takeUnretainedValue()
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
