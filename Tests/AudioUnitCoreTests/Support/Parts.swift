// SPDX-License-Identifier: Apache-2.0

@testable import AudioSupport
@testable import AudioUnitCore
import CAudioToolbox

/// The memory of a unit for render threads, with elements, but without the unit.
final class Parts {
  let side: UnsafeMutablePointer<RenderSide>
  var elements: ElementList

  /// Parameters on the global scope are 0 (a level), 1 (read-only) and 2 (with named values); on the
  /// inputs and outputs there is 5.
  static let definitions: [ParameterDefinition] = [
    .init(id: 0, spec: .init("level", .linearGain, 0...1, default: 0.5)),
    .init(id: 1, spec: .init("frames", .sampleFrames, 0...100, default: 7, isReadOnly: true)),
    .init(
      id: 2,
      spec: .init("choice", .indexed, 1...3, default: 2, valueNames: ["A", "B", "C"])
        .inClump(4, "Choices")),
    .init(
      id: 5,
      spec: .init("gain", .decibels, -20...20, default: 0)
        .on(kAudioUnitScope_Input, kAudioUnitScope_Output)),
  ]

  init(
    _ definitions: [ParameterDefinition] = Parts.definitions, inputs: Int = 2, outputs: Int = 1,
    _ format: StreamFormat = .standard
  ) {
    (side, elements) = RenderSide.allocate(RenderMailbox.messages) { pending in
      let counts = ElementCounts(inputs: inputs, outputs: outputs)
      let elements = ElementList(definitions, counts, format, pending)
      let tables = RenderSide.Tables(
        sources: SourceTable.allocate([]), notifies: NotifyTable.allocate([]),
        elements: elements.makeTable(), history: RenderHistory.allocate([], frames: 0))
      return (tables, elements)
    }
  }

  deinit { RenderSide.deallocate(side) }
}
