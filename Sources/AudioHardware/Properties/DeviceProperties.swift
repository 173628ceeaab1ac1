// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// What a device has, a row each.
extension AudioObjects {
  private typealias Row = AudioObjectProperty<Device>

  static let deviceProperties: [AudioObjectProperty<Device>] =
    identity + abilities + cycles + channels + level + sources

  /// What it is.
  private static let identity: [Row] = [
    .init(kAudioObjectPropertyBaseClass, { _ in .numbers([UInt32(kAudioObjectClassID)]) }),
    .init(kAudioObjectPropertyClass, { _ in .numbers([UInt32(kAudioDeviceClassID)]) }),
    .init(kAudioObjectPropertyOwner, { _ in .numbers([AudioObjectID(kAudioObjectSystemObject)]) }),
    .init(
      kAudioObjectPropertyOwnedObjects,
      { question in
        .numbers(
          asks(for: kAudioStreamClassID, question.qualifier)
            ? sides(of: question.object, question.address.mScope) : [])
      }),
    .init(kAudioObjectPropertyName, { .string($0.object.name) }),
    .init(kAudioObjectPropertyModelName, { .string($0.object.name) }),
    .init(kAudioObjectPropertyManufacturer, { .string($0.object.backend) }),
    .init(kAudioDevicePropertyDeviceName, { .text($0.object.name) }),
    .init(kAudioDevicePropertyDeviceManufacturer, { .text($0.object.backend) }),
    .init(kAudioDevicePropertyDeviceUID, { .string($0.object.uid) }),
    .init(kAudioDevicePropertyModelUID, { .string("\($0.object.backend) \($0.object.name)") }),
    .init(kAudioDevicePropertyTransportType, { .numbers([$0.object.transportType]) }),
    .init(kAudioDevicePropertyRelatedDevices, { .numbers([DeviceList.id(of: $0.object)]) }),
    .init(kAudioDevicePropertyClockDomain, { _ in .numbers([0]) }),
  ]

  /// What it can do, and whether it does.
  private static let abilities: [Row] = [
    .init(kAudioDevicePropertyDeviceIsAlive, { _ in .numbers([1]) }),
    .init(kAudioDevicePropertyDeviceIsRunning, { .numbers([isRunning($0.object)]) }),
    .init(kAudioDevicePropertyDeviceIsRunningSomewhere, { .numbers([isRunning($0.object)]) }),
    .init(kAudioDevicePropertyDeviceCanBeDefaultDevice, { .numbers([hasChannels($0) ? 1 : 0]) }),
    .init(
      kAudioDevicePropertyDeviceCanBeDefaultSystemDevice, { .numbers([hasChannels($0) ? 1 : 0]) }),
    .init(kAudioDevicePropertyIsHidden, { _ in .numbers([0]) }),
    .init(kAudioDevicePropertyHogMode, { _ in .numbers([UInt32(bitPattern: -1)]) }),
    .init(kAudioDevicePropertySupportsMixing, { _ in .numbers([1]) }),
    .init(
      kAudioDevicePropertyDeviceHasChanged, { _ in .numbers([1]) },
      listenersCompare: { "\($0)" }),
    .init(
      kAudioDeviceProcessorOverload,
      { .numbers([UInt32(clamping: DeviceActivity.xrunCount(on: $0.object.uid))]) }),
    .init(
      kAudioDevicePropertyIOStoppedAbnormally,
      { .numbers([UInt32(clamping: DeviceActivity.lossCount(on: $0.object.uid))]) }),
    .init(kAudioObjectPropertyControlList, { _ in .numbers([]) }),
  ]

  /// Rates, cycles and delays.
  private static let cycles: [Row] = [
    .init(
      kAudioDevicePropertyNominalSampleRate, { .real($0.object.sampleRate) },
      write: { (device, data) throws(AudioError) in
        let rate = try number(data, Float64.self)
        guard device.sampleRates.contains(rate) else {
          throw refusal(
            device.uid, "\(rate) Hz",
            "\(device.sampleRates.lowerBound) to \(device.sampleRates.upperBound) Hz")
        }
        DeviceWishes.set(device) { $0.sampleRate = rate }
      }),
    .init(kAudioDevicePropertyActualSampleRate, { .real($0.object.sampleRate) }),
    .init(
      kAudioDevicePropertyAvailableNominalSampleRates,
      {
        .ranges([range($0.object.sampleRates)])
      }),
    .init(
      kAudioDevicePropertyBufferFrameSize, { .numbers([UInt32($0.object.cycleFrames)]) },
      write: { (device, data) throws(AudioError) in
        try setCycle(of: device, to: Int(try number(data, UInt32.self)))
      }),
    .init(
      kAudioDevicePropertyBufferFrameSizeRange,
      {
        .ranges([range($0.object.cycleFramesRange, times: 1)])
      }),
    .init(
      kAudioDevicePropertyUsesVariableBufferFrameSizes,
      {
        .numbers([UInt32($0.object.cycleFramesRange.upperBound)])
      }),
    .init(
      kAudioDevicePropertyBufferSize,
      { question in
        let count = channelCount(question)
        return count == 0 ? nil : .numbers([UInt32(4 * count * question.object.cycleFrames)])
      },
      write: { (device, data) throws(AudioError) in
        let bytes = Int(try number(data, UInt32.self))
        let frameBytes = 4 * max(device.outputChannelCount, device.inputChannelCount, 1)
        try setCycle(of: device, to: bytes / frameBytes)
      }),
    .init(
      kAudioDevicePropertyBufferSizeRange,
      { question in
        let count = channelCount(question)
        return count == 0
          ? nil : .ranges([range(question.object.cycleFramesRange, times: 4 * Double(count))])
      }),
    .init(
      kAudioDevicePropertyLatency,
      { question in
        let direction: StreamDirection =
          question.address.mScope == kAudioObjectPropertyScopeInput ? .input : .output
        return .numbers([latencyFrames(question.object, direction)])
      }),
    .init(kAudioDevicePropertySafetyOffset, { _ in .numbers([0]) }),
  ]

  /// What its sides carry.
  private static let channels: [Row] = [
    .init(kAudioDevicePropertyStreamConfiguration, { .channels(channelCount($0)) }),
    .init(kAudioDevicePropertyStreams, { .numbers(sides(of: $0.object, $0.address.mScope)) }),
    .init(
      kAudioDevicePropertyStreamFormat,
      { question in
        let count = channelCount(question)
        return count == 0 ? nil : .format(format(question.object, count))
      }),
    .init(
      kAudioDevicePropertyPreferredChannelsForStereo,
      { question in
        let count = channelCount(question)
        return count == 0 ? nil : .numbers([1, UInt32(min(count, 2))])
      }),
    .init(
      kAudioDevicePropertyPreferredChannelLayout,
      { question in
        let count = channelCount(question)
        return count == 0 ? nil : .layout(ChannelNames.labels(count))
      }),
    .init(kAudioObjectPropertyElementName, { channelName($0).map { .string($0) } }),
    .init(kAudioDevicePropertyChannelName, { channelName($0).map { .text($0) } }),
    .init(
      kAudioDevicePropertyChannelNumberName,
      { question in channelName(question) == nil ? nil : .text("\(question.address.mElement)") }),
    .init(
      kAudioObjectPropertyElementNumberName,
      { question in
        channelName(question) == nil ? nil : .string("\(question.address.mElement)")
      }),
  ]

  /// How loud this process plays to it.
  private static let level: [Row] = [
    volume(kAudioDevicePropertyVolumeScalar),
    volume(kAudioHardwareServiceDeviceProperty_VirtualMainVolume),
    .init(
      kAudioDevicePropertyVolumeDecibels,
      {
        playing($0) ? .float(DeviceLevel.decibels(DeviceLevel.of($0.object.outputUID).volume)) : nil
      },
      write: { (device, data) throws(AudioError) in
        let decibels = try number(data, Float32.self)
        guard DeviceLevel.range.contains(decibels) else {
          throw refusal(device.uid, "\(decibels) dB", "-96 to 0 dB")
        }
        DeviceLevel.of(device.outputUID).volume = DeviceLevel.scalar(decibels)
      }),
    .init(
      kAudioDevicePropertyVolumeRangeDecibels,
      {
        let (low, high) = (DeviceLevel.range.lowerBound, DeviceLevel.range.upperBound)
        return playing($0)
          ? .ranges([.init(mMinimum: Double(low), mMaximum: Double(high))]) : nil
      }),
    .init(
      kAudioDevicePropertyVolumeScalarToDecibels,
      { question in
        playing(question) ? .float(DeviceLevel.decibels(given(question.memory))) : nil
      }),
    .init(
      kAudioDevicePropertyVolumeDecibelsToScalar,
      { question in
        playing(question) ? .float(DeviceLevel.scalar(given(question.memory))) : nil
      }),
    .init(
      kAudioDevicePropertyMute,
      { playing($0) ? .numbers([DeviceLevel.of($0.object.outputUID).isMuted ? 1 : 0]) : nil },
      write: { (device, data) throws(AudioError) in
        DeviceLevel.of(device.outputUID).isMuted = try number(data, UInt32.self) != 0
      }),
  ]

  /// The volume under one of its names.
  private static func volume(_ selector: AudioObjectPropertySelector) -> Row {
    .init(
      selector, { playing($0) ? .float(DeviceLevel.of($0.object.outputUID).volume) : nil },
      write: { (device, data) throws(AudioError) in
        let volume = try number(data, Float32.self)
        guard (0...1).contains(volume) else { throw refusal(device.uid, "\(volume)", "0 to 1") }
        DeviceLevel.of(device.outputUID).volume = volume
      })
  }

  // MARK: What the rows ask

  private static func isRunning(_ device: Device) -> UInt32 {
    DeviceActivity.streams(on: device.uid).isEmpty ? 0 : 1
  }

  /// Channels of the side that a question names; none of the global scope.
  static func channelCount(_ question: AudioObjectProperty<Device>.Question) -> Int {
    switch question.address.mScope {
    case kAudioObjectPropertyScopeInput: question.object.inputChannelCount
    case kAudioObjectPropertyScopeOutput: question.object.outputChannelCount
    default: 0
    }
  }

  /// Whether the side that a question names has channels; globally: any side.
  private static func hasChannels(_ question: Row.Question) -> Bool {
    question.address.mScope == kAudioObjectPropertyScopeGlobal || channelCount(question) > 0
  }

  /// Whether a question is one about the output as a whole.
  private static func playing(_ question: Row.Question) -> Bool {
    question.address.mScope == kAudioObjectPropertyScopeOutput
      && question.address.mElement == kAudioObjectPropertyElementMain
      && question.object.outputChannelCount > 0
  }

  private static func channelName(_ question: Row.Question) -> String? {
    let (element, count) = (Int(question.address.mElement), channelCount(question))
    return (1...max(count, 1)).contains(element) && count > 0
      ? ChannelNames.name(element - 1, of: count) : nil
  }

  private static func given(_ memory: UnsafeMutableRawBufferPointer) -> Float32 {
    memory.count >= 4 ? memory.loadUnaligned(as: Float32.self) : 0
  }

  private static func latencyFrames(_ device: Device, _ direction: StreamDirection) -> UInt32 {
    let seconds = DeviceActivity.streams(on: device.uid).map { $0.latency(direction) }.max()
    return UInt32(
      clamping: seconds.map { Int(($0 * device.sampleRate).rounded()) } ?? device.cycleFrames)
  }

  private static func setCycle(of device: Device, to frames: Int) throws(AudioError) {
    guard device.cycleFramesRange.contains(frames) else {
      let range = device.cycleFramesRange
      throw refusal(device.uid, "\(frames) frames", "\(range.lowerBound) to \(range.upperBound)")
    }
    DeviceWishes.set(device) { $0.cycleFrames = frames }
  }

  private static func range(_ rates: ClosedRange<Double>) -> AudioValueRange {
    .init(mMinimum: rates.lowerBound, mMaximum: rates.upperBound)
  }

  private static func range(_ frames: ClosedRange<Int>, times factor: Double) -> AudioValueRange {
    .init(
      mMinimum: Double(frames.lowerBound) * factor, mMaximum: Double(frames.upperBound) * factor)
  }

  private static func sides(of device: Device, _ scope: AudioObjectPropertyScope) -> [UInt32] {
    var sides: [UInt32] = []
    if scope != kAudioObjectPropertyScopeInput, device.outputChannelCount > 0 {
      sides.append(id(of: device, isInput: false))
    }
    if scope != kAudioObjectPropertyScopeOutput, device.inputChannelCount > 0 {
      sides.append(id(of: device, isInput: true))
    }
    return sides
  }
}

extension Device {
  /// How it is connected, as far as its back end and its name tell: servers name a device after its bus.
  fileprivate var transportType: UInt32 {
    if backend == NullBackend.name || backend == FileBackend.name {
      return UInt32(kAudioDeviceTransportTypeVirtual)
    }
    let marks: [(text: String, type: UInt32)] = [
      ("bluez", UInt32(kAudioDeviceTransportTypeBluetooth)),
      (".usb-", UInt32(kAudioDeviceTransportTypeUSB)),
      (".pci-", UInt32(kAudioDeviceTransportTypePCI)),
      ("hdmi", UInt32(kAudioDeviceTransportTypeHDMI)),
    ]
    return marks.first { uid.contains($0.text) }?.type ?? UInt32(kAudioDeviceTransportTypeUnknown)
  }
}
