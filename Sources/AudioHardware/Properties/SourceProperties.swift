// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// Data and clock sources of a device, a row each. Each side of a device has one data source, as servers
// list what else could be chosen as devices, and each device runs by its own clock.
extension AudioObjects {
  /// 'line', as ports of unknown kind are called.
  private static let line: UInt32 = 0x6c69_6e65
  /// 'int ', as clocks inside a device are called.
  private static let ownClock: UInt32 = 0x696e_7420

  static let sources: [AudioObjectProperty<Device>] = [
    .init(
      kAudioDevicePropertyDataSource, { channelCount($0) > 0 ? .numbers([line]) : nil },
      write: { (device, data) throws(AudioError) in try choose(line, data, of: device) }),
    .init(kAudioDevicePropertyDataSources, { channelCount($0) > 0 ? .numbers([line]) : nil }),
    .init(
      kAudioDevicePropertyDataSourceNameForIDCFString,
      { question throws(AudioError) in
        guard channelCount(question) > 0 else { return nil }
        return try name(line, question.object.name, into: question.memory)
      }),
    .init(
      kAudioDevicePropertyClockSource, { _ in .numbers([ownClock]) },
      write: { (device, data) throws(AudioError) in try choose(ownClock, data, of: device) }),
    .init(kAudioDevicePropertyClockSources, { _ in .numbers([ownClock]) }),
    .init(
      kAudioDevicePropertyClockSourceNameForIDCFString,
      { question throws(AudioError) in
        try name(ownClock, "\(question.object.name)'s clock", into: question.memory)
      }),
  ]

  /// Takes the only choice there is.
  private static func choose(_ id: UInt32, _ data: UnsafeRawBufferPointer, of device: Device)
    throws(AudioError)
  {
    let wanted = try number(data, UInt32.self)
    guard wanted == id else {
      throw refusal(
        device.uid, "source '\(FourCharacterCode(wanted))'", "'\(FourCharacterCode(id))'")
    }
  }

  /// Fills the output of an AudioValueTranslation from UInt32 to CFString in the caller's memory.
  private static func name(
    _ id: UInt32, _ text: String, into memory: UnsafeMutableRawBufferPointer
  ) throws(AudioError) -> AudioObjectValue {
    guard memory.count >= MemoryLayout<AudioValueTranslation>.size else { return .translation(nil) }
    let translation = memory.loadUnaligned(as: AudioValueTranslation.self)
    let sizes = [translation.mInputDataSize, translation.mOutputDataSize]
    guard sizes == [4, 8], !isNull(translation.mInputData), !isNull(translation.mOutputData) else {
      throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "the translation is not one from a UInt32 (4 bytes) to a CFString (8 bytes)")
    }
    let wanted = UnsafeRawPointer(translation.mInputData).loadUnaligned(as: UInt32.self)
    guard wanted == id else {
      throw AudioError(status: kAudioHardwareIllegalOperationError).because(
        "there is no source '\(FourCharacterCode(wanted))', but '\(FourCharacterCode(id))'")
    }
    translation.mOutputData.storeBytes(
      of: UInt(bitPattern: Bridge.current.retainedString(text)), as: UInt.self)
    return .translation(translation)
  }
}
