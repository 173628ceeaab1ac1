// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Tells the program when the process of a plug-in has ended.
package enum PlugInEnd {
  /// Called on a thread of the library with the unit, which may be disposed of meanwhile. It is set before the
  /// first unit is made.
  package nonisolated(unsafe) static var handler: @Sendable (AudioUnit) -> Void = { _ in }

  /// [any thread] Calls the handler on another thread.
  static func notify(_ unit: AudioUnit) {
    nonisolated(unsafe) let unit = unit
    Notifier.shared.perform { handler(unit) }
  }
}
