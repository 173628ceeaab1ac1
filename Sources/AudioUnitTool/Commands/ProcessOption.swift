// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import Foundation
import ToneModel

/// The option that gives plug-ins processes of their own.
enum ProcessOption {
  /// The option.
  static let outOfProcess = Flag(
    "out-of-process",
    "run LV2, LADSPA and CLAP plug-ins in processes of their own, whose crashes end nothing else")

  /// [main thread] Makes the units that the command makes from now on run so, if the option is given.
  ///
  /// - Throws: If none of the units is such a plug-in.
  static func apply(_ values: Values, to units: [UnitSpec]) throws {
    guard values[outOfProcess] else { return }
    let components = try units.map { try $0.component() }
    guard components.contains(where: { isPlugIn($0.description) }) else {
      throw UsageError(
        "--out-of-process has no effect on \(units.map(\.name).joined(separator: ", ")): it is for LV2, "
          + "LADSPA and CLAP plug-ins")
    }
    use()
  }

  /// [main thread] Makes all such plug-ins run so from now on.
  static func use() { setenv("AUDIOTOOLBOX_OUT_OF_PROCESS", "1", 1) }

  /// [control thread] Whether a component is a plug-in that can have a process of its own.
  static func isPlugIn(_ codes: AudioComponentDescription) -> Bool {
    PlugInEntry.of(codes).map { $0.format != .audioUnit } ?? false
  }
}
