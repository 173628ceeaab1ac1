// SPDX-License-Identifier: Apache-2.0

/// The files of `au new --swift`; `@NAME@` stands for the program's name, `@PACKAGE@` for the folder of
/// this package.
enum SwiftTemplate {
  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "@NAME@",
      dependencies: [.package(name: "swift-audiotoolbox", path: "@PACKAGE@")],
      targets: [
        .executableTarget(
          name: "@NAME@",
          dependencies: [.product(name: "AudioToolbox", package: "swift-audiotoolbox")],
          path: ".", sources: ["main.swift"])
      ])

    """

  static let source = """
    // @NAME@: a tone through a mixer. Type a volume from 0 to 1 and Enter; Control-D ends it.
    import AVFoundation

    /// Ends the program when a call failed, with the name of the call and the reason.
    func check(_ status: OSStatus) {
      guard status != noErr else { return }
      CFShow(AUDiagnosticsCopyLastExplanation()?.takeRetainedValue())
      exit(1)
    }

    /// What the render callback works with.
    struct Tone {
      var phase = 0.0
      let step: Double
    }

    /// Runs on the audio thread: no locks, no memory, no files, no objects in here.
    let render: AURenderCallback = { @Sendable context, _, _, _, frames, data in
      let tone = context.assumingMemoryBound(to: Tone.self)
      guard let buffers = UnsafeMutableAudioBufferListPointer(data),
        let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
      else { return noErr }
      for frame in 0..<Int(frames) {
        samples[frame] = Float(sin(tone.pointee.phase) / 4)
        tone.pointee.phase += tone.pointee.step
        if tone.pointee.phase > 2 * .pi { tone.pointee.phase -= 2 * .pi }
      }
      return noErr
    }

    // 1. Set up the device: say what the program is for, and which rate and cycle it prefers. The granted
    // rate is that of the device, so that nothing has to be converted.
    let session = AVAudioSession.sharedInstance()
    do {
      try session.setCategory(.playback)
      try session.setPreferredSampleRate(48_000)
      try session.setPreferredIOBufferDuration(0.01)
      try session.setActive(true)
    } catch {
      print(error.localizedDescription)
      exit(1)
    }
    let rate = session.sampleRate > 0 ? session.sampleRate : 48_000

    // 2. Name the units.
    var output = AudioComponentDescription()
    output.componentType = kAudioUnitType_Output
    output.componentSubType = kAudioUnitSubType_DefaultOutput
    output.componentManufacturer = kAudioUnitManufacturer_Apple
    var mixing = output
    mixing.componentType = kAudioUnitType_Mixer
    mixing.componentSubType = kAudioUnitSubType_MultiChannelMixer

    // 3. Make the graph and its units.
    var made: AUGraph?
    check(NewAUGraph(&made))
    guard let graph = made else { fatalError("no graph") }
    var (outputNode, mixerNode) = (AUNode(), AUNode())
    check(AUGraphAddNode(graph, &output, &outputNode))
    check(AUGraphAddNode(graph, &mixing, &mixerNode))
    check(AUGraphOpen(graph))
    var unit: AudioUnit?
    check(AUGraphNodeInfo(graph, mixerNode, nil, &unit))
    guard let mixer = unit else { fatalError("no mixer") }

    // 4. Set up the units, all at the granted rate.
    func set<Value: BitwiseCopyable>(
      _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
    ) {
      var value = value
      check(
        AudioUnitSetProperty(mixer, property, scope, 0, &value, UInt32(MemoryLayout<Value>.size)))
    }
    set(
      kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input,
      AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
        mBitsPerChannel: 32, mReserved: 0))
    set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, rate)
    set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, UInt32(4_096))

    // 5. Feed the units: the callback into the mixer, the mixer into the output.
    let tone = UnsafeMutablePointer<Tone>.allocate(capacity: 1)
    tone.initialize(to: Tone(step: 2 * .pi * 440 / rate))
    var callback = AURenderCallbackStruct(inputProc: render, inputProcRefCon: tone)
    check(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback))
    check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0))

    // 6. Give people controls, below. 7. Make everything ready, and start.
    check(AUGraphInitialize(graph))
    check(AUGraphStart(graph))
    while let line = readLine() {
      guard let volume = Float(line), (0...1).contains(volume) else {
        FileHandle.standardError.write(Data("a volume from 0 to 1\\n".utf8))
        continue
      }
      check(
        AudioUnitSetParameter(
          mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, volume, 0))
    }

    check(AUGraphStop(graph))
    check(DisposeAUGraph(graph))

    """
}
