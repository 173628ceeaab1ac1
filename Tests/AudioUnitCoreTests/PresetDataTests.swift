// SPDX-License-Identifier: Apache-2.0

@testable import AudioUnitCore
import CAudioToolbox
import Testing

@Suite("The parameter values of a saved state")
struct PresetDataTests {
  /// Two groups, as hexadecimal words.
  private static let words: [UInt32] = [
    0, 0, 2, 7, (0.5 as Float).bitPattern, 9, (-1 as Float).bitPattern,
    1, 3, 1, 2, (100 as Float).bitPattern,
  ]
  private static let bytes = words.flatMap { word in
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  private var data: PresetData {
    var data = PresetData()
    data.append(kAudioUnitScope_Global, 0, [(7, 0.5), (9, -1)])
    data.append(kAudioUnitScope_Output, 0, [])
    data.append(kAudioUnitScope_Input, 3, [(2, 100)])
    return data
  }

  @Test("each group has scope, element, count and pairs, in big-endian words; none makes no group")
  func write() { #expect(data.bytes == Self.bytes) }

  @Test("parsing returns what was written")
  func read() throws {
    let read = try #require(PresetData(Self.bytes))
    #expect(
      read.values.map(\.address) == [
        ParameterAddress(7, kAudioUnitScope_Global, 0),
        ParameterAddress(9, kAudioUnitScope_Global, 0),
        ParameterAddress(2, kAudioUnitScope_Input, 3),
      ])
    #expect(read.values.map(\.value) == [0.5, -1, 100])
    #expect(read.values.map(\.address) == data.values.map(\.address))
    #expect(PresetData([])?.values.isEmpty == true)
  }

  @Test("data that ends in the middle of a group is refused", arguments: 1..<48)
  func incomplete(count: Int) {
    // Of the first group alone.
    #expect((PresetData(Array(Self.bytes.prefix(count))) == nil) == (count != 28))
  }

  @Test("a count that exceeds the data is refused", arguments: [3, 0x7FFF_FFFF, .max] as [UInt32])
  func count(count: UInt32) {
    var bytes = Self.bytes
    for (index, shift) in [24, 16, 8, 0].enumerated() {
      bytes[8 + index] = UInt8(truncatingIfNeeded: count >> UInt32(shift))
    }
    // 3 pairs would end in the middle of the second group.
    #expect(PresetData(bytes) == nil)
  }

  @Test("elements save what presets contain: no read-only values")
  func elements() {
    let parts = Parts()
    parts.elements.global.parameters.set(0, to: 0.75)
    let data = parts.elements.presetData
    #expect(data.values.map(\.address.id) == [0, 2, 5, 5, 5])
    #expect(data.values.map(\.value) == [0.75, 2, 0, 0, 0])
    #expect(
      data.values.map(\.address.scope) == [
        kAudioUnitScope_Global, kAudioUnitScope_Global, kAudioUnitScope_Input,
        kAudioUnitScope_Input, kAudioUnitScope_Output,
      ])
  }

  @Test("names of elements are saved and restored by scope and number")
  func names() {
    let (sourceParts, targetParts) = (Parts(), Parts())
    let (source, target) = (sourceParts.elements, targetParts.elements)
    #expect(source.names.isEmpty)
    source.inputs[1].name = "voice"
    source.outputs[0].name = "main"
    target.inputs[0].name = "own"
    target.setNames(.dictionary(source.names))
    #expect(target.inputs.map(\.name) == ["own", "voice"])
    #expect(target.outputs[0].name == "main")
  }
}
