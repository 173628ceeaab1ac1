// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Files in graphs")
struct PlayerGraphTests {
  /// A graph that ends in a generic output.
  private final class Chain {
    let graph: AUGraph
    let output: AudioUnit
    let mixer: AudioUnit
    let players: [AudioUnit]
    let filter: AudioUnit
    private var time = 0.0

    static func add(_ graph: AUGraph, _ type: OSType, _ subType: OSType) throws -> AUNode {
      var componentDescription = AudioComponentDescription(
        componentType: type, componentSubType: subType,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      var node = AUNode()
      try check(AUGraphAddNode(graph, &componentDescription, &node))
      return node
    }

    /// Makes a graph of players (or of buses for callbacks), a mixer and a low-pass filter.
    init(players count: Int, buses: Int, threads: UInt32 = 1) throws {
      var made: AUGraph?
      try check(NewAUGraph(&made))
      let graph = try #require(made)
      self.graph = graph
      try check(AUGraphSetRenderThreads(graph, threads))
      let nodes = try (0..<count).map { _ in
        try Self.add(graph, kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
      }
      let mixerNode = try Self.add(
        graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
      let filterNode = try Self.add(
        graph, kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter)
      let outputNode = try Self.add(
        graph, kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
      try check(AUGraphOpen(graph))
      func unit(_ node: AUNode) throws -> AudioUnit {
        var unit: AudioUnit?
        try check(AUGraphNodeInfo(graph, node, nil, &unit))
        return try #require(unit)
      }
      (mixer, filter, output) = (try unit(mixerNode), try unit(filterNode), try unit(outputNode))
      players = try nodes.map(unit)
      var busCount = UInt32(buses)
      try check(
        AudioUnitSetProperty(
          mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &busCount, 4))
      for (index, node) in nodes.enumerated() {
        try check(AUGraphConnectNodeInput(graph, node, 0, mixerNode, UInt32(index)))
      }
      try check(AUGraphConnectNodeInput(graph, mixerNode, 0, filterNode, 0))
      try check(AUGraphConnectNodeInput(graph, filterNode, 0, outputNode, 0))
      for bus in 0..<UInt32(buses) {
        try check(
          AudioUnitSetParameter(
            mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, 0.5, 0))
      }
      try check(
        AudioUnitSetParameter(
          filter, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 2_000, 0))
    }

    deinit { DisposeAUGraph(graph) }

    func feed(_ callback: HostCallback, bus: UInt32) throws {
      var source = callback.callbackStruct
      try check(
        AudioUnitSetProperty(
          mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &source,
          UInt32(MemoryLayout.size(ofValue: source))))
    }

    func play(
      _ file: SoundFile, on index: Int, at time: Double, loops: UInt32 = 0
    ) throws {
      let player = players[index]
      var id = file.id
      try check(
        AudioUnitSetProperty(
          player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &id, 8))
      var region = ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
        mAudioFile: file.id, mLoopCount: loops, mStartFrame: 0, mFramesToPlay: .max)
      region.mTimeStamp.mFlags = .sampleTimeValid
      region.mTimeStamp.mSampleTime = time
      try check(
        AudioUnitSetProperty(
          player, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region, 112))
      var start = AudioTimeStamp()
      start.mFlags = .sampleTimeValid
      start.mSampleTime = -1
      try check(
        AudioUnitSetProperty(
          player, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &start, 64))
    }

    /// The left channel of the next frames.
    func render(_ frames: Int, slice: Int = 512) throws -> [Float] {
      var result: [Float] = []
      let list = AudioBufferList.allocate(maximumBuffers: 2)
      defer { free(list.unsafeMutablePointer) }
      while result.count < frames {
        let count = min(slice, frames - result.count)
        for channel in 0..<2 {
          list[channel] = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: nil)
        }
        var stamp = AudioTimeStamp()
        stamp.mFlags = .sampleTimeValid
        stamp.mSampleTime = time
        try check(
          AudioUnitRender(output, nil, &stamp, 0, UInt32(count), list.unsafeMutablePointer))
        let samples = try #require(list[0].mData).assumingMemoryBound(to: Float.self)
        result += UnsafeBufferPointer(start: samples, count: count)
        time += Double(count)
      }
      return result
    }
  }

  private func noise(_ seed: Int, frames: Int, rate: Double = 44_100) throws -> SoundFile {
    var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
    var values: [Float] = []
    for _ in 0..<(2 * frames) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      values.append(Float(Int64(bitPattern: state) >> 40) / Float(1 << 24))
    }
    return try SoundFile(frames: frames, sampleRate: rate, channels: 2) { channel, frame in
      values[2 * frame + channel]
    }
  }

  @Test("a file through mixer and filter gives the same bits as a callback with its samples")
  func chain() throws {
    let file = try noise(1, frames: 50_000)
    let played = try Chain(players: 1, buses: 1)
    try check(AUGraphInitialize(played.graph))
    try played.play(file, on: 0, at: 0)
    let fed = try Chain(players: 0, buses: 1)
    let callback = HostCallback.playing(file.samples)
    try fed.feed(callback, bus: 0)
    try check(AUGraphInitialize(fed.graph))
    #expect(try played.render(51_000, slice: 480) == fed.render(51_000, slice: 480))
    withExtendedLifetime(callback) {}
  }

  @Test(
    "two renders of one graph give the same bits, on one thread and on two", arguments: [512, 333])
  func equality(slice: Int) throws {
    let files = [
      try noise(2, frames: 30_000), try noise(3, frames: 7_000, rate: 48_000),
      try noise(4, frames: 11_025, rate: 22_050),
    ]
    func render(threads: UInt32) throws -> [Float] {
      let chain = try Chain(players: 3, buses: 3, threads: threads)
      try check(AUGraphInitialize(chain.graph))
      for (index, file) in files.enumerated() {
        try chain.play(file, on: index, at: Double(1_000 * index), loops: UInt32(2 * index))
      }
      return try chain.render(120_000, slice: slice)
    }
    let first = try render(threads: 1)
    #expect(first.contains { abs($0) > 0.01 })
    #expect(try render(threads: 1) == first)
    #expect(try render(threads: 2) == first)
  }

  @Test("a description with files renders, and can be written again")
  func description() throws {
    let file = try noise(5, frames: 9_000)
    let text = """
      { "nodes": {
          "song": { "unit": "afpl", "file": { "path": "\(file.path)", "start": 100, "loops": 1 } },
          "plain": { "unit": "afpl", "file": "\(file.path)" },
          "mixer": { "unit": "mcmx" }, "out": { "unit": "auou genr" } },
        "connections": [ "song -> mixer:0", "plain -> mixer:1", "mixer -> out" ] }
      """
    var made: AUGraph?
    try check(AUGraphNewFromDescription(text as CFString, &made))
    let graph = try #require(made)
    defer { DisposeAUGraph(graph) }
    var described: Unmanaged<CFString>?
    try check(AUGraphCopyDescription(graph, &described))
    let again = "\(try #require(described).takeRetainedValue())"
    #expect(again.contains("\"loops\": 1") && again.contains("\"file\": \"\(file.path)\""))
    try check(AUGraphInitialize(graph))
    var output: AudioUnit?
    for index in 0..<4 {
      var node = AUNode()
      try check(AUGraphGetIndNode(graph, UInt32(index), &node))
      var componentDescription = AudioComponentDescription()
      var unit: AudioUnit?
      try check(AUGraphNodeInfo(graph, node, &componentDescription, &unit))
      if componentDescription.componentType == kAudioUnitType_Output { output = unit }
    }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 4_096, mData: nil)
    }
    try check(
      AudioUnitRender(
        try #require(output), nil, &stamp, 0, 1_024, list.unsafeMutablePointer))
    let samples = try #require(list[0].mData).assumingMemoryBound(to: Float.self)
    for frame in 0..<1_024 {
      #expect(samples[frame] == file.samples[0][frame] + file.samples[0][frame + 100])
    }
    // A missing file is refused with its place in the description.
    var refused: AUGraph?
    let wrong = "{ \"nodes\": { \"a\": { \"unit\": \"afpl\", \"file\": \"/nowhere.wav\" } } }"
    #expect(AUGraphNewFromDescription(wrong as CFString, &refused) != noErr)
    let reason = lastReason()
    #expect(reason.contains("/nowhere.wav") && reason.contains("nodes.a.file"), "\(reason)")
  }
}
