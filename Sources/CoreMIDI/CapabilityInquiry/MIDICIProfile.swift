// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A profile of MIDI-CI (capability inquiry): rules that a device, or a unit, follows while the profile
/// is enabled.
open class MIDICIProfile: NSObject, NSSecureCoding {
  /// The name for people; may be empty.
  open private(set) var name: String

  /// The five bytes of its identifier.
  open private(set) var profileID: Data

  /// A profile without a name.
  public convenience init(data: Data) { self.init(data: data, name: "") }

  /// A profile with an identifier and a name.
  public init(data: Data, name inName: String) {
    profileID = data
    name = inName
  }

  /// Whether the other one has the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? MIDICIProfile)?.profileID == profileID
  }

  /// A hash of the identifier.
  open override var hash: Int { profileID.hashValue }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the profile to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(profileID as NSData, forKey: "profileID")
    coder.encode(name as NSString, forKey: "name")
  }

  /// Reads a profile from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "profileID"),
      let name = coder.decodeObject(of: NSString.self, forKey: "name")
    else { return nil }
    profileID = Data(referencing: data)
    self.name = name.description
  }
}
