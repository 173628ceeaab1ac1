// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// A component to validate: its codes and its name.
public struct ComponentIdentity: Sendable {
  /// Its codes.
  public let description: AudioComponentDescription
  /// Its name, as "Apple: AULowpass".
  public let name: String

  init(description: AudioComponentDescription, name: String) {
    self.description = description
    self.name = name
  }

  /// [any thread] A component of this process.
  /// - Throws: If the component does not exist.
  public init(_ component: AudioComponent) throws {
    var description = AudioComponentDescription()
    try expect(
      AudioComponentGetDescription(component, &description), "AudioComponentGetDescription")
    var name: Unmanaged<CFString>?
    AudioComponentCopyName(component, &name)
    self.description = description
    self.name = name.map { String(describing: $0.takeRetainedValue()) } ?? ""
  }
}
