// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Units that change the playback rate, compared with other programs: 1.25 times as long, stereo.
enum StretchBenchmark {
  private struct Row {
    let name: String
    let subType: OSType
    var rate: Float = 0.8
    var cents: Float = 0
    var target: Double?
  }

  private static let rows = [
    Row(name: "NewTimePitch", subType: kAudioUnitSubType_NewTimePitch, target: 30),
    Row(name: "NewTimePitch, rate 1.25", subType: kAudioUnitSubType_NewTimePitch, rate: 1.25),
    Row(
      name: "NewTimePitch, 400 cents at rate 1", subType: kAudioUnitSubType_NewTimePitch, rate: 1,
      cents: 400),
    Row(name: "AUiPodTime", subType: kAudioUnitSubType_AUiPodTime, target: 6),
    Row(name: "Varispeed", subType: kAudioUnitSubType_Varispeed),
  ]

  static func run(in folder: URL) {
    var ours: [OSType: Double] = [:]
    for frames in [64, 512] {
      Report.title("stretching, \(frames) frames (ns per input frame and channel)")
      for row in rows {
        let host = StretchHost(row.subType, frames: frames, rate: row.rate, cents: row.cents)
        let time = Stopwatch.nanoseconds { host.render() } / Double(frames) / 2 / Double(row.rate)
        Report.own(row.name, time, "ns", target: frames == 64 ? row.target : nil)
        if ours[row.subType] == nil { ours[row.subType] = time }
      }
    }
    Report.title("the same by programs, files included (ns per input frame and channel)")
    for peer in peers {
      let unit = peer.isSpectral ? kAudioUnitSubType_NewTimePitch : kAudioUnitSubType_AUiPodTime
      Report.peer(
        peer.peer.name, peer.peer.nanosecondsPerSample(in: folder), "ns", ours: ours[unit] ?? 1)
    }
  }

  private static let peers: [(peer: Peer, isSpectral: Bool)] = [
    (program("rubberband R3") { ["rubberband", "-q", "-3", "-t1.25", $0, $1] }, true),
    (program("rubberband R2") { ["rubberband", "-q", "-2", "-t1.25", $0, $1] }, true),
    (program("soundstretch") { ["soundstretch", $0, $1, "-tempo=-20"] }, false),
    (
      program("ffmpeg atempo") {
        ["ffmpeg", "-y", "-v", "error", "-nostdin", "-i", $0, "-af", "atempo=0.8", $1]
      }, false
    ),
    (program("sox tempo") { ["sox", "-V1", $0, $1, "tempo", "0.8"] }, false),
  ]

  private static func program(
    _ name: String, _ words: @escaping @Sendable (_ from: String, _ to: String) -> [String]
  ) -> Peer {
    Peer(
      name: name,
      command: { seconds, folder in
        let from = folder.appendingPathComponent("stretch\(seconds).wav")
        if !FileManager.default.fileExists(atPath: from.path) {
          try music(seconds: seconds).write(to: from)
        }
        return words(from.path, folder.appendingPathComponent("stretched.wav").path)
      }, lengths: (5, 25), samplesPerSecond: 96_000)
  }

  /// A stereo WAV file of tones and noise, in 16 bits.
  static func music(seconds: Int) -> Data {
    var data = Data()
    func add<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    let frames = 48_000 * seconds
    data.append(contentsOf: Array("RIFF".utf8))
    add(UInt32(36 + 4 * frames))
    data.append(contentsOf: Array("WAVEfmt ".utf8))
    add(UInt32(16))
    for number in [1, 2] as [UInt16] { add(number) }
    for number in [48_000, 192_000] as [UInt32] { add(number) }
    for number in [4, 16] as [UInt16] { add(number) }
    data.append(contentsOf: Array("data".utf8))
    add(UInt32(4 * frames))
    for frame in 0..<frames {
      for channel in 0..<2 { add(Int16(16_000 * StretchHost.sample(channel, frame))) }
    }
    return data
  }
}

/// A stereo unit that is fed with tones and noise from memory.
final class StretchHost {
  private static let round: [[Float]] = (0..<2).map { channel in
    (0..<1 << 18).map { sample(channel, $0) }
  }
  private let repeats: Bool

  /// Six tones, slightly detuned between the channels, and noise, with a varying level.
  static func sample(_ channel: Int, _ frame: Int) -> Float {
    let time = Double(frame) / 48_000
    let noise = Double((frame &* 1_103_515_245 &+ channel &* 12_345) >> 16 & 0x7fff) / 32_768 - 0.5
    let tones = [110.0, 220, 331, 440, 997, 3_001].reduce(0.1 * noise) {
      $0 + 0.06 * sin(2 * .pi * $1 * (1 + 0.01 * Double(channel)) * time)
    }
    return Float(tones * (0.3 + 0.7 * abs(sin(3 * .pi * time))))
  }

  private var unit: AudioUnit?
  private var time = AudioTimeStamp()
  private let frames: Int
  private let list = AudioBufferList.allocate(maximumBuffers: 2)

  private let music: [[Float]]

  /// The unit with these codes; without `music` its input repeats endlessly.
  init(_ subType: OSType, frames: Int, rate: Float, cents: Float, music: [[Float]]? = nil) {
    self.frames = frames
    self.music = music ?? Self.round
    repeats = music == nil
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_FormatConverter
    description.componentSubType = subType
    guard let component = AudioComponentFindNext(nil, &description) else {
      fail("there is no such unit")
    }
    check(AudioComponentInstanceNew(component, &unit))
    guard let unit else { return }
    time.mFlags = .sampleTimeValid
    let size = UInt32(MemoryLayout<Float64>.size)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      var rate: Float64 = 48_000
      _ = AudioUnitSetProperty(unit, kAudioUnitProperty_SampleRate, scope, 0, &rate, size)
    }
    var input = AURenderCallbackStruct(
      inputProc: Self.feed, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    _ = AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
      UInt32(MemoryLayout.size(ofValue: input)))
    check(AudioUnitInitialize(unit))
    _ = AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, rate, 0)
    if cents != 0 { _ = AudioUnitSetParameter(unit, 1, kAudioUnitScope_Global, 0, cents, 0) }
  }

  deinit {
    if let unit { AudioComponentInstanceDispose(unit) }
    free(list.unsafeMutablePointer)
  }

  private static let feed: AURenderCallback = { context, _, time, _, frames, data in
    guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return -50 }
    let host = Unmanaged<StretchHost>.fromOpaque(context).takeUnretainedValue()
    for (channel, buffer) in buffers.enumerated() {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      host.music[channel].withUnsafeBufferPointer { from in
        var place = Int(time.pointee.mSampleTime)
        if host.repeats { place %= from.count }
        if let first = from.baseAddress, place + Int(frames) <= from.count {
          return samples.update(from: first + place, count: Int(frames))
        }
        for frame in 0..<Int(frames) {
          samples[frame] = place < from.count ? from[place] : 0
          place += 1
          if host.repeats, place == from.count { place = 0 }
        }
      }
    }
    return noErr
  }

  /// The latency that the unit reports, in frames.
  var latencyFrames: Int {
    var (seconds, size) = (0.0, UInt32(8))
    guard let unit else { return 0 }
    _ = AudioUnitGetProperty(
      unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size)
    return Int((seconds * 48_000).rounded())
  }

  /// Renders and returns the next frames.
  func rendered() -> [(Float, Float)] {
    render()
    let channels = list.map { $0.mData?.assumingMemoryBound(to: Float.self) }
    guard let left = channels[0], let right = channels[1] else { return [] }
    return (0..<frames).map { (left[$0], right[$0]) }
  }

  /// Renders the next frames.
  func render() {
    guard let unit else { return }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    check(AudioUnitRender(unit, nil, &time, 0, UInt32(frames), list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }
}
