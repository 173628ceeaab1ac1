// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

/// Devices made of other devices, as a back end beside those that reach real ones: code that plays
/// to a device can also play to an aggregate.
final class AggregateBackend: DeviceBackend {
  static let name = "aggregate"
  static let isChosenByDefault = false

  /// Registers the back end, once.
  static let registered: Void = Backends.add(AggregateBackend.self)

  init(in environment: DeviceEnvironment) {}

  /// The UID of an aggregate as a device.
  static func uid(_ uid: String) -> String { "\(name):\(uid)" }

  /// The aggregate that a device represents. Nil for other devices.
  static func aggregate(_ device: Device) -> Aggregate? {
    guard device.backend == name, let uid = DeviceName(device.uid).device else { return nil }
    return AggregateList.find(uid)
  }

  func devices(in environment: DeviceEnvironment) -> [Device] {
    AggregateList.all.compactMap { aggregate in
      let parts = Self.parts(of: aggregate, in: environment)
      return parts.isEmpty ? nil : Self.device(aggregate, parts)
    }
  }

  func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    guard let uid = request.uid.flatMap({ DeviceName($0).device }),
      let aggregate = AggregateList.find(uid)
    else {
      let names = AggregateList.all.map { Self.uid($0.uid) }.joined(separator: ", ")
      throw .failedInitialization.because(
        "there is no device \"\(request.uid ?? "")\"; there is \(names.isEmpty ? "none" : names)")
    }
    let parts = Self.parts(of: aggregate, in: environment)
    let device = Self.device(aggregate, parts)
    guard !parts.isEmpty else {
      throw .failedInitialization.because("no part of \(device.uid) is available")
    }
    return try AggregateStream(
      device, parts, isStacked: aggregate.isStacked, order: aggregate.parts.map(\.uid), request,
      handler, in: environment)
  }

  /// [control thread] Reports the changes that the back ends of the parts report.
  func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    let backends = Set(AggregateList.all.flatMap { $0.parts.map { DeviceName($0.uid).backend } })
    return Tokens(
      list: backends.filter { $0 != Self.name }.compactMap { Backends.observe($0, observer) })
  }

  private final class Tokens {
    let list: [AnyObject]
    init(list: [AnyObject]) { self.list = list }
  }

  /// The parts that are present, the main one first, in the environment of the program.
  static func parts(of aggregate: Aggregate) -> [(device: Device, correctsDrift: Bool)] {
    guard let environment = try? DeviceEnvironment.current() else { return [] }
    return parts(of: aggregate, in: environment)
  }

  /// The parts that are present, the main one first. An aggregate never contains another one.
  static func parts(of aggregate: Aggregate, in environment: DeviceEnvironment)
    -> [(device: Device, correctsDrift: Bool)]
  {
    let present = aggregate.parts.compactMap { part -> (device: Device, correctsDrift: Bool)? in
      let backend = DeviceName(part.uid).backend
      guard backend != name,
        let device = DeviceCache.devices(of: backend, in: environment).first(where: {
          $0.uid == part.uid
        })
      else { return nil }
      return (device, part.correctsDrift)
    }
    return present.filter { $0.device.uid == aggregate.mainUID }
      + present.filter { $0.device.uid != aggregate.mainUID }
  }

  private static func device(
    _ aggregate: Aggregate, _ parts: [(device: Device, correctsDrift: Bool)]
  ) -> Device {
    let ordered = aggregate.parts.compactMap { part in
      parts.first { $0.device.uid == part.uid }?.device
    }
    let main = parts.first?.device
    let inputs = ordered.map(\.inputChannelCount).filter { $0 > 0 }
    var outputs = ordered.map(\.outputChannelCount).filter { $0 > 0 }
    if aggregate.isStacked { outputs = outputs.max().map { [$0] } ?? [] }
    let rate = main?.sampleRate ?? 48_000
    let frames = main?.cycleFrames ?? 512
    var device = Device(
      backend: name, uid: uid(aggregate.uid), name: aggregate.name,
      inputChannelCount: inputs.reduce(0, +), outputChannelCount: outputs.reduce(0, +),
      sampleRate: rate, sampleRates: main?.sampleRates ?? rate...rate, cycleFrames: frames,
      cycleFramesRange: main?.cycleFramesRange ?? frames...frames, isDefaultInput: false,
      isDefaultOutput: false)
    device.details.parts = aggregate.parts.map(\.uid)
    device.details.inputStreams = inputs
    device.details.outputStreams = outputs
    device.details.isRunning = parts.contains { $0.device.details.isRunning ?? false }
    return device
  }
}
