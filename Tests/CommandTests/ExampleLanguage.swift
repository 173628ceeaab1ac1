// SPDX-License-Identifier: Apache-2.0

/// The languages of an example that exists in both; one test listens to both.
enum ExampleLanguage: CaseIterable {
  case swift, c

  /// The program that was built from an example in this language.
  func program(_ name: String) -> String {
    guard self == .c else { return name }
    return switch name {
    case "MixerHost": "mixer_host"
    case "MixerEQ": "mixer_eq"
    case "Mixer3D": "mixer_3d"
    case "FileChain": "file_chain"
    default: preconditionFailure("\(name) has no program in C here")
    }
  }
}
