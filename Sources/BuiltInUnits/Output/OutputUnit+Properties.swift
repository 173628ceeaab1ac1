// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioUnitCore
import CAudioToolbox

// What only output units have, a row each.
extension OutputUnit {
  private typealias Row = Rows<OutputUnit>
  private static let global = [kAudioUnitScope_Global]
  private static let sides = [kAudioUnitScope_Input, kAudioUnitScope_Output]

  private static let whileStopped = Property.Writability.uninitialized(
    .initialized.because("it is fixed while the unit is initialized; uninitialize it first"))

  static let rows: [Property] = [
    Row.value(
      kAudioOutputUnitProperty_CurrentDevice, in: global,
      get: { (unit, _) throws(AudioError) in DeviceList.id(of: try unit.device()) },
      set: { (unit, _, id: UInt32) throws(AudioError) in
        guard !unit.isRunning else {
          throw .initialized.because("the unit runs; stop it first")
        }
        _ = try DeviceList.device(id, input: unit.capturesInput, output: unit.playsOutput)
        unit.deviceID = id
        try unit.followDevice()
      }),
    Row.value(
      kAudioOutputUnitProperty_IsRunning, in: global,
      reading: { UInt32($0.isRunning ? 1 : 0) }),
    Row.value(
      kAudioOutputUnitProperty_EnableIO, in: sides, writable: whileStopped, UInt32.self,
      get: { (unit, address) throws(AudioError) in
        try direction(address) == .input ? unit.capturesInput ? 1 : 0 : unit.playsOutput ? 1 : 0
      },
      set: { (unit, address, isOn) throws(AudioError) in
        switch try direction(address) {
        case .input: unit.capturesInput = isOn != 0
        case .output: unit.playsOutput = isOn != 0
        }
      }),
    Row.value(
      kAudioOutputUnitProperty_HasIO, in: sides, UInt32.self,
      get: { (unit, address) throws(AudioError) in
        let device = try unit.device()
        let channels =
          try direction(address) == .input ? device.inputChannelCount : device.outputChannelCount
        return channels > 0 ? 1 : 0
      }),
    Row.value(
      kAudioOutputUnitProperty_SetInputCallback, in: global, AURenderCallbackStruct.self,
      get: { unit, _ in unit.inputCallback },
      set: { (unit, _, callback) throws(AudioError) in
        guard !unit.isRunning else {
          throw .initialized.because("the unit runs; stop it first")
        }
        unit.inputCallback = callback
      }),
    Row.value(
      kAudioOutputUnitProperty_StartTime, in: global, AudioOutputUnitStartAtTimeParams.self,
      set: { unit, _, start in unit.startTime = start.mTimestamp }),
    Row.value(
      kAudioOutputUnitProperty_StartTimestampsAtZero, in: global,
      get: { unit, _ in UInt32(unit.startsAtZero ? 1 : 0) },
      set: { unit, _, atZero in unit.startsAtZero = atZero != 0 }),
    Row.array(
      kAudioOutputUnitProperty_ChannelMap, in: sides, Int32.self,
      get: { (unit, address) throws(AudioError) in
        if address.element == 1 {
          return unit.inputMap ?? (0..<Int32(unit.outputs[1].format.channelCount)).map { $0 }
        }
        if let map = unit.outputMap { return map }
        return (0..<Int32(try unit.device().outputChannelCount)).map { $0 }
      },
      set: { (unit, address, map) throws(AudioError) in
        guard !unit.isRunning else {
          throw .initialized.because("the unit runs; stop it first")
        }
        let count =
          address.element == 1
          ? unit.outputs[1].format.channelCount : try unit.device().outputChannelCount
        guard map.count == count else {
          throw .invalidPropertyValue.because(
            "\(map.count) entries; one for each of \(count) channels is expected")
        }
        if address.element == 1 { unit.inputMap = map } else { unit.outputMap = map }
      }),
    Row.value(
      kAudioUnitProperty_StreamFormat,
      in: [kAudioUnitScope_Input, kAudioUnitScope_Output, kAudioUnitScope_Global],
      AudioStreamBasicDescription.self,
      get: { (unit, address) throws(AudioError) in
        try unit.followDevice()
        return try unit.formatElement(address).format.description
      },
      set: { (unit, address, format) throws(AudioError) in
        try unit.setFormat(StreamFormat(format), at: unit.formatElement(address))
      }),
  ]

  /// Capture is switched at (input scope, element 1), playback at (output scope, element 0).
  private static func direction(_ address: PropertyAddress) throws(AudioError) -> StreamDirection {
    switch (address.scope, address.element) {
    case (kAudioUnitScope_Input, 1): return .input
    case (kAudioUnitScope_Output, 0): return .output
    default:
      throw .invalidElement.because(
        "input is element 1 of the input scope, output element 0 of the output scope")
    }
  }
}
