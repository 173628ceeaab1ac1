// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The output or the input of a device: its channels, level, streams and latency.
struct DeviceEndpoint: Encodable, Equatable {
  /// A stream with its formats.
  struct Stream: Encodable, Equatable {
    var channels: Int
    var firstChannel: Int
    /// The format that programs see, and that of the hardware if it is known.
    var format: String
    var hardwareFormat: String
  }

  /// The latency between a program and the connectors, part by part, in frames.
  struct Latency: Encodable, Equatable {
    var device: Int
    var safetyOffset: Int
    var stream: Int
    var cycle: Int
    var seconds: Double
  }

  var channels: Int
  var channelNames: [String]
  /// 0 to 1, and in decibels; nil if the endpoint has no volume.
  var volume: Float?
  var decibels: Float?
  var isMuted: Bool?
  var source: String?
  var sources: [String]
  var streams: [Stream]
  var latency: Latency

  /// Nil if the device has no channels on that endpoint.
  init?(_ device: HardwareObject, isInput: Bool) {
    let scope = isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
    let streams = device.list(kAudioDevicePropertyStreams, AudioStreamID(0), scope)
      .map(HardwareObject.init(id:))
    self.streams = streams.map(Stream.init)
    channels = self.streams.reduce(0) { $0 + $1.channels }
    guard channels > 0 else { return nil }
    channelNames = (1...channels).map {
      device.text(kAudioObjectPropertyElementName, scope, UInt32(clamping: $0)) ?? "\($0)"
    }
    volume = device.value(kAudioDevicePropertyVolumeScalar, Float32(0), scope)
    decibels = device.value(kAudioDevicePropertyVolumeDecibels, Float32(0), scope)
    isMuted = device.value(kAudioDevicePropertyMute, UInt32(0), scope).map { $0 != 0 }
    source = device.value(kAudioDevicePropertyDataSource, UInt32(0), scope)
      .flatMap { device.sourceName($0, scope) }
    sources = device.list(kAudioDevicePropertyDataSources, UInt32(0), scope)
      .compactMap { device.sourceName($0, scope) }
    latency = Latency(device, streams.first, scope)
  }

  /// The level in one word: "50 %", "muted"; empty if there is none.
  var levelWord: String {
    if isMuted == true { return "muted" }
    return volume.map { "\(Int(saturating: ($0 * 100).rounded())) %" } ?? ""
  }

  /// Adds its rows to a table to read.
  func add(to table: inout TextTable, _ name: String) {
    table.add(
      name, "\(Numbers.count(channels, "channel")): \(channelNames.joined(separator: ", "))")
    if let volume, let decibels {
      let level =
        "\(Int(saturating: (volume * 100).rounded())) %, \(Numbers.rounded(Double(decibels), digits: 1)) dB"
      table.add("  volume", level + (isMuted == true ? ", muted" : ""))
    } else if let isMuted {
      table.add("  mute", isMuted ? "yes" : "no")
    }
    if let source {
      let others = sources.filter { $0 != source }
      table.add(
        "  source",
        source + (others.isEmpty ? "" : " (others: \(others.joined(separator: ", ")))"))
    }
    for (index, stream) in streams.enumerated() {
      let place = "channels \(stream.firstChannel) to \(stream.firstChannel + stream.channels - 1)"
      let hardware =
        stream.hardwareFormat == stream.format ? "" : "; hardware \(stream.hardwareFormat)"
      table.add("  stream \(index + 1)", "\(place), \(stream.format)\(hardware)")
    }
    table.add(
      "  latency",
      "\(latency.device) frames of the device + \(latency.safetyOffset) of its safety offset + "
        + "\(latency.stream) of the stream: \(Numbers.rounded(latency.seconds * 1_000, digits: 1)) ms"
    )
  }
}

extension DeviceEndpoint.Stream {
  fileprivate init(_ stream: HardwareObject) {
    let virtual = stream.value(
      kAudioStreamPropertyVirtualFormat, AudioStreamBasicDescription())
    let physical = stream.value(
      kAudioStreamPropertyPhysicalFormat, AudioStreamBasicDescription())
    channels = Int(virtual?.mChannelsPerFrame ?? 0)
    firstChannel = Int(stream.value(kAudioStreamPropertyStartingChannel, UInt32(1)) ?? 1)
    format = virtual.map(Self.words) ?? ""
    hardwareFormat = physical.map(Self.words) ?? format
  }

  private static func words(_ format: AudioStreamBasicDescription) -> String {
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    return "\(isFloat ? "Float" : "Int")\(format.mBitsPerChannel), "
      + "\(Numbers.plain(format.mSampleRate)) Hz"
  }
}

extension DeviceEndpoint.Latency {
  fileprivate init(
    _ device: HardwareObject, _ stream: HardwareObject?, _ scope: AudioObjectPropertyScope
  ) {
    func frames(_ object: HardwareObject?, _ selector: AudioObjectPropertySelector) -> Int {
      Int(object?.value(selector, UInt32(0), scope) ?? 0)
    }
    self.device = frames(device, kAudioDevicePropertyLatency)
    safetyOffset = frames(device, kAudioDevicePropertySafetyOffset)
    self.stream = Int(stream?.value(kAudioStreamPropertyLatency, UInt32(0)) ?? 0)
    cycle = Int(device.value(kAudioDevicePropertyBufferFrameSize, UInt32(0)) ?? 0)
    let rate = device.value(kAudioDevicePropertyNominalSampleRate, 0.0) ?? 0
    seconds = rate > 0 ? Double(self.device + safetyOffset + self.stream) / rate : 0
  }
}
