// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CoreAudio

/// MIDI between a unit and its host.
struct UnitMIDI {
  private let unit: AUAudioUnit

  init(_ unit: AUAudioUnit) { self.unit = unit }

  /// No protocol: a unit or a host that has not chosen one takes bytes.
  static var bytes: MIDIProtocolID { MIDIProtocolID(rawValue: 0) ?? ._1_0 }

  /// The protocol of a C unit.
  var protocolOfBridge: MIDIProtocolID {
    let number = unit.bridge?.value(kAudioUnitProperty_AudioUnitMIDIProtocol, over: 0 as Int32)
    return number.flatMap { MIDIProtocolID(rawValue: $0) } ?? Self.bytes
  }

  // MARK: From the host

  /// From now on the unit gets MIDI in its protocol.
  func adoptProtocol() {
    unit.renderer.events.pointee.setProtocol(unit.audioUnitMIDIProtocol)
  }

  private var receiver: UnitRenderer? {
    guard unit.identity.description.takesMIDI else { return nil }
    unit.bridge?.watchRenders()
    adoptProtocol()
    return unit.renderer
  }

  var scheduleBytes: AUScheduleMIDIEventBlock? {
    guard let renderer = receiver else { return nil }
    return { time, cable, length, bytes in
      renderer.events.pointee.pushEach(time, cable: cable, bytes, length)
    }
  }

  var scheduleLists: AUMIDIEventListBlock? {
    guard let renderer = receiver else { return nil }
    return { time, cable, list in
      renderer.events.pointee.push(time, cable: cable, list)
        ? noErr : kAudioUnitErr_CannotDoInCurrentContext
    }
  }

  // MARK: To the host

  func setBytesReceiver(_ block: AUMIDIOutputEventBlock?) {
    unit.host.midiOutput = block
    updateBridge()
  }

  /// The block for lists, in the protocol that the host has chosen.
  var listReceiver: AUMIDIEventListBlock? {
    guard let block = unit.host.midiListOutput else { return nil }
    let wanted = unit.host.midiProtocol
    // The messages of a C unit are converted on their way to the block.
    guard unit.bridge == nil, wanted == ._1_0 || wanted == ._2_0 else { return block }
    let converter = EventListConverter(to: wanted, block)
    return { time, cable, list in converter.send(list, at: time, cable: cable) }
  }

  func setListReceiver(_ block: AUMIDIEventListBlock?) {
    unit.host.midiListOutput = block
    updateBridge()
  }

  func setHostProtocol(_ new: MIDIProtocolID) {
    unit.host.midiProtocol = new
    try? unit.bridge?.set(kAudioUnitProperty_HostMIDIProtocol, to: new.rawValue)
    updateBridge()
  }

  private func updateBridge() {
    guard let bridge = unit.bridge else { return }
    let wanted = unit.host.midiProtocol == ._2_0 ? MIDIProtocolID._2_0 : ._1_0
    bridge.setMIDIOutput(
      unit.host.midiOutput, unit.host.midiListOutput.map { EventListConverter(to: wanted, $0) })
  }
}
