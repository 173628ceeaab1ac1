// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import CRealTime
import SignalProcessing

/// Combines the parts into one cycle, on the thread of the main part.
// After `prepare`, everything belongs to the main part's thread.
final class AggregateMixer: @unchecked Sendable {
  private typealias Channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  private let handler: CycleHandler
  private let reference: Unmanaged<CycleHandler>
  private var parts: [AggregatePart] = []
  private var isStacked = false
  private let memory = OwnedMemory()
  // `parts` again, without reference counting.
  private var table: UnsafeMutablePointer<Unmanaged<AggregatePart>>?
  private var count = 0
  private var inputCount = 0
  private var outputCount = 0
  private var inputs: Channels?
  private var mixed: Channels?
  /// The input of a cycle without input.
  private var silence: UnsafeMutablePointer<Float>?
  private var capacity = 0
  private var frameTime = 0.0

  init(_ handler: CycleHandler) {
    self.handler = handler
    reference = .passUnretained(handler)
  }

  deinit { memory.deallocate() }

  /// [control thread] Allocates memory for cycle parts of at most `frames` frames of these parts,
  /// at the rate of the main one. Longer cycles are split.
  func prepare(_ parts: [AggregatePart], isStacked: Bool, frames: Int, sampleRate: Double) {
    self.parts = parts
    self.isStacked = isStacked
    capacity = frames
    frameTime = 1 / sampleRate
    count = parts.count
    inputCount = parts.reduce(0) { $0 + $1.inputs }
    outputCount =
      isStacked ? parts.map(\.outputs).max() ?? 0 : parts.reduce(0) { $0 + $1.outputs }
    let memory = memory
    let silence = memory.array(frames, of: Float(0))
    self.silence = silence
    inputs = memory.array(inputCount, of: silence)
    mixed = memory.array((0..<outputCount).map { _ in memory.array(frames, of: 0) })
    table = memory.array(parts.map { .passUnretained($0) })
  }

  /// [render thread] Renders one cycle of the main part.
  @_noLocks
  func render(_ cycle: DeviceCycle) {
    guard capacity > 0 else { return cycle.silenceOutput(from: 0) }
    let now = rt_host_time()
    var frame = 0
    while frame < cycle.frameCount {
      let frames = min(cycle.frameCount - frame, capacity)
      // Cycle parts are as far apart as if the device had split the cycle.
      let offset = Elementary.nanoseconds(Double(frame) * frameTime)
      renderCyclePart(cycle, frame, frames, offset, now &+ offset)
      frame += frames
    }
  }

  @_noLocks
  private func renderCyclePart(
    _ cycle: DeviceCycle, _ frame: Int, _ frames: Int, _ offset: UInt64, _ now: UInt64
  ) {
    guard let mixed else { return }
    collect(cycle, frame, frames, now)
    for channel in 0..<outputCount { Samples.clear(mixed[channel], count: frames) }
    var whole = DeviceCycle(
      frameCount: frames, sampleTime: cycle.sampleTime + Double(frame),
      hostTime: cycle.hostTime &+ offset, rateScalar: cycle.rateScalar)
    if inputCount > 0, let inputs {
      whole.input = UnsafePointer(inputs)
      whole.inputChannelCount = inputCount
    }
    if outputCount > 0 {
      whole.output = UnsafePointer(mixed)
      whole.outputChannelCount = outputCount
    }
    callHandler(reference, whole)
    distribute(cycle, frame, frames, now)
  }

  /// Sets the addresses of the input of a cycle part.
  @_noLocks
  private func collect(_ cycle: DeviceCycle, _ frame: Int, _ frames: Int, _ now: UInt64) {
    guard let table, let inputs, let silence else { return }
    var channel = 0
    for index in 0..<count {
      table[index]._withUnsafeGuaranteedRef { part in
        guard part.inputs > 0 else { return }
        if let link = part.toMainReference {
          let source = link._withUnsafeGuaranteedRef { $0.read(frames, hostTime: now) }
          for offset in 0..<part.inputs { inputs[channel + offset] = source[offset] }
        } else if let source = cycle.input, cycle.inputChannelCount == part.inputs {
          for offset in 0..<part.inputs { inputs[channel + offset] = source[offset] + frame }
        } else {
          for offset in 0..<part.inputs { inputs[channel + offset] = silence }
        }
        channel += part.inputs
      }
    }
  }

  /// Passes the rendered frames of a cycle part to the parts.
  @_noLocks
  private func distribute(_ cycle: DeviceCycle, _ frame: Int, _ frames: Int, _ now: UInt64) {
    guard let table, let mixed else { return }
    let isStacked = isStacked
    var channel = 0
    for index in 0..<count {
      table[index]._withUnsafeGuaranteedRef { part in
        guard part.outputs > 0 else { return }
        let first = isStacked ? 0 : channel
        if !part.isMain {
          part.write(UnsafePointer(mixed + first), frames: frames, hostTime: now)
        } else if let output = cycle.output, cycle.outputChannelCount == part.outputs {
          for offset in 0..<part.outputs {
            Samples.copy(mixed[first + offset], to: output[offset] + frame, count: frames)
          }
        } else {
          clear(cycle, frame, frames)
        }
        channel += part.outputs
      }
    }
  }
}

/// Silences a cycle part of the output of a cycle with other channels than expected.
@_noLocks
private func clear(_ cycle: DeviceCycle, _ frame: Int, _ frames: Int) {
  guard let output = cycle.output else { return }
  for channel in 0..<cycle.outputChannelCount {
    Samples.clear(output[channel] + frame, count: frames)
  }
}
