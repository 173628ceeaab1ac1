// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Synchronization
import Testing

/// The multichannel mixer while a device renders it: volumes move on one bus, others are edited.
@Suite("Mixer in a storm", .serialized)
struct MixerStormTests {
  private static var seconds: Double {
    let environment = ProcessInfo.processInfo.environment
    let minutes = environment["AUDIOTOOLBOX_TEST_MINUTES"].flatMap { Double($0) }
    let seconds = environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    return minutes.map { $0 * 60 } ?? seconds ?? 2
  }

  /// Mono buses: of the first all goes to the left, of the others to the right.
  private func playing(_ judge: MixJudge, inputs: UInt32, threads: UInt32) throws
    -> (Graph, mixer: AUNode)
  {
    let graph = try Graph()
    graph.keep(judge)
    try check(AUGraphSetRenderThreads(graph.handle, threads))
    let mixer = try graph.add(.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let output = try graph.addOutput(kAudioUnitSubType_RemoteIO)
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    environment.cycleFrames = 64
    try DeviceEnvironment.$override.withValue(environment) {
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
      try check(AUGraphAddRenderNotify(graph.handle, MixJudge.function, judge.context))
      try graph.initialize()
      try graph.start()
    }
    return (graph, mixer)
  }

  @Test(
    "takes volumes on one bus without a click while four threads edit the others",
    arguments: [1, 3])
  func storm(threads: UInt32) throws {
    let judge = MixJudge()
    let (graph, mixer) = try playing(judge, inputs: 21, threads: threads)
    let unit = UnitReference(try graph.unit(mixer))
    let source = ConstantSource(1)
    graph.keep(source)
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
    // What was set for a frame to come is past.
    let before = judge.slices
    for _ in 0..<600_000 where judge.slices < before + 4 { usleep(100) }
    // Where a volume leads, the sound arrives.
    for target in [0.25, 0.75, 0.5] as [Float] {
      try check(
        AudioUnitSetParameter(
          unit.handle, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, target, 0))
      for _ in 0..<600_000 where abs(judge.last - target) > 1e-5 { usleep(100) }
      #expect(abs(judge.last - target) <= 1e-5)
    }
    try graph.stop()
    #expect(judge.moved >= 3)
    #expect(judge.jumps == 0, "\(judge.lastJump)")
    #expect(judge.torn == 0)
    #expect(judge.heapOperations == 0)
    #expect(graph.dispose() == noErr)
  }

  /// Feeds a bus from a callback, a unit or nothing.
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
      // Where the bus is taken, it plays nowhere.
      guard let steps = try? graph.add(.steps) else { return }
      _ = try? graph.setFormat(steps, kAudioUnitScope_Output, rate: 48_000, channels: 1)
      if graph.connect(steps, to: mixer, bus) != noErr { _ = graph.remove(steps) }
    default:
      // Any node but the mixer and the output, the first two.
      var (count, node) = (UInt32(), AUNode())
      AUGraphGetNodeCount(graph.handle, &count)
      guard count > 2 else { return }
      AUGraphGetIndNode(graph.handle, 2 + UInt32(random.next(Int(count) - 2)), &node)
      _ = graph.remove(node)
    }
  }
}

/// A render notification in plain memory that follows the left channel from frame to frame: a volume
/// that was set is reached in a straight line of 5 ms. On the right every source gives 1: each slice is
/// one whole number.
private final class MixJudge: @unchecked Sendable {
  private struct State {
    var value: Float = -1
    var jumps = 0
    var from: Float = 0
    var to: Float = 0
    var frame = 0
    var torn = 0
    var firstHeap: Int64 = -1
    var lastHeap: Int64 = -1
  }

  // Looked at while it plays; the rest when it is over.
  private let sliceCount = Atomic<Int>(0)
  private let movedSlices = Atomic<Int>(0)
  private let lastValue = Atomic<UInt32>(0)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init() { state.initialize(to: State()) }
  deinit { state.deallocate() }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  var slices: Int { sliceCount.load(ordering: .acquiring) }
  /// The last frame of the left channel, and in how many slices that moved.
  var last: Float { Float(bitPattern: lastValue.load(ordering: .acquiring)) }
  var moved: Int { movedSlices.load(ordering: .acquiring) }
  /// Frames that lie further from the one before than a volume may move; slices whose right channel is
  /// no whole number, or two.
  var jumps: Int { state.pointee.jumps }
  /// The last of them.
  var lastJump: String {
    "frame \(state.pointee.frame): \(state.pointee.from) to \(state.pointee.to)"
  }
  var torn: Int { state.pointee.torn }
  var heapOperations: Int64 { state.pointee.lastHeap - state.pointee.firstHeap }

  static let function: AURenderCallback = { context, flags, _, _, frames, data in
    guard flags.pointee.contains(.unitRenderAction_PostRender),
      let data = UnsafeMutableAudioBufferListPointer(data), data.count == 2
    else { return noErr }
    return Unmanaged<MixJudge>.fromOpaque(context)._withUnsafeGuaranteedRef { judge in
      judge.measure(
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
      let step = (left[frame] - state.pointee.value).magnitude
      if !(step <= 1.01 / 240) || !(left[frame] >= -1e-5) {
        state.pointee.jumps += 1
        state.pointee.from = state.pointee.value
        state.pointee.to = left[frame]
        state.pointee.frame = frame
      }
      if step > 0 { hasMoved = true }
      state.pointee.value = left[frame]
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
