// SPDX-License-Identifier: Apache-2.0

/// The types of the properties that have a name in CoreMIDI. Other properties may have any type, and
/// so may the connections, which are an integer or data.
enum PropertyTypes {
  private static let integers = [
    "uniqueID", "deviceID", "receiveChannels", "transmitChannels", "maxReceiveChannels",
    "maxTransmitChannels", "maxSysExSpeed", "scheduleAheadMuSec", "embedded", "broadcast",
    "offline", "private", "driverVersion", "can route", "receives clock", "receives MTC",
    "receives notes", "receives program changes", "receives bank select MSB",
    "receives bank select LSB", "transmits clock", "transmits MTC", "transmits notes",
    "transmits program changes", "transmits bank select MSB", "transmits bank select LSB",
    "pan disrupts stereo", "is sampler", "is drum machine", "is mixer", "is effect unit",
    "supports General MIDI", "supports MMC", "supports show control", "single realtime entity",
    "protocolID", "umpActiveGroupBitmap", "umpCanTransmitGroupless", "associatedEndpoint",
  ]
  private static let strings = [
    "name", "manufacturer", "model", "driver", "image", "driverDeviceEditorApp", "displayName",
  ]
  private static let dictionaries = ["nameConfiguration", "nameConfigurationDictionary"]
  private static let data = ["factoryPatchFile", "userPatchFile"]

  /// The type of each property.
  static let known: [String: Setup.ValueType] = {
    var types: [String: Setup.ValueType] = [:]
    for name in integers { types[name] = .integer }
    for name in strings { types[name] = .string }
    for name in dictionaries { types[name] = .dictionary }
    for name in data { types[name] = .data }
    return types
  }()
}
