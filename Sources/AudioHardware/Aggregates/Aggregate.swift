// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Devices that a program has combined into one: the parts, and the part whose clock they follow.
struct Aggregate: Equatable, Sendable {
  /// A device in it.
  struct Part: Equatable, Sendable {
    var uid: String
    /// Whether its input and output are resampled to the main device's clock.
    var correctsDrift: Bool
  }

  var uid: String
  var name: String
  var parts: [Part]
  /// The device whose clock all parts follow. If it is absent, the first one present takes its
  /// place.
  var mainUID: String
  /// Whether only this process sees it. Others are stored in a file, for all programs of the user.
  var isPrivate: Bool
  /// Whether all parts play the same channels.
  var isStacked: Bool

  /// [control thread] Reads a description.
  ///
  /// - Throws: An error that names what is missing or invalid.
  init(_ list: PropertyList) throws(AudioError) {
    func invalid(_ what: String) -> AudioError {
      AudioError(status: kAudioHardwareIllegalOperationError).because(
        "the description of an aggregate device \(what)")
    }
    guard let uid = list[kAudioAggregateDeviceUIDKey]?.string, !uid.isEmpty else {
      throw invalid("has no \"\(kAudioAggregateDeviceUIDKey)\"")
    }
    self.uid = uid
    name = list[kAudioAggregateDeviceNameKey]?.string ?? uid
    isPrivate = list[kAudioAggregateDeviceIsPrivateKey]?.isTrue ?? false
    isStacked = list[kAudioAggregateDeviceIsStackedKey]?.isTrue ?? false
    parts = []
    if case .array(let entries)? = list[kAudioAggregateDeviceSubDeviceListKey] {
      for entry in entries {
        guard let part = entry[kAudioSubDeviceUIDKey]?.string else {
          throw invalid("has a part without \"\(kAudioSubDeviceUIDKey)\"")
        }
        guard !parts.contains(where: { $0.uid == part }) else { throw invalid("has \(part) twice") }
        let drift = entry[kAudioSubDeviceDriftCompensationKey]?.isTrue
        parts.append(Part(uid: part, correctsDrift: drift ?? true))
      }
    }
    let main = list[kAudioAggregateDeviceMainSubDeviceKey]?.string
    mainUID = main ?? parts.first?.uid ?? ""
    if let main, !parts.contains(where: { $0.uid == main }) {
      throw invalid("has the main part \(main), which is not one of its parts")
    }
  }

  init(
    uid: String, name: String, parts: [Part], mainUID: String, isPrivate: Bool, isStacked: Bool
  ) {
    (self.uid, self.name, self.parts) = (uid, name, parts)
    (self.mainUID, self.isPrivate, self.isStacked) = (mainUID, isPrivate, isStacked)
  }

  /// The description from which `init` reads it.
  var composition: PropertyList {
    .dictionary([
      kAudioAggregateDeviceUIDKey: .string(uid), kAudioAggregateDeviceNameKey: .string(name),
      kAudioAggregateDeviceMainSubDeviceKey: .string(mainUID),
      kAudioAggregateDeviceIsPrivateKey: .integer(isPrivate ? 1 : 0),
      kAudioAggregateDeviceIsStackedKey: .integer(isStacked ? 1 : 0),
      kAudioAggregateDeviceSubDeviceListKey: .array(
        parts.map { part in
          .dictionary([
            kAudioSubDeviceUIDKey: .string(part.uid),
            kAudioSubDeviceDriftCompensationKey: .integer(part.correctsDrift ? 1 : 0),
          ])
        }),
    ])
  }
}

extension PropertyList {
  /// Numbers and Booleans are accepted for each other.
  fileprivate var isTrue: Bool? {
    if case .bool(let value) = self { return value }
    return integer.map { $0 != 0 }
  }
}
