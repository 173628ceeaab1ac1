// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport

/// The properties of an aggregate device, for printing.
struct AggregateReport: Encodable, Equatable {
  /// In the form that --device reads.
  var uid: String
  var name: String
  var parts: [String]
  /// The part whose clock all parts follow.
  var main: String
  /// Whether all parts play the same channels.
  var isStacked: Bool
  /// Parts that are currently missing.
  var missing: [String]

  /// Reads a description; nil if it does not have the form of the library.
  private init?(_ description: [String: Any]) {
    guard let uid = description[kAudioAggregateDeviceUIDKey] as? String,
      let name = description[kAudioAggregateDeviceNameKey] as? String,
      let parts = description[kAudioAggregateDeviceSubDeviceListKey] as? [[String: Any]],
      let main = description[kAudioAggregateDeviceMainSubDeviceKey] as? String
    else { return nil }
    self.uid = "aggregate:\(uid)"
    self.name = name
    self.parts = parts.compactMap { $0[kAudioSubDeviceUIDKey] as? String }
    self.main = main
    isStacked = description[kAudioAggregateDeviceIsStackedKey] as? Int == 1
    missing = self.parts.filter { (try? HardwareObject($0)) == nil }
  }

  /// All stored aggregate devices.
  static var all: [AggregateReport] {
    let descriptions = AUAggregateDevicesCopyDescriptions().takeRetainedValue()
    return descriptions.compactMap { ($0 as? [String: Any]).flatMap(AggregateReport.init) }
  }

  /// A table to read.
  static func text(_ reports: [AggregateReport]) -> String {
    guard !reports.isEmpty else {
      return "There is no aggregate device; `au aggregate make` makes one.\n"
    }
    var table = TextTable(["UID", "NAME", "PARTS"])
    for report in reports {
      let parts = report.parts.map { part in
        part + (part == report.main ? " (clock)" : "")
          + (report.missing.contains(part) ? " (missing)" : "")
      }
      table.add(
        report.uid, report.name,
        parts.joined(separator: ", ") + (report.isStacked ? ", stacked" : ""))
    }
    return table.text
  }

  // MARK: Making and destroying

  /// The options of `au aggregate make`.
  struct Plan {
    var uid: String
    var title: String?
    var parts: [String]
    var main: String?
    var isStacked = false
    /// Parts that are not resampled.
    var uncorrected: [String] = []
  }

  /// Makes a device, which is stored until it is destroyed.
  static func make(_ plan: Plan) throws -> AggregateReport {
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
    guard let report = all.first(where: { $0.uid == "aggregate:\(plan.uid)" }) else {
      throw Failure("\(plan.uid): it was created but has disappeared")
    }
    return report
  }

  /// Destroys a device, whether its parts are available or not.
  static func destroy(_ name: String) throws {
    let uid = name.hasPrefix("aggregate:") ? String(name.dropFirst("aggregate:".count)) : name
    try Failure.check(AUAggregateDevicesDestroy(uid as CFString), name)
  }
}
