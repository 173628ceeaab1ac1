// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import CAllocationProbe
import Foundation
import Synchronization
import Testing

@Suite("AVAudioPlayerNode, many calls")
struct PlayerNodeStormTests {
  /// The calls of a storm.
  private final class Storm: Sendable {
    let scheduled = Atomic(0)
    let ended = Atomic(0)

    var isComplete: Bool {
      ended.load(ordering: .relaxed) == scheduled.load(ordering: .relaxed)
    }

    /// Calls a player at random.
    func act(
      on player: AVAudioPlayerNode, _ file: AVAudioFile, _ buffer: AVAudioPCMBuffer, times: Int
    ) {
      for _ in 0..<times {
        switch Int.random(in: 0..<12) {
        case 0: player.stop()
        case 1: player.pause()
        case 2: player.reset()
        case 3, 4: player.play()
        case 5: player.play(at: AVAudioTime(sampleTime: .random(in: -9...99_999), atRate: 48_000))
        case 6:
          scheduled.wrappingAdd(1, ordering: .relaxed)
          player.scheduleFile(file, at: nil) { [self] in ended.wrappingAdd(1, ordering: .relaxed) }
        default:
          scheduled.wrappingAdd(1, ordering: .relaxed)
          player.scheduleBuffer(
            buffer, at: nil, options: AVAudioPlayerNodeBufferOptions(rawValue: .random(in: 0..<8)),
            completionCallbackType: .dataPlayedBack
          ) { [self] _ in ended.wrappingAdd(1, ordering: .relaxed) }
        }
        if let time = player.lastRenderTime { _ = player.playerTime(forNodeTime: time) }
      }
    }
  }

  @Test("a start counts although another thread changes the format")
  func startAgainstFormat() throws {
    let offline = try Offline()
    let (engine, player) = (offline.engine, AVAudioPlayerNode())
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    try engine.start()
    for round in 0..<200 {
      let thread = OwnThread {
        let format = AVAudioFormat(
          standardFormatWithSampleRate: round % 2 == 0 ? 44_100 : 48_000, channels: 2)
        engine.connect(player, to: engine.mainMixerNode, format: format)
      }
      // It is refused while there is no connection.
      while (try? player.playAudio()) == nil {}
      thread.join()
      #expect(player.isPlaying)
      player.stop()
    }
  }

  @Test("threads schedule, play and stop on a device, and each handler is called once")
  func storm() throws {
    let tape = try Tape([noise(700)])
    try onDevice(frames: 64) {
      let (engine, player, storm) = (AVAudioEngine(), AVAudioPlayerNode(), Storm())
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: nil)
      try engine.start()
      let threads = try (0..<3).map { _ in
        nonisolated(unsafe) let buffer = try PlayerNodeTests.buffer(noise(300))
        nonisolated(unsafe) let file = try AVAudioFile(forReading: tape.url)
        return OwnThread { storm.act(on: player, file, buffer, times: 300) }
      }
      for thread in threads { thread.join() }
      player.stop()
      #expect(holds { storm.isComplete })
      engine.stop()
    }
  }

  @Test("loops of 100 frames do not drift in a minute")
  func drift() throws {
    let offline = try Offline()
    let player = AVAudioPlayerNode()
    offline.engine.attach(player)
    offline.engine.connect(player, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
    let loop = noise(100)
    player.scheduleBuffer(try PlayerNodeTests.buffer(loop), at: nil, options: .loops)
    player.play()
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: offline.format, frameCapacity: 4_000))
    var isEqual = true
    for _ in 0..<720 {
      try offline.engine.renderOffline(4_000, to: buffer)
      let samples = try #require(buffer.floatChannelData)[0]
      for start in stride(from: 0, to: 4_000, by: 100) {
        isEqual = isEqual && memcmp(samples + start, loop, 400) == 0
      }
    }
    #expect(isEqual)
  }

  @Test("cycles of scheduling, playing and stopping leave nothing behind")
  func flat() async {
    await #expect(processExitsWith: .success) {
      let offline = try Offline()
      let player = AVAudioPlayerNode()
      offline.engine.attach(player)
      offline.engine.connect(player, to: offline.engine.mainMixerNode, format: nil)
      try offline.engine.start()
      let tape = try Tape([noise(1_000)])
      let buffer = try PlayerNodeTests.buffer(noise(50))
      func cycle() throws {
        player.scheduleBuffer(buffer, at: nil, options: .loops)
        player.scheduleFile(try AVAudioFile(forReading: tape.url), at: nil)
        player.play()
        _ = try offline.render(128)
        player.stop()
      }
      // Handles of files are used again after many others.
      for _ in 0..<1_100 { _ = try AVAudioFile(forReading: tape.url) }
      for _ in 0..<20 { try cycle() }
      let before = ProcessState()
      let growth = try await heapGrowth(of: 40, cycle)
      let after = ProcessState()
      guard growth < 16, after.threadCount <= before.threadCount + 1,
        after.descriptorCount <= before.descriptorCount
      else { fatalError("\(growth) bytes for each cycle; \(before); \(after)") }
    }
  }

  @Test("renders do not use the heap", .enabled(if: heap_is_counted()))
  func heap() throws {
    let offline = try Offline()
    let player = AVAudioPlayerNode()
    offline.engine.attach(player)
    offline.engine.connect(player, to: offline.engine.mainMixerNode, format: nil)
    let probe = HeapProbe()
    try probe.watch(player)
    try offline.engine.start()
    let tape = try Tape([noise(60_000)])
    let file = try AVAudioFile(forReading: tape.url)
    let buffer = try PlayerNodeTests.buffer(noise(50))
    for round in 0..<20 {
      player.scheduleSegment(file, startingFrame: 0, frameCount: 5_000, at: nil)
      player.scheduleBuffer(buffer, at: nil, options: round % 2 == 0 ? .loops : [])
      player.scheduleBuffer(buffer, at: nil, options: .interruptsAtLoop)
      player.prepare(withFrameCount: 5_000)
      player.play()
      _ = try offline.render(10_240)
      if round % 5 == 0 { player.stop() }
    }
    #expect(probe.renders.load(ordering: .relaxed) > 0)
    #expect(probe.operations.load(ordering: .relaxed) == 0)
  }

  /// Counts the heap operations of a unit's renders.
  private final class HeapProbe: @unchecked Sendable {
    let renders = Atomic(0)
    let operations = Atomic<Int64>(0)
    private var before: Int64 = 0

    func watch(_ node: AVAudioNode) throws {
      let unit = try #require(node.unit)
      let status = AudioUnitAddRenderNotify(
        unit.handle,
        { context, flags, _, _, _, _ in
          let probe = Unmanaged<HeapProbe>.fromOpaque(context).takeUnretainedValue()
          if flags.pointee.contains(.unitRenderAction_PreRender) {
            probe.before = heap_operations()
          } else {
            probe.operations.wrappingAdd(heap_operations() - probe.before, ordering: .relaxed)
            probe.renders.wrappingAdd(1, ordering: .relaxed)
          }
          return noErr
        }, Unmanaged.passUnretained(self).toOpaque())
      #expect(status == noErr)
    }
  }
}
