// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Testing

/// A call that breaks a rule, and ends the program with a sentence: the call, what is wrong, and how
/// to mend it.
enum Misuse: String, CaseIterable, Codable, Sendable {
  case attachElsewhere, detachUnattached, detachOutput, detachInput, detachWhileRunning
  case connectUnattached, disconnectUnattached, missingOutput, missingInput, cycle, intoSource
  case noFormat, fastFormat, slowFormat, integers, channels, silentSink
  case prepareEmpty, secondTap, tapBus, tapRate, tapNoFormat, formatBus
  case sourceNoFormat, otherType, otherInstrument, fewBands, manyBands, mostBands
  case closedSchedule, positionBehind, positionBefore, positionClosed
  case noLoops, channelOfNote, otherEngine

  /// The call, the rule, and the mend, as the sentence has them.
  var sentence: (call: String, rule: String, mend: String) {
    let connect = "AVAudioEngine.connect(_:to:fromBus:toBus:format:)"
    let tap = "AVAudioMixerNode.installTap(onBus:bufferSize:format:block:)"
    let bands = "AVAudioUnitEQ.init(numberOfBands:)"
    return switch self {
    case .attachElsewhere:
      ("AVAudioEngine.attach(_:)", "AVAudioMixerNode is attached to another", "detach it there")
    case .detachUnattached:
      ("AVAudioEngine.detach(_:)", "AVAudioMixerNode is not attached to this", "attach it first")
    case .detachOutput, .detachInput:
      ("AVAudioEngine.detach(_:)", "the input and the output node belong to", "disconnect it")
    case .detachWhileRunning:
      ("AVAudioEngine.detach(_:)", "no mixer is between", "stop the engine first, or connect to")
    case .connectUnattached:
      (connect, "AVAudioPlayerNode is not attached to this engine", "attach it first")
    case .disconnectUnattached:
      ("AVAudioEngine.disconnectNodeInput(_:)", "is not attached to this", "attach it first")
    case .missingOutput: (connect, "AVAudioPlayerNode has no output bus 1", "use 0")
    case .missingInput: (connect, "AVAudioMixerNode has no input bus -1", "use one from 0 to")
    case .cycle: (connect, "AVAudioMixerNode feeds AVAudioMixerNode already", "disconnect one of")
    case .intoSource: (connect, "AVAudioPlayerNode has no inputs", "use another node")
    case .noFormat: (connect, "the format has 0 Hz and 0 channels", "name a rate and channels")
    case .fastFormat: (connect, "must be above 0 and below 3,000,000 Hz", "name another format")
    case .slowFormat:
      (connect, "1 Hz cannot be converted to the 48000 Hz of AVAudioMixerNode", "name a rate that")
    case .integers: (connect, "connections carry deinterleaved Float32", "use AVAudioFormat(")
    case .channels: (connect, "AUReverb2 cannot have 5 channels", "connect it in another format")
    case .silentSink:
      (connect, "AVAudioSinkNode is driven by the input of the device", "connect it from inputNode")
    case .prepareEmpty:
      ("AVAudioEngine.prepare()", "no input or output node", "use inputNode, outputNode or")
    case .secondTap: (tap, "bus 0 has a tap", "call removeTap(onBus:) first")
    case .tapBus: (tap, "AVAudioMixerNode has no output bus 1", "use 0")
    case .tapRate: (tap, "that of the bus", "pass nil, or a format of linear PCM")
    case .tapNoFormat: (tap, "the format has 0 Hz and 0 channels", "name a rate and channels")
    case .formatBus:
      ("AVAudioMixerNode.outputFormat(forBus:)", "AVAudioMixerNode has no output bus 2", "use 0")
    case .sourceNoFormat:
      ("AVAudioSourceNode.init(format:renderBlock:)", "has no rate or no channels", "name both")
    case .otherType:
      (
        "AVAudioUnitEffect.init(audioComponentDescription:)", "'augn' is another type of component",
        "use the class for this type"
      )
    case .otherInstrument:
      (
        "AVAudioUnitMIDIInstrument.init(audioComponentDescription:)",
        "no component has the codes 'aumu' 'none' 'appl'", "choose one that"
      )
    case .fewBands: (bands, "-1 bands are not possible", "use 0 to 64")
    case .manyBands: (bands, "65 bands are not possible", "use 0 to 64")
    case .mostBands: (bands, "\(Int.max) bands are not possible", "use 0 to 64")
    case .closedSchedule:
      ("AVAudioPlayerNode.scheduleFile(_:…)", "is not open for reading", "open it with")
    case .positionBehind:
      ("AVAudioFile.framePosition", "has 100 frames, and cannot move to frame 101", "use a frame")
    case .positionBefore:
      ("AVAudioFile.framePosition", "has 100 frames, and cannot move to frame -1", "use a frame")
    case .positionClosed: ("AVAudioFile.framePosition", "is closed", "open it again")
    case .noLoops: ("AVMusicTrack.numberOfLoops", "0 loops; expected 1 or more", "set the number")
    case .channelOfNote:
      ("AVMusicTrack.addEvent(_:at:)", "channel 16; expected 0 to 15", "add it with values")
    case .otherEngine:
      ("AVMusicTrack.destinationAudioUnit", "the unit is not attached to the engine", "attach it")
    }
  }

  /// Makes the call.
  func commit() throws {
    let engine = AVAudioEngine()
    let (mixer, other, player) = (AVAudioMixerNode(), AVAudioMixerNode(), AVAudioPlayerNode())
    for node in [mixer, other, player] as [AVAudioNode] { engine.attach(node) }
    func connect(_ format: AVAudioFormat?) { engine.connect(player, to: mixer, format: format) }
    let none = engine.manualRenderingFormat
    func format(_ rate: Double) throws -> AVAudioFormat {
      try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
    }
    func tap(_ bus: Int, _ format: AVAudioFormat?) {
      mixer.installTap(onBus: bus, bufferSize: 512, format: format) { _, _ in }
    }
    switch self {
    case .attachElsewhere: AVAudioEngine().attach(mixer)
    case .detachUnattached: engine.detach(AVAudioMixerNode())
    case .detachOutput: engine.detach(engine.outputNode)
    case .detachInput: engine.detach(engine.inputNode)
    case .detachWhileRunning:
      let engine = try Offline().engine
      _ = engine.mainMixerNode
      try engine.start()
      engine.detach(engine.mainMixerNode)
    case .connectUnattached: engine.connect(AVAudioPlayerNode(), to: mixer, format: nil)
    case .disconnectUnattached: engine.disconnectNodeInput(AVAudioMixerNode())
    case .missingOutput: engine.connect(player, to: mixer, fromBus: 1, toBus: 0, format: nil)
    case .missingInput: engine.connect(player, to: mixer, fromBus: 0, toBus: -1, format: nil)
    case .cycle:
      engine.connect(mixer, to: other, format: nil)
      engine.connect(other, to: mixer, format: nil)
    case .intoSource: engine.connect(mixer, to: player, format: nil)
    case .noFormat: connect(none)
    case .fastFormat: connect(try format(3e6))
    case .slowFormat:
      let engine = try Offline().engine
      engine.attach(AVAudioPlayerNode())
      let player = try #require(engine.attachedNodes.first)
      engine.connect(player, to: engine.mainMixerNode, format: try format(1))
    case .integers:
      connect(
        AVAudioFormat(
          commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    case .channels:
      let reverb = AVAudioUnitReverb()
      engine.attach(reverb)
      let tag = kAudioChannelLayoutTag_MPEG_5_0_A
      let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
      let surround = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
      engine.connect(player, to: reverb, format: surround)
    case .silentSink:
      let (sink, effect) = (AVAudioSinkNode { _, _, _ in noErr }, AVAudioUnitDelay())
      engine.attach(sink)
      engine.attach(effect)
      engine.connect(effect, to: sink, format: nil)
      engine.connect(player, to: effect, format: nil)
    case .prepareEmpty: AVAudioEngine().prepare()
    case .secondTap:
      tap(0, nil)
      tap(0, nil)
    case .tapBus: tap(1, nil)
    case .tapRate: tap(0, try format(22_050))
    case .tapNoFormat: tap(0, none)
    case .formatBus: _ = mixer.outputFormat(forBus: 2)
    case .sourceNoFormat: _ = AVAudioSourceNode(format: none) { _, _, _, _ in noErr }
    case .otherType:
      _ = AVAudioUnitEffect(
        audioComponentDescription: Self.component(
          kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer))
    case .otherInstrument:
      _ = AVAudioUnitMIDIInstrument(
        audioComponentDescription: Self.component(kAudioUnitType_MusicDevice, 0x6e6f_6e65))
    case .fewBands: _ = AVAudioUnitEQ(numberOfBands: -1)
    case .manyBands: _ = AVAudioUnitEQ(numberOfBands: 65)
    case .mostBands: _ = AVAudioUnitEQ(numberOfBands: .max)
    case .closedSchedule, .positionBehind, .positionBefore, .positionClosed: try commitFile(player)
    case .noLoops, .channelOfNote, .otherEngine: commitMusic()
    }
  }

  private func commitFile(_ player: AVAudioPlayerNode) throws {
    let tape = try Tape([noise(100)])
    let file = try AVAudioFile(forReading: tape.url)
    if self == .closedSchedule || self == .positionClosed { file.close() }
    guard self != .closedSchedule else { return player.scheduleFile(file, at: nil) }
    file.framePosition = self == .positionBefore ? -1 : 101
  }

  private func commitMusic() {
    let track = AVAudioSequencer(audioEngine: AVAudioEngine()).createAndAppendTrack()
    switch self {
    case .noLoops: track.numberOfLoops = 0
    case .channelOfNote:
      track.addEvent(AVMIDINoteEvent(channel: 16, key: 60, velocity: 100, duration: 1), at: 0)
    default: track.destinationAudioUnit = AVAudioUnitDelay()
    }
  }

  private static func component(_ type: OSType, _ subType: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }
}
