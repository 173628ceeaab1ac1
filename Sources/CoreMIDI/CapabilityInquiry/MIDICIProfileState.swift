// SPDX-License-Identifier: Apache-2.0
public import CCoreMIDI
public import Foundation

/// The profiles of a channel: those that are enabled, and those that could be.
open class MIDICIProfileState: NSObject, NSSecureCoding {
  /// The channel; 127 is all of them.
  open private(set) var midiChannel: MIDIChannelNumber

  /// The profiles that are enabled.
  open private(set) var enabledProfiles: [MIDICIProfile]

  /// The other profiles that the channel supports.
  open private(set) var disabledProfiles: [MIDICIProfile]

  /// The profiles of a channel.
  public init(
    channel midiChannelNum: MIDIChannelNumber, enabledProfiles enabled: [MIDICIProfile],
    disabledProfiles disabled: [MIDICIProfile]
  ) {
    midiChannel = midiChannelNum
    enabledProfiles = enabled
    disabledProfiles = disabled
  }

  /// The profiles of channel 0.
  public convenience init(
    enabledProfiles enabled: [MIDICIProfile], disabledProfiles disabled: [MIDICIProfile]
  ) {
    self.init(channel: 0, enabledProfiles: enabled, disabledProfiles: disabled)
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the state to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(Int(midiChannel), forKey: "midiChannel")
    coder.encode(enabledProfiles as NSArray, forKey: "enabledProfiles")
    coder.encode(disabledProfiles as NSArray, forKey: "disabledProfiles")
  }

  /// Reads a state from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    guard
      let channel = MIDIChannelNumber(exactly: coder.decodeInteger(forKey: "midiChannel")),
      let enabled = Self.profiles(coder, "enabledProfiles"),
      let disabled = Self.profiles(coder, "disabledProfiles")
    else { return nil }
    midiChannel = channel
    enabledProfiles = enabled
    disabledProfiles = disabled
  }

  private static func profiles(_ coder: NSCoder, _ key: String) -> [MIDICIProfile]? {
    coder.decodeObject(of: [NSArray.self, MIDICIProfile.self], forKey: key) as? [MIDICIProfile]
  }
}
