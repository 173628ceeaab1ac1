// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel

/// Completions that depend on the machine, such as devices.
enum DynamicCompletions {
  /// The words of a kind; the caller filters out those that do not begin with `text`.
  static func words(_ kind: String, _ text: String) -> [String] {
    switch kind {
    case "unit":
      UnitComponent.all().flatMap(\.words)
    case "settings": UnitSpec.completions(text)
    case "device": HardwareObject.all.compactMap(\.uid)
    case "aggregate": AggregateReport.all.map(\.uid)
    case "code": ExplainCommand.names
    case "type": CodeNames.typeNames
    default: []
    }
  }
}
