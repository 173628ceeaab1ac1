// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Plug-ins as units, against a plain host in C that calls them directly: one, and twenty in turn; and one in a
/// process of its own.
enum PlugInBenchmark {
  private static let chainLength = 20

  /// A plug-in of a package, as the plain host finds it. Its controls are 0 but for these.
  private struct Subject {
    let format: String
    let path: String
    let identifier: String
    let label: String
    let channelCount: Int
    var values: [String] = []
  }

  private static let equalizer = Subject(
    format: "clap", path: "/usr/lib/clap/ZamEQ2.clap", identifier: "com.zamaudio.ZamEQ2",
    label: "com.zamaudio.ZamEQ2", channelCount: 1)

  /// Those that do little: what a unit adds is seen best.
  private static let small = [
    Subject(
      format: "ladspa", path: "/usr/lib/ladspa/amp.so", identifier: "amp:amp_stereo",
      label: "amp_stereo", channelCount: 2, values: ["0=1"]),
    Subject(
      format: "lv2", path: "/usr/lib/lv2/amp-swh.lv2/",
      identifier: "http://plugin.org.uk/swh-plugins/amp",
      label: "http://plugin.org.uk/swh-plugins/amp", channelCount: 1),
    equalizer,
  ]

  /// Those that do as much as most effects.
  private static let usual = [
    Subject(
      format: "ladspa", path: "/usr/lib/ladspa/mbeq_1197.so", identifier: "mbeq_1197:mbeq",
      label: "mbeq", channelCount: 1),
    Subject(
      format: "lv2", path: "/usr/lib/lv2/dj_eq-swh.lv2/",
      identifier: "http://plugin.org.uk/swh-plugins/dj_eq",
      label: "http://plugin.org.uk/swh-plugins/dj_eq", channelCount: 2),
    equalizer,
  ]

  static func run(in folder: URL) {
    setenv("AUDIOTOOLBOX_PLUGINS", "all", 1)
    AUPlugInsScan([])
    Report.title("plug-ins as units (time of this thread, the shortest)")
    guard let host = plainHost(in: folder) else { return Report.note("there is no C compiler") }
    for subject in small { measureCall(subject, host, frames: 64) }
    for subject in usual { measureChain(subject, host, frames: 512) }
  }

  private static func plainHost(in folder: URL) -> URL? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appending(path: "Tests/PlugInHostingTests/Libraries/Host").path
    let program = folder.appending(path: "plain-host")
    let headers = root.appending(path: "Sources/CPlugIns/include").path
    let command = "gcc -O2 -w -I '\(headers)' '\(sources)'/*.c -o '\(program.path)' -ldl -lm"
    return Shell.output("sh", "-c", command) == nil ? nil : program
  }

  /// Nanoseconds of one plug-in and of twenty in turn, called directly; nil, with a remark, if there is none.
  private static func direct(
    _ subject: Subject, _ host: URL, frames: Int
  ) -> (component: AudioComponent, one: Double, chain: Double)? {
    let words = [
      host.path, subject.format, subject.path, subject.label, "48000", "time", "\(frames)",
    ]
    let command = (words + subject.values).map { "'\($0)'" }.joined(separator: " ")
    guard let component = component(subject.identifier),
      let times = Shell.output("sh", "-c", command)?.split(whereSeparator: \.isWhitespace)
        .compactMap({ Double($0) }), times.count == 2
    else {
      Report.note("\(subject.identifier) is not installed")
      return nil
    }
    return (component, times[0], times[1])
  }

  private static func measureCall(_ subject: Subject, _ host: URL, frames: Int) {
    guard let (component, direct, _) = direct(subject, host, frames: frames) else { return }
    let unit = PlugInChain(component, subject.channelCount, count: 1, frames: frames)
    let time = unit.fastest()
    let name = "\(subject.format), \(frames) frames"
    Report.own("\(name): a direct call", direct, "ns")
    Report.own("\(name): a unit adds", time - direct, "ns", target: 500)
    let apart = PlugInChain(
      component, subject.channelCount, count: 1, frames: frames, options: .loadOutOfProcess)
    let added = (apart.median() - unit.median()) / 1_000
    Report.own("\(name): a process of its own adds, median", added, "us", target: 15)
  }

  private static func measureChain(_ subject: Subject, _ host: URL, frames: Int) {
    guard let (component, _, direct) = direct(subject, host, frames: frames) else { return }
    let chain = PlugInChain(component, subject.channelCount, count: chainLength, frames: frames)
    let name = "\(subject.format), \(frames) frames"
    Report.own("\(name): twenty, called directly", direct, "ns")
    Report.own("\(name): twenty units, as part of that", chain.fastest() / direct, "", target: 1.05)
  }

  private static func component(_ identifier: String) -> AudioComponent? {
    for case let entry as [String: Any] in AUPlugInsCopyList().takeRetainedValue() {
      func number(_ key: String) -> UInt32 { (entry[key] as? NSNumber)?.uint32Value ?? 0 }
      guard entry[kAUPlugInIdentifierKey] as? String == identifier else { continue }
      var codes = AudioComponentDescription(
        componentType: number(kAUPlugInTypeKey), componentSubType: number(kAUPlugInSubtypeKey),
        componentManufacturer: number(kAUPlugInManufacturerKey), componentFlags: 0,
        componentFlagsMask: 0)
      return AudioComponentFindNext(nil, &codes)
    }
    return nil
  }
}

/// Units of one component, each of which feeds the next.
private final class PlugInChain {
  private var units: [AudioUnit] = []
  private let frames: Int
  private let list = AudioBufferList.allocate(maximumBuffers: 2)
  private let channelCount: Int
  private var time = AudioTimeStamp()

  /// The samples of the first input, of every channel.
  nonisolated(unsafe) private static let noise: UnsafeMutablePointer<Float> = {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)
    for index in 0..<4_096 { samples[index] = Float.random(in: -0.5...0.5) }
    return samples
  }()

  init(
    _ component: AudioComponent, _ channelCount: Int, count: Int, frames: Int,
    options: AudioComponentInstantiationOptions = .loadInProcess
  ) {
    self.frames = frames
    self.channelCount = channelCount
    time.mFlags = .sampleTimeValid
    for _ in 0..<count {
      var unit: AudioUnit?
      check(AudioComponentInstanceNew(component, options, &unit))
      guard let unit else { fail("no unit") }
      let format = AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
        mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32, mReserved: 0)
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        Self.set(unit, kAudioUnitProperty_StreamFormat, scope, format)
      }
      if let last = units.last {
        let connection = AudioUnitConnection(
          sourceAudioUnit: last, sourceOutputNumber: 0, destInputNumber: 0)
        Self.set(unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, connection)
      } else {
        let callback = AURenderCallbackStruct(inputProc: supplyNoise, inputProcRefCon: Self.noise)
        Self.set(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, callback)
      }
      check(AudioUnitInitialize(unit))
      units.append(unit)
    }
  }

  private static func set<Value: BitwiseCopyable>(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
  ) {
    withUnsafePointer(to: value) {
      check(AudioUnitSetProperty(unit, id, scope, 0, $0, UInt32(MemoryLayout<Value>.size)))
    }
  }

  deinit {
    for unit in units.reversed() { AudioComponentInstanceDispose(unit) }
    free(list.unsafeMutablePointer)
  }

  private func render() {
    list.count = channelCount
    for channel in 0..<channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    var flags = AudioUnitRenderActionFlags()
    check(
      AudioUnitRender(
        units[units.count - 1], &flags, &time, 0, UInt32(frames), list.unsafeMutablePointer))
    time.mSampleTime += Double(frames)
  }

  /// Nanoseconds of one render, the shortest of many means, as the plain host measures.
  func fastest() -> Double {
    (0..<200).reduce(.infinity) { best, _ in
      let start = Stopwatch.now
      for _ in 0..<20 { render() }
      return min(best, (Stopwatch.now - start) / 20)
    }
  }

  /// Nanoseconds between the begin and the end of a render, the median.
  func median() -> Double {
    let times = (0..<5_000).map { _ in
      let start = AudioGetCurrentHostTime()
      render()
      return Double(AudioGetCurrentHostTime() - start)
    }
    return times.sorted()[times.count / 2]
  }
}

/// The callback of the first unit, whose channels all get the same memory. [render thread]
private func supplyNoise(
  samples: UnsafeMutableRawPointer, _: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _: UnsafePointer<AudioTimeStamp>, _: UInt32, _: UInt32,
  list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let buffers = UnsafeMutableAudioBufferListPointer(list) else { return noErr }
  for index in 0..<buffers.count { buffers[index].mData = samples }
  return noErr
}
