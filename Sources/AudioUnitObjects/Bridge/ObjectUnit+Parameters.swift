// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio

// The parameters of the object, for hosts of C units.
extension ObjectUnit {
  /// [any thread] The parameter at an address of the C API.
  func object(_ address: ParameterAddress) throws(AudioError) -> AUParameter {
    guard address.scope == kAudioUnitScope_Global else {
      throw .invalidScope.because(
        "parameter \(address.id): all parameters of this unit are in the global scope")
    }
    guard address.element == 0 else {
      throw .invalidElement.because(
        "parameter \(address.id): element \(address.element) of the global scope does not exist")
    }
    guard let parameter = parameterMap?.parameter(address.id) else {
      throw .invalidParameter.because("parameter \(address.id) is not in the tree")
    }
    return parameter
  }

  /// [any thread] The same, if it can be set to a value.
  func writable(
    _ address: ParameterAddress, _ value: AudioUnitParameterValue
  ) throws(AudioError) -> AUParameter {
    let parameter = try object(address)
    guard parameter.flags.contains(.flag_IsWritable) else {
      throw .invalidParameter.because("parameter \(address.id) can only be read")
    }
    guard value.isFinite else {
      throw .invalidParameterValue.because("parameter \(address.id): \(value) is not a number")
    }
    return parameter
  }

  /// A change that a host has scheduled.
  struct Change {
    let parameter: AUParameter
    let offset: UInt32
    /// The frames of a ramp; 0 for a change at once.
    let ramp: UInt32
    /// The value at the beginning of a ramp.
    let start: AUValue?
    let value: AUValue
  }

  /// [any thread] The change of an event.
  func change(_ event: AudioUnitParameterEvent) throws(AudioError) -> Change {
    let address = ParameterAddress(event.parameter, event.scope, event.element)
    switch event.eventType {
    case .parameterEvent_Immediate:
      let value = event.eventValues.immediate
      return Change(
        parameter: try writable(address, value.value), offset: value.bufferOffset, ramp: 0,
        start: nil, value: value.value)
    case .parameterEvent_Ramped:
      let ramp = event.eventValues.ramp
      let parameter = try writable(address, ramp.endValue)
      _ = try writable(address, ramp.startValue)
      let elapsed = UInt32(clamping: -Int64(ramp.startBufferOffset))
      let left = ramp.durationInFrames - min(elapsed, ramp.durationInFrames)
      let part = ramp.durationInFrames == 0 ? 1 : Float(left) / Float(ramp.durationInFrames)
      return Change(
        parameter: parameter, offset: UInt32(clamping: ramp.startBufferOffset), ramp: left,
        start: left == 0 ? nil : ramp.endValue * (1 - part) + ramp.startValue * part,
        value: ramp.endValue)
    default:
      throw .invalidArgument.because(
        "parameter \(address.id): event type \(event.eventType.rawValue) is neither immediate nor "
          + "ramped")
    }
  }

  /// [any thread] Adds a change for the next render: to the nearest value in the range. The tree has the
  /// value from now on, as its observers do.
  func push(
    _ offset: UInt32, ramp: UInt32, _ parameter: AUParameter, _ value: AUValue
  ) throws(AudioError) {
    let value = parameter.valueCore.limited(value)
    guard
      object.renderer.events.pointee.push(time(offset), ramp: ramp, parameter.address, value)
    else {
      throw .cannotDoInCurrentContext.because(
        "\(EventQueue.capacity) changes are already waiting for the next render")
    }
    parameter.report(value, originator: originator)
  }

  /// [any thread] The time of an event so many frames after the start of the next render.
  func time(_ offset: UInt32) -> AUEventSampleTime {
    AUEventSampleTimeImmediate + AUEventSampleTime(min(offset, 4_095))
  }
}
