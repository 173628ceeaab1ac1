// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import CoreAudio
import MIDIMessages

/// What receives the MIDI messages that a C unit sends: a host's block for lists, or for bytes.
final class BridgedMIDIOutput: @unchecked Sendable {  // the receiver is published
  private struct Receiver {
    let bytes: AUMIDIOutputEventBlock?
    let lists: EventListConverter?
  }

  private let receiver = ReplaceableBlock<Receiver>()

  /// [control thread] Replaces the blocks; those of before are not called any more.
  func set(_ bytes: AUMIDIOutputEventBlock?, _ lists: EventListConverter?) {
    receiver.replace(
      by: bytes == nil && lists == nil ? nil : Receiver(bytes: bytes, lists: lists))
  }

  /// The value of `kAudioUnitProperty_MIDIOutputCallback` for it. It must live as long as the unit may
  /// call.
  var callback: AUMIDIOutputCallbackStruct {
    AUMIDIOutputCallbackStruct(
      midiOutputCallback: { context, time, output, list in
        guard let context else { return kAudio_ParamError }
        return Unmanaged<BridgedMIDIOutput>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.receive(list, time.pointee.sampleTimeForEvents, cable: UInt8(clamping: output))
        }
      }, userData: Unmanaged.passUnretained(self).toOpaque())
  }

  /// [render thread] Passes packets on. Their times are frames after the start of the render.
  private func receive(
    _ list: UnsafePointer<MIDIPacketList>, _ start: AUEventSampleTime, cable: UInt8
  ) -> OSStatus {
    receiver.call { receiver in
      var status = noErr
      PacketLists.forEach(in: list) { packet in
        let bytes = PacketLists.bytes(of: packet)
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return }
        let time = start.later(by: PacketLists.frames(of: packet))
        let result =
          receiver.lists?.send(bytes, at: time, cable: cable)
          ?? receiver.bytes?(time, cable, bytes.count, address) ?? noErr
        if status == noErr { status = result }
      }
      return status
    }
  }
}

extension BridgedUnit {
  /// [control thread] Passes the MIDI messages of the unit to blocks. A unit that sends none refuses
  /// the callback.
  func setMIDIOutput(_ bytes: AUMIDIOutputEventBlock?, _ lists: EventListConverter?) {
    midiOutput.set(bytes, lists)
    guard bytes != nil || lists != nil, beginMIDIOutput() else { return }
    // A lent unit may outlive this object and may be in a render: what it calls stays.
    if !isFed { _ = Unmanaged.passRetained(midiOutput) }
    try? set(kAudioUnitProperty_MIDIOutputCallback, to: midiOutput.callback)
  }
}
