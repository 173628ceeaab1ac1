// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Device: AudioObject {
  static let properties = PropertyTable(.audioObjects, AudioObjects.deviceProperties)
}

// The properties of a device, one row each.
extension AudioObjects {
  private typealias Row = PropertyRow<Device>

  static let deviceProperties: [PropertyRow<Device>] =
    identity + capabilities + cycles + usage + channels + level + lowLevel + sources + aggregate

  /// Its identity.
  private static let identity: [Row] = [
    .init(
      kAudioObjectPropertyBaseClass,
      { .numbers([$0.owner.isAggregate ? kAudioDeviceClassID : kAudioObjectClassID]) }),
    .init(
      kAudioObjectPropertyClass,
      { .numbers([$0.owner.isAggregate ? kAudioAggregateDeviceClassID : kAudioDeviceClassID]) }),
    .init(
      kAudioObjectPropertyOwner,
      { _ in .numbers([AudioObjectID(clamping: kAudioObjectSystemObject)]) }),
    .init(
      kAudioObjectPropertyOwnedObjects,
      { query in
        .numbers(
          (isRequested(kAudioStreamClassID, query.qualifier)
            ? streams(of: query.owner, query.address.scope) : [])
            + controls(of: query.owner, query.address.scope, query.qualifier)
            + (isRequested(kAudioSubDeviceClassID, query.qualifier)
              ? parts(of: query.owner) : []))
      }),
    .init(kAudioObjectPropertyName, { .string($0.owner.name) }),
    .init(kAudioObjectPropertyModelName, { .string($0.owner.modelName) }),
    .init(kAudioObjectPropertyManufacturer, { .string($0.owner.maker) }),
    .init(
      kAudioObjectPropertySerialNumber,
      { $0.owner.details.serialNumber.isEmpty ? nil : .string($0.owner.details.serialNumber) }),
    .init(kAudioDevicePropertyDeviceName, { .text($0.owner.name) }),
    .init(kAudioDevicePropertyDeviceManufacturer, { .text($0.owner.maker) }),
    .init(kAudioDevicePropertyDeviceUID, { .string($0.owner.shownUID) }),
    .init(kAudioDevicePropertyModelUID, { .string("\($0.owner.backend) \($0.owner.modelName)") }),
    .init(kAudioDevicePropertyTransportType, { .numbers([$0.owner.transportType]) }),
    .init(
      kAudioDevicePropertyRelatedDevices, { .numbers($0.owner.related.map(DeviceList.id)) }),
    .init(
      kAudioDevicePropertyConfigurationApplication,
      { _ in DeviceIcon.mixer.map { .string($0) } }),
    .init(kAudioDevicePropertyIcon, { DeviceIcon.path(of: $0.owner).map { .file($0) } }),
    .init(kAudioDevicePropertyClockDomain, { _ in .numbers([0]) }),
  ]

  /// Its capabilities and state.
  private static let capabilities: [Row] = [
    .init(kAudioDevicePropertyDeviceIsAlive, { _ in .numbers([1]) }),
    .init(kAudioDevicePropertyDeviceIsRunning, { .numbers([isRunning($0.owner)]) }),
    .init(
      kAudioDevicePropertyDeviceIsRunningSomewhere,
      {
        let isElsewhere = $0.owner.details.isRunning ?? false
        return .numbers([isElsewhere ? 1 : isRunning($0.owner)])
      }),
    .init(kAudioDevicePropertyDeviceCanBeDefaultDevice, { .numbers([canBeDefault($0) ? 1 : 0]) }),
    .init(
      kAudioDevicePropertyDeviceCanBeDefaultSystemDevice,
      { .numbers([canBeDefault($0) ? 1 : 0]) }),
    .init(kAudioDevicePropertyIsHidden, { _ in .numbers([0]) }),
    .init(
      kAudioDevicePropertyHogMode,
      { .numbers([UInt32(bitPattern: $0.owner.details.owner ?? ExclusiveUse.nobody)]) },
      write: { (device, data) throws(AudioError) in
        try ExclusiveUse.set(device, to: try data.value(Int32.self))
      }, isSettable: { $0.details.isExclusive }),
    .init(
      kAudioDevicePropertySupportsMixing, { .numbers([$0.owner.details.isExclusive ? 0 : 1]) }),
    .init(
      kAudioDevicePropertyDeviceHasChanged, { _ in .numbers([1]) },
      listenersCompare: { "\($0)" }),
    .init(
      kAudioDeviceProcessorOverload,
      { .numbers([UInt32(clamping: DeviceActivity.xrunCount(on: $0.owner.uid))]) }),
    .init(
      kAudioDevicePropertyIOStoppedAbnormally,
      { .numbers([UInt32(clamping: DeviceActivity.lossCount(on: $0.owner.uid))]) }),
    .init(
      kAudioObjectPropertyControlList,
      { .numbers(controls(of: $0.owner, $0.address.scope, $0.qualifier)) }),
  ]

  /// Rates, cycles and delays.
  private static let cycles: [Row] = [
    .init(
      kAudioDevicePropertyNominalSampleRate, { .real($0.owner.sampleRate) },
      write: { (device, data) throws(AudioError) in
        try setRate(of: device, to: try data.value(Float64.self))
      }),
    .init(kAudioDevicePropertyActualSampleRate, { .real(actualRate(of: $0.owner)) }),
    .init(kAudioDevicePropertyAvailableNominalSampleRates, { .ranges(rates(of: $0.owner)) }),
    .init(
      kAudioDevicePropertyBufferFrameSize,
      { .numbers([UInt32(clamping: cycleFrames(of: $0.owner))]) },
      write: { (device, data) throws(AudioError) in
        try setCycle(of: device, to: Int(try data.value(UInt32.self)))
      }),
    .init(
      kAudioDevicePropertyBufferFrameSizeRange,
      {
        .ranges([range(cycles(of: $0.owner), times: 1)])
      }),
    .init(
      kAudioDevicePropertyUsesVariableBufferFrameSizes,
      {
        .numbers([UInt32(clamping: cycles(of: $0.owner).upperBound)])
      }),
    .init(
      kAudioDevicePropertyBufferSize,
      { query in
        let count = channelCount(query)
        return count == 0
          ? nil : .numbers([UInt32(clamping: 4 * count * cycleFrames(of: query.owner))])
      },
      write: { (device, data) throws(AudioError) in
        let bytes = Int(try data.value(UInt32.self))
        let frameBytes = 4 * max(device.outputChannelCount, device.inputChannelCount, 1)
        try setCycle(of: device, to: bytes / frameBytes)
      }),
    .init(
      kAudioDevicePropertyBufferSizeRange,
      { query in
        let count = channelCount(query)
        return count == 0
          ? nil : .ranges([range(cycles(of: query.owner), times: 4 * Double(count))])
      }),
    .init(
      kAudioDevicePropertyLatency,
      { query in
        let direction: StreamDirection =
          query.address.scope == kAudioObjectPropertyScopeInput ? .input : .output
        return .numbers([latencyFrames(query.owner, direction)])
      }),
    .init(kAudioDevicePropertySafetyOffset, { _ in .numbers([0]) }),
  ]

  /// Its channels and streams.
  private static let channels: [Row] = [
    .init(kAudioDevicePropertyStreamConfiguration, { .channels(streams($0)) }),
    .init(kAudioDevicePropertyStreams, { .numbers(streams(of: $0.owner, $0.address.scope)) }),
    .init(
      kAudioDevicePropertyStreamFormat,
      { query in
        let count = channelCount(query)
        return count == 0 ? nil : .format(format(query.owner, count))
      }),
    .init(
      kAudioDevicePropertyPreferredChannelsForStereo,
      { query in
        let count = channelCount(query)
        return count == 0 ? nil : .numbers([1, UInt32(clamping: min(count, 2))])
      }),
    .init(
      kAudioDevicePropertyPreferredChannelLayout,
      { query in
        let count = channelCount(query)
        return count == 0 ? nil : .layout(ChannelNames.labels(count))
      }),
    .init(kAudioObjectPropertyElementName, { channelName($0).map { .string($0) } }),
    .init(kAudioDevicePropertyChannelName, { channelName($0).map { .text($0) } }),
    .init(kAudioObjectPropertyElementCategoryName, { category($0).map { .string($0) } }),
    .init(kAudioDevicePropertyChannelCategoryName, { category($0).map { .text($0) } }),
    .init(
      kAudioDevicePropertyChannelNumberName,
      { query in channelName(query) == nil ? nil : .text("\(query.address.element)") }),
    .init(
      kAudioObjectPropertyElementNumberName,
      { query in
        channelName(query) == nil ? nil : .string("\(query.address.element)")
      }),
  ]

  // MARK: Helpers of the rows

  private static func isRunning(_ device: Device) -> UInt32 {
    DeviceActivity.streams(on: device.uid).isEmpty ? 0 : 1
  }

  /// The channel count of each stream of the queried endpoint.
  private static func streams(_ query: PropertyQuery<Device>) -> [Int] {
    switch query.address.scope {
    case kAudioObjectPropertyScopeInput: query.owner.streams(isInput: true)
    case kAudioObjectPropertyScopeOutput: query.owner.streams(isInput: false)
    default: []
    }
  }

  /// The channel count of the queried endpoint, 0 for the global scope.
  static func channelCount(_ query: PropertyQuery<Device>) -> Int {
    switch query.address.scope {
    case kAudioObjectPropertyScopeInput: query.owner.inputChannelCount
    case kAudioObjectPropertyScopeOutput: query.owner.outputChannelCount
    default: 0
    }
  }

  /// Whether the queried endpoint has channels. True for the global scope.
  private static func canBeDefault(_ query: PropertyQuery<Device>) -> Bool {
    !query.owner.details.isMonitor
      && (query.address.scope == kAudioObjectPropertyScopeGlobal || channelCount(query) > 0)
  }

  private static func category(_ query: PropertyQuery<Device>) -> String? {
    channelName(query).map { _ in
      query.address.scope == kAudioObjectPropertyScopeInput ? "Input" : "Output"
    }
  }

  private static func channelName(_ query: PropertyQuery<Device>) -> String? {
    let (element, count) = (Int(query.address.element), channelCount(query))
    return (1...max(count, 1)).contains(element) && count > 0
      ? ChannelNames.name(element - 1, of: count) : nil
  }

  private static func range(_ rates: ClosedRange<Double>) -> AudioValueRange {
    .init(mMinimum: rates.lowerBound, mMaximum: rates.upperBound)
  }

  private static func range(_ frames: ClosedRange<Int>, times factor: Double) -> AudioValueRange {
    .init(
      mMinimum: Double(frames.lowerBound) * factor, mMaximum: Double(frames.upperBound) * factor)
  }

  private static func streams(of device: Device, _ scope: AudioObjectPropertyScope) -> [UInt32] {
    [(false, kAudioObjectPropertyScopeInput), (true, kAudioObjectPropertyScopeOutput)].flatMap {
      (isInput, other) in
      scope == other
        ? []
        : device.streams(isInput: isInput).indices.map {
          id(of: device, isInput: isInput, stream: $0)
        }
    }
  }

  private static func controls(
    of device: Device, _ scope: AudioObjectPropertyScope, _ qualifier: UnsafeRawBufferPointer
  ) -> [UInt32] {
    DeviceControl.all(of: device).filter {
      (scope == kAudioObjectPropertyScopeGlobal || scope == $0.scope)
        && (isRequested($0.classID, qualifier) || isRequested($0.baseClassID, qualifier)
          || isRequested(kAudioControlClassID, qualifier))
    }.map(id(of:))
  }
}
