// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Output unit in both directions, whose microphone comes and goes")
struct InputLossTests {
  /// What the callback of a unit last captured, and how often it was called.
  private final class Input: Sendable {
    let sample = Atomic<UInt32>(0)
    let calls = Atomic(0)

    var isSilent: Bool { Float(bitPattern: sample.load(ordering: .relaxed)) == 0 }
    var callCount: Int { calls.load(ordering: .relaxed) }
  }

  /// Runs a duplex unit on a machine while `body` runs.
  private func run(
    _ machine: SwitchedMachine, device: String = "switched",
    _ body: (HostedUnit, Input) throws -> Void
  ) throws {
    try machine.use(device) {
      let unit = try HostedUnit()
      try unit.enable(input: true)
      let (box, input) = (UnitBox(), Input())
      box.set(unit.handle)
      try unit.setCallback(
        HostCallback { moment in
          guard let list = moment.list else { return -1 }
          let status = AudioUnitRender(
            box.handle, moment.flags, moment.time, 1, UInt32(moment.frames), list)
          let sample = moment.buffers?.first?.mData?.assumingMemoryBound(to: Float.self)[0] ?? -1
          input.sample.store(sample.bitPattern, ordering: .relaxed)
          input.calls.wrappingAdd(1, ordering: .relaxed)
          return status
        })
      try unit.initialize()
      try unit.start()
      try body(unit, input)
      #expect(try unit.isRunning)
      #expect(try unit.lastRenderError == noErr)
      try unit.stop()
    }
  }

  /// Whether the unit plays on, with or without an input.
  private func plays(_ input: Input, silent: Bool) -> Bool {
    let count = input.callCount
    return wait { input.isSilent == silent && input.callCount > count + 10 }
  }

  private let both = [SwitchedMachine.loudspeaker, SwitchedMachine.microphone]

  @Test("plays on without an input, and gets it again when it is back", arguments: [false, true])
  func disappears(isLost: Bool) throws {
    let machine = SwitchedMachine(both)
    try run(machine) { _, input in
      for _ in 0..<2 {
        #expect(plays(input, silent: false))
        machine.plug([SwitchedMachine.loudspeaker])
        if isLost { machine.loseStreams() }
        #expect(plays(input, silent: true))
        machine.plug(both)
      }
      #expect(plays(input, silent: false))
    }
  }

  @Test("plays on when the microphone that was named disappears")
  func namedDisappears() throws {
    let machine = SwitchedMachine(both)
    try run(machine, device: "switched:loudspeaker+microphone") { _, input in
      #expect(plays(input, silent: false))
      machine.plug([SwitchedMachine.loudspeaker])
      machine.loseStreams()
      #expect(plays(input, silent: true))
      machine.plug(both)
      #expect(plays(input, silent: false))
    }
  }

  @Test("gets an input that appears after its start")
  func appears() throws {
    let machine = SwitchedMachine()
    try run(machine) { _, input in
      #expect(plays(input, silent: true))
      machine.plug(both)
      #expect(plays(input, silent: false))
    }
  }

  @Test("waits while its output is gone")
  func outputDisappears() throws {
    let machine = SwitchedMachine(both)
    try run(machine) { _, input in
      #expect(plays(input, silent: false))
      machine.plug([SwitchedMachine.microphone])
      machine.loseStreams()
      usleep(300_000)
      let count = input.callCount
      usleep(300_000)
      #expect(input.callCount == count)
      machine.plug(both)
      #expect(plays(input, silent: false))
    }
  }
}
