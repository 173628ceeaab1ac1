// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
public import Foundation

/// Makes units: the main object of an extension on Apple's systems.
///
/// There are no extensions here, so only the program itself calls it, for instance to make the unit that
/// it has registered with `AUAudioUnit.registerSubclass(_:as:name:version:)`.
public protocol AUAudioUnitFactory: NSObjectProtocol {
  /// Makes a unit of a component. [control thread]
  func createAudioUnit(with desc: AudioComponentDescription) throws -> AUAudioUnit
}
