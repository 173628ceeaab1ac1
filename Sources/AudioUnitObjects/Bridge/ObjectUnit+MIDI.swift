// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CCoreMIDI
import CoreAudio

// The MIDI properties of a C unit that its object has.
extension ObjectUnit {
  private typealias Row = PropertyRow<ObjectUnit>

  private static let global = [kAudioUnitScope_Global]

  static let midiRows: [PropertyRow<ObjectUnit>] = [
    Row.flag(
      kAudioUnitProperty_SupportsMPE, in: global, get: { unit, _ in unit.object.supportsMPE }
    ).when { $0.object.isMusicDeviceOrEffect },
    Row.value(
      kAudioUnitProperty_AudioUnitMIDIProtocol, in: global,
      get: { unit, _ in unit.object.audioUnitMIDIProtocol.rawValue }
    ).when {
      $0.object.isMusicDeviceOrEffect && $0.object.audioUnitMIDIProtocol != .bytes
    },
    Row.object(
      kAudioUnitProperty_MIDIOutputCallbackInfo, in: global, type: "CFArray",
      get: { unit, _ in .list(.array(unit.object.midiOutputNames.map { .string($0) })) }
    ).when { $0.sendsMIDI },
    Row.value(
      kAudioUnitProperty_MIDIOutputCallback, in: global, AUMIDIOutputCallbackStruct.self,
      set: { unit, _, callback in unit.midiOutput.set(callback, for: unit.object) }
    ).when { $0.sendsMIDI },
    Row.value(
      kAudioUnitProperty_MIDIOutputEventListCallback, in: global, UnsafeRawPointer?.self,
      set: { unit, _, block in unit.midiOutput.set(block, for: unit.object) }
    ).when { $0.sendsMIDI },
    Row.value(
      kAudioUnitProperty_HostMIDIProtocol, in: global,
      writable: .uninitialized(
        .initialized.because("the protocol is fixed while the unit is initialized")),
      get: { unit, _ in unit.object.hostMIDIProtocol.rawValue },
      set: { (unit, _, number) throws(AudioError) in
        guard let protocolID = MIDIProtocolID(rawValue: number),
          protocolID == ._1_0 || protocolID == ._2_0
        else { throw .invalidPropertyValue.because("protocol \(number); expected 1 or 2") }
        unit.object.hostMIDIProtocol = protocolID
      }
    ).when { $0.sendsMIDI },
    Row.value(
      kAudioUnitProperty_MIDIOutputBufferSizeHint, in: global,
      get: { unit, _ in UInt32(clamping: unit.object.midiOutputBufferSizeHint) },
      set: { unit, _, size in unit.object.midiOutputBufferSizeHint = Int(size) }
    ).when { $0.sendsMIDI },
  ]

  // MARK: Messages

  /// [any thread] Passes a message to the object; false if there is no room.
  func send(_ bytes: UnsafeRawBufferPointer, length: Int, _ offset: UInt32) -> Bool {
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
    return object.renderer.events.pointee.push(time(offset), cable: 0, start, length)
  }

  /// The error of messages for which there is no room.
  static var tooMany: AudioError {
    .cannotDoInCurrentContext.because("too many messages wait for the next render")
  }

  /// Whether the object has MIDI outputs.
  private var sendsMIDI: Bool { !object.midiOutputNames.isEmpty }
}
