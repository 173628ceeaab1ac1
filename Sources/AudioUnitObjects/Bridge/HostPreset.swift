// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The name and number of a preset that a C host has selected: it has the state of its own presets.
///
/// They hold until the object selects another preset, which a subclass may store itself.
final class HostPreset: Sendable {
  /// The preset, and the object's own at the time when the host selected it.
  private let kept = Guarded<(preset: AUAudioUnitPreset, own: AUAudioUnitPreset?)?>(nil)

  /// [control thread] The preset that was selected last, if the object's own is this one.
  func present(own: AUAudioUnitPreset?) -> AUAudioUnitPreset? {
    kept.withLock { kept -> AUAudioUnitPreset? in
      guard let kept, kept.own?.number == own?.number, kept.own?.name == own?.name else {
        return own
      }
      return kept.preset
    }
  }

  /// [control thread] A host has selected a preset; the object's own is `own`.
  func select(_ preset: AUAudioUnitPreset, own: AUAudioUnitPreset?) {
    kept.withLock { $0 = (preset, own) }
  }

  /// [control thread] The object has selected a preset.
  func forget() { kept.withLock { $0 = nil } }
}
