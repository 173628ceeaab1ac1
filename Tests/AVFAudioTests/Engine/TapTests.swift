// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Synchronization
import Testing

/// What a tap delivered.
final class TapLog: Sendable {
  struct Entry: Sendable {
    let samples: [Float]
    let time: AVAudioFramePosition
    let rate: Double
    let isMainThread: Bool
    let thread: UInt
  }
  private let log = Mutex<[Entry]>([])

  var entries: [Entry] { log.withLock { $0 } }
  var samples: [Float] { entries.flatMap(\.samples) }

  func add(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
    let channel = buffer.floatChannelData?[0]
    let entry = Entry(
      samples: (0..<Int(buffer.frameLength)).map { channel?[$0 * buffer.stride] ?? .nan },
      time: time.sampleTime, rate: time.sampleRate, isMainThread: Thread.isMainThread,
      thread: UInt(pthread_self()))
    log.withLock { $0.append(entry) }
  }
}

@Suite("Taps")
struct TapTests {
  private static func playing(
    _ offline: Offline, _ node: AVAudioSourceNode
  ) throws {
    offline.engine.attach(node)
    offline.engine.connect(node, to: offline.engine.mainMixerNode, format: nil)
  }

  @Test("deliver every frame in order, with its time", arguments: [1, 100, 512, 4_096])
  func complete(slice: Int) throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let log = TapLog()
    source.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
    try offline.engine.start()
    let frames = slice == 1 ? 5_000 : 100_000
    let samples = try offline.render(frames, slice: slice)
    source.removeTap(onBus: 0)
    #expect(log.samples == samples[0])
    var next: AVAudioFramePosition = 0
    for entry in log.entries {
      #expect(entry.time == next && entry.rate == 48_000)
      next += AVAudioFramePosition(entry.samples.count)
    }
    #expect(log.entries.dropLast().allSatisfy { $0.samples.count == 1_024 })
    #expect(Set(log.entries.map(\.thread)).count == 1)
    #expect(!log.entries.contains { $0.thread == UInt(pthread_self()) })
  }

  @Test("copy mixers and the output node, and convert to the format of the tap")
  func points() throws {
    let offline = try Offline()
    let engine = offline.engine
    try Self.playing(offline, Counter().node())
    let (mixer, output) = (TapLog(), TapLog())
    let mono = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 1, interleaved: false))
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: mono) { mixer.add($0, $1) }
    engine.outputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { output.add($0, $1) }
    try engine.start()
    let samples = try offline.render(2_048)
    engine.mainMixerNode.removeTap(onBus: 0)
    engine.outputNode.removeTap(onBus: 0)
    #expect(mixer.samples == samples[0])
    #expect(output.samples == samples[0])
  }

  @Test("can be installed and removed while the engine runs, and again")
  func running() throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    try offline.engine.start()
    _ = try offline.render(700)
    for round in 0..<5 {
      let log = TapLog()
      source.installTap(onBus: 0, bufferSize: 256, format: nil) { log.add($0, $1) }
      let samples = try offline.render(1_000)
      source.removeTap(onBus: 0)
      #expect(log.samples == samples[0])
      #expect(log.entries.first?.time == AVAudioFramePosition(700 + 1_000 * round))
    }
    source.removeTap(onBus: 0)
  }

  @Test("refuse a second tap, a bus that does not exist and another rate, and change nothing")
  func misuse() throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    func failure(_ bus: Int, _ format: AVAudioFormat?) -> NSError? {
      do {
        try source.installAudioTap(onBus: bus, bufferSize: 1_024, format: format) { _, _ in }
        return nil
      } catch { return error as NSError }
    }
    #expect(failure(1, nil)?.localizedDescription.contains("has no output bus 1") == true)
    #expect(failure(0, other)?.code == Int(kAudioUnitErr_FormatNotSupported))
    #expect(failure(0, nil) == nil)
    let second = try #require(failure(0, nil))
    #expect(second.domain == "com.apple.coreaudio.avfaudio")
    #expect(second.localizedDescription.contains("removeTap"))
    source.removeTap(onBus: 0)
  }

  @Test("have copies, which a block may shorten and change")
  func copies() throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let counts = Shared([AVAudioFrameCount]())
    source.installTap(onBus: 0, bufferSize: 512, format: nil) { buffer, _ in
      counts.change { $0.append(buffer.frameLength) }
      buffer.floatChannelData?[0].update(repeating: 9, count: 512)
      buffer.frameLength = 1
    }
    try offline.engine.start()
    #expect(try offline.render(2_048)[0] == Counter.samples(2_048))
    source.removeTap(onBus: 0)
    #expect(counts.value == [512, 512, 512, 512])
  }

  @Test("end when their own block removes them")
  func removedByBlock() throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let calls = Atomic(0)
    source.installTap(onBus: 0, bufferSize: 512, format: nil) { [weak source] _, _ in
      calls.wrappingAdd(1, ordering: .relaxed)
      source?.removeTap(onBus: 0)
    }
    try offline.engine.start()
    _ = try offline.render(512)
    #expect(wait { calls.load(ordering: .relaxed) >= 1 })
    _ = try offline.render(51_200)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test("keep slices that are larger than at their installation")
  func largeSlices() throws {
    let offline = try Offline(44_100, 2, maximum: 200_000)
    let source = Counter().node()
    try Self.playing(offline, source)
    let log = TapLog()
    source.installTap(onBus: 0, bufferSize: 4_096, format: nil) { log.add($0, $1) }
    try offline.engine.start()
    let samples = try offline.render(200_000, slice: 200_000)
    source.removeTap(onBus: 0)
    let isComplete = log.samples == samples[0]
    #expect(isComplete)
  }

  @Test("slow offline rendering down to a block that is slower")
  func slowBlock() throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let calls = Atomic(0)
    source.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in
      calls.wrappingAdd(1, ordering: .relaxed)
      usleep(1_000)
    }
    try offline.engine.start()
    for round in 1...40 {
      _ = try offline.render(512)
      // 64 buffers may wait, and the next is about to be delivered.
      #expect(8 * round - calls.load(ordering: .relaxed) <= 65)
    }
    source.removeTap(onBus: 0)
    #expect(calls.load(ordering: .relaxed) == 320)
  }

  @Test("work in a main-actor class")
  @MainActor func mainActor() async throws {
    let offline = try Offline()
    let source = Counter().node()
    try Self.playing(offline, source)
    let meter = Meter()
    meter.follow(source)
    try offline.engine.start()
    _ = try offline.render(4_096)
    source.removeTap(onBus: 0)
    for _ in 0..<200 where meter.count == 0 { try await Task.sleep(nanoseconds: 10_000_000) }
    #expect(meter.count > 0)
  }

  @MainActor private final class Meter {
    var count = 0

    func follow(_ node: AVAudioNode) {
      node.installTap(onBus: 0, bufferSize: 512, format: nil) { [weak self] _, _ in
        Task { @MainActor in self?.count += 1 }
      }
    }
  }
}
