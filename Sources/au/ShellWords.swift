// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import AudioUnitCore
import ToneModel

/// Completions that depend on the machine, such as devices.
enum ShellWords {
  /// The words of a kind; those that do not begin as the text does are left out by who asks.
  static func words(_ kind: String, _ text: String) -> [String] {
    switch kind {
    case "unit":
      Library.components.all().flatMap(\.words)
    case "settings": UnitSpec.words(text)
    case "device":
      // Asked for as objects, so that those which are made of others are among them.
      HardwareObject.all.isEmpty ? [] : Backends.survey().flatMap { $0.devices.map(\.uid) }
    case "aggregate": AggregateSheet.all.map(\.uid)
    case "code": ExplainCommand.names
    case "type": Words.typeNames
    default: []
    }
  }
}
