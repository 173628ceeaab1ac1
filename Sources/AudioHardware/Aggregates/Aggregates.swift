// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
import Glibc

/// Aggregate devices as programs make and end them.
public enum Aggregates {
  /// [control thread] Makes a device of a description, a CFDictionary.
  ///
  /// - Throws: What is wrong with it, or what stands against it.
  public static func create(_ description: UnsafeRawPointer) throws(AudioError) -> AudioObjectID {
    guard let list = Bridge.current.propertyList(description), case .dictionary = list else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "the description of an aggregate device is no property list")
    }
    let aggregate = try Aggregate(list)
    guard AggregateList.find(aggregate.uid) == nil else {
      throw refusal("an aggregate device", "the UID \(aggregate.uid)", "one that none has yet")
    }
    try check(aggregate)
    try AggregateList.set(aggregate)
    AudioObjectListeners.shared.look()
    guard
      let device = AudioObjects.devices(of: AggregateBackend.name).first(where: {
        $0.shownUID == aggregate.uid
      })
    else {
      throw AudioError(status: kAudioHardwareNotReadyError).because(
        "no part of \(aggregate.uid) is there")
    }
    return DeviceList.id(of: device)
  }

  /// [control thread] Ends a device, and what runs on it.
  public static func destroy(_ id: AudioObjectID) throws(AudioError) {
    let device = try AudioObjects.device(id)
    guard let aggregate = AggregateBackend.aggregate(device) else {
      throw refusal(device.uid, "it is no aggregate device", "one")
    }
    DeviceIOs.known(id)?.stopAll()
    try AggregateList.remove(aggregate.uid)
    AudioObjectListeners.shared.look()
  }

  /// Parts are devices, and no aggregates.
  static func check(_ aggregate: Aggregate) throws(AudioError) {
    for part in aggregate.parts {
      let backend = DeviceName(part.uid).backend
      guard backend != AggregateBackend.name,
        AudioObjects.devices(of: backend).contains(where: { $0.uid == part.uid })
      else {
        throw refusal(
          "aggregate device \(aggregate.uid)", "the part \(part.uid)", "the UID of a device")
      }
    }
    guard !aggregate.parts.isEmpty else {
      throw refusal("aggregate device \(aggregate.uid)", "no part", "one or more")
    }
  }

  /// [control thread] Changes one, and what runs on it with it.
  static func change(_ device: Device, _ body: (inout Aggregate) throws(AudioError) -> Void)
    throws(AudioError)
  {
    guard var aggregate = AggregateBackend.aggregate(device) else { return }
    try body(&aggregate)
    try check(aggregate)
    try AggregateList.set(aggregate)
    AudioObjects.forget()
    // Whoever runs on it opens it anew.
    DeviceIOs.known(DeviceList.id(of: device))?.openAnew()
  }
}
