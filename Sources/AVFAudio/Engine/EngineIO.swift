// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The units at the end of an engine: the one that reaches the device, and the one that takes its
/// place in manual rendering.
final class EngineIO: @unchecked Sendable {  // the units are safe for threads
  /// Made when something needs it: a unit that plays, and captures if the input node is used.
  private let deviceUnit = Guarded<NodeUnit?>(nil)
  /// The output of manual rendering.
  let generic = NodeUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)

  /// The unit that reaches the device.
  var device: NodeUnit {
    deviceUnit.withLock { unit in
      if let unit { return unit }
      let made = NodeUnit(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
      unit = made
      return made
    }
  }

  /// The unit that pulls the others.
  func head(isManual: Bool) -> NodeUnit? { isManual ? generic : device }

  /// The output of the input node.
  func inputPort(isManual: Bool) -> (NodeUnit, UInt32)? { isManual ? nil : (device, 1) }

  /// The format of the device's output or input; unknown without a device.
  func deviceFormat(input: Bool) -> AVAudioFormat {
    let format = device.format(
      input ? kAudioUnitScope_Input : kAudioUnitScope_Output, input ? 1 : 0)
    return format.map { .standard($0.sampleRate, $0.channelCount) } ?? .unknown
  }

  /// Checks that there is a device.
  func checkDevice(_ call: String, _ nodes: Set<AVAudioNode>) throws {
    guard deviceFormat(input: false).sampleRate > 0 else {
      throw EngineError.refusal(
        call, "there is no device", mend: "connect one, or enable manual rendering",
        kAudioUnitErr_InvalidPropertyValue)
    }
  }

  /// Prepares the units for rendering.
  func prepare(_ manual: ManualRendering) throws {}

  /// The latencies of the device in seconds.
  func presentationLatency(input: Bool) -> Double {
    device.value(
      kAudioUnitProperty_PresentationLatency,
      input ? kAudioUnitScope_Input : kAudioUnitScope_Output, 0.0 as Float64) ?? 0
  }
  var unitLatency: Double { device.value(
      kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0.0 as Float64) ?? 0 }

  /// The host time of the last cycle.
  var lastHostTime: UInt64 { AudioGetCurrentHostTime() }
}
