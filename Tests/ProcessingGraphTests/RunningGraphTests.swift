// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Edits of a running graph. Each source supplies a different constant, so the sum identifies them.
@Suite("A running graph")
struct RunningGraphTests {
  /// A running graph: a sum and a generic output.
  private func mixing(inputs: UInt32 = 8) throws -> (Graph, sum: AUNode, output: AUNode) {
    let graph = try Graph()
    let (sum, output) = (try graph.add(.sum), try graph.addOutput())
    #expect(graph.connect(sum, to: output) == noErr)
    try graph.open()
    try graph.set(sum, kAudioUnitProperty_ElementCount, inputs, kAudioUnitScope_Input)
    try graph.initialize()
    try graph.start()
    return (graph, sum, output)
  }

  @Test("is rendered unchanged until the update, and changed as a whole after it")
  func update() throws {
    let (graph, sum, output) = try mixing()
    #expect(try graph.render(output, 4) == [0, 0, 0, 0])
    #expect(graph.feed(sum, 0, .constant(1)) == noErr)
    #expect(graph.feed(sum, 5, .constant(10)) == noErr)
    #expect(try graph.render(output, 4, from: 4) == [0, 0, 0, 0])
    var isUpdated = false
    #expect(AUGraphUpdate(graph.handle, &isUpdated) == noErr)
    #expect(isUpdated)
    #expect(try graph.render(output, 4, from: 8) == [11, 11, 11, 11])
    // A branch of units is added, then removed.
    let (source, gain) = (try graph.add(.steps), try graph.add(.gain))
    try graph.setParameter(gain, 0, 4)
    #expect(graph.connect(source, to: gain) == noErr)
    #expect(graph.connect(gain, to: sum, 3) == noErr)
    #expect(try graph.render(output, 4, from: 12) == [11, 11, 11, 11])
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 4, from: 16) == [15, 15, 15, 15])
    #expect(graph.disconnect(sum, 5) == noErr)
    #expect(graph.remove(gain) == noErr)
    #expect(try graph.render(output, 4, from: 20) == [15, 15, 15, 15])
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 4, from: 24) == [1, 1, 1, 1])
    #expect(graph.interactionCount == 2)
  }

  @Test("disposes of the units of removed nodes with the update")
  func removedUnits() throws {
    let (graph, sum, _) = try mixing()
    let source = try graph.add(.steps)
    #expect(graph.connect(source, to: sum, 0) == noErr)
    #expect(graph.update() == noErr)
    let unit = try graph.unit(source)
    #expect(graph.remove(source) == noErr)
    #expect(graph.remove(source) == kAUGraphErr_NodeNotFound)
    var value: Float = 0
    #expect(AudioUnitGetParameter(unit, 0, kAudioUnitScope_Global, 0, &value) == noErr)
    #expect(graph.update() == noErr)
    #expect(
      AudioUnitGetParameter(unit, 0, kAudioUnitScope_Global, 0, &value) == kAudio_ParamError)
  }

  @Test("keeps its output node while it runs")
  func outputNode() throws {
    let (graph, sum, output) = try mixing()
    #expect(graph.remove(output) == kAUGraphErr_OutputNodeErr)
    try graph.stop()
    #expect(graph.remove(output) == noErr)
    // Without one the update is refused, and the graph stays as it was.
    #expect(graph.update() == kAUGraphErr_OutputNodeErr)
    #expect(graph.nodeCount == 2)
    #expect(try graph.render(output, 2) == [0, 0])
    // Another may replace it.
    #expect(graph.remove(output) == noErr)
    let other = try graph.addOutput()
    #expect(graph.connect(sum, to: other) == noErr)
    #expect(graph.feed(sum, 0, .constant(3)) == noErr)
    #expect(graph.update() == noErr)
    try graph.start()
    #expect(try graph.render(other, 2, from: 2) == [3, 3])
  }

  enum BadEdit: CaseIterable {
    case cycle, format, bus, initialization
  }

  @Test(
    "continues unchanged when an update is refused: no edit is rendered, all are discarded",
    arguments: BadEdit.allCases)
  func refusal(_ edit: BadEdit) throws {
    let (graph, sum, output) = try mixing()
    #expect(graph.feed(sum, 0, .constant(1)) == noErr)
    #expect(graph.update() == noErr)
    // The valid part of the edit.
    #expect(graph.feed(sum, 1, .constant(10)) == noErr)
    let (first, second) = (try graph.add(.gain), try graph.add(.gain))
    let expected: OSStatus
    switch edit {
    case .cycle:
      #expect(graph.connect(first, to: second) == noErr)
      #expect(graph.connect(second, to: first) == noErr)
      expected = kAUGraphErr_InvalidConnection
    case .format:
      try graph.setFormat(first, kAudioUnitScope_Output, rate: 96_000, channels: 1)
      #expect(graph.connect(first, to: sum, 2) == noErr)
      #expect(graph.feed(first, 0, .constant(1)) == noErr)
      expected = kAudioUnitErr_FormatNotSupported
    case .bus:
      // The bus exists when it is connected, but not at the update.
      let other = try graph.add(.sum)
      try graph.set(other, kAudioUnitProperty_ElementCount, UInt32(4), kAudioUnitScope_Input)
      #expect(graph.connect(first, to: other, 3) == noErr)
      #expect(graph.connect(other, to: sum, 2) == noErr)
      try graph.set(other, kAudioUnitProperty_ElementCount, UInt32(3), kAudioUnitScope_Input)
      expected = kAUGraphErr_InvalidConnection
    case .initialization:
      try graph.setFormat(first, kAudioUnitScope_Input, channels: 1)
      #expect(graph.feed(first, 0, .constant(1)) == noErr)
      #expect(graph.connect(first, to: second) == noErr)
      expected = kAudioUnitErr_FormatNotSupported
    }
    var isUpdated = true
    #expect(AUGraphUpdate(graph.handle, &isUpdated) == expected)
    #expect(!isUpdated)
    #expect(explanation.contains("node \(first) (Gain)"))
    #expect(try graph.render(output, 3) == [1, 1, 1])
    #expect(graph.interactionCount == 2)
    #expect(graph.nodeCount == (edit == .bus ? 5 : 4))
    // The next update is independent.
    #expect(graph.update() == noErr)
    #expect(graph.feed(sum, 1, .constant(100)) == noErr)
    #expect(graph.update() == noErr)
    #expect(try graph.render(output, 3, from: 3) == [101, 101, 101])
  }

  @Test("renders a branch without a gap when it is moved from one input to another")
  func move() throws {
    let (graph, sum, output) = try mixing()
    let source = try graph.add(.steps)
    try graph.setParameter(source, 0, 1)
    try graph.setParameter(source, 1, 0)
    #expect(graph.connect(source, to: sum, 0) == noErr)
    #expect(graph.update() == noErr)
    var rendered = try graph.render(output, 40)
    for round in 0..<7 {
      #expect(graph.disconnect(sum, UInt32(round)) == noErr)
      #expect(graph.connect(source, to: sum, UInt32(round + 1)) == noErr)
      #expect(graph.update() == noErr)
      rendered += try graph.render(output, 40, from: rendered.count)
    }
    #expect(rendered == (0..<320).map { Float($0 % 64) })
  }

  @Test("needs no update for edits before it is initialised")
  func early() throws {
    let graph = try Graph()
    let (source, output) = (try graph.add(.steps), try graph.addOutput())
    #expect(graph.connect(source, to: output) == noErr)
    var isUpdated = false
    #expect(AUGraphUpdate(graph.handle, &isUpdated) == noErr)
    #expect(isUpdated)
    try graph.open()
    #expect(graph.disconnect(output) == noErr)
    #expect(graph.feed(output, 0, .constant(4)) == noErr)
    try graph.initialize()
    #expect(try graph.render(output, 2) == [4, 4])
    // Edits that were pending when it was uninitialised apply when it is initialised again.
    #expect(graph.feed(output, 0, .constant(6)) == noErr)
    #expect(AUGraphUninitialize(graph.handle) == noErr)
    try graph.initialize()
    #expect(try graph.render(output, 2, from: 2) == [6, 6])
  }

  @Test("renders the same as units that are connected by hand")
  func byHand() throws {
    let graph = try Graph()
    let nodes = [try graph.add(.steps), try graph.add(.gain), try graph.addOutput()]
    try graph.open()
    for (source, node) in zip(nodes, nodes.dropFirst()) {
      try graph.set(
        node, kAudioUnitProperty_MakeConnection,
        AudioUnitConnection(
          sourceAudioUnit: graph.unit(source), sourceOutputNumber: 0, destInputNumber: 0),
        kAudioUnitScope_Input)
    }
    for node in nodes { try check(AudioUnitInitialize(graph.unit(node))) }
    try graph.setParameter(nodes[0], 0, 3)
    try graph.setParameter(nodes[1], 0, 2)
    let byHand = try graph.render(nodes[2], 300, slice: 64)

    let other = try Graph()
    let same = [try other.add(.steps), try other.add(.gain), try other.addOutput()]
    #expect(other.connect(same[0], to: same[1]) == noErr)
    #expect(other.connect(same[1], to: same[2]) == noErr)
    try other.open()
    try other.setParameter(same[0], 0, 3)
    try other.setParameter(same[1], 0, 2)
    try other.initialize()
    #expect(try other.render(same[2], 300, slice: 64) == byHand)
    #expect(byHand == (0..<300).map { 2 * Steps.value($0, step: 3, start: 1) })
  }

  @Test("returns from an update although a slice hangs, and applies the edit after it")
  func hangingSlice() throws {
    let (graph, sum, output) = try mixing()
    let (isInside, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hanging = Callback { _, _, list in
      isInside.signal()
      mayLeave.wait()
      for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 1) }
    }
    let leaving = try graph.add(.steps)
    #expect(graph.connect(leaving, to: sum, 4) == noErr)
    #expect(graph.feed(sum, 0, hanging) == noErr)
    #expect(graph.update() == noErr)
    let unit = UnitReference(try graph.unit(output))
    let slice = OwnThread { (try? renderSlice(unit.handle, 4, at: 0)) ?? [] }
    isInside.wait()
    #expect(graph.feed(sum, 0, .constant(100)) == noErr)
    #expect(graph.remove(leaving) == noErr)
    var isUpdated = true
    #expect(AUGraphUpdate(graph.handle, &isUpdated) == noErr)
    #expect(!isUpdated)
    // Returns, although that slice is still in progress.
    #expect(graph.update() == noErr)
    mayLeave.signal()
    // The whole slice is of the old graph.
    #expect(slice.join() == [2, 2, 2, 2])
    #expect(try graph.render(output, 4, from: 4) == [100, 100, 100, 100])
    // The thread that disposes of the old sources may have its turn now.
    let isDone = wait { AUGraphUpdate(graph.handle, &isUpdated) == noErr && isUpdated }
    #expect(isDone)
  }

  @Test("can be edited by its own render notification, from the next slice on")
  func fromNotification() throws {
    let (graph, sum, output) = try mixing()
    let source = try graph.add(.steps)
    #expect(graph.connect(source, to: sum, 0) == noErr)
    #expect(graph.update() == noErr)
    let state = EditingNotify(graph.handle, sum, source)
    #expect(AUGraphAddRenderNotify(graph.handle, EditingNotify.function, state.context) == noErr)
    #expect(try graph.render(output, 2) == [1, 1])
    #expect(state.statuses == [noErr, noErr, kAUGraphErr_OutputNodeErr])
    #expect(try graph.render(output, 2, from: 2) == [0, 0])
    #expect(state.statuses == [noErr, noErr, kAUGraphErr_OutputNodeErr, noErr, noErr])
    #expect(try graph.render(output, 2, from: 4) == [1, 1])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, EditingNotify.function, state.context) == noErr)
    #expect(graph.interactionCount == 2)
  }

  @Test("calls its notifications once before and once after each render")
  func notifications() throws {
    let (graph, _, output) = try mixing()
    let counter = CountingNotify()
    #expect(AUGraphAddRenderNotify(graph.handle, CountingNotify.function, counter.context) == noErr)
    #expect(AUGraphAddRenderNotify(graph.handle, CountingNotify.function, counter.context) == noErr)
    _ = try graph.render(output, 512, slice: 64)
    #expect(counter.counts == [8, 8])
    // They belong to the graph, not to its units.
    #expect(AUGraphClose(graph.handle) == noErr)
    try graph.open()
    try graph.initialize()
    _ = try graph.render(output, 64)
    #expect(counter.counts == [9, 9])
    #expect(
      AUGraphRemoveRenderNotify(graph.handle, CountingNotify.function, counter.context) == noErr)
    _ = try graph.render(output, 64, from: 64)
    #expect(counter.counts == [9, 9])
  }

  @Test("reports its CPU load as a fraction of real time")
  func load() throws {
    let (graph, sum, output) = try mixing()
    var (load, maximum) = (Float(-1), Float(-1))
    #expect(AUGraphGetCPULoad(graph.handle, &load) == noErr)
    #expect(load == 0)
    #expect(graph.feed(sum, 0, Callback { _, _, _ in usleep(2_000) }) == noErr)
    #expect(graph.update() == noErr)
    // At least 2 ms of work for less than 1.5 ms of sound.
    _ = try graph.render(output, 64 * 300, slice: 64)
    #expect(AUGraphGetCPULoad(graph.handle, &load) == noErr)
    #expect(AUGraphGetMaxCPULoad(graph.handle, &maximum) == noErr)
    #expect(load > 1)
    #expect(maximum >= load)
    #expect(AUGraphGetMaxCPULoad(graph.handle, &maximum) == noErr)
    #expect(maximum == 0)
    let unit: Float = try graph.get(output, kAudioUnitProperty_CPULoad, as: 0)
    #expect(unit == load)
  }
}

/// A handle that is passed to another thread. Any thread may call the C API.
struct UnitReference: @unchecked Sendable {
  let handle: AudioUnit

  init(_ handle: AudioUnit) { self.handle = handle }
}

/// A render notification that disconnects after the first render, and connects after the second.
private final class EditingNotify: @unchecked Sendable {
  private let (graph, sum, source): (AUGraph, AUNode, AUNode)
  private(set) var statuses: [OSStatus] = []
  private var renders = 0

  init(_ graph: AUGraph, _ sum: AUNode, _ source: AUNode) {
    (self.graph, self.sum, self.source) = (graph, sum, source)
  }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let function: AURenderCallback = { context, flags, _, _, _, _ in
    guard flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
    Unmanaged<EditingNotify>.fromOpaque(context).takeUnretainedValue().edit()
    return noErr
  }

  private func edit() {
    renders += 1
    switch renders {
    case 1:
      tryAgain { AUGraphDisconnectNodeInput(graph, sum, 0) }
      tryAgain { AUGraphUpdate(graph, nil) }
      var head = AUNode()
      AUGraphGetIndNode(graph, 1, &head)
      tryAgain { AUGraphRemoveNode(graph, head) }
    case 2:
      tryAgain { AUGraphConnectNodeInput(graph, source, 0, sum, 0) }
      tryAgain { AUGraphUpdate(graph, nil) }
    default: break
    }
  }

  /// Notes the status of a call, which a render is refused while another thread disposes of sources.
  private func tryAgain(_ call: () -> OSStatus) {
    var status = noErr
    wait {
      status = call()
      return status != kAUGraphErr_CannotDoInCurrentContext
    }
    statuses.append(status)
  }
}

/// Counts the notifications before and after renders.
private final class CountingNotify: @unchecked Sendable {
  private(set) var counts = [0, 0]

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let function: AURenderCallback = { context, flags, _, _, _, _ in
    let counter = Unmanaged<CountingNotify>.fromOpaque(context).takeUnretainedValue()
    if flags.pointee.contains(.unitRenderAction_PreRender) { counter.counts[0] += 1 }
    if flags.pointee.contains(.unitRenderAction_PostRender) { counter.counts[1] += 1 }
    return noErr
  }
}
