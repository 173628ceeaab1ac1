// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Graphs as programs use them: a multichannel mixer before an output.
@Suite("Graphs with a mixer")
struct MixerGraphTests {
  /// An open graph, not initialised, with a mixer and an output unit.
  private func mixing(_ output: OSType = kAudioUnitSubType_GenericOutput) throws
    -> (Graph, mixer: AUNode, output: AUNode)
  {
    let graph = try Graph()
    let mixer = try graph.add(
      .apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let end = try graph.addOutput(output)
    try graph.open()
    return (graph, mixer, end)
  }

  private func setInput(
    _ graph: Graph, _ mixer: AUNode, _ input: UInt32, _ parameter: AudioUnitParameterID,
    _ value: Float
  ) throws {
    try check(
      AudioUnitSetParameter(
        graph.unit(mixer), parameter, kAudioUnitScope_Input, input, value, 0))
  }

  @Test("propagate the rate of the mixer's output to the output unit")
  func outputRate() throws {
    let (graph, mixer, output) = try mixing()
    try graph.set(mixer, kAudioUnitProperty_SampleRate, 32_000.0, kAudioUnitScope_Output)
    #expect(graph.connect(mixer, to: output) == noErr)
    let format = try graph.format(output, kAudioUnitScope_Input)
    #expect(format.mSampleRate == 32_000)
    #expect(format.mChannelsPerFrame == 2)
    try graph.initialize()
    #expect(try graph.format(output, kAudioUnitScope_Input).mSampleRate == 32_000)
  }

  @Test("call each callback with the number of its bus")
  func busNumbers() throws {
    let (graph, mixer, output) = try mixing()
    #expect(graph.connect(mixer, to: output) == noErr)
    let seen = [0, 3, 7].map { (bus: UInt32($0), format: SeenFormat()) }
    for (bus, format) in seen { #expect(graph.feed(mixer, bus, format.callback) == noErr) }
    try graph.initialize()
    _ = try graph.render(output, 64)
    for (bus, format) in seen { #expect(format.bus == bus) }
  }

  @Test("use the source's format on a connected input, the program's with a callback")
  func inputFormats() throws {
    let (graph, mixer, output) = try mixing()
    let source = try graph.add(.steps)
    try graph.setFormat(source, kAudioUnitScope_Output, rate: 48_000, channels: 1)
    #expect(graph.connect(source, to: mixer, 1) == noErr)
    #expect(graph.connect(mixer, to: output) == noErr)
    let default0 = try graph.format(mixer, kAudioUnitScope_Input, 0)
    #expect(default0.mSampleRate == 44_100)
    try graph.setFormat(mixer, kAudioUnitScope_Input, 0, rate: 22_050, channels: 1)
    #expect(throws: CallFailure.self) {
      try graph.setFormat(mixer, kAudioUnitScope_Input, 1, rate: 22_050, channels: 1)
    }
    let seen = SeenFormat()
    #expect(graph.feed(mixer, 0, seen.callback) == noErr)
    try graph.initialize()
    let connected = try graph.format(mixer, kAudioUnitScope_Input, 1)
    #expect(connected.mSampleRate == 48_000 && connected.mChannelsPerFrame == 1)
    _ = try graph.render(output, 4_410, slice: 441)
    // The callback is called with the format and rate of its bus: half the frames, one channel.
    #expect(seen.bus == 0)
    #expect(seen.channels == [1])
    #expect(abs(seen.frames - 2_205) < 200)
  }

  @Test("connect the input of an I/O unit through a mixer to its output, without a callback")
  func throughIO() throws {
    let (graph, mixer, io) = try mixing(kAudioUnitSubType_RemoteIO)
    try graph.set(
      io, kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
    // Only the rate of the mixer's output is set.
    try graph.set(mixer, kAudioUnitProperty_SampleRate, 48_000.0, kAudioUnitScope_Output)
    let captured = try graph.format(io, kAudioUnitScope_Output, 1)
    #expect(graph.connect(io, 1, to: mixer, 0) == noErr)
    #expect(graph.connect(mixer, to: io, 0) == noErr)
    let mixerFormat = try graph.format(mixer, kAudioUnitScope_Input, 0)
    #expect(mixerFormat.mChannelsPerFrame == captured.mChannelsPerFrame)
    #expect(mixerFormat.mSampleRate == captured.mSampleRate)
    #expect(try graph.format(io, kAudioUnitScope_Input, 0).mSampleRate == 48_000)
    #expect(graph.interactionCount == 2)
  }

  @Test("render both sources of a mixer, one of them through an effect")
  func twoSources() throws {
    let (graph, mixer, output) = try mixing()
    let (gain, source) = (try graph.add(.gain), try graph.add(.steps))
    try graph.setParameter(gain, 0, 0.5)
    try graph.setParameter(source, 1, 8)
    #expect(graph.connect(source, to: gain) == noErr)
    #expect(graph.connect(gain, to: mixer, 1) == noErr)
    #expect(graph.feed(mixer, 0, .constant(32)) == noErr)
    #expect(graph.connect(mixer, to: output) == noErr)
    try graph.initialize()
    // By then the volumes have reached their values.
    let rendered = try graph.render(output, 4_096)
    #expect(abs(rendered[4_000] - 36) < 1e-4)
    // The effect's bus alone.
    try setInput(graph, mixer, 0, kMultiChannelMixerParam_Enable, 0)
    let alone = try graph.render(output, 4_096, from: 4_096)
    #expect(abs(alone[4_000] - 4) < 1e-4)
  }

  @Test("continue a reverb after the mixer when its source has become silent")
  func reverberation() throws {
    let graph = try Graph()
    let mixer = try graph.add(
      .apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer))
    let room = try graph.add(.apple(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
    let output = try graph.addOutput()
    try graph.open()
    let count = 22_050
    let source = Callback { time, _, list in
      let level: Float = time.mSampleTime < Double(count) ? 0.5 : 0
      for buffer in list {
        UnsafeMutableBufferPointer<Float>(buffer).update(repeating: level)
      }
    }
    #expect(graph.feed(mixer, 0, source) == noErr)
    #expect(graph.connect(mixer, to: room) == noErr)
    #expect(graph.connect(room, to: output) == noErr)
    try graph.setParameter(room, kReverb2Param_DecayTimeAt0Hz, 1)
    try graph.initialize()
    let during = Signal(try graph.render(output, count, slice: 441, mayDiffer: true)).rms
    let tail = Signal(
      try graph.render(output, count, from: count, slice: 441, mayDiffer: true))
    #expect(during > 0.05)
    // 60 dB per second: 24 dB in 0.4 s.
    let (early, late) = (tail[0..<4_410].rms, tail[17_640..<22_050].rms)
    #expect(early > 0.1 * during)
    #expect(abs(decibels(late / early) + 24) < 4)
  }

  @Test("add many branches")
  func manyBranches() throws {
    let (graph, mixer, output) = try mixing()
    let width = 12
    try graph.set(mixer, kAudioUnitProperty_ElementCount, UInt32(width), kAudioUnitScope_Input)
    for branch in 0..<width {
      let (source, gain) = (try graph.add(.steps), try graph.add(.gain))
      try graph.setParameter(source, 1, Float(branch))
      try graph.setParameter(gain, 0, 2)
      #expect(graph.connect(source, to: gain) == noErr)
      #expect(graph.connect(gain, to: mixer, UInt32(branch)) == noErr)
    }
    #expect(graph.connect(mixer, to: output) == noErr)
    try graph.initialize()
    let rendered = try graph.render(output, 4_096)
    #expect(abs(rendered[4_000] - Float(width * (width - 1))) < 1e-3)
  }

  @Test("do not render a disconnected branch")
  func disconnected() throws {
    let (graph, mixer, output) = try mixing()
    #expect(graph.feed(mixer, 0, .constant(1)) == noErr)
    #expect(graph.feed(mixer, 1, .constant(2)) == noErr)
    #expect(graph.connect(mixer, to: output) == noErr)
    try graph.initialize()
    #expect(abs(try graph.render(output, 2_048)[2_000] - 3) < 1e-5)
    #expect(graph.disconnect(mixer, 1) == noErr)
    #expect(graph.update() == noErr)
    #expect(abs(try graph.render(output, 2_048, from: 2_048)[2_000] - 1) < 1e-5)
  }
}

/// What a callback was called with.
private final class SeenFormat: @unchecked Sendable {
  private(set) var frames = 0
  private(set) var channels: Set<Int> = []
  private(set) var bus: UInt32 = 99
  private(set) lazy var callback = Callback { [unowned self] _, bus, list in
    self.bus = bus
    channels.insert(list.count)
    frames += Int(list[0].mDataByteSize) / 4
    for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 0) }
  }
}
