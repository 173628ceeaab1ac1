// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Synchronization
import Testing

/// The multichannel mixer while a device renders it: volumes change on one bus, others are edited.
@Suite("Mixer under many edits", .serialized)
struct MixerStormTests {
  private static var seconds: Double {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 2
  }

  /// A running graph with a mixer of mono inputs: the first on the left, the others on the right.
  private func playing(_ checker: MixChecker, inputs: UInt32, threads: UInt32) throws
    -> (Graph, mixer: AUNode)
  {
    let graph = try Graph()
    graph.retain(checker)
    try check(AUGraphSetRenderThreads(graph.handle, threads))
    // Without fades every slice of the other buses is constant.
    try check(AUGraphSetEditFades(graph.handle, .never))
    let mixer = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let output = try graph.addOutput(kAudioUnitSubType_RemoteIO)
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    environment.cycleFrames = 64
    try environment.use {
      try graph.open()
      try graph.set(mixer, kAudioUnitProperty_ElementCount, inputs, kAudioUnitScope_Input)
      try graph.setFormat(mixer, kAudioUnitScope_Output, rate: 48_000)
      let unit = try graph.unit(mixer)
      for input in 0..<inputs {
        try graph.setFormat(mixer, kAudioUnitScope_Input, input, rate: 48_000, channels: 1)
        try check(
          AudioUnitSetParameter(
            unit, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, input, input == 0 ? -1 : 1, 0
          ))
      }
      try check(graph.feed(mixer, 0, .constant(1)))
      try check(graph.connect(mixer, to: output))
      try check(AUGraphAddRenderNotify(graph.handle, MixChecker.function, checker.context))
      try graph.initialize()
      try graph.start()
    }
    return (graph, mixer)
  }

  @Test(
    "changes volumes on one bus without a click while four threads edit the others",
    arguments: [1, 3])
  func storm(threads: UInt32) throws {
    let checker = MixChecker()
    let (graph, mixer) = try playing(checker, inputs: 21, threads: threads)
    let unit = UnitReference(try graph.unit(mixer))
    let source = ConstantSource(1)
    graph.retain(source)
    let updating = NSLock()
    let end = Date().addingTimeInterval(Self.seconds)
    let editors = (0..<4).map { number in
      OwnThread { () -> Int in
        var (random, updates) = (RandomNumbers(number), 0)
        while Date() < end || updates < 20 {
          // At once, or at a frame of the next slice.
          AudioUnitSetParameter(
            unit.handle, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0,
            Float(random.next(9)) / 8, UInt32(random.next(2) * random.next(64)))
          edit(graph, mixer, 1 + UInt32(5 * number + random.next(5)), source, &random)
          updating.withLock { if graph.update() == noErr { updates += 1 } }
        }
        return updates
      }
    }
    for editor in editors { #expect(editor.join() >= 20) }
    // Let the scheduled volumes pass.
    let before = checker.slices
    for _ in 0..<600_000 where checker.slices < before + 4 { usleep(100) }
    // The sound reaches each volume.
    for target in [0.25, 0.75, 0.5] as [Float] {
      try check(
        AudioUnitSetParameter(
          unit.handle, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, target, 0))
      for _ in 0..<600_000 where abs(checker.last - target) > 1e-5 { usleep(100) }
      #expect(abs(checker.last - target) <= 1e-5)
    }
    try graph.stop()
    #expect(checker.moved >= 3)
    #expect(checker.jumps == 0, "\(checker.lastJump)")
    #expect(checker.torn == 0)
    #expect(checker.heapOperations == 0)
    #expect(graph.dispose() == noErr)
  }

  /// Makes a random edit: feeds a bus by a callback or a unit, disconnects it, or removes a node.
  private func edit(
    _ graph: Graph, _ mixer: AUNode, _ bus: UInt32, _ source: ConstantSource,
    _ random: inout RandomNumbers
  ) {
    switch random.next(4) {
    case 0:
      var callback = source.input
      AUGraphSetNodeInputCallback(graph.handle, mixer, bus, &callback)
    case 1: AUGraphDisconnectNodeInput(graph.handle, mixer, bus)
    case 2:
      // If the bus is connected already, the unit is removed.
      guard let steps = try? graph.add(.steps) else { return }
      _ = try? graph.setFormat(steps, kAudioUnitScope_Output, rate: 48_000, channels: 1)
      if graph.connect(steps, to: mixer, bus) != noErr { _ = graph.remove(steps) }
    default:
      // Any node except the first two, the mixer and the output.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      guard count > 2 else { return }
      AUGraphGetIndNode(graph.handle, 2 + UInt32(random.next(Int(count) - 2)), &node)
      _ = graph.remove(node)
    }
  }
}

/// A render notification that checks every frame, without use of the heap. On the left channel a
/// new volume is reached by a smooth fade of 5 ms, also from the middle of another: its speed changes by little
/// from frame to frame. On the right every source supplies 1, so each slice has one integral value.
private final class MixChecker: @unchecked Sendable {
  /// How much the change per frame may differ from that before: a quarter of a straight line of 5 ms.
  private static let largestBend: Float = 0.25 / 240

  private struct State {
    var value: Float = -1
    var step: Float = 0
    var jumps = 0
    var from: Float = 0
    var to: Float = 0
    var frame = 0
    var torn = 0
    var firstHeap: Int64 = -1
    var lastHeap: Int64 = -1
  }

  // These are read while the graph plays, the others afterwards.
  private let sliceCount = Atomic<Int>(0)
  private let movedSlices = Atomic<Int>(0)
  private let lastValue = Atomic<UInt32>(0)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init() { state.initialize(to: State()) }
  deinit { state.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  var slices: Int { sliceCount.load(ordering: .acquiring) }
  /// The last frame of the left channel.
  var last: Float { Float(bitPattern: lastValue.load(ordering: .acquiring)) }
  /// The number of slices in which the left channel changed.
  var moved: Int { movedSlices.load(ordering: .acquiring) }
  /// The number of frames at which the change per frame is another than a fade permits.
  var jumps: Int { state.pointee.jumps }
  var lastJump: String {
    "frame \(state.pointee.frame): \(state.pointee.from) to \(state.pointee.to)"
  }
  /// The number of slices whose right channel is not a single integral value.
  var torn: Int { state.pointee.torn }
  var heapOperations: Int64 { state.pointee.lastHeap - state.pointee.firstHeap }

  static let function: AURenderCallback = { context, flags, _, _, frames, data in
    guard flags.pointee.contains(.unitRenderAction_PostRender),
      let data = UnsafeMutableAudioBufferListPointer(data), data.count == 2
    else { return noErr }
    return Unmanaged<MixChecker>.fromOpaque(context)._withUnsafeGuaranteedRef { checker in
      checker.measure(
        data[0].mData?.assumingMemoryBound(to: Float.self),
        data[1].mData?.assumingMemoryBound(to: Float.self), Int(frames))
      return noErr
    }
  }

  private func measure(
    _ left: UnsafeMutablePointer<Float>?, _ right: UnsafeMutablePointer<Float>?, _ frames: Int
  ) {
    guard let left, let right, frames > 0 else { return }
    let heap = heap_operations()
    if state.pointee.firstHeap < 0 {
      state.pointee.firstHeap = heap
      state.pointee.value = left[0]
    }
    state.pointee.lastHeap = heap
    var hasMoved = false
    for frame in 0..<frames {
      let step = left[frame] - state.pointee.value
      if !((step - state.pointee.step).magnitude <= Self.largestBend) {
        state.pointee.jumps += 1
        state.pointee.from = state.pointee.value
        state.pointee.to = left[frame]
        state.pointee.frame = frame
      }
      if step != 0 { hasMoved = true }
      state.pointee.value = left[frame]
      state.pointee.step = step
    }
    let whole = right[0].rounded()
    for frame in 0..<frames where !((right[frame] - whole).magnitude < 1e-4) {
      state.pointee.torn += 1
      break
    }
    if hasMoved { movedSlices.add(1, ordering: .releasing) }
    lastValue.store(left[frames - 1].bitPattern, ordering: .releasing)
    sliceCount.add(1, ordering: .releasing)
  }
}
