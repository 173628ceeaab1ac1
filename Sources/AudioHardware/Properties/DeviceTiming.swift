// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Rates, cycle sizes and latencies of devices, current and requested.
extension AudioObjects {
  /// Properties of the functions on the device.
  static let usage: [PropertyRow<Device>] = [
    .init(
      kAudioDevicePropertyIOProcStreamUsage,
      { query in
        let isInput = query.address.scope == kAudioObjectPropertyScopeInput
        guard channelCount(query) > 0 else { return nil }
        let function = query.memory.count >= 8 ? query.memory.loadUnaligned(as: UInt.self) : 0
        let count = query.owner.streams(isInput: isInput).count
        let usage = DeviceIOs.usage(function, query.owner, isInput: isInput)
        return .usage(function, usage ?? [Bool](repeating: true, count: count))
      },
      addressedWrite: { (device, address, data) throws(AudioError) in
        let isInput = address.scope == kAudioObjectPropertyScopeInput
        let count = device.streams(isInput: isInput).count
        let data = data.bytes
        guard data.count >= 12 + 4 * count,
          data.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == UInt32(clamping: count)
        else {
          throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
            "\(data.count) bytes; expected \(12 + 4 * count), for \(count) streams")
        }
        let streams = (0..<count).map {
          data.loadUnaligned(fromByteOffset: 12 + 4 * $0, as: UInt32.self) != 0
        }
        try DeviceIOs.setUsage(
          data.loadUnaligned(as: UInt.self), device, isInput: isInput, streams)
      }),
    .init(
      kAudioDevicePropertyIOCycleUsage, { .float(DeviceIOs.cycleUsage(of: $0.owner)) },
      write: { (device, data) throws(AudioError) in
        try DeviceIOs.setCycleUsage(of: device, try data.value(Float32.self))
      }),
  ]

  /// Frames between a cycle and the analog signal of the device, as streams of this process report
  /// them, otherwise as the server does, and then at least a cycle.
  static func latencyFrames(_ device: Device, _ direction: StreamDirection) -> UInt32 {
    let io = direction == .input ? DeviceIOs.known(DeviceList.id(of: device)) : nil
    let seconds = DeviceActivity.streams(on: device.uid).map { $0.latency(direction) }.max()
      .map { $0 + (io?.bridgeLatency ?? 0) }
    let idle = device.details.latency * device.sampleRate
    return UInt32(
      saturating: seconds.map { ($0 * device.sampleRate).rounded() }
        ?? (Double(device.cycleFrames) + idle).rounded())
  }

  /// The cycle size in frames: the one that the server granted to a running stream of this process,
  /// otherwise the requested one.
  static func cycleFrames(of device: Device) -> Int {
    let granted = DeviceActivity.streams(on: device.uid).filter { $0.stallLimit != nil }
    return granted.map(\.device.cycleFrames).min() ?? device.cycleFrames
  }

  /// The cycle sizes that can be requested.
  static func cycles(of device: Device) -> ClosedRange<Int> {
    device.details.switchableCycles ?? device.cycleFramesRange
  }

  /// Requests a cycle size, from the server or for later starts.
  static func setCycle(of device: Device, to frames: Int) throws(AudioError) {
    let range = cycles(of: device)
    guard range.contains(frames) else {
      throw refusal(device.uid, "\(frames) frames", "\(range.lowerBound) to \(range.upperBound)")
    }
    guard device.details.switchableCycles == nil else {
      guard try Backends.named(device.backend).change(device, .cycleFrames(frames)) else {
        throw refusal(device.uid, "\(frames) frames", "a power of two")
      }
      return DeviceCache.invalidate()
    }
    DeviceRequests.set(device) { $0.cycleFrames = frames }
  }

  /// The rate in frames per second of the running stream, otherwise the nominal rate.
  static func actualRate(of device: Device) -> Double {
    DeviceActivity.streams(on: device.uid).first?.device.sampleRate ?? device.sampleRate
  }

  /// The rates that can be requested.
  static func rates(of device: Device) -> [AudioValueRange] {
    let rates = device.details.switchableRates
    guard rates.isEmpty else { return rates.map { .init(mMinimum: $0, mMaximum: $0) } }
    let range = device.sampleRates
    return [.init(mMinimum: range.lowerBound, mMaximum: range.upperBound)]
  }

  /// A rate as text, without a fraction if that is zero.
  private static func plain(_ rate: Double) -> String {
    rate.plainText
  }

  /// Requests a rate, from the server or for later starts.
  static func setRate(of device: Device, to rate: Double) throws(AudioError) {
    if device.details.switchableRates.contains(rate) {
      return try device.change(.sampleRate(rate), "the rate")
    }
    guard device.sampleRates.contains(rate) else {
      let allowed = rates(of: device).map {
        $0.mMinimum == $0.mMaximum
          ? plain($0.mMinimum) : "\(plain($0.mMinimum)) to \(plain($0.mMaximum))"
      }
      throw refusal(device.uid, "\(plain(rate)) Hz", allowed.joined(separator: ", ") + " Hz")
    }
    DeviceRequests.set(device) { $0.sampleRate = rate }
  }
}
