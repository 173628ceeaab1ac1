// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioConversion
import AudioSupport
import AudioDevices
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

// The properties that only output units have, one row each.
extension OutputUnit {
  private typealias Row = PropertyRow<OutputUnit>
  private static let global = [kAudioUnitScope_Global]
  private static let inputAndOutput = [kAudioUnitScope_Input, kAudioUnitScope_Output]

  /// Properties of the whole unit, which programs access in any scope and with the element of
  /// either direction.
  private static let anyScope = global + inputAndOutput

  private static let whileStopped = Row.Writability.unless { unit in
    unit.isRunning ? .initialized.because("the unit runs; stop it first") : nil
  }

  static let rows = PropertyRow<OutputUnit>.rows(outputRows + commonRows)

  private static let outputRows: [Row] = [
    Row.value(
      kAUDiagnosticsProperty_Xruns, in: global,
      reading: { unit in
        let xruns = unit.client.xruns
        return AUDiagnosticsXruns(
          mCount: UInt32(clamping: xruns.own), mServerCount: UInt32(clamping: xruns.server ?? 0),
          mServerReports: xruns.server == nil ? 0 : 1)
      }),
    Row.string(
      kAUDiagnosticsProperty_Interruption, in: global, isNullWhenUnset: true,
      get: { unit, _ in unit.client.interruption }),
    Row.value(
      // It cannot be set, because it is the device's.
      kAudioUnitProperty_PresentationLatency, in: inputAndOutput, Float64.self,
      get: { (unit, address) throws(AudioError) in
        guard let connection = unit.client.connection else { return 0 }
        let direction = try direction(address)
        let bridge = direction == .input ? connection.captureLatency : 0
        return connection.stream.latency(direction) + bridge
      }),
    Row.value(
      kAudioOutputUnitProperty_CurrentDevice, in: anyScope, by: .owner, writable: whileStopped,
      get: { (unit, _) throws(AudioError) in DeviceList.id(of: try unit.device()) },
      set: { (unit, _, id: UInt32) throws(AudioError) in
        _ = try DeviceList.device(id, input: unit.capturesInput, output: unit.playsOutput)
        unit.deviceID = id
        unit.adoptFormats(of: try unit.device())
      }),
    Row.flag(kAudioOutputUnitProperty_IsRunning, in: global, get: { unit, _ in unit.isRunning }),
    Row.flag(
      kAudioOutputUnitProperty_EnableIO, in: inputAndOutput, writable: whileStopped,
      get: { (unit, address) throws(AudioError) in
        try direction(address) == .input ? unit.capturesInput : unit.playsOutput
      },
      set: { (unit, address, isOn) throws(AudioError) in
        switch try direction(address) {
        case .input: unit.capturesInput = isOn
        case .output: unit.playsOutput = isOn
        }
      }),
    Row.flag(
      kAudioOutputUnitProperty_HasIO, in: inputAndOutput,
      get: { (unit, address) throws(AudioError) in
        let device = try unit.wholeDevice()
        let channels =
          try direction(address) == .input ? device.inputChannelCount : device.outputChannelCount
        return channels > 0
      }),
    Row.value(
      // Programs use the element of the input, although the property belongs to the unit.
      kAudioOutputUnitProperty_SetInputCallback, in: anyScope, by: .owner, writable: whileStopped,
      AURenderCallbackStruct.self,
      get: { unit, _ in unit.inputCallback },
      set: { unit, _, callback in unit.inputCallback = callback }),
    Row.value(
      kAudioOutputUnitProperty_StartTime, in: global, AudioOutputUnitStartAtTimeParams.self,
      set: { (unit, _, start) throws(AudioError) in
        let time = start.mTimestamp
        guard time.mFlags.contains(.hostTimeValid) || time.mFlags.isEmpty else {
          throw .invalidPropertyValue.because("the time stamp has no host time")
        }
        unit.startHostTime = time.mFlags.isEmpty ? nil : time.mHostTime
      }),
    Row.flag(
      kAudioOutputUnitProperty_StartTimestampsAtZero, in: global,
      get: { unit, _ in unit.startsAtZero },
      set: { unit, _, atZero in unit.startsAtZero = atZero }),
    Row.value(
      // As in a converter: the unit converts to the device's format.
      kAudioConverterPropertyDithering, in: global, writable: whileStopped,
      get: { unit, _ in UInt32(clamping: unit.dither.rawValue) },
      set: { (unit, _, kind: UInt32) throws(AudioError) in
        guard let dither = Dither.Kind(rawValue: Int32(clamping: kind)) else {
          throw .invalidPropertyValue.because("there is no dither \(kind), only 0 to 2")
        }
        unit.dither = dither
      }),
    Row.array(
      kAudioOutputUnitProperty_ChannelMap, in: anyScope, writable: whileStopped, Int32.self,
      get: { (unit, address) throws(AudioError) in
        let (source, target) = try unit.channelCounts(address)
        let map = address.element == 1 ? unit.inputMap : unit.outputMap
        return map.map { ChannelRouting.fitted($0, to: target) }
          ?? ChannelRouting.natural(from: source, to: target)
      },
      count: { (unit, address) throws(AudioError) in try unit.channelCounts(address).target },
      set: { (unit, address, map) throws(AudioError) in
        if address.element == 1 { unit.inputMap = map } else { unit.outputMap = map }
      }),
  ]

  /// Common properties in the form for output units. Programs write them to any element or scope,
  /// even after they have initialized the unit.
  private static let commonRows: [Row] = [
    Row.value(
      kAudioUnitProperty_MaximumFramesPerSlice, in: anyScope, by: .owner,
      writable: .uninitialized(
        .initialized.because(
          "the maximum slice is fixed while the unit is initialized; uninitialize the unit first")),
      get: { unit, _ in UInt32(clamping: unit.maximumFrames) },
      set: { (unit, _, frames) throws(AudioError) in try unit.setMaximumFrames(frames) }),
    Row.value(
      kAudioUnitProperty_SetRenderCallback, in: anyScope, AURenderCallbackStruct.self,
      set: { (unit, address, callback) throws(AudioError) in
        guard address.scope != kAudioUnitScope_Output || address.element == 0 else {
          throw .invalidElement.because("element 1 of the output scope is the captured input")
        }
        try unit.setRenderCallback(callback, address.element)
      }),
    Row.flag(
      kAudioUnitProperty_ShouldAllocateBuffer, in: inputAndOutput, writable: whileStopped,
      get: { (unit, address) throws(AudioError) in
        try unit.element(address.scope, address.element).allocatesBuffer
      },
      set: { (unit, address, allocates) throws(AudioError) in
        try unit.element(address.scope, address.element).allocatesBuffer = allocates
      }),
    Row.layout(
      in: inputAndOutput,
      default: { (unit, element) throws(AudioError) in
        guard unit.hasDeviceFormat(element) else { return nil }
        return try unit.deviceProperties?.layout(isInput: element.index == 1)
      }),
  ]

  /// The channel counts on both ends of a channel map: of the input for element 1, otherwise of
  /// the output.
  private func channelCounts(_ address: PropertyAddress) throws(AudioError) -> (
    source: Int, target: Int
  ) {
    let device = try wholeDevice()
    return address.element == 1
      ? (device.inputChannelCount, outputs[1].format.channelCount)
      : (inputs[0].format.channelCount, device.outputChannelCount)
  }

  /// The direction that an address enables: capture at (input scope, element 1), playback at
  /// (output scope, element 0).
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
