// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox
import Testing

@Suite("The parameters of a unit, as hosts see them")
struct ParameterListTests {
  private let list = ParameterList(Parts.definitions)
  private let global = kAudioUnitScope_Global

  private func error(_ body: () throws(AudioError) -> Void) -> AudioError? {
    do throws(AudioError) { try body() } catch { return error }
    return nil
  }

  @Test("each scope has its own")
  func scopes() {
    #expect(list.of(global).map(\.id) == [0, 1, 2])
    #expect(list.of(kAudioUnitScope_Input).map(\.id) == [5])
    #expect(list.of(kAudioUnitScope_Output).map(\.id) == [5])
    #expect(list.of(kAudioUnitScope_Group).isEmpty)
  }

  @Test("a parameter is found on its scopes only")
  func find() throws {
    #expect(try list.parameter(2, global).spec.name == "choice")
    for (id, scope) in [(5, global), (0, kAudioUnitScope_Input), (9, global)] {
      let error = error { () throws(AudioError) in _ = try list.parameter(UInt32(id), scope) }
      #expect(error?.status == kAudioUnitErr_InvalidParameter)
    }
  }

  @Test("a group has a name; the error of another number lists the groups")
  func clumps() throws {
    #expect(list.hasClumps)
    #expect(try list.clump(4, global).name == "Choices")
    let error = error { () throws(AudioError) in _ = try list.clump(3, global) }
    #expect(error?.status == kAudioUnitErr_InvalidPropertyValue)
    #expect(error?.explanation.contains("there are 4") == true)
    #expect(!ParameterList(Array(Parts.definitions.prefix(2))).hasClumps)
  }

  @Test("values and their names are converted both ways; hostile numbers have no name")
  func names() throws {
    let spec = try list.parameter(2, global).spec
    #expect([1, 2, 3, 2.4].map { spec.valueName($0) } == ["A", "B", "C", "B"])
    for value in [0, 4, .nan, .infinity, -.infinity, .greatestFiniteMagnitude] as [Float] {
      #expect(spec.valueName(value) == nil)
    }
    #expect(try spec.value(of: "C") == 3)
    #expect(try spec.value(of: "2.5") == 2.5)
    for text in ["D", "", "9", "nan", "inf"] {
      let error = error { () throws(AudioError) in _ = try spec.value(of: text) }
      #expect(error?.status == kAudioUnitErr_InvalidPropertyValue)
      #expect(error?.explanation.contains("A, B, C") == true)
    }
  }
}

@Suite("Setting parameters without a lock")
struct ParameterControlTests {
  private let parts = Parts()
  private let level = ParameterAddress(0, kAudioUnitScope_Global, 0)
  private var control: ParameterControl { ParameterControl(parts.side) }

  private func status(_ body: () throws(AudioError) -> Void) -> OSStatus {
    do throws(AudioError) { try body() } catch { return error.status }
    return noErr
  }

  private func set(_ address: ParameterAddress, _ value: Float, offset: UInt32 = 0) -> OSStatus {
    status { () throws(AudioError) in try control.set(address, to: value, offset: offset) }
  }

  @Test("a value outside the range is read back as it was set, and marks the values as changed")
  func value() throws {
    parts.side.pointee.pending.lower(.values)
    #expect(set(level, 3) == noErr)
    #expect(try control.value(level) == 3)
    #expect(parts.side.pointee.pending.has(.values))
  }

  @Test(
    "a wrong address, a read-only parameter and a value that is no number have different errors")
  func refusals() {
    #expect(set(ParameterAddress(0, kAudioUnitScope_Part, 0), 1) == kAudioUnitErr_InvalidScope)
    #expect(set(ParameterAddress(5, kAudioUnitScope_Input, 2), 1) == kAudioUnitErr_InvalidElement)
    #expect(
      set(ParameterAddress(9, kAudioUnitScope_Global, 0), 1) == kAudioUnitErr_InvalidParameter)
    #expect(
      set(ParameterAddress(1, kAudioUnitScope_Global, 0), 1) == kAudioUnitErr_InvalidParameter)
    for value in [.nan, .infinity, -.infinity] as [Float] {
      #expect(set(level, value) == kAudioUnitErr_InvalidParameterValue)
    }
    #expect(set(level, 1, offset: 1 << 30) == noErr)
  }

  @Test("a change at an offset waits while the unit can render, and is immediate otherwise")
  func offset() throws {
    #expect(set(level, 0.25, offset: 10) == noErr)
    #expect(try control.value(level) == 0.25)
    parts.side.pointee.pending.lower(.notReady)
    #expect(set(level, 1, offset: 10) == noErr)
    #expect(try control.value(level) == 0.25)
    #expect(parts.side.pointee.pending.has(.events))
    let change = parts.side.pointee.events.pointee.pop()
    #expect(change?.offset == 10)
    #expect(change?.to == 1)
    #expect(set(level, 1, offset: 1 << 30) == kAudio_ParamError)
  }

  @Test("when the queue is full, a change at an offset is immediate and a scheduled one refused")
  func fullQueue() throws {
    parts.side.pointee.pending.lower(.notReady)
    for _ in 0..<parts.side.pointee.events.pointee.capacity { _ = set(level, 0, offset: 1) }
    #expect(set(level, 0.75, offset: 1) == noErr)
    #expect(try control.value(level) == 0.75)
    var event = AudioUnitParameterEvent()
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.durationInFrames = 4
    let refused = status { () throws(AudioError) in
      let events = [event]
      try events.withUnsafeBufferPointer { (all) throws(AudioError) in try control.schedule(all) }
    }
    #expect(refused == kAudioUnitErr_CannotDoInCurrentContext)
  }
}
