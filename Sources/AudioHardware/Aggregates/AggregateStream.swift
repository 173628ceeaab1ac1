// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// The stream of an aggregate device, made of a stream for each part. It runs in the cycles of the
/// main part; links carry the input and output of the other parts to its clock and back.
final class AggregateStream: DeviceStream {
  /// The stream of a part, in one direction, or in both directions on one clock.
  private struct PartStream: Sendable {
    let stream: any DeviceStream
    let part: AggregatePart
  }

  /// An opened stream, and what it was opened for.
  private struct Opened {
    var stream: any DeviceStream
    var handler: AggregatePartHandler
    var inputs: Int
    var outputs: Int
    var isMain: Bool
    var correctsDrift: Bool
  }

  let device: Device
  private let main: PartStream
  private let others: [PartStream]

  /// [control thread] Opens all parts. `parts` lists those that are present, the main one first.
  init(
    _ device: Device, _ parts: [(device: Device, correctsDrift: Bool)], isStacked: Bool,
    order: [String], _ request: StreamRequest, _ handler: CycleHandler,
    in environment: DeviceEnvironment
  ) throws(AudioError) {
    let mixer = AggregateMixer(handler)
    let opened = try Self.open(parts, order: order, request, mixer, environment) {
      handler.streamChanged($0)
    }
    guard let leader = opened.first(where: \.isMain) else {
      throw .failedInitialization.because("\(device.uid): its main part has no stream to follow")
    }
    // Only now are the rates and cycle sizes certain.
    var device = device
    let clock = leader.stream.device
    (device.sampleRate, device.cycleFrames) = (clock.sampleRate, clock.cycleFrames)
    self.device = device
    let mainPart = AggregatePart(main: (leader.inputs, leader.outputs))
    let streams = try opened.map { (it) throws(AudioError) in
      let part =
        it.isMain
        ? mainPart
        : try AggregatePart(
          it.stream.device, inputs: it.inputs, outputs: it.outputs, main: clock,
          correctsDrift: it.correctsDrift)
      it.handler.use(part)
      return PartStream(stream: it.stream, part: part)
    }
    main = PartStream(stream: leader.stream, part: mainPart)
    others = streams.filter { !$0.part.isMain }
    mixer.prepare(
      streams.map(\.part), isStacked: isStacked, frames: clock.callFrames,
      sampleRate: clock.sampleRate)
  }

  /// Opens a stream for each part, or two for a part with two clocks. The first stream of the main
  /// part drives the cycles.
  private static func open(
    _ parts: [(device: Device, correctsDrift: Bool)], order: [String], _ request: StreamRequest,
    _ mixer: AggregateMixer, _ environment: DeviceEnvironment,
    changed: @escaping @Sendable (StreamEvent) -> Void
  ) throws(AudioError) -> [Opened] {
    var opened: [Opened] = []
    for uid in order {
      guard let part = parts.first(where: { $0.device.uid == uid }) else { continue }
      let endpoints: [(input: Bool, output: Bool)] =
        part.device.hasOneClock ? [(true, true)] : [(false, true), (true, false)]
      for endpoint in endpoints {
        let inputs = endpoint.input && request.usesInput ? part.device.inputChannelCount : 0
        let outputs = endpoint.output && request.usesOutput ? part.device.outputChannelCount : 0
        guard inputs > 0 || outputs > 0 else { continue }
        let handler = AggregatePartHandler(mixer, changed: changed)
        let stream = try open(
          part.device, inputs > 0, outputs > 0, request, handler, environment)
        opened.append(
          Opened(
            stream: stream, handler: handler, inputs: inputs, outputs: outputs,
            isMain: uid == parts[0].device.uid && !opened.contains(where: \.isMain),
            correctsDrift: part.correctsDrift))
      }
    }
    return opened
  }

  private static func open(
    _ device: Device, _ input: Bool, _ output: Bool, _ request: StreamRequest,
    _ partHandler: AggregatePartHandler, _ environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    var own = request
    own.uid = device.uid
    own.usesInput = input
    own.usesOutput = output
    own.isPinned = true
    own.keepsRate = true
    return try Backends.named(device.backend, in: environment).open(
      own, partHandler, in: DeviceRequests.environment(for: device, in: environment))
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
    return others.map { $0.stream.latency(direction) + $0.part.latency(direction) }
      .reduce(own) { max($0, $1) }
  }

  var xrunCount: Int { ([main] + others).reduce(0) { $0 + $1.stream.xrunCount } }
  var stallLimit: Double? { main.stream.stallLimit }
  var scheduling: ThreadScheduling? { main.stream.scheduling }
}
