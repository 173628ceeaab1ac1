// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The back ends with their devices, at one moment.
struct DeviceReport: Encodable, Equatable {
  /// A back end.
  struct Backend: Encodable, Equatable {
    var name: String
    /// Why it has no devices; nil when it has.
    var reason: String?
    var devices: [Entry]
  }

  /// A device.
  struct Entry: Encodable, Equatable {
    var uid: String
    var name: String
    var inputChannels: Int
    var outputChannels: Int
    var sampleRate: Double
    var lowestSampleRate: Double
    var highestSampleRate: Double
    var cycleFrames: Int
    var fewestCycleFrames: Int
    var mostCycleFrames: Int
    var isDefaultInput: Bool
    var isDefaultOutput: Bool
    /// Whether programs use it that name no device.
    var isChosen: Bool
    /// Whether any program plays to it or captures from it.
    var isRunning: Bool
    /// The output and the input; nil if the endpoint has no channels.
    var output: DeviceEndpoint?
    var input: DeviceEndpoint?
  }

  var backends: [Backend]
  /// Why programs that name no device get none; nil when they get one.
  var problem: String?

  /// Queries every back end.
  init() {
    // Reading the list of objects adds the aggregate devices to the back ends.
    let objects = HardwareObject.all
    var uid: Unmanaged<CFString>?
    let status = AUDevicesCopyChosenUID(&uid)
    let chosen = uid.map { String(describing: $0.takeRetainedValue()) }
    if status != noErr {
      problem = String(describing: AUDiagnosticsCopyReason(status).takeRetainedValue())
    }
    backends = BackEnd.all().map { backEnd in
      Backend(
        name: backEnd.name, reason: backEnd.reason,
        devices: backEnd.devices.map { Entry($0, isChosen: $0.uid == chosen, objects) })
    }
  }

  var devices: [Entry] { backends.flatMap(\.devices) }

  /// A table to read.
  var text: String {
    var table = TextTable([
      "  UID", "NAME", "IN", "OUT", "RATE", "CYCLE", "VOLUME", "USE", "DEFAULT",
    ])
    for device in devices { device.add(to: &table) }
    var reasons = TextTable()
    for backend in backends where backend.devices.isEmpty && backend.name != "aggregate" {
      reasons.add(backend.name, backend.reason ?? "has no device")
    }
    var text = devices.isEmpty ? "" : table.text
    let missing = reasons.text
    if !missing.isEmpty { text += (text.isEmpty ? "" : "\n") + "Not available:\n" + missing }
    if let problem { text += "\nNo device can be chosen: \(problem)\n" }
    return text
  }
}

extension DeviceReport.Entry {
  init(_ device: BackEnd.Device, isChosen: Bool, _ objects: [HardwareObject]) {
    uid = device.uid
    name = device.name
    inputChannels = device.inputChannels
    outputChannels = device.outputChannels
    sampleRate = device.sampleRate
    lowestSampleRate = device.lowestSampleRate
    highestSampleRate = device.highestSampleRate
    cycleFrames = device.cycleFrames
    fewestCycleFrames = device.fewestCycleFrames
    mostCycleFrames = device.mostCycleFrames
    isDefaultInput = device.isDefaultInput
    isDefaultOutput = device.isDefaultOutput
    self.isChosen = isChosen
    isRunning = device.isRunning
    let object = objects.first { $0.uid == device.uid }
    output = object.flatMap { DeviceEndpoint($0, isInput: false) }
    input = object.flatMap { DeviceEndpoint($0, isInput: true) }
  }

  /// The settings that can change while the device is connected.
  var settings: [String] {
    [
      "\(sampleRate)", "\(cycleFrames)", output?.levelWord ?? "", input?.levelWord ?? "",
      output?.source ?? "", input?.source ?? "",
    ]
  }

  /// The level of the output, or of the input if there is no output.
  var levelWord: String { (output ?? input)?.levelWord ?? "" }

  fileprivate func add(to table: inout TextTable) {
    let defaults = [(isDefaultOutput, "output"), (isDefaultInput, "input")]
      .filter(\.0).map(\.1).joined(separator: ", ")
    table.add(
      (isChosen ? "> " : "  ") + uid, name, "\(inputChannels)", "\(outputChannels)",
      Numbers.plain(sampleRate), "\(cycleFrames)", levelWord, isRunning ? "yes" : "", defaults)
  }
}
