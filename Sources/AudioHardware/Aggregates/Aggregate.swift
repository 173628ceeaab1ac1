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
        let drift = entry[kAudioSubDeviceDriftCompensationKey]?.isTrue
        parts.append(Part(uid: part, correctsDrift: drift ?? true))
      }
    }
    mainUID = list[kAudioAggregateDeviceMainSubDeviceKey]?.string ?? parts.first?.uid ?? ""
  }

  /// The most parts that the numbers of audio objects distinguish.
  static let mostParts = 64

  /// Checks its parts: each is there once, and one of them is the main one.
  func check() throws(AudioError) {
    func invalid(_ what: String) -> AudioError {
      AudioError(status: kAudioHardwareIllegalOperationError).because(
        "aggregate device \(uid) \(what)")
    }
    guard !parts.isEmpty else { throw invalid("has no part; expected one or more") }
    guard parts.count <= Self.mostParts else {
      throw invalid("has \(parts.count) parts; expected at most \(Self.mostParts)")
    }
    for (index, part) in parts.enumerated()
    where parts[..<index].contains(where: { $0.uid == part.uid }) {
      throw invalid("has \(part.uid) twice")
    }
    guard parts.contains(where: { $0.uid == mainUID }) else {
      throw invalid("has the main part \(mainUID), which is not one of its parts")
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
