// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
import Glibc

/// Creates, changes and destroys aggregate devices for programs.
public enum Aggregates {
  /// [control thread] Creates a device from a description, a CFDictionary.
  ///
  /// - Throws: The reason why the description is invalid or the device cannot be created.
  public static func create(_ description: UnsafeRawPointer) throws(AudioError) -> AudioObjectID {
    guard let list = Bridge.current.propertyList(description), case .dictionary = list else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "the description of an aggregate device is not a property list")
    }
    let aggregate = try Aggregate(list)
    guard AggregateList.find(aggregate.uid) == nil else {
      throw refusal("an aggregate device", "the UID \(aggregate.uid)", "an unused UID")
    }
    try check(aggregate)
    try AggregateList.set(aggregate)
    AudioObjectListeners.shared.check()
    BackEndListeners.notify()
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

  /// [control thread] Destroys a device and stops its streams.
  public static func destroy(_ id: AudioObjectID) throws(AudioError) {
    let device = try AudioObjects.device(id)
    guard let aggregate = AggregateBackend.aggregate(device) else {
      throw refusal(device.uid, "not an aggregate device", "an aggregate device")
    }
    DeviceIOs.known(id)?.stopAll()
    try AggregateList.remove(aggregate.uid)
    AudioObjectListeners.shared.check()
    BackEndListeners.notify()
  }

  /// [control thread] The descriptions of all aggregates, even if their parts are absent.
  package static var descriptions: [PropertyList] { AggregateList.all.map(\.composition) }

  /// [control thread] Destroys the aggregate with a UID, even if its parts are absent.
  package static func destroy(uid: String) throws(AudioError) {
    guard AggregateList.find(uid) != nil else {
      let names = AggregateList.all.map(\.uid).joined(separator: ", ")
      throw refusal(
        "an aggregate device", "the UID \(uid)", names.isEmpty ? "none exists" : names)
    }
    let device = DeviceCache.devices(of: AggregateBackend.name).first { $0.shownUID == uid }
    if let device { DeviceIOs.known(DeviceList.id(of: device))?.stopAll() }
    try AggregateList.remove(uid)
    AudioObjectListeners.shared.check()
    BackEndListeners.notify()
  }

  /// Checks the parts: they are devices and not aggregates.
  static func check(_ aggregate: Aggregate) throws(AudioError) {
    try aggregate.check()
    for part in aggregate.parts {
      let backend = DeviceName(part.uid).backend
      guard backend != AggregateBackend.name,
        DeviceCache.devices(of: backend).contains(where: { $0.uid == part.uid })
      else {
        throw refusal(
          "aggregate device \(aggregate.uid)", "the part \(part.uid)", "the UID of a device")
      }
    }
  }

  /// [control thread] Changes an aggregate and its running streams.
  static func change(_ device: Device, _ body: (inout Aggregate) throws(AudioError) -> Void)
    throws(AudioError)
  {
    guard var aggregate = AggregateBackend.aggregate(device) else { return }
    try body(&aggregate)
    try check(aggregate)
    try AggregateList.set(aggregate)
    DeviceCache.invalidate()
    // Running streams must reopen it.
    DeviceIOs.known(DeviceList.id(of: device))?.reopenIfRunning()
  }
}
