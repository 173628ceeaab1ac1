// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The functions that the cycles of a device call, with memory for their arguments. Another engine
/// replaces it when functions start or stop.
// While the engine is in use, all memory belongs to the render thread.
final class IOProcEngine: CycleEngine, @unchecked Sendable {
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
  /// The captured frames for later reading. Nil if nothing is captured.
  private let captured: CapturedSamples?
  // `captured` again, without reference counting.
  private let capturedReference: Unmanaged<CapturedSamples>?
  /// The volume that the program set for the device, and the gain at the end of the last cycle.
  private let level: DeviceLevel
  private let gain: UnsafeMutablePointer<Float>

  /// [control thread] Allocates memory for the functions of a device, and for the streams that each
  /// uses.
  init(
    _ entries: [IOProcEntry], _ unused: [(inputs: Set<Int>, outputs: Set<Int>)],
    _ device: AudioObjectID, _ connection: DeviceConnection,
    _ captured: CapturedSamples?
  ) {
    let layout = Layout(
      inputs: connection.device.streams(isInput: true),
      outputs: connection.device.streams(isInput: false))
    let maximumFrames = connection.device.callFrames
    self.captured = captured
    capturedReference = captured.map { .passUnretained($0) }
    level = DeviceLevel.of(connection.device.outputUID)
    self.entries = entries
    self.device = device
    (inputCount, outputCount) = (layout.inputs.count, layout.outputs.count)
    self.maximumFrames = maximumFrames
    count = entries.count
    let memory = memory
    func samples(_ channels: Int) -> UnsafeMutablePointer<Float> {
      memory.array(channels * maximumFrames, of: 0)
    }
    let inputMemory = layout.inputs.map(samples)
    let outputMemory = entries.map { _ in layout.outputs.map(samples) }
    inputTable = memory.array(inputMemory)
    outputTable = memory.array(outputMemory.flatMap(\.self))
    inputChannels = memory.array(layout.inputs)
    outputChannels = memory.array(layout.outputs)
    times = memory.array(3, of: AudioTimeStamp())
    gain = memory.cell(level.gain)
    slots = memory.room(count, for: Slot.self)
    for (index, entry) in entries.enumerated() {
      guard let function = entry.function else { continue }
      let inputs = layout.inputs.indices.map { stream in
        (layout.inputs[stream], unused[index].inputs.contains(stream) ? nil : inputMemory[stream])
      }
      let outputs = layout.outputs.indices.map { stream in
        (
          layout.outputs[stream],
          unused[index].outputs.contains(stream) ? nil : outputMemory[index][stream]
        )
      }
      (slots + index).initialize(
        to: Slot(
          function: function, context: entry.context, entry: .passUnretained(entry),
          input: IOProcEngine.list(inputs, in: memory),
          output: IOProcEngine.list(outputs, in: memory)))
    }
    super.init(connection.shape)
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

  /// [render thread] Calls the functions in parts of a cycle, of at most `maximumFrames`, and adds
  /// up what they play.
  @_noLocks
  override func render(_ cycle: inout ClientCycle) {
    let device = cycle.cycle
    device.silenceOutput(from: 0)
    while true {
      let cyclePart = cycle.next(upTo: maximumFrames)
      guard cyclePart.frameCount > 0 else { break }
      if let input = cyclePart.input {
        capturedReference?._withUnsafeGuaranteedRef {
          $0.write(
            input, from: cyclePart.inputFrame, frames: cyclePart.frameCount,
            sampleTime: cyclePart.sampleTime)
        }
      }
      call(cyclePart, cycle, device.output)
    }
    guard let output = device.output else { return }
    let (start, end) = (gain.pointee, level.gain)
    gain.pointee = end
    DeviceLevel.ramp(
      output, count: device.outputChannelCount, frames: device.frameCount, from: start, to: end)
  }

  @_noLocks
  override func resume(from other: CycleEngine) {
    let other = Unmanaged<IOProcEngine>.fromOpaque(Unmanaged.passUnretained(other).toOpaque())
    let gain = gain
    other._withUnsafeGuaranteedRef { gain.pointee = $0.gain.pointee }
  }

  /// Calls the functions for a part of a cycle and adds their output to `output`, which is silent.
  @_noLocks
  private func call(
    _ cyclePart: CyclePart, _ cycle: ClientCycle,
    _ output: UnsafePointer<UnsafeMutablePointer<Float>>?
  ) {
    let frames = cyclePart.frameCount
    var channel = 0
    for stream in 0..<inputCount {
      let channels = inputChannels[stream]
      for part in 0..<channels {
        let samples = inputTable[stream] + part
        if let input = cyclePart.input {
          let source = input[channel + part] + cyclePart.inputFrame
          for frame in 0..<frames { samples[frame * channels] = source[frame] }
        } else {
          for frame in 0..<frames { samples[frame * channels] = 0 }
        }
      }
      channel += channels
    }
    setTimes(cyclePart, cycle)
    for index in 0..<count { callOne(index, cyclePart, output) }
  }

  @_noLocks
  private func setTimes(_ cyclePart: CyclePart, _ cycle: ClientCycle) {
    for index in 0..<3 {
      times[index].mSampleTime = cyclePart.sampleTime
      times[index].mHostTime = index == 0 ? cycle.now : cyclePart.hostTime
      times[index].mRateScalar = cycle.cycle.rateScalar
      times[index].mFlags = AudioTimeStampFlags(
        rawValue: AudioTimeStampFlags.sampleHostTimeValid.rawValue
          | AudioTimeStampFlags.rateScalarValid.rawValue)
    }
  }

  @_noLocks
  private func callOne(
    _ index: Int, _ cyclePart: CyclePart, _ output: UnsafePointer<UnsafeMutablePointer<Float>>?
  ) {
    let isDue = slots[index].entry._withUnsafeGuaranteedRef { entry in
      guard entry.isActive.load(ordering: .acquiring) else { return false }
      return cyclePart.hostTime >= entry.startTime.load(ordering: .relaxed)
    }
    guard isDue else { return }
    let frames = cyclePart.frameCount
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
        let target = output[channel + part] + cyclePart.frame
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
