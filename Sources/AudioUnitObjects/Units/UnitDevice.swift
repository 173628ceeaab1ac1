// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import CoreAudio
import Foundation

/// The device of an output unit.
struct UnitDevice {
  /// The C unit; nil for subclasses of programs.
  let bridge: BridgedUnit?

  private func output() throws -> BridgedUnit {
    guard let bridge, bridge.description.isOutput else {
      throw NSError(AudioError.unimplemented.because("only output units have a device"))
    }
    return bridge
  }

  /// Throws if it is no output unit, or has no such device.
  func select(_ device: AudioObjectID) throws {
    try output().set(kAudioOutputUnitProperty_CurrentDevice, to: device)
  }

  /// Starts the device; throws if the unit is not initialised.
  func start() throws { try CUnit.check(AudioOutputUnitStart(output().handle)) }

  /// Stops the device.
  func stop() {
    if let bridge, bridge.description.isOutput { AudioOutputUnitStop(bridge.handle) }
  }

  /// Which channel of the program is each channel of the device.
  var channelMap: [NSNumber]? {
    bridge?.values(
      kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, filler: 0 as Int32)?
      .map { NSNumber(value: $0) }
  }

  /// Sets the map; nil removes it.
  func setChannelMap(_ map: [NSNumber]?) {
    bridge?.setChannelMap(map?.map(\.int32Value))
  }
}
