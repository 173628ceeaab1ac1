// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
import AudioToolbox
import CommandSupport

/// A device that is made of others.
struct AggregateSheet: Encodable, Equatable {
  /// As --device takes it.
  var uid: String
  var name: String
  var parts: [String]
  /// The part by whose clock all run.
  var main: String
  /// Whether all parts play the same.
  var isStacked: Bool
  /// Parts that are not there now.
  var missing: [String]

  init(_ entry: Aggregates.Entry) {
    uid = entry.deviceUID
    name = entry.name
    parts = entry.parts
    main = entry.mainUID
    isStacked = entry.isStacked
    missing = entry.missing
  }

  /// Those that are kept.
  static var all: [AggregateSheet] { Aggregates.all.map(AggregateSheet.init) }

  /// For people.
  static func text(_ sheets: [AggregateSheet]) -> String {
    guard !sheets.isEmpty else {
      return "There is no aggregate device; `au aggregate make` makes one.\n"
    }
    var table = TextTable(["UID", "NAME", "PARTS"])
    for sheet in sheets {
      let parts = sheet.parts.map { part in
        part + (part == sheet.main ? " (clock)" : "")
          + (sheet.missing.contains(part) ? " (not there)" : "")
      }
      table.add(
        sheet.uid, sheet.name, parts.joined(separator: ", ") + (sheet.isStacked ? ", stacked" : ""))
    }
    return table.text
  }

  // MARK: Making and ending

  /// What one is made of.
  struct Plan {
    var uid: String
    var title: String?
    var parts: [String]
    var main: String?
    var isStacked = false
    /// Parts whose drift is left alone.
    var uncorrected: [String] = []
  }

  /// Makes a device, which stays until somebody destroys it.
  static func make(_ plan: Plan) throws -> AggregateSheet {
    for uid in plan.uncorrected where !plan.parts.contains(uid) {
      throw UsageError("--uncorrected is \"\(uid)\": expected one of the parts")
    }
    var description: [String: Any] = [
      kAudioAggregateDeviceUIDKey: plan.uid, kAudioAggregateDeviceNameKey: plan.title ?? plan.uid,
      kAudioAggregateDeviceIsStackedKey: plan.isStacked ? 1 : 0,
      kAudioAggregateDeviceSubDeviceListKey: plan.parts.map { part in
        [
          kAudioSubDeviceUIDKey: part,
          kAudioSubDeviceDriftCompensationKey: plan.uncorrected.contains(part) ? 0 : 1,
        ] as [String: Any]
      },
    ]
    description[kAudioAggregateDeviceMainSubDeviceKey] = plan.main
    var id = AudioObjectID(kAudioObjectUnknown)
    try Failure.check(
      AudioHardwareCreateAggregateDevice(description as CFDictionary, &id), plan.uid)
    guard let sheet = all.first(where: { $0.uid == "aggregate:\(plan.uid)" }) else {
      throw Failure("\(plan.uid): it was created but has disappeared")
    }
    return sheet
  }

  /// Ends one, whether its parts are there or not.
  static func destroy(_ name: String) throws {
    let uid = name.hasPrefix("aggregate:") ? String(name.dropFirst("aggregate:".count)) : name
    StatusFamily.register([.hardware])
    try Failure.check(name) { () throws(AudioError) in try Aggregates.destroy(uid: uid) }
  }
}
