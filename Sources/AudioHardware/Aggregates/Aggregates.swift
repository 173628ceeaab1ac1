// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
import Glibc

/// Aggregate devices as programs create and destroy them.
public enum Aggregates {
  /// [control thread] Creates a device from a description, a CFDictionary.
  ///
  /// - Throws: What is wrong with it, or prevents it.
  public static func create(_ description: UnsafeRawPointer) throws(AudioError) -> AudioObjectID {
    guard let list = Bridge.current.propertyList(description), case .dictionary = list else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "the description of an aggregate device is not a property list")
    }
    let aggregate = try Aggregate(list)
    guard AggregateList.find(aggregate.uid) == nil else {
      throw refusal("an aggregate device", "the UID \(aggregate.uid)", "one that none has yet")
    }
    try check(aggregate)
    try AggregateList.set(aggregate)
    AudioObjectListeners.shared.check()
    guard
      let device = DeviceCache.devices(of: AggregateBackend.name).first(where: {
        $0.shownUID == aggregate.uid
      })
    else {
      throw AudioError(status: kAudioHardwareNotReadyError).because(
        "no part of \(aggregate.uid) is available")
    }
    return DeviceList.id(of: device)
  }

  /// [control thread] Destroys a device, and stops its streams.
  public static func destroy(_ id: AudioObjectID) throws(AudioError) {
    let device = try AudioObjects.device(id)
    guard let aggregate = AggregateBackend.aggregate(device) else {
      throw refusal(device.uid, "it is not an aggregate device", "one")
    }
    DeviceIOs.known(id)?.stopAll()
    try AggregateList.remove(aggregate.uid)
    AudioObjectListeners.shared.check()
  }

  /// One aggregate for display in lists.
  package struct Entry: Sendable {
    /// The UID it was created with, and the one among devices.
    package var uid: String
    package var deviceUID: String
    package var name: String
    package var parts: [String]
    package var mainUID: String
    package var isStacked: Bool
    /// Parts that are absent now.
    package var missing: [String]
  }

  /// [control thread] All aggregates, whether their parts are present or not.
  package static var all: [Entry] {
    AggregateList.all.map { aggregate in
      let present = AggregateBackend.parts(of: aggregate).map(\.device.uid)
      let parts = aggregate.parts.map(\.uid)
      return Entry(
        uid: aggregate.uid, deviceUID: AggregateBackend.uid(aggregate.uid), name: aggregate.name,
        parts: parts, mainUID: aggregate.mainUID, isStacked: aggregate.isStacked,
        missing: parts.filter { !present.contains($0) })
    }
  }

  /// [control thread] Destroys the one of a UID, whether its parts are present or not.
  package static func destroy(uid: String) throws(AudioError) {
    guard AggregateList.find(uid) != nil else {
      let names = AggregateList.all.map(\.uid).joined(separator: ", ")
      throw refusal(
        "an aggregate device", "the UID \(uid)", names.isEmpty ? "none, as there is none" : names)
    }
    let device = DeviceCache.devices(of: AggregateBackend.name).first { $0.shownUID == uid }
    if let device { DeviceIOs.known(DeviceList.id(of: device))?.stopAll() }
    try AggregateList.remove(uid)
    AudioObjectListeners.shared.check()
  }

  /// Parts are devices, not aggregates.
  static func check(_ aggregate: Aggregate) throws(AudioError) {
    for part in aggregate.parts {
      let backend = DeviceName(part.uid).backend
      guard backend != AggregateBackend.name,
        DeviceCache.devices(of: backend).contains(where: { $0.uid == part.uid })
      else {
        throw refusal(
          "aggregate device \(aggregate.uid)", "the part \(part.uid)", "the UID of a device")
      }
    }
    guard !aggregate.parts.isEmpty else {
      throw refusal("aggregate device \(aggregate.uid)", "no part", "one or more")
    }
  }

  /// [control thread] Changes one, and its running streams.
  static func change(_ device: Device, _ body: (inout Aggregate) throws(AudioError) -> Void)
    throws(AudioError)
  {
    guard var aggregate = AggregateBackend.aggregate(device) else { return }
    try body(&aggregate)
    try check(aggregate)
    try AggregateList.set(aggregate)
    DeviceCache.invalidate()
    // Running streams reopen it.
    DeviceIOs.known(DeviceList.id(of: device))?.reopenIfRunning()
  }
}
