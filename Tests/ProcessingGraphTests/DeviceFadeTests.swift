// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Edits of graphs that a device plays: they fade unless the program says otherwise.
@Suite("Edits on a device", .serialized)
struct DeviceFadeTests {
  /// Stores the first channel of what the head of a graph plays.
  private final class Recorder: @unchecked Sendable {
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1 << 19)
    private let count = Atomic(0)

    deinit { memory.deallocate() }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    var frames: Int { count.load(ordering: .acquiring) }
    var last: Float { frames > 0 ? memory[frames - 1] : 0 }
    var samples: [Double] {
      UnsafeBufferPointer(start: memory, count: frames).map(Double.init)
    }

    static let function: AURenderCallback = { context, flags, _, _, frames, data in
      guard flags.pointee.contains(.unitRenderAction_PostRender),
        let samples = UnsafeMutableAudioBufferListPointer(data)?[0].mData
      else { return noErr }
      return Unmanaged<Recorder>.fromOpaque(context)._withUnsafeGuaranteedRef { recorder in
        let start = recorder.count.load(ordering: .relaxed)
        guard start + Int(frames) <= 1 << 19 else { return noErr }
        (recorder.memory + start).update(
          from: samples.assumingMemoryBound(to: Float.self), count: Int(frames))
        recorder.count.store(start + Int(frames), ordering: .releasing)
        return noErr
      }
    }
  }

  /// A running graph with the device `null`: its output plays what `source` makes.
  private func play(
    _ cycle: Int, _ source: (Graph) throws -> AUNode
  ) throws -> (Graph, output: AUNode, Recorder) {
    let (graph, recorder) = (try Graph(), Recorder())
    graph.retain(recorder)
    let output = try graph.addOutput(kAudioUnitSubType_RemoteIO)
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    environment.cycleFrames = cycle
    try environment.use {
      try graph.open()
      let source = try source(graph)
      try check(graph.connect(source, to: output))
      try check(AUGraphAddRenderNotify(graph.handle, Recorder.function, recorder.context))
      try graph.initialize()
      try graph.start()
    }
    return (graph, output, recorder)
  }

  private func addSine(_ graph: Graph) throws -> AUNode {
    let node = try graph.add(
      AudioComponentDescription(
        componentType: kAudioUnitType_Generator,
        componentSubType: kAudioUnitSubType_ToneGenerator,
        componentManufacturer: kAudioUnitManufacturer_SwiftAudioToolbox, componentFlags: 0,
        componentFlagsMask: 0))
    try graph.setParameter(node, 0, 1_000)
    try graph.setFormat(node, kAudioUnitScope_Output, rate: 48_000)
    return node
  }

  @Test("do not click, one after the other", arguments: [64, 512])
  func storm(cycle: Int) throws {
    var sine: AUNode = 0
    let (graph, output, recorder) = try play(cycle) { graph in
      sine = try addSine(graph)
      return sine
    }
    for _ in 0..<100_000 where recorder.frames < 4_096 { usleep(100) }
    for round in 0..<6 {
      // A filter, which crossfades, and a converter of time, which cannot.
      let unit = try graph.add(
        round % 3 == 2
          ? .apple(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
          : .apple(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter))
      try graph.setFormat(unit, kAudioUnitScope_Output, rate: 48_000)
      try check(graph.disconnect(output))
      try check(graph.connect(sine, to: unit))
      try check(graph.connect(unit, to: output))
      try check(graph.update())
      try check(graph.disconnect(output))
      try check(graph.remove(unit))
      try check(graph.connect(sine, to: output))
      try check(graph.update())
    }
    let end = recorder.frames + 4_096
    for _ in 0..<100_000 where recorder.frames < end { usleep(100) }
    try graph.stop()
    let samples = recorder.samples
    let peak = HighBand.peak(of: samples, in: 2_048..<samples.count - 100)
    #expect(20 * log10(max(peak, 1e-12)) < -80)
  }

  @Test("that come during a fade take effect after it, without another call")
  func pending() throws {
    let (graph, output, recorder) = try play(512) { try $0.add(.constant(1)) }
    for _ in 0..<100_000 where recorder.frames < 1_024 { usleep(100) }
    for value in [2, 3] as [Float] {
      let node = try graph.add(.constant(value))
      try check(graph.disconnect(output))
      try check(graph.connect(node, to: output))
      var isUpdated = true
      try check(AUGraphUpdate(graph.handle, &isUpdated))
      #expect(!isUpdated)
    }
    // An edit that is impossible is refused at once.
    let (one, other) = (try graph.add(.gain), try graph.add(.gain))
    try check(graph.connect(one, to: other))
    try check(graph.connect(other, to: one))
    var isUpdated = true
    #expect(AUGraphUpdate(graph.handle, &isUpdated) == kAUGraphErr_InvalidConnection)
    for _ in 0..<20_000 where recorder.last != 3 { usleep(500) }
    #expect(recorder.last == 3)
    try graph.stop()
    let samples = recorder.samples
    for (value, next) in zip(samples, samples.dropFirst()).dropFirst(600) {
      #expect(abs(next - value) < 0.02)
    }
  }

  @Test("that are not complete when a fade ends wait for their own update")
  func incomplete() throws {
    let (graph, output, recorder) = try play(512) { try $0.add(.constant(1)) }
    for _ in 0..<100_000 where recorder.frames < 1_024 { usleep(100) }
    for value in [2, 3] as [Float] {
      let node = try graph.add(.constant(value))
      try check(graph.disconnect(output))
      try check(graph.connect(node, to: output))
      var isUpdated = true
      try check(AUGraphUpdate(graph.handle, &isUpdated))
    }
    // The program goes on editing before the fade to 2 has ended.
    try check(graph.disconnect(output))
    let end = recorder.frames + 48_000 / 4
    for _ in 0..<100_000 where recorder.frames < end { usleep(100) }
    #expect(recorder.last == 2)
    try check(graph.connect(try graph.add(.constant(4)), to: output))
    try check(graph.update())
    #expect(recorder.last == 4)
    try graph.stop()
  }

  @Test("do not call the callback that they replace after the update, nor keep its unit")
  func ended() throws {
    let (graph, output, recorder) = try play(64) { try $0.add(.constant(1)) }
    for _ in 0..<100_000 where recorder.frames < 256 { usleep(100) }
    var last: ConstantSource?
    for value in 0..<5 {
      let source = ConstantSource(Float(value))
      graph.retain(source)
      var callback = source.input
      try check(AUGraphSetNodeInputCallback(graph.handle, output, 0, &callback))
      try check(graph.update())
      last?.expectNoMoreCalls()
      last.map { #expect($0.lateCalls == 0) }
      last = source
    }
    let node = try graph.add(.gain)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try graph.setFormat(node, scope, rate: 48_000)
    }
    try check(graph.disconnect(output))
    try check(graph.connect(node, to: output))
    #expect(graph.feed(node, 0, .constant(1)) == noErr)
    try check(graph.update())
    let unit = try graph.unit(node)
    try check(graph.disconnect(output))
    try check(graph.remove(node))
    try check(graph.update())
    #expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError)
    try graph.stop()
    #expect(last?.lateCalls == 0)
  }
}

extension Graph {
  /// Adds a source of a constant at 48,000 Hz.
  fileprivate func add(_ constant: ConstantUnit) throws -> AUNode {
    let node = try add(.steps)
    try setFormat(node, kAudioUnitScope_Output, rate: 48_000)
    try setParameter(node, 1, constant.value)
    return node
  }
}

/// A unit that supplies a constant.
private struct ConstantUnit {
  var value: Float
  static func constant(_ value: Float) -> Self { Self(value: value) }
}
