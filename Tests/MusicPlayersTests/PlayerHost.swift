// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization
import Testing

/// A failed call of the C API.
struct CallFailure: Error, CustomStringConvertible {
  let status: OSStatus
  let call: String

  var description: String { "\(call): \(status) \(explanation)" }
}

/// Why the last call of this thread failed.
var explanation: String {
  AUDiagnosticsCopyLastExplanation().map { "\($0.takeRetainedValue())" } ?? ""
}

/// Throws if a call has failed.
func check(_ status: OSStatus, _ call: String = #function) throws {
  guard status == noErr else { throw CallFailure(status: status, call: call) }
}

/// A sequence, a player, and a graph of one or two recording instruments that is rendered offline.
final class PlayerHost {
  let sequence: MusicSequence
  let player: MusicPlayer
  let graph: AUGraph
  let nodes: [AUNode]
  let output: AudioUnit
  /// The codes of its instruments.
  let codes: [OSType]
  private var frame = 0.0

  private static let count = Mutex<OSType>(0)

  /// A sequence with a track for each instrument. `hostTimes`: whether renders have host times.
  init(instruments: Int = 1) throws {
    var (sequence, player, graph) = (MusicSequence?.none, MusicPlayer?.none, AUGraph?.none)
    try check(NewMusicSequence(&sequence))
    try check(NewMusicPlayer(&player))
    try check(NewAUGraph(&graph))
    self.sequence = try #require(sequence)
    self.player = try #require(player)
    let made = try #require(graph)
    self.graph = made
    codes = (0..<instruments).map { _ in
      Self.count.withLock { count in
        count += 1
        return 0x5000_0000 + count
      }
    }
    var nodes: [AUNode] = []
    for code in codes {
      var (description, node) = (RecordingInstrument.register(code), AUNode())
      try check(AUGraphAddNode(made, &description, &node))
      nodes.append(node)
    }
    self.nodes = nodes
    var mixer = Self.apple(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    var generic = Self.apple(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    var (mixerNode, outputNode, unit) = (AUNode(), AUNode(), AudioUnit?.none)
    try check(AUGraphAddNode(made, &mixer, &mixerNode))
    try check(AUGraphAddNode(made, &generic, &outputNode))
    try check(AUGraphOpen(made))
    for (bus, node) in nodes.enumerated() {
      try check(AUGraphConnectNodeInput(made, node, 0, mixerNode, UInt32(bus)))
    }
    try check(AUGraphConnectNodeInput(made, mixerNode, 0, outputNode, 0))
    try check(AUGraphNodeInfo(made, outputNode, nil, &unit))
    output = try #require(unit)
    var format = RecordingInstrument.format
    for node in [mixerNode, outputNode] {
      try check(AUGraphNodeInfo(made, node, nil, &unit))
      try check(
        AudioUnitSetProperty(
          try #require(unit), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
          40))
    }
    try check(MusicSequenceSetAUGraph(self.sequence, made))
    for _ in codes {
      var track: MusicTrack?
      try check(MusicSequenceNewTrack(self.sequence, &track))
    }
    try check(MusicPlayerSetSequence(self.player, self.sequence))
    for (index, node) in nodes.enumerated() {
      try check(MusicTrackSetDestNode(try track(index), node))
    }
  }

  deinit {
    MusicPlayerStop(player)
    MusicPlayerSetSequence(player, nil)
    DisposeMusicPlayer(player)
    DisposeMusicSequence(sequence)
    DisposeAUGraph(graph)
  }

  private static func apple(_ type: OSType, _ subType: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  // MARK: Events

  func track(_ index: Int = 0) throws -> MusicTrack {
    var track: MusicTrack?
    try check(MusicSequenceGetIndTrack(sequence, UInt32(index), &track))
    return try #require(track)
  }

  func tempo(_ time: Double, _ tempo: Double) throws {
    var track: MusicTrack?
    try check(MusicSequenceGetTempoTrack(sequence, &track))
    try check(MusicTrackNewExtendedTempoEvent(try #require(track), time, tempo))
  }

  func note(_ time: Double, _ key: UInt8, _ duration: Float, track index: Int = 0) throws {
    var note = MIDINoteMessage(
      channel: 0, note: key, velocity: 100, releaseVelocity: 0, duration: duration)
    try check(MusicTrackNewMIDINoteEvent(try track(index), time, &note))
  }

  func message(_ time: Double, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) throws {
    var message = MIDIChannelMessage(status: status, data1: data1, data2: data2, reserved: 0)
    try check(MusicTrackNewMIDIChannelEvent(try track(), time, &message))
  }

  // MARK: Playing

  func start() throws { try check(MusicPlayerStart(player)) }

  var time: Double {
    var time = -1.0
    MusicPlayerGetTime(player, &time)
    return time
  }

  /// Renders some frames in slices, and returns what an instrument received.
  @discardableResult
  func render(_ frames: Int, slice: Int = 512, instrument: Int = 0) throws -> [String] {
    var left = frames
    while left > 0 {
      let count = min(left, slice)
      try renderSlice(count)
      left -= count
    }
    return RecordingInstrument.take(codes[instrument])
  }

  private func renderSlice(_ count: Int) throws {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for index in 0..<2 {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: malloc(4 * count))
    }
    defer { for buffer in list { free(buffer.mData) } }
    // The unit may point the buffers elsewhere.
    let memory = list.map(\.mData)
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = frame
    stamp.mFlags = .sampleTimeValid
    var flags: AudioUnitRenderActionFlags = []
    let status = AudioUnitRender(
      output, &flags, &stamp, 0, UInt32(count), list.unsafeMutablePointer)
    for index in 0..<2 { list[index].mData = memory[index] }
    frame += Double(count)
    try check(status, "AudioUnitRender")
  }
}
