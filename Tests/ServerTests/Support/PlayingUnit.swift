// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import CAllocationProbe
import Foundation
import Synchronization
import Testing

/// An output unit as a program uses it, with a callback that plays a sine, or sends impulses and
/// finds them in the input, and collects statistics.
final class PlayingUnit: TestedUnit, @unchecked Sendable {
  private let state: UnsafeMutablePointer<State>
  /// The number of frames so far, for threads other than the callback's.
  private let progress = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)

  /// The task of the callback.
  enum Task { case sine, loop, capture, passThrough }

  /// The state of the callback. Only the callback writes it while the unit runs.
  struct State {
    var task = Task.sine
    var unit: AudioUnit?
    var progress: UnsafeMutablePointer<Atomic<Int>>?
    var frequency = 440.0
    var amplitude = 0.25
    var sampleRate = 48_000.0
    var frames = 0
    var calls = 0
    /// The number of the call that takes fifty milliseconds. Below zero for none.
    var lateCall = -1
    /// The frames of the last call, and the expected time of the next one.
    var lastFrames = 0
    var nextTime = 0.0
    /// The number of calls at another time.
    var breaks = 0
    /// When the last impulse was sent, and the delays of the returned ones, in frames.
    var sentAt = -1.0
    var delays: (min: Double, max: Double, last: Double, count: Int) = (.infinity, 0, 0, 0)
    /// Heap operations of our code on the thread from call to call, except for the first calls.
    var heapBefore: Int64 = -1
    var heapOperations: Int64 = 0
    var captured: UnsafeMutablePointer<Float>?
    var capturedCount = 0
    var failures = 0

    /// Counts the heap operations of our code on the thread since the last call.
    fileprivate mutating func noteHeap() {
      let heap = heap_operations_of_program()
      if calls > 8 { heapOperations += heap - heapBefore }
      heapBefore = heap
    }
  }

  static let captureCapacity = 48_000 * 20

  /// A unit on a device named as in `AUDIOTOOLBOX_DEVICE`. The program plays and captures mono at
  /// `rate`.
  init(
    _ device: String, _ task: Task = .sine, frames: Int = 512, rate: Double = 48_000,
    playsOutput: Bool = true, amplitude: Double = 0.25
  ) throws {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    progress.initialize(to: Atomic(0))
    state.pointee.progress = progress
    state.pointee.task = task
    state.pointee.sampleRate = rate
    state.pointee.amplitude = amplitude
    var environment = DeviceEnvironment()
    environment.device = DeviceName(device)
    environment.cycleFrames = frames
    try super.init(in: environment)
    state.pointee.unit = unit
    if task != .sine {
      state.pointee.captured = .allocate(capacity: Self.captureCapacity)
    }
    if !playsOutput {
      try set(kAudioOutputUnitProperty_EnableIO, UInt32(0), kAudioUnitScope_Output, 0)
    }
    try setFormat(rate: rate, captures: task != .sine)
    let callback = AURenderCallbackStruct(
      inputProc: Self.render, inputProcRefCon: UnsafeMutableRawPointer(state))
    try set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, 0)
    if !playsOutput {
      let input = AURenderCallbackStruct(
        inputProc: Self.input, inputProcRefCon: UnsafeMutableRawPointer(state))
      try set(kAudioOutputUnitProperty_SetInputCallback, input)
    }
  }

  deinit {
    dispose()
    state.pointee.captured?.deallocate()
    state.deallocate()
    progress.deallocate()
  }

  /// Makes one call of the callback take fifty milliseconds. Set before the start.
  func delay(call number: Int) { state.pointee.lateCall = number }

  /// The current statistics.
  var statistics: State { state.pointee }

  /// The number of late or skipped cycles, as the library and the server count them.
  var lateCycles: Int {
    guard let xruns = try? get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns()) else { return 0 }
    return Int(xruns.mCount) + (xruns.mServerReports == 1 ? Int(xruns.mServerCount) : 0)
  }

  /// Why nothing is played. Nil while it plays.
  var interruption: String? { text(kAUDiagnosticsProperty_Interruption) }

  /// The name of an element.
  func name(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String? {
    text(kAudioUnitProperty_ElementName, scope, element)
  }

  /// The rate of the device in frames per second.
  var deviceRate: Double {
    (try? get(kAudioUnitProperty_SampleRate, 0.0, kAudioUnitScope_Output, 0)) ?? 0
  }

  /// The cycle size of the device in frames.
  var deviceCycle: UInt32 {
    (try? get(kAudioDevicePropertyBufferFrameSize, UInt32(0))) ?? 0
  }

  /// Waits until `frames` more have been rendered.
  func waits(forFrames frames: Int, seconds: Double = 60) -> Bool {
    let goal = progress.pointee.load(ordering: .acquiring) + frames
    return wait(seconds: seconds) { progress.pointee.load(ordering: .acquiring) >= goal }
  }

  /// Expects that impulses return after `frames`. On a busy machine a late cycle, which is counted,
  /// may delay one: then the next four in a row have to be in time.
  func expectRoundTrip(of frames: Int, _ place: SourceLocation = #_sourceLocation) {
    let expected = Double(frames)
    var (seen, inRow) = (0, 0)
    let isExact = wait {
      let delays = statistics.delays
      guard delays.count > seen else { return false }
      seen = delays.count
      inRow = delays.last == expected ? inRow + 1 : 0
      return inRow >= 4
    }
    let delays = statistics.delays
    #expect(isExact, "\(delays)", sourceLocation: place)
    #expect(
      delays.min == expected && delays.max == expected || lateCycles > 0, "\(delays)",
      sourceLocation: place)
  }

  /// The captured samples, mono.
  var captured: [Float] {
    let state = state.pointee
    return (0..<state.capturedCount).compactMap { state.captured?[$0] }
  }

  private static let render: AURenderCallback = { context, flags, time, _, frames, data in
    let state = context.assumingMemoryBound(to: State.self)
    state.pointee.noteHeap()
    let now = time.pointee.mSampleTime
    if state.pointee.calls > 0, now != state.pointee.nextTime { state.pointee.breaks += 1 }
    state.pointee.nextTime = now + Double(frames)
    state.pointee.calls += 1
    if state.pointee.calls == state.pointee.lateCall { usleep(50_000) }
    state.pointee.lastFrames = Int(frames)
    guard let data,
      let samples = data.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
    else { return noErr }
    switch state.pointee.task {
    case .sine:
      let step = 2 * Double.pi * state.pointee.frequency / state.pointee.sampleRate
      for index in 0..<Int(frames) {
        let frame = Double((state.pointee.frames + index) % Int(state.pointee.sampleRate))
        samples[index] = Float(state.pointee.amplitude * sin(step * frame))
      }
    case .loop, .passThrough, .capture:
      guard let unit = state.pointee.unit else { return noErr }
      if AudioUnitRender(unit, flags, time, 1, frames, data) != noErr {
        state.pointee.failures += 1
      }
      flags.pointee.remove(.unitRenderAction_OutputIsSilence)
      if state.pointee.task == .loop { state.loop(samples, Int(frames), now) }
    }
    state.pointee.frames += Int(frames)
    state.pointee.progress?.pointee.store(state.pointee.frames, ordering: .releasing)
    return noErr
  }

  private static let input: AURenderCallback = { context, flags, time, bus, frames, _ in
    let state = context.assumingMemoryBound(to: State.self)
    guard let unit = state.pointee.unit, let memory = state.pointee.captured else { return noErr }
    state.pointee.noteHeap()
    state.pointee.calls += 1
    let room = PlayingUnit.captureCapacity - state.pointee.capturedCount
    guard room >= Int(frames) else { return noErr }
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 1, mDataByteSize: frames * 4,
        mData: UnsafeMutableRawPointer(memory + state.pointee.capturedCount)))
    if AudioUnitRender(unit, flags, time, bus, frames, &list) == noErr {
      state.pointee.capturedCount += Int(frames)
      state.pointee.frames += Int(frames)
      state.pointee.progress?.pointee.store(state.pointee.frames, ordering: .releasing)
    } else {
      state.pointee.failures += 1
    }
    return noErr
  }
}

extension UnsafeMutablePointer<PlayingUnit.State> {
  /// Finds the impulse in the captured samples, and sends another one every 12,000 frames.
  fileprivate func loop(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ now: Double) {
    for index in 0..<frames {
      let frame = now + Double(index)
      if samples[index] > 0.4, pointee.sentAt >= 0 {
        let delay = frame - pointee.sentAt
        pointee.delays.min = Swift.min(pointee.delays.min, delay)
        pointee.delays.max = Swift.max(pointee.delays.max, delay)
        pointee.delays.last = delay
        pointee.delays.count += 1
        pointee.sentAt = -1
      }
      let sends = Int(frame) % 12_000 == 6_000
      samples[index] = sends ? 0.5 : 0
      if sends { pointee.sentAt = frame }
    }
  }
}
