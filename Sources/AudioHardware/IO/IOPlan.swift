// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The functions that the cycles of a device call, with memory for their arguments. It never
/// changes; a new plan replaces it.
// While the plan is in use, all memory belongs to the render thread.
final class IOPlan: @unchecked Sendable {
  /// The channel counts of the streams.
  struct Layout: Equatable {
    var inputs: [Int]
    var outputs: [Int]
  }

  /// A function and its arguments, for the render thread.
  private struct Slot {
    var function: AudioDeviceIOProc
    var context: UnsafeMutableRawPointer?
    var entry: Unmanaged<IOProcEntry>
    var input: UnsafeMutablePointer<AudioBufferList>
    var output: UnsafeMutablePointer<AudioBufferList>
  }

  /// The maximum number of frames of one call.
  let maximumFrames: Int
  private let device: AudioObjectID
  private let inputCount: Int
  private let outputCount: Int
  private let entries: [IOProcEntry]
  private let slots: UnsafeMutablePointer<Slot>
  private let count: Int
  private let memory = OwnedMemory()
  /// The buffers: one for each input stream, and one for each output stream of each function, whose
  /// output is added to the device's.
  private let inputTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let outputTable: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let inputChannels: UnsafeMutablePointer<Int>
  private let outputChannels: UnsafeMutablePointer<Int>
  private let times: UnsafeMutablePointer<AudioTimeStamp>

  /// [control thread] Allocates memory for the functions of a device.
  init(_ entries: [IOProcEntry], _ device: AudioObjectID, _ layout: Layout, maximumFrames: Int) {
    let callable = entries.filter { $0.function != nil }
    self.entries = callable
    self.device = device
    (inputCount, outputCount) = (layout.inputs.count, layout.outputs.count)
    self.maximumFrames = maximumFrames
    count = callable.count
    let memory = memory
    func samples(_ channels: Int) -> UnsafeMutablePointer<Float> {
      memory.array(channels * maximumFrames, of: 0)
    }
    let inputMemory = layout.inputs.map(samples)
    let outputMemory = callable.map { _ in layout.outputs.map(samples) }
    inputTable = memory.array(inputMemory)
    outputTable = memory.array(outputMemory.flatMap(\.self))
    inputChannels = memory.array(layout.inputs)
    outputChannels = memory.array(layout.outputs)
    times = memory.array(3, of: AudioTimeStamp())
    slots = memory.room(count, for: Slot.self)
    for (index, entry) in callable.enumerated() {
      guard let function = entry.function else { continue }
      let inputs = layout.inputs.indices.map { stream in
        (layout.inputs[stream], entry.unusedInputs.contains(stream) ? nil : inputMemory[stream])
      }
      let outputs = layout.outputs.indices.map { stream in
        (
          layout.outputs[stream],
          entry.unusedOutputs.contains(stream) ? nil : outputMemory[index][stream]
        )
      }
      (slots + index).initialize(
        to: Slot(
          function: function, context: entry.context, entry: .passUnretained(entry),
          input: Self.list(inputs, in: memory), output: Self.list(outputs, in: memory)))
    }
  }

  deinit { memory.deallocate() }

  /// A list with a buffer for each stream. The buffer of an unused stream has no memory.
  private static func list(
    _ streams: [(channels: Int, memory: UnsafeMutablePointer<Float>?)], in memory: OwnedMemory
  ) -> UnsafeMutablePointer<AudioBufferList> {
    let list = memory.list(bufferCount: streams.count)
    for (index, stream) in streams.enumerated() {
      list.buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(clamping: stream.channels), mDataByteSize: 0, mData: stream.memory)
    }
    return list
  }

  // MARK: Cycles

  /// The times of a call's frames.
  struct CallTimes {
    var sampleTime: Double
    var hostTime: UInt64
    /// The host time of the call.
    var now: UInt64
    var rateScalar: Double
    /// The number of frames of the call.
    var frameCount: Int

    @_noLocks
    init(sampleTime: Double, hostTime: UInt64, now: UInt64, rateScalar: Double, frameCount: Int) {
      self.sampleTime = sampleTime
      self.hostTime = hostTime
      self.now = now
      self.rateScalar = rateScalar
      self.frameCount = frameCount
    }
  }

  /// [render thread] Calls the functions for a slice of at most `maximumFrames` and adds their
  /// output to `output`, which the caller has silenced.
  @_noLocks
  func call(
    _ callTimes: CallTimes, input: UnsafePointer<UnsafeMutablePointer<Float>>?,
    from inputFrame: Int,
    output: UnsafePointer<UnsafeMutablePointer<Float>>?, from outputFrame: Int
  ) {
    let frames = callTimes.frameCount
    var channel = 0
    for stream in 0..<inputCount {
      let channels = inputChannels[stream]
      for part in 0..<channels {
        let samples = inputTable[stream] + part
        if let input {
          let source = input[channel + part] + inputFrame
          for frame in 0..<frames { samples[frame * channels] = source[frame] }
        } else {
          for frame in 0..<frames { samples[frame * channels] = 0 }
        }
      }
      channel += channels
    }
    setTimes(callTimes)
    for index in 0..<count { callOne(index, callTimes, output, outputFrame) }
  }

  @_noLocks
  private func setTimes(_ callTimes: CallTimes) {
    for index in 0..<3 {
      times[index].mSampleTime = callTimes.sampleTime
      times[index].mHostTime = index == 0 ? callTimes.now : callTimes.hostTime
      times[index].mRateScalar = callTimes.rateScalar
      times[index].mFlags = AudioTimeStampFlags(
        rawValue: AudioTimeStampFlags.sampleHostTimeValid.rawValue
          | AudioTimeStampFlags.rateScalarValid.rawValue)
    }
  }

  @_noLocks
  private func callOne(
    _ index: Int, _ callTimes: CallTimes, _ output: UnsafePointer<UnsafeMutablePointer<Float>>?,
    _ outputFrame: Int
  ) {
    let isDue = slots[index].entry._withUnsafeGuaranteedRef { entry in
      guard entry.isActive.load(ordering: .acquiring) else { return false }
      return callTimes.hostTime >= entry.startTime.load(ordering: .relaxed)
    }
    guard isDue else { return }
    let frames = callTimes.frameCount
    size(slots[index].input, inputChannels, inputCount, frames)
    size(slots[index].output, outputChannels, outputCount, frames)
    let streamCount = outputCount
    for stream in 0..<streamCount {
      Samples.clear(
        outputTable[index * streamCount + stream], count: frames * outputChannels[stream])
    }
    callFunction(
      slots[index].function, device, times, slots[index].input, slots[index].output,
      slots[index].context)
    guard let output else { return }
    var channel = 0
    for stream in 0..<streamCount {
      let channels = outputChannels[stream]
      for part in 0..<channels {
        let source = outputTable[index * streamCount + stream] + part
        let target = output[channel + part] + outputFrame
        for frame in 0..<frames { target[frame] += source[frame * channels] }
      }
      channel += channels
    }
  }

  /// Sets the sizes of a list, which the program may have changed in the last call.
  @_noLocks
  private func size(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ channels: UnsafeMutablePointer<Int>,
    _ count: Int, _ frames: Int
  ) {
    list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    for index in 0..<count {
      list.buffers[index].mNumberChannels = UInt32(truncatingIfNeeded: channels[index])
      list.buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: frames * channels[index] * 4)
    }
  }
}
