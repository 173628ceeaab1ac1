// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioPlayerNode")
struct PlayerNodeTests {
  private let offline: Offline
  private let player = AVAudioPlayerNode()
  private var engine: AVAudioEngine { offline.engine }

  init() throws {
    offline = try Offline()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    try engine.start()
  }

  /// A buffer with the same samples in each channel.
  static func buffer(
    _ samples: [Float], rate: Double = 48_000, channels: AVAudioChannelCount = 2,
    _ common: AVAudioCommonFormat = .pcmFormatFloat32, interleaved: Bool = false
  ) throws -> AVAudioPCMBuffer {
    let format = try #require(
      AVAudioFormat(
        commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)))
    buffer.frameLength = AVAudioFrameCount(samples.count)
    for channel in 0..<Int(channels) {
      for (frame, sample) in samples.enumerated() {
        let index = frame * buffer.stride
        if let floats = buffer.floatChannelData { floats[channel][index] = sample }
        if let integers = buffer.int16ChannelData {
          integers[channel][index] = Int16(sample * 32_768)
        }
      }
    }
    return buffer
  }

  private func time(_ frame: Int64, rate: Double = 48_000) -> AVAudioTime {
    AVAudioTime(sampleTime: frame, atRate: rate)
  }

  private static func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  private func render(_ frames: Int, slice: Int = 512) throws -> [Float] {
    let channels = try offline.render(frames, slice: slice)
    #expect(channels[0] == channels[1])
    return channels[0]
  }

  // MARK: Buffers

  @Test("plays buffers one after the other, with their bits", arguments: [1, 7, 512, 4_096])
  func buffers(slice: Int) throws {
    let sound = noise(5_000)
    player.play()
    for part in [0..<1_000, 1_000..<1_001, 1_001..<5_000] {
      player.scheduleBuffer(try Self.buffer(Array(sound[part])))
    }
    #expect(try render(5_100, slice: slice) == sound + Self.silence(100))
    #expect(player.isPlaying)
  }

  @Test("plays interleaved buffers, and integers")
  func formats() throws {
    player.scheduleBuffer(try Self.buffer([0.25, 0.5], interleaved: true))
    player.scheduleBuffer(try Self.buffer([0.125, -1], .pcmFormatInt16, interleaved: true))
    player.scheduleBuffer(try Self.buffer([0.75], .pcmFormatInt16))
    player.play()
    #expect(try render(6) == [0.25, 0.5, 0.125, -1, 0.75, 0])
  }

  @Test("buffers have times, at any rate of the time", arguments: [48_000, 24_000, 96_000])
  func times(rate: Double) throws {
    let scale = rate / 48_000
    player.scheduleBuffer(try Self.buffer([1]), at: time(Int64(100 * scale), rate: rate))
    player.scheduleBuffer(try Self.buffer([2]), at: time(Int64(40 * scale), rate: rate))
    player.play()
    var expected = Self.silence(200)
    (expected[40], expected[100]) = (2, 1)
    #expect(try render(200, slice: 64) == expected)
  }

  @Test("a host time means at once in manual rendering")
  func hostTime() throws {
    let later = AVAudioTime(hostTime: AudioGetCurrentHostTime() + 1_000_000_000)
    player.scheduleBuffer(try Self.buffer([1]), at: later)
    player.play()
    #expect(try render(2) == [1, 0])
  }

  @Test("a buffer loops until another interrupts it, or until it stops")
  func loops() throws {
    player.scheduleBuffer(try Self.buffer([1, 2, 3]), at: nil, options: .loops)
    player.play()
    #expect(try render(7) == [1, 2, 3, 1, 2, 3, 1])
    player.scheduleBuffer(try Self.buffer([8]), at: nil, options: [.interruptsAtLoop])
    player.scheduleBuffer(try Self.buffer([9, 9]), at: nil, options: [.loops])
    #expect(try render(5) == [2, 3, 8, 9, 9])
    player.scheduleBuffer(try Self.buffer([5]), at: nil, options: .interrupts)
    #expect(try render(2) == [5, 0])
  }

  @Test("is bit-exact through several mixers, and a volume is one multiplication")
  func mixers() throws {
    let mixer = AVAudioMixerNode()
    engine.attach(mixer)
    engine.disconnectNodeOutput(player)
    engine.connect(player, to: mixer, format: offline.format)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    let sound = noise(1_000)
    player.play()
    player.scheduleBuffer(try Self.buffer(sound))
    #expect(try render(1_000) == sound)
    player.volume = 0.3
    _ = try render(4_800)
    player.scheduleBuffer(try Self.buffer(sound))
    #expect(try render(1_000) == sound.map { $0 * 0.3 })
  }

  // MARK: Files

  @Test("plays files and segments, with their bits", arguments: [97, 4_096])
  func files(slice: Int) throws {
    let sound = noise(70_000)
    let tape = try Tape([sound, sound])
    let file = try AVAudioFile(forReading: tape.url)
    file.framePosition = 500
    let events = Events()
    player.scheduleFile(file, at: nil) { events.add("file") }
    player.scheduleSegment(file, startingFrame: 100, frameCount: 1_000, at: nil) {
      events.add("segment")
    }
    player.scheduleBuffer(try Self.buffer([2]))
    player.play()
    #expect(try render(71_001, slice: slice) == sound + sound[100..<1_100] + [2])
    #expect(events.wait(for: 2) == ["file", "segment"])
    #expect(file.framePosition == 500)
  }

  @Test("converts the rate and the channels of files, and plays on when they are closed")
  func conversion() throws {
    let tape = try Tape(
      [Signal.sine(1_000, amplitude: 0.5, sampleRate: 44_100, count: 44_100).floats],
      sampleRate: 44_100)
    let file = try AVAudioFile(forReading: tape.url)
    player.scheduleFile(file, at: nil)
    file.close()
    player.prepare(withFrameCount: 48_000)
    player.play()
    let sound = try render(48_100)
    let tone = Signal(sound, sampleRate: 48_000)[4_000..<44_000].tone(near: 1_000)
    #expect(abs(tone.frequency - 1_000) < 0.01 && abs(tone.amplitude - 0.5) < 1e-3)
    #expect(sound[48_050...].allSatisfy { $0 == 0 })
  }

  @Test(
    "parts of a file join without a gap at any rate of the file",
    arguments: [8_000, 22_050, 44_100, 48_000, 96_000])
  func joins(rate: Int) throws {
    let tone = Signal.sine(997, amplitude: 0.5, sampleRate: Double(rate), count: rate).floats
    let tape = try Tape([tone], sampleRate: Double(rate))
    let file = try AVAudioFile(forReading: tape.url)
    player.scheduleFile(file, at: nil)
    player.play()
    let unbroken = try render(48_100)
    player.stop()
    let events = Events()
    for start in stride(from: 0, to: rate, by: 1_001) {
      player.scheduleSegment(
        file, startingFrame: AVAudioFramePosition(start), frameCount: 1_001, at: nil
      ) { events.add("\(start)") }
    }
    player.play()
    #expect(try render(48_100) == unbroken)
    #expect(unbroken[47_995] != 0 && unbroken[48_000...].allSatisfy { $0 == 0 })
    let starts = stride(from: 0, to: rate, by: 1_001).map { "\($0)" }
    #expect(events.wait(for: starts.count) == starts)
  }

  @Test("keeps the files and buffers that it will play")
  func ownership() throws {
    weak var weakFile: AVAudioFile?
    do {
      let tape = try Tape([noise(100), noise(100)])
      let file = try AVAudioFile(forReading: tape.url)
      weakFile = file
      player.scheduleFile(file, at: nil)
      player.scheduleBuffer(try Self.buffer([3]))
    }
    #expect(weakFile != nil)
    player.play()
    #expect(try render(102) == noise(100) + [3, 0])
    #expect(holds { weakFile == nil })
  }

  // MARK: Time

  @Test("has a time that counts frames from its start")
  func playerTime() throws {
    _ = try render(1_000)
    #expect(player.playerTime(forNodeTime: time(0)) == nil)
    player.play()
    #expect(player.nodeTime(forPlayerTime: time(0)) == nil)
    _ = try render(512)
    let last = try #require(player.lastRenderTime)
    #expect(player.playerTime(forNodeTime: last)?.sampleTime == 0)
    #expect(player.nodeTime(forPlayerTime: time(100))?.sampleTime == last.sampleTime + 100)
    #expect(player.nodeTime(forPlayerTime: time(50, rate: 24_000))?.sampleTime == 1_100)
    player.pause()
    #expect(player.playerTime(forNodeTime: last) == nil && !player.isPlaying)
    _ = try render(512)
    player.play()
    _ = try render(512)
    #expect(
      player.playerTime(forNodeTime: try #require(player.lastRenderTime))?.sampleTime == 512)
    player.stop()
    player.play()
    _ = try render(512)
    #expect(player.playerTime(forNodeTime: try #require(player.lastRenderTime))?.sampleTime == 0)
    let extreme = try #require(player.playerTime(forNodeTime: time(.max)))
    #expect(extreme.sampleTime > 1 << 50)
  }

  @Test("starts on the frame; its time is negative before", arguments: [1, 64, 512])
  func startTime(slice: Int) throws {
    _ = try render(100)
    player.scheduleBuffer(try Self.buffer([1, 2]))
    player.play(at: time(1_123))
    let sound = try render(1_100, slice: slice)
    #expect(sound == Self.silence(1_023) + [1, 2] + Self.silence(75))
    player.stop()
    player.play(at: time(5_000))
    _ = try render(512)
    let before = player.playerTime(forNodeTime: try #require(player.lastRenderTime))
    #expect(before?.sampleTime == 1_200 - 5_000)
  }

  @Test("a pause keeps everything")
  func pause() throws {
    let sound = noise(1_000)
    player.scheduleBuffer(try Self.buffer(sound))
    player.play()
    let first = try render(333)
    player.pause()
    #expect(try render(100) == Self.silence(100))
    player.play()
    #expect(try first + render(667) == sound)
  }

  @Test("a stop and a reset drop everything, and call the handlers")
  func stop() throws {
    let events = Events()
    for name in ["a", "b", "c"] {
      player.scheduleBuffer(try Self.buffer(noise(1_000))) { events.add(name) }
    }
    player.play()
    _ = try render(100)
    player.stop()
    #expect(events.wait(for: 3) == ["a", "b", "c"] && !player.isPlaying)
    player.scheduleBuffer(try Self.buffer([1])) { events.add("d") }
    player.play()
    player.reset()
    #expect(events.wait(for: 4).last == "d" && player.isPlaying)
    #expect(try render(2) == [0, 0])
  }

  // MARK: Handlers

  @Test("calls handlers with their type, each once and in order")
  func handlers() throws {
    let events = Events()
    let types: [AVAudioPlayerNodeCompletionCallbackType] = [
      .dataConsumed, .dataRendered, .dataPlayedBack,
    ]
    for type in types {
      player.scheduleBuffer(try Self.buffer([1]), completionCallbackType: type) {
        events.add("\($0)\(Thread.isMainThread)")
      }
    }
    player.play()
    _ = try render(10)
    #expect(
      events.wait(for: 3) == ["dataConsumedfalse", "dataRenderedfalse", "dataPlayedBackfalse"])
  }

  @Test("the async forms return after their event")
  func async() async throws {
    let tape = try Tape([noise(100), noise(100)])
    let file = try AVAudioFile(forReading: tape.url)
    player.play()
    let offline = offline
    let events = Events()
    let isOver = Events()
    let renders = OwnThread {
      while isOver.all.isEmpty { _ = try? offline.render(64) }
    }
    await player.scheduleBuffer(try Self.buffer([1]))
    await player.scheduleBuffer(try Self.buffer([1]), at: nil, options: .interrupts)
    await player.scheduleFile(file, at: nil)
    await player.scheduleSegment(file, startingFrame: 0, frameCount: 10, at: nil)
    let type = await player.scheduleBuffer(
      try Self.buffer([1]), completionCallbackType: .dataRendered)
    #expect(type == .dataRendered)
    await player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack)
    events.add("done")
    isOver.add("over")
    renders.join()
    #expect(events.all == ["done"])
  }

  // MARK: The engine

  @Test("what is scheduled before manual rendering is on plays in its format")
  func scheduledFirst() throws {
    let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    let tape = try Tape([noise(100), noise(100)], sampleRate: 22_050)
    player.scheduleFile(try AVAudioFile(forReading: tape.url), at: nil)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 2))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    try engine.start()
    player.play()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    #expect(try engine.renderOffline(100, to: buffer) == .success)
    let samples = try #require(buffer.floatChannelData)
    #expect(Array(UnsafeBufferPointer(start: samples[0], count: 100)) == noise(100))
  }

  @Test("plays in device mode, and is played back after that")
  func device() throws {
    let (sound, output, events) = (noise(9_600), Tape(), Events())
    try onDevice(output, clock: .paced) {
      let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: nil)
      try engine.start()
      player.scheduleBuffer(
        try Self.buffer(sound, rate: player.outputFormat(forBus: 0).sampleRate),
        completionCallbackType: .dataPlayedBack
      ) { _ in events.add("played back") }
      player.play()
      #expect(events.wait(for: 1) == ["played back"])
      engine.stop()
    }
    #expect(try Array(output.sound().prefix(9_600)) == sound)
  }

  @Test("starts at a host time on a device")
  func deviceStart() throws {
    try onDevice(clock: .paced) {
      let (engine, player, events) = (AVAudioEngine(), AVAudioPlayerNode(), Events())
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: nil)
      try engine.start()
      player.scheduleBuffer(try Self.buffer([1])) { events.add("end") }
      let start = AudioGetCurrentHostTime() + 100_000_000
      player.play(at: AVAudioTime(hostTime: start))
      #expect(events.wait(for: 1) == ["end"])
      // A device renders ahead of its time, by less than this.
      #expect(AudioGetCurrentHostTime() + 60_000_000 > start)
      engine.stop()
    }
  }

  @Test("is freed with its buffers when it is detached and nobody holds it")
  func release() throws {
    weak var weakPlayer: AVAudioPlayerNode?
    weak var weakBuffer: AVAudioPCMBuffer?
    let events = Events()
    do {
      let player = AVAudioPlayerNode()
      let buffer = try Self.buffer([1, 2])
      (weakPlayer, weakBuffer) = (player, buffer)
      engine.attach(player)
      engine.connect(player, to: engine.mainMixerNode, format: nil)
      player.scheduleBuffer(buffer, at: nil, options: .loops) { events.add("end") }
      player.play()
      _ = try render(5)
      engine.detach(player)
    }
    #expect(events.wait(for: 1) == ["end"])
    _ = try render(5)
    #expect(holds { weakPlayer == nil && weakBuffer == nil })
  }

  @Test("can be subclassed")
  func subclass() throws {
    final class Sampler: AVAudioPlayerNode, @unchecked Sendable {
      var starts = 0
      override func play() {
        starts += 1
        super.play()
      }
    }
    let sampler = Sampler()
    engine.attach(sampler)
    engine.connect(sampler, to: engine.mainMixerNode, format: nil)
    sampler.scheduleBuffer(try Self.buffer([1]))
    sampler.play()
    #expect(try render(2) == [1, 0] && sampler.starts == 1)
  }
}
