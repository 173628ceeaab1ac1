// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import CoreAudio
import Foundation

/// The device of an output unit.
struct UnitDevice {
  private let unit: AUAudioUnit

  init(_ unit: AUAudioUnit) { self.unit = unit }

  private func output() throws -> BridgedUnit {
    guard let bridge = unit.bridge, bridge.description.isOutput else {
      throw NSError(AudioError.unimplemented.because("only output units have a device"))
    }
    return bridge
  }

  func select(_ device: AudioObjectID) throws {
    try output().set(kAudioOutputUnitProperty_CurrentDevice, to: device)
  }

  func start() throws { try CUnit.check(AudioOutputUnitStart(output().handle)) }

  func stop() {
    if let bridge = unit.bridge, bridge.description.isOutput { AudioOutputUnitStop(bridge.handle) }
  }

  /// Which channel of the program is each channel of the device.
  var channelMap: [NSNumber]? {
    guard let bridge = unit.bridge else { return unit.host.channelMap }
    return bridge.values(
      kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, filler: 0 as Int32)?
      .map { NSNumber(value: $0) }
  }

  func setChannelMap(_ map: [NSNumber]?) {
    guard let bridge = unit.bridge else { return unit.host.channelMap = map }
    bridge.setChannelMap(map?.map(\.int32Value))
  }
}
