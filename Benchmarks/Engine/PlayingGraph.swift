// SPDX-License-Identifier: Apache-2.0
import AVFAudio

/// The graph of `PlayingEngine` as a program in C makes it: an AUGraph with scheduled sound players.
final class PlayingGraph {
  private var graph: AUGraph?
  private var head: AudioUnit?
  private var time = AudioTimeStamp()
  private let output = AudioBufferList.allocate(maximumBuffers: 2)
  private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 512)
  private let sound: AVAudioPCMBuffer
  private let slices = UnsafeMutablePointer<ScheduledAudioSlice>.allocate(
    capacity: PlayingEngine.playerCount)
  private var format: AudioStreamBasicDescription

  init() {
    guard
      let format = AVAudioFormat(
        standardFormatWithSampleRate: PlayingEngine.sampleRate, channels: 2),
      let sound = try? PlayingEngine.noise(format, AVAudioFrameCount(format.sampleRate))
    else { fail("no sound") }
    self.sound = sound
    self.format = format.streamDescription.pointee
    memory.initialize(repeating: 0, count: 2 * 512)
    check(NewAUGraph(&graph))
    guard let graph else { return }
    let end = add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    let mixers = (0..<3).map { _ in
      add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    }
    let players = (0..<PlayingEngine.playerCount).map { _ in
      add(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer)
    }
    let effects = (0..<PlayingEngine.effectCount).map { _ in
      add(kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ)
    }
    check(AUGraphOpen(graph))
    head = unit(end)
    set(
      kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, 512 as UInt32, end)
    setFormats([end], [kAudioUnitScope_Input, kAudioUnitScope_Output], buses: 1)
    for (mixer, buses) in zip(mixers, [2, 16, 16] as [UInt32]) {
      set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, buses, mixer)
      setFormats([mixer], [kAudioUnitScope_Input], buses: buses)
      setFormats([mixer], [kAudioUnitScope_Output], buses: 1)
    }
    setFormats(players, [kAudioUnitScope_Output], buses: 1)
    for effect in effects { prepare(effect) }
    check(AUGraphConnectNodeInput(graph, mixers[0], 0, end, 0))
    for bus in 0..<2 as Range<UInt32> {
      check(AUGraphConnectNodeInput(graph, mixers[1 + Int(bus)], 0, mixers[0], bus))
    }
    for (number, player) in players.enumerated() {
      let (mixer, bus) = (mixers[1 + number % 2], UInt32(number / 2))
      let isFiltered = number < effects.count
      if isFiltered { check(AUGraphConnectNodeInput(graph, player, 0, effects[number], 0)) }
      check(
        AUGraphConnectNodeInput(graph, isFiltered ? effects[number] : player, 0, mixer, bus))
      check(
        AudioUnitSetParameter(
          unit(mixer), kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus,
          PlayingEngine.volume, 0))
    }
    check(AUGraphInitialize(graph))
    for (number, player) in players.enumerated() { play(player, slices + number) }
    time.mFlags = .sampleTimeValid
  }

  deinit {
    if let graph { DisposeAUGraph(graph) }
    memory.deallocate()
    slices.deallocate()
    free(output.unsafeMutablePointer)
  }

  // MARK: Building

  private func add(_ type: OSType, _ subType: OSType) -> AUNode {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var node = AUNode()
    if let graph { check(AUGraphAddNode(graph, &description, &node)) }
    return node
  }

  private func unit(_ node: AUNode) -> AudioUnit {
    var unit: AudioUnit?
    if let graph { check(AUGraphNodeInfo(graph, node, nil, &unit)) }
    guard let unit else { fail("no unit") }
    return unit
  }

  private func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: UInt32, _ value: Value,
    _ node: AUNode
  ) {
    var value = value
    check(
      AudioUnitSetProperty(
        unit(node), id, scope, bus, &value, UInt32(MemoryLayout<Value>.size)))
  }

  private func setFormats(_ nodes: [AUNode], _ scopes: [AudioUnitScope], buses: UInt32) {
    for node in nodes {
      for scope in scopes {
        for bus in 0..<buses { set(kAudioUnitProperty_StreamFormat, scope, bus, format, node) }
      }
    }
  }

  /// An equaliser of one band.
  private func prepare(_ effect: AUNode) {
    set(kAUNBandEQProperty_NumberOfBands, kAudioUnitScope_Global, 0, 1 as UInt32, effect)
    setFormats([effect], [kAudioUnitScope_Input, kAudioUnitScope_Output], buses: 1)
    for (id, value) in [
      (kAUNBandEQParam_FilterType, Float(kAUNBandEQFilterType_Parametric)),
      (kAUNBandEQParam_Frequency, 1_000), (kAUNBandEQParam_Gain, 6),
      (kAUNBandEQParam_BypassBand, 0),
    ] {
      check(
        AudioUnitSetParameter(
          unit(effect), AudioUnitParameterID(id), kAudioUnitScope_Global, 0, value, 0))
    }
  }

  /// Starts a player that loops the sound.
  private func play(_ player: AUNode, _ slice: UnsafeMutablePointer<ScheduledAudioSlice>) {
    slice.initialize(
      to: ScheduledAudioSlice(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: slice,
        mFlags: .scheduledAudioSliceFlag_Loop, mReserved: 0, mReserved2: nil,
        mNumberFrames: sound.frameLength, mBufferList: sound.mutableAudioBufferList))
    check(
      AudioUnitSetProperty(
        unit(player), kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, slice,
        UInt32(MemoryLayout<ScheduledAudioSlice>.size)))
    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    start.mSampleTime = -1
    set(kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, start, player)
  }

  // MARK: Rendering

  /// What was rendered last, left.
  var samples: UnsafePointer<Float> { UnsafePointer(memory) }

  /// Renders the next frames into its own memory, as the engine does.
  func render(_ frames: UInt32) {
    guard let head else { return }
    for channel in 0..<2 {
      output[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: 4 * frames, mData: memory + 512 * channel)
    }
    var flags = AudioUnitRenderActionFlags()
    check(AudioUnitRender(head, &flags, &time, 0, frames, output.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }
}
