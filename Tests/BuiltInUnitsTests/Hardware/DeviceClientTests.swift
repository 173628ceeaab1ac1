// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
@testable import AudioHardware
import AudioSupport
import AudioTestSupport
import CRealTime
import Synchronization
import Testing

@Suite("Device client")
struct DeviceClientTests {
  /// What the engines of an owner count, for as long as the owner lives.
  private final class Counts: Sendable {
    let cycles = Atomic(0)
    let wrongTimes = Atomic(0)
    let resumed = Atomic(0)
    let engines = Atomic(0)
  }

  private final class Engine: CycleEngine, @unchecked Sendable {
    let counts: Counts
    var lastSample = -1.0
    var lastHost: UInt64 = 0

    init(_ shape: CycleShape, _ counts: Counts) {
      self.counts = counts
      super.init(shape)
      counts.engines.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { counts.engines.wrappingSubtract(1, ordering: .relaxed) }

    override func render(_ cycle: inout ClientCycle) {
      let whole = cycle.cycle
      if whole.sampleTime <= lastSample || whole.hostTime <= lastHost {
        counts.wrongTimes.wrappingAdd(1, ordering: .relaxed)
      }
      (lastSample, lastHost) = (whole.sampleTime, whole.hostTime)
      var frames = 0
      while true {
        let slice = cycle.next(upTo: 100)
        guard slice.frameCount > 0 else { break }
        if slice.frame != frames || slice.frameCount > 100 {
          counts.wrongTimes.wrappingAdd(1, ordering: .relaxed)
        }
        frames += slice.frameCount
      }
      if frames != whole.frameCount { counts.wrongTimes.wrappingAdd(1, ordering: .relaxed) }
      counts.cycles.wrappingAdd(1, ordering: .relaxed)
    }

    override func resume(from other: CycleEngine) {
      guard let other = other as? Engine else { return }
      (lastSample, lastHost) = (other.lastSample, other.lastHost)
      counts.resumed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private final class Owner: DeviceClientOwner {
    let client = DeviceClient()
    let counts = Counts()
    let changes = Guarded<[DeviceClientChange]>([])

    init() { client.owner = self }

    func start(_ machine: SwitchedMachine, _ policy: DevicePolicy = .followsDefault) throws {
      try client.start(
        DeviceClientRequest(
          policy, usesInput: false, usesOutput: true, title: "a test",
          environment: machine.environment()))
    }

    func directions(on device: Device, of request: DeviceClientRequest) throws(AudioError) -> (
      input: Bool, output: Bool
    ) {
      guard device.outputChannelCount > 0 else { throw .failedInitialization }
      return (false, true)
    }

    func makeEngine(for connection: DeviceConnection) -> CycleEngine {
      Engine(connection.shape, counts)
    }

    func clientChanged(_ change: DeviceClientChange) { changes.withLock { $0.append(change) } }

    var cycleCount: Int { counts.cycles.load(ordering: .relaxed) }

    func plays() -> Bool {
      let count = cycleCount
      return wait { self.cycleCount > count + 3 }
    }
  }

  @Test("is closed, running, interrupted, running, closed; and its times never go back")
  func states() throws {
    let (machine, owner) = (SwitchedMachine(), Owner())
    try machine.use {
      #expect(owner.client.state == .closed)
      try owner.start(machine)
      #expect(owner.client.state == .running)
      #expect(owner.plays())
      machine.plug([])
      machine.loseStreams()
      #expect(wait { owner.client.interruption?.contains("there is no device") ?? false })
      guard case .interrupted(_, let since) = owner.client.state else {
        Issue.record("\(owner.client.state)")
        return
      }
      #expect(since > 0 && since <= rt_host_time())
      #expect(owner.client.isRunning)
      machine.plug([SwitchedMachine.loudspeaker])
      #expect(owner.plays())
      #expect(owner.client.state == .running)
      owner.client.stop()
      #expect(owner.client.state == .closed)
      let count = owner.cycleCount
      #expect(!owner.client.isRunning && owner.client.connection == nil)
      #expect(owner.counts.resumed.load(ordering: .relaxed) == 1)
      #expect(owner.counts.wrongTimes.load(ordering: .relaxed) == 0)
      #expect(owner.cycleCount == count)
      #expect(wait { owner.changes.withLock { $0.count } == 2 })
      #expect(owner.changes.withLock { $0.first } == .interrupted)
    }
  }

  @Test("is stopped when its stream ends by itself, and can be started again")
  func ends() throws {
    let (machine, owner) = (SwitchedMachine(), Owner())
    try machine.use {
      try owner.start(machine)
      let handler = try #require(owner.client.connection?.handler)
      handler.streamChanged(.ended(reason: "a test"))
      #expect(wait { owner.client.state == .stopped(reason: "a test") })
      #expect(wait { owner.changes.withLock { $0 } == [.stopped] })
      try owner.start(machine)
      #expect(owner.plays())
      owner.client.stop()
    }
  }

  @Test("moves with the default device, and does not if it is pinned", arguments: [false, true])
  func moves(isPinned: Bool) throws {
    let other = "switched:headphones"
    let (machine, owner) = (SwitchedMachine([SwitchedMachine.loudspeaker, other]), Owner())
    try machine.use {
      let id = try #require(DeviceList.id(ofUID: SwitchedMachine.loudspeaker))
      try owner.start(machine, isPinned ? .pinned(id) : .followsDefault)
      machine.plug([other, SwitchedMachine.loudspeaker])
      let target = isPinned ? SwitchedMachine.loudspeaker : other
      #expect(wait { owner.client.connection?.device.uid == target })
      #expect(owner.plays())
      #expect(owner.client.connection?.device.uid == target)
      owner.client.stop()
    }
  }

  @Test("refuses a device that its owner cannot use, and is closed then")
  func refuses() throws {
    let (machine, owner) = (SwitchedMachine([SwitchedMachine.microphone]), Owner())
    try machine.use {
      #expect(throws: AudioError.self) { try owner.start(machine) }
      #expect(owner.client.state == .closed && !owner.client.isRunning)
    }
  }

  @Test("releases old engines while its cycles run, and all of them at the end")
  func engines() throws {
    let (machine, owner) = (SwitchedMachine(), Owner())
    try machine.use {
      try owner.start(machine)
      for _ in 0..<50 { owner.client.replaceEngine() }
      #expect(owner.plays())
      owner.client.waitForOldEngines()
      #expect(owner.counts.engines.load(ordering: .relaxed) <= 2)
      #expect(owner.counts.wrongTimes.load(ordering: .relaxed) == 0)
      owner.client.stop()
      #expect(wait { owner.counts.engines.load(ordering: .relaxed) == 0 })
    }
  }

  @Test("reopens its stream on request")
  func reopens() throws {
    let (machine, owner) = (SwitchedMachine(), Owner())
    try machine.use {
      try owner.start(machine)
      let first = try #require(owner.client.connection?.handler)
      owner.client.reopen("a test")
      #expect(owner.client.state == .running)
      #expect(owner.client.connection?.handler !== first)
      #expect(owner.plays())
      owner.client.stop()
      owner.client.reopen("a test")
      #expect(owner.client.state == .closed)
    }
  }
}
