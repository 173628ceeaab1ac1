// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Foundation

// Properties of units, with identifiers, scopes and sizes of every kind, and property listeners.
extension RandomProgram {
  static let propertyCalls: [Call] = [
    ("AudioUnitGetProperty", { $0.getProperty() }),
    ("AudioUnitGetProperty", { $0.getProperty() }),
    ("AudioUnitSetProperty", { $0.setKnownProperty() }),
    ("AudioUnitSetProperty", { $0.setKnownProperty() }),
    ("AudioUnitSetProperty", { $0.setKnownProperty() }),
    ("AudioUnitSetProperty of any bytes", { $0.setBytes() }),
    ("AudioUnitSetProperty of an object", { $0.setObject() }),
    ("AudioUnitSetProperty of a forbidden size", { $0.setForbidden() }),
    (
      "AudioUnitAddPropertyListener",
      {
        _ = AudioUnitAddPropertyListener(
          $0.unit, $0.property, $0.maybeNull(propertyChanged), $0.context)
      }
    ),
    (
      "AudioUnitRemovePropertyListener",
      { _ = AudioUnitRemovePropertyListener($0.unit, $0.property, propertyChanged) }
    ),
    (
      "AudioUnitRemovePropertyListenerWithUserData",
      {
        _ = AudioUnitRemovePropertyListenerWithUserData(
          $0.unit, $0.property, propertyChanged, $0.context)
      }
    ),
  ]

  /// Properties whose values contain pointers, which cannot have arbitrary bits.
  private static let pointers: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_ClassInfo, kAudioUnitProperty_ClassInfoFromDocument,
    kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback,
    kAudioUnitProperty_SetExternalBuffer, kAudioUnitProperty_PresentPreset,
    kAudioUnitProperty_CurrentPreset, kAudioUnitProperty_ElementName,
    kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName,
    kAudioUnitProperty_HostCallbacks, kAudioUnitProperty_AUHostIdentifier,
    kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
    kAudioOutputUnitProperty_SetInputCallback,
  ]

  private func getProperty() {
    let (unit, id, scope, element) = (unit, property, scope, element)
    var (known, writable) = (UInt32(0), false)
    let info = AudioUnitGetPropertyInfo(unit, id, scope, element, &known, &writable)
    let offered = pick([0, 1, 4, 8, 40, 512, Int(min(known, 4_096)), 4_096])
    // Properties that also read from this memory find zeros.
    var bytes = [UInt8](repeating: 0, count: 4_096 + 64)
    for index in offered..<bytes.count { bytes[index] = 0xa5 }
    var size = UInt32(offered)
    let status = AudioUnitGetProperty(unit, id, scope, element, &bytes, &size)
    if bytes[offered...].contains(where: { $0 != 0xa5 }) {
      complain("property \(id) wrote beyond \(offered) bytes")
    }
    if Int(size) > offered { complain("property \(id): \(size) of \(offered) bytes") }
    if status == noErr, info != noErr { complain("property \(id) has a value but no info") }
  }

  private func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope, _ element: UInt32
  ) {
    withUnsafeBytes(of: value) {
      let size = isOne(in: 12) ? $0.count / 2 : $0.count
      _ = AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32(size))
    }
  }

  private func setKnownProperty() {
    let (scope, element) = (scope, element)
    switch next() % 10 {
    case 0, 1: set(kAudioUnitProperty_StreamFormat, format(), scope, element)
    case 2, 3:
      set(
        kAudioUnitProperty_MakeConnection,
        AudioUnitConnection(
          sourceAudioUnit: isOne(in: 6) ? nil : unit, sourceOutputNumber: self.element,
          destInputNumber: element), kAudioUnitScope_Input, element)
    case 4:
      set(
        kAudioUnitProperty_SetRenderCallback,
        AURenderCallbackStruct(
          inputProc: isOne(in: 4) ? nil : Self.render, inputProcRefCon: context),
        kAudioUnitScope_Input, element)
    case 5:
      set(
        kAudioUnitProperty_MaximumFramesPerSlice,
        pick([0, 1, 64, 512, 2_048, 1 << 16, .max] as [UInt32]), scope, element)
    case 6:
      set(
        kAudioUnitProperty_ElementCount, pick([0, 1, 2, 3, 8, 64, 100_000, .max] as [UInt32]),
        scope, element)
    case 7:
      set(
        kAudioUnitProperty_SampleRate,
        pick([0, -1, 1, 8_000, 44_100, 96_000, 1e12, .nan, .infinity] as [Float64]), scope, element)
    case 8:
      var preset = AUPreset()
      preset.presetNumber = pick([0, 1, 5, 21, 1_000, -1, .min, .max])
      set(kAudioUnitProperty_PresentPreset, preset, scope, element)
    default:
      set(
        pick([
          kAudioUnitProperty_BypassEffect, kAudioUnitProperty_InPlaceProcessing,
          kAudioUnitProperty_OfflineRender, kAudioUnitProperty_RenderQuality,
          kAudioUnitProperty_ShouldAllocateBuffer, kAudioOutputUnitProperty_EnableIO,
        ]), pick([0, 1, 2, 127, 128, .max] as [UInt32]), scope, element)
    }
  }

  private func setBytes() {
    let id = property
    let isPointer = Self.pointers.contains(id)
    let byte: UInt8 = isPointer ? 0 : pick([0, 1, 0x7f, 0xff])
    let bytes = [UInt8](repeating: byte, count: 4_096)
    let size = pick([0, 1, 3, 4, 8, 12, 16, 32, 36, 40, 63, 256, 4_096])
    bytes.withUnsafeBytes {
      _ = AudioUnitSetProperty(unit, id, scope, element, maybeNull($0.baseAddress), UInt32(size))
    }
  }

  /// Sets properties that expect an object to one of any type, or to null; with a number if there
  /// are two fields.
  private func setObject() {
    let id = pick([
      kAudioUnitProperty_ClassInfo, kAudioUnitProperty_ClassInfoFromDocument,
      kAudioUnitProperty_ElementName, kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName,
      kAudioUnitProperty_AUHostIdentifier,
    ])
    let value = (object, UInt(next() % 9))
    let size = id == kAudioUnitProperty_AUHostIdentifier ? 16 : 8
    withUnsafeBytes(of: value) {
      _ = AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32(size))
    }
  }

  /// Sets a property with a size far above any property's, in memory that must not be read.
  private func setForbidden() {
    let id = pick([
      kAudioUnitProperty_MatrixLevels, kAudioOutputUnitProperty_ChannelMap,
      kAudioUnitProperty_HostCallbacks,
    ])
    _ = AudioUnitSetProperty(unit, id, scope, element, Self.forbidden, 1 << 30)
  }

  /// Usually a valid format, otherwise one with an invalid field.
  private func format() -> AudioStreamBasicDescription {
    let channels = pick([1, 2, 2, 2, 3, 6, 8] as [UInt32])
    var format = stereoFormat(pick([8_000, 44_100, 44_100, 48_000, 96_000]), channels: channels)
    guard isOne(in: 3) else { return format }
    switch next() % 6 {
    case 0: format.mSampleRate = pick([0, -44_100, .nan, .infinity, 1e-9, 1e30])
    case 1: format.mChannelsPerFrame = pick([0, 65, 4_096, .max])
    case 2: format.mBitsPerChannel = pick([0, 1, 7, 16, 64, .max])
    case 3: format.mBytesPerFrame = pick([0, 1, 3, 8, .max])
    case 4: format.mFormatFlags = UInt32(truncatingIfNeeded: next())
    default: format.mFormatID = pick([0, kAudioFormatLinearPCM, .max])
    }
    return format
  }
}
