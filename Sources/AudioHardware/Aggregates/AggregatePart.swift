// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CRealTime
import SignalProcessing

/// The open stream of a part, as the mixer sees it: its channels, and the links that carry them
/// between its clock and that of the main part.
// Each link has one thread at each end.
final class AggregatePart: Sendable {
  let isMain: Bool
  let inputs: Int
  let outputs: Int
  /// The links from this part to the main part and back. The main part has none.
  let toMain: AggregateLink?
  let fromMain: AggregateLink?
  // The links again, without reference counting.
  let toMainReference: Unmanaged<AggregateLink>?
  let fromMainReference: Unmanaged<AggregateLink>?

  /// [control thread] The main part, whose cycles the aggregate follows.
  init(main: (inputs: Int, outputs: Int)) {
    isMain = true
    (inputs, outputs) = main
    (toMain, fromMain, toMainReference, fromMainReference) = (nil, nil, nil, nil)
  }

  /// [control thread] Links another part with the main part, both as they were opened.
  ///
  /// - Throws: An error if a cycle of one is too long for the rate of the other.
  init(
    _ device: Device, inputs: Int, outputs: Int, main: Device, correctsDrift: Bool
  ) throws(AudioError) {
    isMain = false
    (self.inputs, self.outputs) = (inputs, outputs)
    func link(_ count: Int, from: Device, to: Device) throws(AudioError) -> AggregateLink? {
      guard count > 0 else { return nil }
      return try AggregateLink(
        channelCount: count, from: from, to: to, correctsDrift: correctsDrift)
    }
    toMain = try link(inputs, from: device, to: main)
    fromMain = try link(outputs, from: main, to: device)
    toMainReference = toMain.map { .passUnretained($0) }
    fromMainReference = fromMain.map { .passUnretained($0) }
  }

  /// [any thread] The latency in seconds between this part and the main part.
  func latency(_ direction: StreamDirection) -> Double {
    (direction == .input ? toMain : fromMain)?.latency ?? 0
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

  /// [this part's thread] Passes the input of a cycle to the main part, and fills its output with
  /// what the main part has rendered.
  @_noLocks
  func exchange(_ cycle: DeviceCycle) {
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
}

/// Fills the output of a cycle with the frames that the link carried.
@_noLocks
private func writeLinkedOutput(
  _ cycle: DeviceCycle, _ link: AggregateLink, _ outputs: Int, _ now: UInt64
) {
  guard let output = cycle.output else { return }
  var frame = 0
  while frame < cycle.frameCount {
    let count = min(cycle.frameCount - frame, link.maximumFrames)
    let source = link.read(count, hostTime: link.readingTime(of: frame, since: now))
    for channel in 0..<outputs {
      Samples.copy(source[channel], to: output[channel] + frame, count: count)
    }
    frame += count
  }
}

/// The handler of the cycles of a part. It holds what its cycles use, and nothing of that holds it.
// The part is set once, before the first cycle.
final class AggregatePartHandler: CycleHandler, @unchecked Sendable {
  private let mixer: AggregateMixer
  private let mixerReference: Unmanaged<AggregateMixer>
  private var part: AggregatePart?
  private var partReference: Unmanaged<AggregatePart>?
  private let changed: @Sendable (StreamEvent) -> Void

  init(_ mixer: AggregateMixer, changed: @escaping @Sendable (StreamEvent) -> Void) {
    self.mixer = mixer
    mixerReference = .passUnretained(mixer)
    self.changed = changed
  }

  /// [control thread] Sets the part whose cycles it handles, before they begin.
  func use(_ part: AggregatePart) {
    self.part = part
    partReference = .passUnretained(part)
  }

  @_noLocks
  override func render(_ cycle: DeviceCycle) {
    guard let part = partReference else { return cycle.silenceOutput(from: 0) }
    let mixer = mixerReference
    part._withUnsafeGuaranteedRef { part in
      if part.isMain {
        mixer._withUnsafeGuaranteedRef { $0.render(cycle) }
      } else {
        part.exchange(cycle)
      }
    }
  }

  override func streamChanged(_ event: StreamEvent) {
    switch event {
    case .lost, .ended: changed(.lost(reason: "one of its parts is gone"))
    case .moved where part?.isMain != true: break
    case .moved: changed(.lost(reason: "its main part runs differently"))
    case .inputEnded: changed(event)
    }
  }
}
