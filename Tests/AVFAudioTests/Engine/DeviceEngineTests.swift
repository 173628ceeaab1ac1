// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioDevices
import AudioTestSupport
import Foundation
import Synchronization
import Testing

/// A value that a test shares with other threads.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
  func change(_ body: (inout sending Value) -> Void) { mutex.withLock { body(&$0) } }
}

@Suite("AVAudioEngine on a device")
struct DeviceEngineTests {
  /// Frames of a signal that counts from 1, so that silence is not part of it.
  private static func counting(_ count: Int) -> [Float] {
    (1...count).map { Float($0 % 32_768) / 32_768 }
  }

  /// Whether the second array is somewhere in the first.
  private static func find(_ part: [Float], in whole: [Float]) -> Bool {
    guard let first = part.first else { return false }
    return whole.indices.contains { index in
      whole[index] == first && index + part.count <= whole.count
        && Array(whole[index..<index + part.count]) == part
    }
  }

  @Test("plays a source unchanged to the bit, and goes on after a pause")
  func plays() throws {
    let tape = Tape()
    let counter = Counter()
    try onDevice(tape) {
      let engine = AVAudioEngine()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      #expect(engine.outputNode.outputFormat(forBus: 0).sampleRate == 48_000)
      #expect(source.lastRenderTime == nil)
      try engine.start()
      #expect(engine.isRunning)
      #expect(wait { counter.next > 20_000 })
      let time = try #require(source.lastRenderTime)
      #expect(time.isHostTimeValid && time.isSampleTimeValid && time.sampleRate == 48_000)
      engine.pause()
      #expect(!engine.isRunning && source.lastRenderTime == nil)
      let paused = counter.next
      usleep(20_000)
      #expect(counter.next == paused)
      try engine.start()
      #expect(wait { counter.next > paused + 20_000 })
      engine.stop()
    }
    let samples = try tape.samples()
    #expect(samples[0] == Counter.samples(samples[0].count))
    #expect(samples[0].count > 40_000 && samples[0] == samples[1])
  }

  @Test("captures: a tap and a connection get the same frames")
  func captures() throws {
    let recording = Self.counting(30_000)
    let (output, input) = (Tape(), try Tape([recording, recording]))
    let log = TapLog()
    try onDevice(output, input: input) {
      let engine = AVAudioEngine()
      let format = engine.inputNode.outputFormat(forBus: 0)
      #expect(format.sampleRate == 48_000 && format.channelCount == 2)
      #expect(engine.inputNode.inputFormat(forBus: 0) == format)
      engine.connect(engine.inputNode, to: engine.mainMixerNode, format: format)
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
      try engine.start()
      #expect(wait { log.samples.count > 30_000 })
      engine.inputNode.removeTap(onBus: 0)
      engine.stop()
    }
    #expect(Self.find(Array(recording[1_000..<10_000]), in: log.samples))
    #expect(Self.find(Array(recording[1_000..<10_000]), in: try output.samples()[0]))
  }

  @Test("captures without an output")
  func capturesOnly() throws {
    let recording = Self.counting(30_000)
    let input = try Tape([recording, recording])
    let (log, received) = (TapLog(), Shared([Float]()))
    try onDevice(nil, input: input) {
      let engine = AVAudioEngine()
      let sink = AVAudioSinkNode { _, frames, list in
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
        received.change { $0 += UnsafeBufferPointer(start: samples, count: Int(frames)) }
        return noErr
      }
      engine.attach(sink)
      engine.connect(engine.inputNode, to: sink, format: nil)
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
      try engine.start()
      #expect(wait { log.samples.count > 30_000 && received.value.count > 30_000 })
      engine.stop()
      engine.detach(sink)
    }
    #expect(Self.find(Array(recording[1_000..<10_000]), in: log.samples))
    #expect(Self.find(Array(recording[1_000..<10_000]), in: received.value))
  }

  @Test("is built without a device; start() says that there is none")
  func noDevice() throws {
    var environment = DeviceEnvironment()
    environment.device = DeviceName("file:/nowhere/in.wav,/nowhere/out.wav")
    try environment.use {
      let engine = AVAudioEngine()
      let source = Counter().node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      #expect(engine.outputNode.outputFormat(forBus: 0).sampleRate == 0)
      let error = #expect(throws: NSError.self) { try engine.start() }
      #expect(error?.domain == "com.apple.coreaudio.avfaudio")
      #expect(!engine.isRunning)
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
      try engine.start()
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
      #expect(try engine.renderOffline(512, to: buffer) == .success)
    }
  }

  @Test("stops and posts once if the device gets other channels")
  func configurationChange() throws {
    let machine = SwitchedMachine()
    let posts = Shared(0)
    try machine.use {
      let engine = AVAudioEngine()
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in posts.change { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      try engine.start()
      #expect(wait { counter.next > 1_000 })
      machine.plug([SwitchedMachine.surround])
      #expect(wait { posts.value > 0 })
      #expect(!engine.isRunning)
      try engine.start()
      let next = counter.next
      #expect(wait { counter.next > next + 1_000 })
      #expect(engine.outputNode.outputFormat(forBus: 0).channelCount == 6)
      engine.stop()
    }
    #expect(posts.value == 1)
  }

  @Test("posts a change of the device after prepare() and pause(), too", arguments: [true, false])
  func configurationChangeAtRest(pauses: Bool) throws {
    let machine = SwitchedMachine()
    let posts = Shared(0)
    try machine.use {
      let engine = AVAudioEngine()
      _ = engine.mainMixerNode
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in posts.change { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      if pauses { try engine.start() } else { engine.prepare() }
      engine.pause()
      machine.plug([SwitchedMachine.surround])
      #expect(wait { posts.value > 0 })
      try engine.start()
      #expect(engine.outputNode.outputFormat(forBus: 0).channelCount == 6)
      engine.stop()
    }
    #expect(posts.value == 1)
  }

  @Test("stops the device while nothing is connected to play, if asked to")
  func autoShutdown() throws {
    try onDevice {
      let engine = AVAudioEngine()
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.isAutoShutdownEnabled = true
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      try engine.start()
      #expect(wait { counter.next > 1_000 })
      engine.disconnectNodeOutput(source)
      var unitRuns: UInt32 = 1
      var size: UInt32 = 4
      let unit = try #require(engine.outputNode.audioUnit)
      AudioUnitGetProperty(
        unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &unitRuns, &size)
      #expect(unitRuns == 0 && engine.isRunning)
      let next = counter.next
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      #expect(wait { counter.next > next + 1_000 })
      engine.stop()
    }
  }

  @Test("processes voice with a unit of its own")
  func voice() throws {
    let recording = [Float](repeating: 0.1, count: 100_000)
    let input = try Tape([recording, recording])
    try onDevice(Tape(), input: input) {
      let engine = AVAudioEngine()
      try engine.inputNode.setVoiceProcessingEnabled(true)
      #expect(engine.inputNode.isVoiceProcessingEnabled)
      #expect(engine.outputNode.isVoiceProcessingEnabled)
      #expect(engine.inputNode.isVoiceProcessingAGCEnabled)
      engine.inputNode.isVoiceProcessingInputMuted = true
      let log = TapLog()
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
      _ = engine.mainMixerNode
      try engine.start()
      #expect(throws: NSError.self) { try engine.outputNode.setVoiceProcessingEnabled(false) }
      #expect(wait { log.samples.count > 50_000 })
      engine.stop()
      #expect(log.samples.suffix(10_000).allSatisfy { $0 == 0 })
      try engine.outputNode.setVoiceProcessingEnabled(false)
      #expect(!engine.inputNode.isVoiceProcessingEnabled)
    }
  }

  @Test("plays too when the main mixer is used after it has started to capture")
  func lateOutput() throws {
    let recording = Self.counting(30_000)
    let input = try Tape([recording, recording])
    try onDevice(Tape(), input: input) {
      let engine = AVAudioEngine()
      let log = TapLog()
      engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { log.add($0, $1) }
      try engine.start()
      #expect(wait { log.samples.count > 1_000 })
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      #expect(engine.isRunning)
      #expect(wait { counter.next > 1_000 })
      engine.stop()
    }
  }

  @Test("the first use of the main mixer does not interrupt a device that plays already")
  func uninterrupted() throws {
    let recording = Self.counting(60_000)
    let input = try Tape([recording, recording])
    try onDevice(Tape(), input: input) {
      let (engine, log) = (AVAudioEngine(), TapLog())
      _ = engine.outputNode
      engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
      try engine.start()
      #expect(wait { log.samples.count > 1_000 })
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      #expect(wait { counter.next > 1_000 && log.samples.count > 30_000 })
      engine.stop()
      #expect(Self.find(Array(recording[..<30_000]), in: log.samples))
    }
  }

  @Test("the first use of the main mixer does not stop an engine that captures without an output")
  func noOutputForMixer() throws {
    let machine = SwitchedMachine([SwitchedMachine.microphone])
    try machine.use {
      let (engine, log) = (AVAudioEngine(), TapLog())
      engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
      try engine.start()
      #expect(wait { log.samples.count > 1_000 })
      let source = Counter().node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      let count = log.samples.count
      #expect(engine.isRunning && wait { log.samples.count > count + 2_000 })
      engine.stop()
      let error = #expect(throws: NSError.self) { try engine.start() }
      #expect(error?.localizedDescription.contains("no device with an output") == true)
    }
  }

  @Test("posts that it has stopped if the first use of the main mixer cannot open the output")
  func failedOpening() throws {
    let posts = Shared(0)
    try onDevice(Tape(), input: try Tape([Self.counting(30_000), Self.counting(30_000)])) {
      let engine = AVAudioEngine()
      _ = engine.inputNode
      try engine.start()
      let observer = NotificationCenter.default.addObserver(
        forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
      ) { _ in posts.change { $0 += 1 } }
      defer { NotificationCenter.default.removeObserver(observer) }
      // What no start allows.
      let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
      let sink = AVAudioSinkNode { _, _, _ in noErr }
      for node in [player, mixer, sink] { engine.attach(node) }
      engine.connect(player, to: mixer, format: nil)
      engine.connect(mixer, to: sink, format: nil)
      #expect(engine.isRunning)
      _ = engine.mainMixerNode
      #expect(!engine.isRunning && wait { posts.value == 1 })
    }
  }

  @Test("captures for an input node that is used first after prepare() or pause()")
  func inputAfterPrepare() throws {
    let recording = Self.counting(30_000)
    for pauses in [false, true] {
      let input = try Tape([recording, recording])
      let log = TapLog()
      try onDevice(Tape(), input: input) {
        let engine = AVAudioEngine()
        _ = engine.mainMixerNode
        if pauses {
          try engine.start()
          engine.pause()
        } else {
          engine.prepare()
        }
        engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.start()
        #expect(wait { log.samples.count > 10_000 })
        engine.stop()
      }
    }
  }

  @Test("plays to an output node that is used first after prepare()")
  func outputAfterPrepare() throws {
    try onDevice(Tape(), input: try Tape([Self.counting(30_000), Self.counting(30_000)])) {
      let engine = AVAudioEngine()
      _ = engine.inputNode
      engine.prepare()
      let counter = Counter()
      let source = counter.node()
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      try engine.start()
      #expect(wait { counter.next > 1_000 })
      engine.stop()
    }
  }

  @Test("serves a tap that was installed before its node was attached")
  func earlyTap() throws {
    try onDevice(rate: 44_100) {
      let (engine, source, log) = (AVAudioEngine(), Counter().node(), TapLog())
      source.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: nil)
      try engine.start()
      #expect(wait { log.samples.count > 50_000 })
      engine.stop()
    }
  }

  @Test("does not connect an input node that was not there at the start")
  func lateInput() throws {
    try onDevice {
      let engine = AVAudioEngine()
      let mixer = engine.mainMixerNode
      try engine.start()
      let input = engine.inputNode
      let error = #expect(throws: NSError.self) {
        try engine.connectNode(input, to: mixer, format: nil)
      }
      #expect(error?.localizedDescription.contains("stop it") == true)
      engine.stop()
      engine.connect(input, to: mixer, format: nil)
      try engine.start()
      engine.stop()
    }
  }
}
