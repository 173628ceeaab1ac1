// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import Foundation
import PlainText
import Synchronization
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// What is heard in a view: a file that repeats, the input of the device or the unit itself, through the unit to the
/// device.
final class ViewSound {
  /// Where the sound comes from.
  enum Source {
    case file(String)
    case input
    /// The unit makes sound itself, or is only looked at.
    case nothing
  }

  let node: AVAudioUnit
  private let engine = AVAudioEngine()
  private let player = AVAudioPlayerNode()
  private let before = AVAudioMixerNode()
  private let source: Source
  private let tap = OutputTap()
  private(set) var isPlaying = false
  private let loop: FileLoop?

  /// [main thread] Makes the unit and connects it; nothing sounds yet.
  init(_ component: UnitComponent, _ source: Source) throws {
    self.source = source
    node = try Self.make(component)
    if case .file(let path) = source {
      loop = FileLoop(try Self.open(path), player)
    } else {
      loop = nil
    }
    engine.attach(node)
    try connect(component)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { [tap] buffer, _ in
      tap.take(buffer)
    }
  }

  deinit {
    loop?.end()
    engine.stop()
  }

  private static func make(_ component: UnitComponent) throws -> AVAudioUnit {
    let made = Made()
    let done = DispatchSemaphore(value: 0)
    AVAudioUnit.instantiate(with: component.description) { node, error in
      made.result = (node, error)
      done.signal()
    }
    done.wait()
    guard let node = made.result.0 else {
      throw made.result.1 ?? Failure("Can't make \(component.name)")
    }
    return node
  }

  private final class Made: @unchecked Sendable {
    var result: (AVAudioUnit?, (any Error)?) = (nil, nil)
  }

  private static func open(_ path: String) throws -> AVAudioFile {
    do { return try AVAudioFile(forReading: URL(fileURLWithPath: path)) } catch {
      throw Failure("\(Excerpt.quoted(path)): \(error.localizedDescription)")
    }
  }

  // MARK: Connections

  private func connect(_ component: UnitComponent) throws {
    let unit = node.audioUnit
    let mixer = engine.mainMixerNode
    let inputs = unit.elementCount(kAudioUnitScope_Input)
    guard unit.elementCount(kAudioUnitScope_Output) > 0 else {
      throw Failure("\(component.name) has no output for sound")
    }
    var rate = engine.outputNode.outputFormat(forBus: 0).sampleRate
    if rate <= 0 { rate = 48_000 }
    let given: AVAudioNode?
    var channels = 2
    switch source {
    case .file:
      guard let loop else { return }
      rate = loop.format.sampleRate
      channels = Int(clamping: loop.format.channelCount)
      engine.attach(player)
      given = player
    case .input:
      let format = engine.inputNode.outputFormat(forBus: 0)
      guard format.channelCount > 0 else { throw Failure("the device has no input") }
      (rate, channels) = (format.sampleRate, Int(clamping: format.channelCount))
      given = engine.inputNode
    case .nothing: given = nil
    }
    let counts = Self.channels(of: unit, near: channels)
    if let given {
      guard inputs > 0 else {
        throw Failure("\(component.name) makes sound itself: it takes no file and no input")
      }
      engine.attach(before)
      try engine.connectNode(given, to: before, format: nil)
      try engine.connectNode(before, to: node, format: try format(rate, counts.input))
    }
    try engine.connectNode(node, to: mixer, format: try format(rate, counts.output))
  }

  private func format(_ rate: Double, _ channels: Int) throws -> AVAudioFormat {
    guard
      let format = AVAudioFormat(
        standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(clamping: channels))
    else { throw Failure("\(channels) channels at \(Numbers.plain(rate)) Hz are impossible") }
    return format
  }

  /// The numbers of channels of input and output that a unit accepts, as near as possible to those of the source.
  static func channels(of unit: AudioUnit, near count: Int) -> (input: Int, output: Int) {
    let pairs = unit.values(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo())
    func number(_ stated: Int16) -> Int { stated < 0 ? count : Int(clamping: stated) }
    let candidates = pairs.map { (input: number($0.inChannels), output: number($0.outChannels)) }
      .filter { $0.output > 0 }
    func distance(_ pair: (input: Int, output: Int)) -> (Int, Int) {
      (abs(pair.input - count), abs(pair.output - count))
    }
    return candidates.min { distance($0) < distance($1) } ?? (count, count)
  }

  // MARK: Playing

  /// [main thread] Starts and stops the sound.
  func toggle() throws {
    if isPlaying {
      engine.pause()
      isPlaying = false
      return
    }
    try engine.start()
    if let loop {
      loop.begin()
      try player.playAudio()
    }
    isPlaying = true
  }

  /// [main thread] Plays a note for a moment, if the unit takes MIDI; false: it does not.
  func playNote(_ key: UInt32) -> Bool {
    let isOn = MusicDeviceMIDIEvent(node.audioUnit, 0x90, key, 100, 0) == noErr
    if isOn { MusicDeviceMIDIEvent(node.audioUnit, 0x80, key, 0, 24_000) }
    return isOn
  }

  /// The highest level since the last call, in dBFS.
  func takePeak() -> Double { tap.takePeak() }

  /// The last frames of the output, as many as a spectrum needs.
  var lastSamples: [Float] { tap.samples }
  /// The sample rate of the output.
  var sampleRate: Double { engine.mainMixerNode.outputFormat(forBus: 0).sampleRate }

  /// Words about the source.
  var text: String {
    switch source {
    case .file(let path): (path as NSString).lastPathComponent
    case .input: "input"
    case .nothing: ""
    }
  }
}

/// Repeats a file. [any thread]
private final class FileLoop: @unchecked Sendable {
  private let file: AVAudioFile
  private let player: AVAudioPlayerNode
  private let isEnding = Atomic(false)
  private let hasBegun = Atomic(false)

  init(_ file: AVAudioFile, _ player: AVAudioPlayerNode) {
    (self.file, self.player) = (file, player)
  }

  var format: AVAudioFormat { file.processingFormat }

  /// Begins, once: two repetitions are always scheduled, so that there is no gap.
  func begin() {
    guard !hasBegun.exchange(true, ordering: .relaxed), file.length > 0 else { return }
    for _ in 0..<2 { schedule() }
  }

  func end() { isEnding.store(true, ordering: .relaxed) }

  private func schedule() {
    player.scheduleFile(file, at: nil) { [weak self] in
      guard let self, !isEnding.load(ordering: .relaxed) else { return }
      schedule()
    }
  }
}

/// The output, as a view shows it.
private final class OutputTap: Sendable {
  private struct State {
    var peak: Float = 0
    var ring = [Float](repeating: 0, count: SpectrumAnalyzer.frameCount)
    var position = 0
  }
  private let state = Mutex(State())

  /// [a thread of the tap] Takes a buffer of the output.
  func take(_ buffer: AVAudioPCMBuffer) {
    guard let channels = buffer.floatChannelData else { return }
    let frames = Int(clamping: buffer.frameLength)
    state.withLock { state in
      for channel in 0..<Int(clamping: buffer.format.channelCount) {
        for frame in 0..<frames { state.peak = max(state.peak, abs(channels[channel][frame])) }
      }
      for frame in 0..<frames {
        state.ring[state.position] = channels[0][frame]
        state.position = (state.position + 1) % state.ring.count
      }
    }
  }

  func takePeak() -> Double {
    let peak = state.withLock { state in
      defer { state.peak = 0 }
      return state.peak
    }
    return peak > 0 ? 20 * log10(Double(peak)) : -.infinity
  }

  var samples: [Float] {
    state.withLock { Array($0.ring[$0.position...] + $0.ring[..<$0.position]) }
  }
}
