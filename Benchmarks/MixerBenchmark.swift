// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Mixing stereo inputs, each with a volume and a pan: the whole unit, including its pulls.
enum MixerBenchmark {
  /// The times of this library.
  static func run() {
    Report.title("mixing stereo inputs with gain and pan (ns per frame, channel and input)")
    for inputs in [8, 64, 512] {
      for frames in [64, 512] {
        Report.own(
          "multichannel mixer, \(inputs) inputs, \(frames) frames", mixer(inputs, frames), "ns",
          target: frames == 64 ? 0.12 : 0.08)
      }
    }
    Report.title("placing mono inputs, 64 of them, 512 frames (ns per frame and input)")
    for (name, algorithm) in [
      ("equal power", .spatializationAlgorithm_EqualPowerPanning),
      ("vector based", .spatializationAlgorithm_VectorBasedPanning),
      ("spherical head", .spatializationAlgorithm_SphericalHead),
      ("measured head", .spatializationAlgorithm_HRTF),
      ("measured head, fine", .spatializationAlgorithm_HRTFHQ),
    ] as [(String, AUSpatializationAlgorithm)] {
      Report.own("3D mixer, \(name)", spatial(64, 512, algorithm), "ns")
    }
    for (name, algorithm) in [
      ("equal power", .spatializationAlgorithm_EqualPowerPanning),
      ("spherical head", .spatializationAlgorithm_SphericalHead),
      ("measured head", .spatializationAlgorithm_HRTF),
      ("measured head, fine", .spatializationAlgorithm_HRTFHQ),
    ] as [(String, AUSpatializationAlgorithm)] {
      Report.own("3D mixer, \(name), moving", spatial(64, 512, algorithm, moves: true), "ns")
    }
  }

  /// The times of other programs for 64 stereo inputs.
  static func runPeers(in folder: URL) {
    Report.title("mixing 64 stereo inputs, by other programs (ns per frame, channel and input)")
    let ours = mixer(64, 512)
    for peer in [csound, sox] + GraphPeers.mixers {
      Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
    }
  }

  private static func mixer(_ inputs: Int, _ frames: Int) -> Double {
    let host = MixerBenchmarkHost(kAudioUnitSubType_MultiChannelMixer, inputs, channels: 2)
    for input in 0..<inputs {
      host.set(kMultiChannelMixerParam_Volume, 0.5, input)
      host.set(kMultiChannelMixerParam_Pan, input % 2 == 0 ? -0.3 : 0.4, input)
    }
    return host.nanoseconds(frames) / Double(2 * frames * inputs)
  }

  private static func spatial(
    _ inputs: Int, _ frames: Int, _ algorithm: AUSpatializationAlgorithm, moves: Bool = false
  ) -> Double {
    let host = MixerBenchmarkHost(kAudioUnitSubType_3DMixer, inputs, channels: 1)
    for input in 0..<inputs {
      host.set(k3DMixerParam_Azimuth, Float(input) * 2 - 60, input)
      host.setProperty(kAudioUnitProperty_SpatializationAlgorithm, algorithm.rawValue, input)
    }
    guard moves else { return host.nanoseconds(frames) / Double(frames * inputs) }
    // Every source moves by a degree in each slice.
    var degrees: Float = 0
    let time = host.nanoseconds(frames) {
      degrees = degrees == 179 ? -180 : degrees + 1
      for input in 0..<inputs { host.set(k3DMixerParam_Azimuth, degrees, input) }
    }
    return time / Double(frames * inputs)
  }

  /// Sixty-four instruments that scale a constant signal and add it to both outputs.
  private static let csound = Peer(
    name: "csound outs, 64 instruments",
    command: { seconds, folder in
      let file = folder.appendingPathComponent("mix\(seconds).csd")
      let notes = (0..<64).map { _ in "i1 0 \(seconds)" }.joined(separator: "\n")
      try """
      <CsoundSynthesizer>
      <CsOptions>
      -n -d -m0
      </CsOptions>
      <CsInstruments>
      sr=48000
      ksmps=512
      nchnls=2
      0dbfs=1
      instr 1
      a1 init 0.01
      outs a1*0.4, a1*0.3
      endin
      </CsInstruments>
      <CsScore>
      \(notes)
      e
      </CsScore>
      </CsoundSynthesizer>
      """.write(to: file, atomically: true, encoding: .utf8)
      return ["csound", "-n", "-d", "-m0", file.path]
    }, lengths: (10, 110), samplesPerSecond: 48_000 * 2 * 64)

  /// Sox mixes files, so the time includes reading them.
  private static let sox = Peer(
    name: "sox -m -v, 64 files (reading them included)",
    command: { seconds, folder in
      let file = folder.appendingPathComponent("mix\(seconds).wav").path
      if !FileManager.default.fileExists(atPath: file) {
        _ = Shell.output(
          "sox", "-n", "-r", "48000", "-c", "2", "-b", "32", "-e", "floating-point", file, "synth",
          "\(seconds)", "sine", "440", "gain", "-40")
      }
      return ["sox", "-m"] + (0..<64).flatMap { _ in ["-v", "0.4", file] } + ["-n"]
    }, lengths: (2, 12), samplesPerSecond: 48_000 * 2 * 64)
}

/// A host of a mixer whose inputs cost nothing.
final class MixerBenchmarkHost {
  private var unit: AudioUnit?
  private var time = AudioTimeStamp()

  init(_ subType: OSType, _ inputs: Int, channels: UInt32) {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Mixer, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return }
    AudioComponentInstanceNew(component, &unit)
    setProperty(kAudioUnitProperty_ElementCount, UInt32(inputs), 0)
    var format = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 32, mReserved: 0)
    format.mChannelsPerFrame = channels
    // The callback leaves the memory unchanged, so that only the mixer's work is measured.
    let callback = AURenderCallbackStruct(
      inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
    for input in 0..<inputs {
      setProperty(kAudioUnitProperty_StreamFormat, format, input)
      setProperty(kAudioUnitProperty_SetRenderCallback, callback, input)
    }
    if let unit { AudioUnitInitialize(unit) }
    time.mFlags = .sampleTimeValid
  }

  deinit { if let unit { AudioComponentInstanceDispose(unit) } }

  func set(_ id: AudioUnitParameterID, _ value: Float, _ input: Int) {
    guard let unit else { return }
    AudioUnitSetParameter(unit, id, kAudioUnitScope_Input, UInt32(input), value, 0)
  }

  func setProperty<Value>(_ id: AudioUnitPropertyID, _ value: Value, _ input: Int) {
    guard let unit else { return }
    withUnsafeBytes(of: value) { bytes in
      _ = AudioUnitSetProperty(
        unit, id, kAudioUnitScope_Input, UInt32(input), bytes.baseAddress, UInt32(bytes.count))
    }
  }

  /// The time of one render, including `before`.
  func nanoseconds(_ frames: Int, before: () -> Void = {}) -> Double {
    guard let unit else { return .nan }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    return Stopwatch.nanoseconds {
      before()
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      }
      AudioUnitRender(unit, nil, &self.time, 0, UInt32(frames), list.unsafeMutablePointer)
      self.time.mSampleTime += Double(frames)
    }
  }
}
