// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox
import Testing

@Suite("The elements of a unit")
struct ElementListTests {
  private let parts = Parts()
  private let input = kAudioUnitScope_Input
  private let output = kAudioUnitScope_Output

  private func status(_ body: () throws(AudioError) -> Void) -> OSStatus {
    do throws(AudioError) { try body() } catch { return error.status }
    return noErr
  }

  @Test("an element is found by scope and number; the global one by any number")
  func find() throws {
    #expect(try parts.elements.element(input, 1).index == 1)
    #expect(try parts.elements.element(kAudioUnitScope_Global, 9) === parts.elements.global)
    #expect(
      status { () throws(AudioError) in _ = try parts.elements.element(input, 2) }
        == kAudioUnitErr_InvalidElement)
    #expect(
      status { () throws(AudioError) in _ = try parts.elements.element(kAudioUnitScope_Part, 0) }
        == kAudioUnitErr_InvalidScope)
  }

  @Test("new elements get the format of the last; removed ones are returned, the others stay")
  func count() throws {
    let mono = StreamFormat(sampleRate: 22_050, channelCount: 1)
    let old = parts.elements.inputs
    old[1].format = mono
    let added = parts.elements.setCount(input, 4)
    #expect(added.isEmpty)
    #expect(parts.elements.inputs.map(\.index) == [0, 1, 2, 3])
    #expect(parts.elements.inputs[3].format == mono)
    #expect(parts.elements.inputs[0] === old[0])
    let removed = parts.elements.setCount(input, 1)
    #expect(removed.map(\.index) == [1, 2, 3])
    #expect(removed.first === old[1])
    #expect(parts.elements.inputs.count == 1)
    #expect(parts.elements.outputs.count == 1)
    let last = parts.elements.setCount(output, 0)
    #expect(last.count == 1)
    #expect(parts.elements.outputs.isEmpty)
  }

  @Test("threads without a lock find the elements of the table that was published last")
  func publish() {
    func exists(_ element: UInt32) -> Bool {
      if case .slot = parts.side.pointee.locate(5, input, element) { true } else { false }
    }
    _ = parts.elements.setCount(input, 3)
    #expect(!exists(2))
    parts.side.pointee.elements.publish(parts.elements.makeTable(), isQuiet: { true })
    #expect(exists(2))
    #expect(!exists(3))
  }

  @Test("a matrix is laid out once for the same channels, and keeps its values when they change")
  func matrix() throws {
    let definitions: [ParameterDefinition] = [
      .init(id: 0, spec: .init("volume", .linearGain, 0...1, default: 1)),
      .init(id: 1, spec: .init("enable", .boolean, 0...1, default: 1)),
    ]
    let parts = Parts(definitions, inputs: 1, StreamFormat(sampleRate: 48_000, channelCount: 2))
    let changes = [parts.elements.layOutMatrix(), parts.elements.layOutMatrix()]
    #expect(changes == [true, false])
    func slot(_ crosspoint: UInt32) throws -> Int {
      let location = parts.elements.matrix?.locate(0, kAudioUnitScope_Global, crosspoint)
      guard case .slot(let slot)? = location else { throw AudioError.invalidElement }
      return slot
    }
    parts.elements.global.parameters.set(try slot(1 << 16 | 1), to: 0.25)
    parts.elements.global.name = "desk"
    parts.elements.inputs[0].format = StreamFormat(sampleRate: 48_000, channelCount: 5)
    let isChanged = parts.elements.layOutMatrix()
    #expect(isChanged)
    #expect(parts.elements.matrix?.inputs == 5)
    #expect(parts.elements.global.parameters.value(try slot(1 << 16 | 1)) == 0.25)
    #expect(parts.elements.global.name == "desk")
  }

  @Test("a bus drops a channel layout that does not fit its new format")
  func layout() throws {
    let bus = parts.elements.outputs[0]
    bus.setFormat(StreamFormat(sampleRate: 48_000, channelCount: 2))
    var stereo = AudioChannelLayout()
    stereo.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    try withUnsafeBytes(of: stereo) { try bus.setLayout($0) }
    #expect(bus.layout != nil)
    bus.setFormat(StreamFormat(sampleRate: 96_000, channelCount: 2))
    #expect(bus.layout != nil)
    bus.setFormat(StreamFormat(sampleRate: 96_000, channelCount: 1))
    #expect(bus.layout == nil)
    let refused = withUnsafeBytes(of: stereo) { bytes in
      status { () throws(AudioError) in try bus.setLayout(bytes) }
    }
    #expect(refused == kAudioUnitErr_InvalidPropertyValue)
  }
}
