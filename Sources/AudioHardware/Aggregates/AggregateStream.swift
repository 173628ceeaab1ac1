// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
import SignalProcessing
import Synchronization

/// The stream of an aggregate device, made of a stream for each part. It runs in the cycles of the
/// main part; links carry the input and output of the other parts to its clock and back.
final class AggregateStream: DeviceStream {
  /// The stream of a part, in one direction, or in both directions on one clock.
  private struct PartStream: Sendable {
    let stream: any DeviceStream
    let handler: AggregatePartHandler
  }

  let device: Device
  private let main: PartStream
  private let others: [PartStream]

  /// [control thread] Opens all parts. `parts` lists those that are present, the main one first.
  init(
    _ device: Device, _ parts: [(device: Device, correctsDrift: Bool)], isStacked: Bool,
    order: [String], _ request: StreamRequest, _ handler: CycleHandler
  ) throws(AudioError) {
    self.device = device
    let rate = device.sampleRate
    let mixer = AggregateMixer(handler)
    var streams: [PartStream] = []
    for uid in order {
      guard let part = parts.first(where: { $0.device.uid == uid }) else { continue }
      let isMain = uid == parts[0].device.uid
      // A device with two clocks counts as two parts.
      let sides: [(input: Bool, output: Bool)] =
        part.device.hasOneClock ? [(true, true)] : [(false, true), (true, false)]
      for side in sides {
        let input = side.input && request.usesInput ? part.device.inputChannelCount : 0
        let output = side.output && request.usesOutput ? part.device.outputChannelCount : 0
        guard input + output > 0 else { continue }
        let drivesCycles = isMain && !mixer.hasMain
        let partHandler = AggregatePartHandler(
          mixer, part.device, rate: rate, inputs: input, outputs: output, isMain: drivesCycles,
          correctsDrift: part.correctsDrift, changed: { handler.streamChanged($0) })
        let stream = try Self.open(part.device, input > 0, output > 0, request, partHandler)
        mixer.add(partHandler, isStacked: isStacked)
        streams.append(PartStream(stream: stream, handler: partHandler))
      }
    }
    guard let main = streams.first(where: { $0.handler.isMain }) else {
      throw .failedInitialization.because("\(device.uid): its main part has no stream to follow")
    }
    mixer.prepare(frames: max(device.cycleFrames, 64))
    self.main = main
    others = streams.filter { !$0.handler.isMain }
  }

  private static func open(
    _ device: Device, _ input: Bool, _ output: Bool, _ request: StreamRequest,
    _ partHandler: AggregatePartHandler
  ) throws(AudioError) -> any DeviceStream {
    var own = request
    own.uid = device.uid
    own.usesInput = input
    own.usesOutput = output
    own.isPinned = true
    own.keepsRate = true
    let partRequest = own
    return try DeviceRequests.withEnvironment(for: device) {
      () throws(AudioError) -> any DeviceStream in
      try Backends.named(device.backend).open(partRequest, partHandler)
    }
  }

  deinit { stop() }

  func start() throws(AudioError) {
    do throws(AudioError) {
      for other in others { try other.stream.start() }
      try main.stream.start()
    } catch {
      stop()
      throw error
    }
  }

  func stop() {
    main.stream.stop()
    for other in others { other.stream.stop() }
  }

  func latency(_ direction: StreamDirection) -> Double {
    let own = main.stream.latency(direction)
    return others.map { $0.stream.latency(direction) + $0.handler.latency(direction) }
      .reduce(own) { max($0, $1) }
  }

  var xrunCount: Int { ([main] + others).reduce(0) { $0 + $1.stream.xrunCount } }
  var stallLimit: Double? { main.stream.stallLimit }
  var scheduling: ThreadScheduling? { main.stream.scheduling }
}

/// The handler of the cycles of a part.
// Each link has one thread at each end.
final class AggregatePartHandler: CycleHandler, @unchecked Sendable {
  let isMain: Bool
  let inputs: Int
  let outputs: Int
  /// The links from this part to the main part and back. The main part has none.
  let toMain: AggregateLink?
  let fromMain: AggregateLink?
  // The links again, without reference counting.
  let toMainReference: Unmanaged<AggregateLink>?
  private let fromMainReference: Unmanaged<AggregateLink>?
  private let mixer: AggregateMixer
  private let mixerReference: Unmanaged<AggregateMixer>
  private let changed: @Sendable (StreamEvent) -> Void

  init(
    _ mixer: AggregateMixer, _ device: Device, rate: Double, inputs: Int, outputs: Int,
    isMain: Bool, correctsDrift: Bool, changed: @escaping @Sendable (StreamEvent) -> Void
  ) {
    self.mixer = mixer
    mixerReference = .passUnretained(mixer)
    (self.isMain, self.inputs, self.outputs, self.changed) = (isMain, inputs, outputs, changed)
    func link(_ count: Int, from: Double, to: Double) -> AggregateLink? {
      guard !isMain, count > 0 else { return nil }
      return AggregateLink(
        channelCount: count, inputRate: from, outputRate: to, maximumFrames: 16_384,
        correctsDrift: correctsDrift)
    }
    toMain = link(inputs, from: device.sampleRate, to: rate)
    fromMain = link(outputs, from: rate, to: device.sampleRate)
    toMainReference = toMain.map { .passUnretained($0) }
    fromMainReference = fromMain.map { .passUnretained($0) }
  }

  /// [any thread] The latency in seconds between this part and the main part.
  func latency(_ direction: StreamDirection) -> Double {
    (direction == .input ? toMain : fromMain)?.latency ?? 0
  }

  @_noLocks
  override func render(_ cycle: DeviceCycle) {
    guard !isMain else {
      return mixerReference._withUnsafeGuaranteedRef { $0.render(cycle) }
    }
    let now = rt_host_time()
    if let input = cycle.input, cycle.inputChannelCount == inputs {
      toMainReference?._withUnsafeGuaranteedRef {
        $0.write(input, frames: cycle.frameCount, hostTime: now)
      }
    }
    guard cycle.output != nil else { return }
    guard let link = fromMainReference, cycle.outputChannelCount == outputs else {
      return cycle.silenceOutput(from: 0)
    }
    let outputs = outputs
    link._withUnsafeGuaranteedRef { writeLinkedOutput(cycle, $0, outputs, now) }
  }

  /// [main part's thread] Writes the frames that were rendered for this part.
  @_noLocks
  func write(
    _ samples: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int, hostTime: UInt64
  ) {
    fromMainReference?._withUnsafeGuaranteedRef {
      $0.write(samples, frames: frames, hostTime: hostTime)
    }
  }

  override func streamChanged(_ event: StreamEvent) {
    switch event {
    case .lost, .ended: changed(.lost(reason: "one of its parts is gone"))
    case .moved where !isMain: break
    case .moved: changed(.lost(reason: "its main part runs differently"))
    case .inputEnded: changed(event)
    }
  }
}

/// Fills the output of a cycle with the frames that the link carried.
@_noLocks
private func writeLinkedOutput(
  _ cycle: DeviceCycle, _ link: AggregateLink, _ outputs: Int, _ now: UInt64
) {
  guard let output = cycle.output else { return }
  var frame = 0
  while frame < cycle.frameCount {
    let count = min(cycle.frameCount - frame, 16_384)
    let source = link.read(count, hostTime: now)
    for channel in 0..<outputs {
      Samples.copy(source[channel], to: output[channel] + frame, count: count)
    }
    frame += count
  }
}

/// Combines the parts into one cycle, on the thread of the main part.
// After `prepare`, everything belongs to the main part's thread.
final class AggregateMixer: @unchecked Sendable {
  private typealias Channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  private let handler: CycleHandler
  private let reference: Unmanaged<CycleHandler>
  private var parts: [AggregatePartHandler] = []
  private(set) var hasMain = false
  private var isStacked = false
  private let memory = OwnedMemory()
  // `parts` again, without reference counting.
  private var table: UnsafeMutablePointer<Unmanaged<AggregatePartHandler>>?
  private var count = 0
  private var inputCount = 0
  private var outputCount = 0
  private var inputs: Channels?
  private var outputs: Channels?
  private var mixed: Channels?
  private var capacity = 0

  init(_ handler: CycleHandler) {
    self.handler = handler
    reference = .passUnretained(handler)
  }

  deinit { memory.deallocate() }

  /// [control thread] Adds a part.
  func add(_ part: AggregatePartHandler, isStacked: Bool) {
    parts.append(part)
    self.isStacked = isStacked
    hasMain = hasMain || part.isMain
  }

  /// [control thread] Allocates memory for slices of at most `frames` frames. Longer cycles are
  /// split.
  func prepare(frames: Int) {
    capacity = frames
    count = parts.count
    inputCount = parts.reduce(0) { $0 + $1.inputs }
    outputCount =
      isStacked ? parts.map(\.outputs).max() ?? 0 : parts.reduce(0) { $0 + $1.outputs }
    let memory = memory
    inputs = memory.room(inputCount, for: UnsafeMutablePointer<Float>.self)
    outputs = memory.room(outputCount, for: UnsafeMutablePointer<Float>.self)
    mixed = memory.array((0..<outputCount).map { _ in memory.array(frames, of: 0) })
    table = memory.array(parts.map { .passUnretained($0) })
  }

  /// [render thread] Renders one cycle of the main part.
  @_noLocks
  func render(_ cycle: DeviceCycle) {
    let now = rt_host_time()
    var frame = 0
    while frame < cycle.frameCount {
      let frames = min(cycle.frameCount - frame, capacity)
      renderSlice(cycle, frame, frames, now)
      frame += frames
    }
  }

  @_noLocks
  private func renderSlice(_ cycle: DeviceCycle, _ frame: Int, _ frames: Int, _ now: UInt64) {
    guard let table, let inputs, let mixed else { return }
    var channel = 0
    for index in 0..<count {
      table[index]._withUnsafeGuaranteedRef { part in
        guard part.inputs > 0 else { return }
        if let link = part.toMainReference {
          let source = link._withUnsafeGuaranteedRef { $0.read(frames, hostTime: now) }
          for offset in 0..<part.inputs { inputs[channel + offset] = source[offset] }
        } else if let source = cycle.input, cycle.inputChannelCount == part.inputs {
          for offset in 0..<part.inputs { inputs[channel + offset] = source[offset] + frame }
        }
        channel += part.inputs
      }
    }
    for channel in 0..<outputCount { Samples.clear(mixed[channel], count: frames) }
    var whole = DeviceCycle(
      frameCount: frames, sampleTime: cycle.sampleTime + Double(frame),
      hostTime: cycle.hostTime, rateScalar: cycle.rateScalar)
    if inputCount > 0 {
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
        }
        channel += part.outputs
      }
    }
  }
}
