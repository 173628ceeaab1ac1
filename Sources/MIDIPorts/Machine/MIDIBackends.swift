// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// The back ends that a setup may use.
package struct MIDIBackends: Sendable {
  /// In order of preference.
  let kinds: [MIDIBackendKind]
  /// Whether all are used, or the first that is there.
  let usesAll: Bool

  package init(_ kinds: [MIDIBackendKind], usesAll: Bool) {
    (self.kinds, self.usesAll) = (kinds, usesAll)
  }

  /// All kinds, in the order of the default.
  static var all: [MIDIBackendKind] { [.alsa, .jack] }

  /// No back end: a setup of this process alone.
  package static let none = MIDIBackends([], usesAll: true)

  /// [control thread] What `AUDIOTOOLBOX_MIDI` says. Without it, the first that is there is used.
  package static func chosen(by variable: String?) -> MIDIBackends {
    guard let variable else { return MIDIBackends(all, usesAll: false) }
    let names = variable.split(separator: ",").map { $0.filter { $0 != " " } }
    let kinds = names.compactMap { name in all.first { $0.name == name } }
    for name in names where name != "none" && !kinds.contains(where: { $0.name == name }) {
      let known = all.map(\.name).joined(separator: ", ")
      Explanations.log("AUDIOTOOLBOX_MIDI: no back end \"\(name)\"; expected \(known) or none")
    }
    return MIDIBackends(kinds, usesAll: true)
  }

  /// [control thread] What the environment of the process says.
  static var ofEnvironment: MIDIBackends {
    chosen(by: getenv("AUDIOTOOLBOX_MIDI").map { String(cString: $0) })
  }
}
