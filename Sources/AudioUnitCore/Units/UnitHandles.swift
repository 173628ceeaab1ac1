// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The handles of the process.
public enum Handles {
  /// Audio units: `AudioUnit`, `AudioComponentInstance`.
  public static let units: HandleTable<UnitInstance, AudioUnit> = {
    Explanations.describeUnit = describe
    return HandleTable(kind: 1)
  }()
  /// Components: `AudioComponent`.
  public static let components = HandleTable<Component, AudioComponent>(kind: 2)

  /// The explanation for a unit in which a render failed.
  private static func describe(
    _ handle: AudioUnit, _ status: OSStatus, _ bus: UInt32, _ frameCount: UInt32
  ) -> String? {
    guard let entered = units.enter(handle) else { return nil }
    defer { units.leave(handle) }
    let unit = entered.takeUnretainedValue()
    if status == kAudioUnitErr_TooManyFramesToProcess, let maximum = unit.frameLimit {
      return "\(unit.title): expected at most \(maximum) frames: "
    }
    if status == kAudio_ParamError, let buffers = buffers(of: unit, bus, frameCount) {
      return "\(unit.title): \(buffers): "
    }
    return "\(unit.title): "
  }

  /// A text about the buffers that rendering a bus needs.
  private static func buffers(
    of unit: UnitInstance, _ bus: UInt32, _ frameCount: UInt32
  ) -> String? {
    guard
      let description = unit.value(
        kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, bus,
        over: AudioStreamBasicDescription()),
      let format = try? StreamFormat(description)
    else { return nil }
    let size = UInt64(format.bytesPerFrame) * UInt64(frameCount)
    let count = format.bufferCount
    return "for \(format.text), expected "
      + (count == 1
        ? "1 buffer of at least \(size) bytes"
        : "\(count) buffers of at least \(size) bytes, all with memory or all without")
  }
}
