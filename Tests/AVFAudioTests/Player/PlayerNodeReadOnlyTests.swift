// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Synchronization
import Testing

@Suite("AVAudioPlayerNode with read-only buffers")
struct PlayerNodeReadOnlyTests {
  private let offline: Offline
  private let player = AVAudioPlayerNode()

  init() throws {
    offline = try Offline()
    offline.engine.attach(player)
    offline.engine.connect(player, to: offline.engine.mainMixerNode, format: nil)
    try offline.engine.start()
  }

  @Test("plays them at their times, and calls the handler of the event")
  func plays() throws {
    let events = Events()
    let ramp = (0..<300).map { Float($0 + 1) / 1_000 }
    let buffer = try PlayerNodeTests.buffer(ramp)
    let readOnly = AVReadOnlyAudioPCMBuffer(copying: buffer)
    buffer.frameLength = 0
    player.scheduleBuffer(readOnly) { events.add("first") }
    player.scheduleBuffer(
      readOnly, atTime: AVAudioTime(sampleTime: 1_000, atRate: 48_000),
      completionCallbackType: .dataPlayedBack
    ) { events.add("second") }
    try player.playAudio()
    let samples = try offline.render(2_000)
    #expect(Array(samples[1][0..<300]) == ramp)
    #expect(samples[0][300..<1_000].allSatisfy { $0 == 0 })
    #expect(Array(samples[0][1_000..<1_300]) == ramp)
    #expect(events.wait(for: 2) == ["first", "second"])
  }

  @Test("plays other buffers the same way, with options")
  func options() throws {
    let events = Events()
    let loop = try PlayerNodeTests.buffer([Float](repeating: 0.25, count: 100))
    let end = try PlayerNodeTests.buffer([Float](repeating: 0.5, count: 100))
    player.scheduleBuffer(
      loop, options: .loops, completionCallbackType: .dataConsumed
    ) { events.add("loop") }
    player.scheduleBuffer(
      end, atTime: AVAudioTime(sampleTime: 400, atRate: 48_000), options: .interrupts,
      completionCallbackType: .dataRendered
    ) { events.add("end") }
    player.scheduleBuffer(end, completionCallbackType: .dataConsumed, completionHandler: nil)
    try player.playAudio()
    let samples = try offline.render(700)[0]
    #expect(samples[0..<400].allSatisfy { $0 == 0.25 })
    #expect(samples[400..<600].allSatisfy { $0 == 0.5 })
    #expect(samples[600...].allSatisfy { $0 == 0 })
    #expect(events.wait(for: 2) == ["loop", "end"])
  }

  @Test("a tap delivers buffers that other threads may keep")
  func tap() throws {
    let kept = Kept()
    try player.installAudioTap(onBus: 0, bufferSize: 256, format: nil) { buffer, time in
      kept.add(buffer, time)
    }
    let ramp = (0..<1_000).map { Float($0) / 1_000 }
    player.scheduleBuffer(AVReadOnlyAudioPCMBuffer(copying: try PlayerNodeTests.buffer(ramp)))
    try player.playAudio()
    _ = try offline.render(1_000)
    player.removeTap(onBus: 0)
    #expect(kept.samples == ramp)
    #expect(kept.times.first == 0)
  }

  private final class Kept: Sendable {
    private let parts = Mutex<[(AVReadOnlyAudioPCMBuffer, AVAudioFramePosition)]>([])

    func add(_ buffer: AVReadOnlyAudioPCMBuffer, _ time: AVAudioTime) {
      parts.withLock { $0.append((buffer, time.sampleTime)) }
    }

    var times: [AVAudioFramePosition] { parts.withLock { $0.map(\.1) } }

    var samples: [Float] {
      parts.withLock { parts in
        parts.flatMap { buffer, _ in
          guard case .float(let samples) = buffer.channelData(1) else { return [Float]() }
          return samples.indices.map { samples[$0] }
        }
      }
    }
  }
}
