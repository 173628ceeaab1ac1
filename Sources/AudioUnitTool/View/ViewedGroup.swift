// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel
import UnitTexts

/// Parameters that a view shows together: those of a group of the unit, or of one of its inputs or outputs.
struct ViewedGroup {
  /// Nil: there is only one group.
  let name: String?
  let parameters: [ViewedParameter]

  /// So many inputs and outputs are shown.
  private static let longestList: UInt32 = 64

  /// [control thread] The groups of a unit with the parameters that people see, in their order.
  static func all(of unit: AudioUnit) -> [ViewedGroup] {
    var groups = clumps(of: unit, kAudioUnitScope_Global, 0, title: nil)
    for (scope, name) in [(kAudioUnitScope_Input, "Input"), (kAudioUnitScope_Output, "Output")] {
      for element in 0..<min(unit.elementCount(scope), longestList) {
        groups += clumps(of: unit, scope, element, title: "\(name) \(element)")
      }
    }
    guard groups.count == 1 else { return groups }
    return [ViewedGroup(name: nil, parameters: groups[0].parameters)]
  }

  private static func clumps(
    of unit: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement, title: String?
  ) -> [ViewedGroup] {
    let all = unit.parameterDescriptions(scope).filter {
      $0.isReadable && !$0.info.flags.contains(.flag_ExpertMode)
    }
    let numbers = all.reduce(into: [UInt32]()) { numbers, parameter in
      if !numbers.contains(parameter.clump) { numbers.append(parameter.clump) }
    }
    return numbers.map { number in
      let clump = number == 0 ? nil : unit.clumpName(number, scope) ?? "Group \(number)"
      let words = [title, clump].compactMap { $0 }
      return ViewedGroup(
        name: words.isEmpty ? "Parameters" : words.joined(separator: ", "),
        parameters: all.filter { $0.clump == number }.map {
          ViewedParameter(unit: unit, about: $0, scope: scope, element: element)
        })
    }
  }
}

extension ParameterDescription {
  /// The group of the parameter; 0: none.
  fileprivate var clump: UInt32 {
    info.flags.contains(.flag_HasClump) ? info.clumpID : 0
  }
}
