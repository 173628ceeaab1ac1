// SPDX-License-Identifier: Apache-2.0
@testable package import AudioDevices
import AudioSupport
import CRealTime
import Synchronization

/// A machine with a loudspeaker whose devices a test plugs in and out: each test has its own, with
/// preferences of its own by which the back end knows it.
package final class SwitchedMachine: Sendable {
  package static let loudspeaker = "switched:loudspeaker"
  package static let microphone = "switched:microphone"
  /// A loudspeaker with six channels.
  package static let surround = "switched:surround"

  package let preferences = DevicePreferences()
  private let uids: Guarded<[String]>
  private let handlers = Guarded<[Weak]>([])

  private struct Weak {
    weak var handler: CycleHandler?
  }

  package init(_ uids: [String] = [SwitchedMachine.loudspeaker]) {
    self.uids = Guarded(uids)
    _ = SwitchedBackend.registered
    SwitchedBackend.machines.withLock { $0.append(self) }
  }

  /// The environment of a program on this machine, which may name a device.
  package func environment(_ device: String = "switched") -> DeviceEnvironment {
    var environment = DeviceEnvironment()
    environment.device = DeviceName(device)
    environment.cycleFrames = 240
    environment.preferences = preferences
    return environment
  }

  /// Runs `body` as a program on this machine.
  package func use(_ device: String = "switched", _ body: () throws -> Void) throws {
    try DeviceContext(environment(device), preferences: preferences).use(body)
    SwitchedBackend.machines.withLock { $0.removeAll { $0 === self } }
  }

  /// Plugs devices in or out, and reports the change.
  package func plug(_ uids: [String]) {
    self.uids.withLock { $0 = uids }
    for observer in SwitchedBackend.observers.withLock({ $0.copied() }) { observer() }
  }

  /// Has all streams of the machine lost.
  package func loseStreams() {
    let handlers = handlers.withLock { handlers in
      defer { handlers = [] }
      return handlers.copied()
    }
    for weak in handlers { weak.handler?.streamChanged(.lost(reason: "a test")) }
  }

  fileprivate func opened(_ handler: CycleHandler) {
    handlers.withLock { $0.append(Weak(handler: handler)) }
  }

  fileprivate func devices(in environment: DeviceEnvironment) -> [Device] {
    uids.withLock { $0.copied() }.map { uid in
      let captures = uid.hasSuffix("microphone")
      var device = Device(
        clockedBy: environment, backend: SwitchedBackend.name, uid: uid, name: uid,
        inputChannelCount: captures ? 2 : 0)
      device.outputChannelCount = captures ? 0 : uid == Self.surround ? 6 : 2
      device.isDefaultInput = captures
      device.isDefaultOutput = !captures
      return device
    }
  }
}

/// The back end of all switched machines.
final class SwitchedBackend: DeviceBackend {
  static let name = "switched"
  static let isChosenByDefault = false
  static let registered: Void = Backends.add(SwitchedBackend.self)
  static let machines = Guarded<[SwitchedMachine]>([])
  static let observers = Guarded<[@Sendable () -> Void]>([])

  init(in environment: DeviceEnvironment) {}

  private func machine(_ environment: DeviceEnvironment) throws(AudioError) -> SwitchedMachine {
    let machine = Self.machines.withLock { machines in
      machines.first { $0.preferences == environment.preferences }
    }
    guard let machine else { throw .failedInitialization.because("there is no machine") }
    return machine
  }

  func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    try machine(environment).devices(in: environment)
  }

  func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    let machine = try machine(environment)
    let devices = try RequestedDevices(
      request.uid, among: machine.devices(in: environment), preferring: environment.preferences)
    guard let device = devices.device(input: request.usesInput, output: request.usesOutput),
      !request.usesInput || device.inputChannelCount > 0
    else { throw .failedInitialization.because("there is no such device") }
    machine.opened(handler)
    return SwitchedStream(
      try ClockedStream(request, device, environment, handler) { SwitchedTransport() })
  }

  func observeDevices(_ observer: @escaping @Sendable () -> Void) -> AnyObject? {
    Self.observers.withLock { $0.append(observer) }
    return nil
  }
}

/// A clocked stream that a watchdog watches.
private final class SwitchedStream: DeviceStream {
  private let stream: ClockedStream<SwitchedTransport>

  init(_ stream: ClockedStream<SwitchedTransport>) { self.stream = stream }

  var device: Device { stream.device }
  func start() throws(AudioError) { try stream.start() }
  func stop() { stream.stop() }
  func latency(_ direction: StreamDirection) -> Double { 0 }
  var xrunCount: Int { 0 }
  var stallLimit: Double? { 1_000 }
  var scheduling: ThreadScheduling? { nil }
}

/// An input that is always 0.5.
private final class SwitchedTransport: CycleTransport {
  func begin(_ handler: CycleHandler) {}
  func fill(_ input: CycleBuffers) -> Bool {
    for channel in 0..<input.channelCount {
      input.channels[channel].update(repeating: 0.5, count: input.frameCount)
    }
    return true
  }
  func write(_ output: CycleBuffers) -> Bool { true }
  func end() {}
  func willEnd() {}
  var ownsCurrentThread: Bool { false }
}
