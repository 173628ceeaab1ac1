// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// All properties of one device, for printing.
struct SingleDeviceReport: Encodable, Equatable {
  var uid: String
  var name: String
  var manufacturer: String
  var model: String
  /// How it is connected.
  var transport: String
  var isDefaultInput: Bool
  var isDefaultOutput: Bool
  /// Whether any program plays to it or captures from it.
  var isRunning: Bool
  /// The process that uses it exclusively.
  var owner: Int32?
  var sampleRate: Double
  var sampleRates: String
  var cycleFrames: Int
  var cycleRange: String
  /// The UIDs of the parts of an aggregate device.
  var parts: [String]
  var output: DeviceEndpoint?
  var input: DeviceEndpoint?

  init(_ device: HardwareObject) {
    uid = device.text(kAudioDevicePropertyDeviceUID) ?? ""
    name = device.text(kAudioObjectPropertyName) ?? ""
    manufacturer = device.text(kAudioObjectPropertyManufacturer) ?? ""
    model = device.text(kAudioObjectPropertyModelName) ?? ""
    transport = Self.transportWord(
      device.value(kAudioDevicePropertyTransportType, UInt32(0)) ?? 0)
    func isDefault(_ selector: AudioObjectPropertySelector) -> Bool {
      HardwareObject.system.value(selector, AudioObjectID(0)) == device.id
    }
    isDefaultInput = isDefault(kAudioHardwarePropertyDefaultInputDevice)
    isDefaultOutput = isDefault(kAudioHardwarePropertyDefaultOutputDevice)
    isRunning = device.value(kAudioDevicePropertyDeviceIsRunningSomewhere, UInt32(0)) == 1
    owner = device.value(kAudioDevicePropertyHogMode, Int32(-1)).flatMap { $0 < 0 ? nil : $0 }
    sampleRate = device.value(kAudioDevicePropertyNominalSampleRate, 0.0) ?? 0
    sampleRates = Self.words(
      device.list(kAudioDevicePropertyAvailableNominalSampleRates, AudioValueRange()))
    cycleFrames = Int(device.value(kAudioDevicePropertyBufferFrameSize, UInt32(0)) ?? 0)
    cycleRange = Self.words(
      device.list(kAudioDevicePropertyBufferFrameSizeRange, AudioValueRange()))
    parts = device.list(kAudioAggregateDevicePropertyActiveSubDeviceList, AudioObjectID(0))
      .compactMap { HardwareObject(id: $0).text(kAudioDevicePropertyDeviceUID) }
    output = DeviceEndpoint(device, isInput: false)
    input = DeviceEndpoint(device, isInput: true)
  }

  /// A table to read.
  var text: String {
    var table = TextTable()
    let defaults = [(isDefaultOutput, "output"), (isDefaultInput, "input")].filter(\.0).map(\.1)
    let made = [manufacturer, model].filter { !$0.isEmpty && $0 != name }
    table.add("name", name)
    if !made.isEmpty { table.add("made by", made.joined(separator: ", ")) }
    table.add("connected", transport)
    if !parts.isEmpty { table.add("made of", parts.joined(separator: ", ")) }
    table.add("default", defaults.isEmpty ? "no" : defaults.joined(separator: ", "))
    table.add("in use", use)
    table.add("rate", "\(Numbers.plain(sampleRate)) Hz (\(sampleRates) Hz)")
    let milliseconds = sampleRate > 0 ? Double(cycleFrames) / sampleRate * 1_000 : 0
    table.add(
      "cycle",
      "\(cycleFrames) frames, \(Numbers.rounded(milliseconds, digits: 1)) ms (\(cycleRange) frames)"
    )
    output?.add(to: &table, "output")
    input?.add(to: &table, "input")
    return "\(uid)\n\(table.text)"
  }

  private var use: String {
    guard let owner else { return isRunning ? "yes" : "no" }
    let file = try? String(contentsOfFile: "/proc/\(owner)/comm", encoding: .utf8)
    let name = file.map { " (\($0.trimmingCharacters(in: .whitespacesAndNewlines)))" } ?? ""
    return "by process \(owner)\(name) alone"
  }

  private static func words(_ ranges: [AudioValueRange]) -> String {
    ranges.map { range in
      range.mMinimum == range.mMaximum
        ? Numbers.plain(range.mMinimum)
        : "\(Numbers.plain(range.mMinimum)) to \(Numbers.plain(range.mMaximum))"
    }.joined(separator: ", ")
  }

  private static func transportWord(_ type: UInt32) -> String {
    let words: [(type: Int, word: String)] = [
      (Int(kAudioDeviceTransportTypeBuiltIn), "built in"),
      (Int(kAudioDeviceTransportTypeAggregate), "made of others"),
      (Int(kAudioDeviceTransportTypeVirtual), "virtual"),
      (Int(kAudioDeviceTransportTypePCI), "PCI"),
      (Int(kAudioDeviceTransportTypeUSB), "USB"),
      (Int(kAudioDeviceTransportTypeFireWire), "FireWire"),
      (Int(kAudioDeviceTransportTypeBluetooth), "Bluetooth"),
      (Int(kAudioDeviceTransportTypeHDMI), "HDMI"),
    ]
    return words.first { $0.type == Int(type) }?.word ?? "unknown"
  }
}
