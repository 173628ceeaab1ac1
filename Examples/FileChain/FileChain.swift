// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// A file player, a mixer, an effect and an output in a graph.
///
///     AUAudioFilePlayer ── AUMultiChannelMixer ── AULowpass ── AURemoteIO
final class FileChain {
  private let graph: AUGraph
  private let file: AudioFileID
  private let mixing: AUNode
  private let filtering: AUNode
  private let io: AUNode
  private var hasEffect = true
  /// The controls, which can be set while it plays.
  let volume: Control
  let cutoff: Control

  /// Builds and initializes the graph, with the file ready to play.
  init(_ path: String, sampleRate: Double) throws {
    var opened: AudioFileID?
    try check(
      AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &opened))
    file = try some(opened)
    graph = try makeGraph()
    let playing = try addNode(
      graph, kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
    mixing = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    filtering = try addNode(graph, kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter)
    io = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    try check(AUGraphOpen(graph))
    let (player, mixer) = (try unit(graph, playing), try unit(graph, mixing))
    let filter = try unit(graph, filtering)

    // The player has the file's rate and channels. The mixer converts them: from its output on, all is
    // stereo at the device's rate.
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    try check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format))
    try setProperty(
      player, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0,
      floatFormat(sampleRate: format.mSampleRate, channels: min(format.mChannelsPerFrame, 2)))
    let stereo = floatFormat(sampleRate: sampleRate, channels: 2)
    for (unit, scope) in [
      (mixer, kAudioUnitScope_Output), (filter, kAudioUnitScope_Input),
      (filter, kAudioUnitScope_Output),
    ] { try setProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, stereo) }
    for unit in [player, mixer, filter] {
      try setProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
    }
    try check(AUGraphConnectNodeInput(graph, playing, 0, mixing, 0))
    try check(AUGraphConnectNodeInput(graph, mixing, 0, filtering, 0))
    try check(AUGraphConnectNodeInput(graph, filtering, 0, io, 0))
    try check(AUGraphInitialize(graph))

    volume = try Control(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0)
    cutoff = try Control(filter, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0)
    try schedule(player)
  }

  deinit {
    DisposeAUGraph(graph)
    AudioFileClose(file)
  }

  /// Tells the player what to play: the whole file, endlessly, from its first slice on.
  private func schedule(_ player: AudioUnit) throws {
    try setProperty(player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, file)
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: file, mLoopCount: .max, mStartFrame: 0, mFramesToPlay: .max)
    region.mTimeStamp.mFlags = .sampleTimeValid
    try setProperty(
      player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, region)
    try setProperty(
      player, kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, UInt32(0))
    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    start.mSampleTime = -1
    try setProperty(
      player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, start)
  }

  func start() throws { try check(AUGraphStart(graph)) }

  func stop() throws { try check(AUGraphStop(graph)) }

  /// Puts the effect into the graph, or takes it out, between two slices: all edits take effect with the
  /// update.
  func setEffect(isOn: Bool) throws {
    guard isOn != hasEffect else { return }
    try check(AUGraphDisconnectNodeInput(graph, io, 0))
    if isOn {
      try check(AUGraphConnectNodeInput(graph, mixing, 0, filtering, 0))
      try check(AUGraphConnectNodeInput(graph, filtering, 0, io, 0))
    } else {
      try check(AUGraphDisconnectNodeInput(graph, filtering, 0))
      try check(AUGraphConnectNodeInput(graph, mixing, 0, io, 0))
    }
    try check(AUGraphUpdate(graph, nil))
    hasEffect = isOn
  }
}
