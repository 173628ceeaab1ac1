// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// The cost of a render call, without the work of the callback.
enum RenderCallBenchmark {
  static func run() {
    Report.title("render calls with an empty callback, mono (ns per call)")
    for frames in [64, 512] {
      let host = OfflineHost(frames: frames)
      host.supply { _, _, _, _, _, _ in noErr }
      Report.own(
        "AudioUnitRender of a generic output, \(frames) frames",
        Stopwatch.nanoseconds { host.render() }, "ns")
    }
    for frames in [64, 512] {
      Report.own(
        "cycle of an output unit on the null device, \(frames) frames", cycle(frames), "ns",
        target: 200)
    }
  }

  private static let count = Atomic<Int>(0)

  /// The wall clock time of one cycle of an output unit whose device does not wait.
  private static func cycle(_ frames: Int) -> Double {
    setenv("AUDIOTOOLBOX_DEVICE", "null", 1)
    setenv("AUDIOTOOLBOX_CLOCK", "fast", 1)
    setenv("AUDIOTOOLBOX_RATE", "44100", 1)
    setenv("AUDIOTOOLBOX_FRAMES", "\(frames)", 1)
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_DefaultOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let unit = instance
    else { return .nan }
    defer { AudioComponentInstanceDispose(unit) }
    var input = AURenderCallbackStruct(
      inputProc: { _, _, _, _, _, _ in
        RenderCallBenchmark.count.wrappingAdd(1, ordering: .relaxed)
        return noErr
      }, inputProcRefCon: nil)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
      UInt32(MemoryLayout.size(ofValue: input)))
    guard AudioUnitInitialize(unit) == noErr, AudioOutputUnitStart(unit) == noErr else {
      return .nan
    }
    defer { AudioOutputUnitStop(unit) }
    usleep(50_000)
    let runs = (0..<7).map { _ in
      let start = AudioGetCurrentHostTime()
      let before = count.load(ordering: .relaxed)
      usleep(50_000)
      let cycles = count.load(ordering: .relaxed) - before
      return Double(AudioGetCurrentHostTime() - start) / Double(max(cycles, 1))
    }
    return runs.sorted()[3]
  }
}
