// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
@_spi(TrappingConversions) import CheckedNumbers

// The settings of sinks and sources on a PulseAudio server.
extension DeviceDetails {
  /// Reads the description from a server. Inside `locked`, or on the connection's thread.
  init(_ info: PulseDeviceInfo, _ pulse: PulseFunctions) {
    self.init()
    var values = info.volume.values
    volumes = withUnsafeBytes(of: &values) { bytes in
      (0..<min(Int(info.volume.channels), bytes.count / 4)).map {
        let value = bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
        return Float(value) / Float(PulseVolumeNormal)
      }
    }
    isMuted = info.mute != 0
    isRunning = info.state == CInt(clamping: PulseDeviceRunning)
    func property(_ key: String) -> String {
      info.proplist.flatMap { pulse.pa_proplist_gets($0, key) }.map { String(cString: $0) } ?? ""
    }
    bus = property("device.bus")
    form = property("device.form_factor")
    iconName = property("device.icon_name")
    maker = property("device.vendor.name")
    model = property("device.product.name")
    serialNumber = property("device.serial")
    card = info.card == .max ? "" : "\(info.card)"
    for index in 0..<Int(info.n_ports) {
      guard let port = info.ports?[index]?.pointee else { continue }
      let isKnown = port.available != CInt(clamping: PulsePortUnknown.rawValue)
      ports.append(
        DevicePort(
          name: String(cString: port.name),
          description: port.description.map { String(cString: $0) } ?? String(cString: port.name),
          isPlugged: isKnown ? port.available == CInt(clamping: PulsePortPlugged.rawValue) : nil))
    }
    activePort = (info.active_port?.pointee.name).map { String(cString: $0) }
    (sampleBits, hasFloatSamples) = Self.samples(info.sample_spec.format)
  }

  /// The bits of a server's sample format, and whether it is floating point.
  private static func samples(_ format: CInt) -> (Int?, Bool) {
    switch format {
    case 0: (8, false)
    case 3, 4: (16, false)
    case 5, 6: (32, true)
    case 7, 8: (32, false)
    case 9, 10, 11, 12: (24, false)
    default: (nil, false)
    }
  }
}

extension PulseConnection {
  /// [control thread] Has the server change a sink or a source, and waits for its answer. False if
  /// it has no such setting.
  func change(
    _ name: String, isSink: Bool, _ change: DeviceChange
  ) throws(AudioError) -> Bool {
    let (pulse, context) = (pulse, context)
    let answer = PulseSuccess(self)
    let done = PulseSuccess.function
    switch change {
    case .volumes(let list):
      var volumes = PulseVolumes()
      let count = min(list.count, Int(PulseMaximumChannels))
      volumes.channels = UInt8(clamping: count)
      withUnsafeMutableBytes(of: &volumes.values) { bytes in
        for index in 0..<count {
          let value = UInt32(saturating: (list[index] * Float(PulseVolumeNormal)).rounded())
          bytes.storeBytes(of: value, toByteOffset: index * 4, as: UInt32.self)
        }
      }
      _ = try perform(answer) {
        isSink
          ? pulse.pa_context_set_sink_volume_by_name(context, name, &volumes, done, $0)
          : pulse.pa_context_set_source_volume_by_name(context, name, &volumes, done, $0)
      }
    case .mute(let mutes):
      _ = try perform(answer) {
        isSink
          ? pulse.pa_context_set_sink_mute_by_name(context, name, mutes ? 1 : 0, done, $0)
          : pulse.pa_context_set_source_mute_by_name(context, name, mutes ? 1 : 0, done, $0)
      }
    case .port(let port):
      _ = try perform(answer) {
        isSink
          ? pulse.pa_context_set_sink_port_by_name(context, name, port, done, $0)
          : pulse.pa_context_set_source_port_by_name(context, name, port, done, $0)
      }
    case .defaultOutput:
      guard isSink else { return false }
      _ = try perform(answer) { pulse.pa_context_set_default_sink(context, name, done, $0) }
    case .defaultInput:
      guard !isSink else { return false }
      _ = try perform(answer) { pulse.pa_context_set_default_source(context, name, done, $0) }
    case .sampleRate, .cycleFrames, .exclusive: return false
    }
    guard answer.hasSucceeded else {
      let reason = locked { lastError }
      throw .invalidPropertyValue.because("the PulseAudio server refused it for \(name): \(reason)")
    }
    return true
  }
}

/// The result of a request that succeeds or fails.
private final class PulseSuccess: PulseResult {
  private let connection: PulseConnection
  private(set) var hasSucceeded = false
  private(set) var isComplete = false

  init(_ connection: PulseConnection) { self.connection = connection }

  static let function: @convention(c) (OpaquePointer, CInt, UnsafeMutableRawPointer?) -> Void = {
    _, success, answer in
    guard let answer else { return }
    let me = Unmanaged<PulseSuccess>.fromOpaque(answer).takeUnretainedValue()
    me.hasSucceeded = success != 0
    me.isComplete = true
    me.connection.wake()
  }
}
