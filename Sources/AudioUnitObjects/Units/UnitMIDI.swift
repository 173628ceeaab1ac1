// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import CoreAudio

/// MIDI between a unit and its host.
struct UnitMIDI {
  /// The C unit; nil for subclasses of programs.
  let bridge: BridgedUnit?
  let renderer: UnitRenderer
  let takesMIDI: Bool

  /// The protocol of a C unit.
  var protocolOfBridge: MIDIProtocolID {
    let number = bridge?.value(kAudioUnitProperty_AudioUnitMIDIProtocol, over: 0 as Int32)
    return number.flatMap { MIDIProtocolID(rawValue: $0) } ?? .bytes
  }

  // MARK: From the host

  /// From now on the unit gets MIDI in a protocol.
  func adopt(_ unitProtocol: MIDIProtocolID) {
    renderer.events.pointee.setProtocol(unitProtocol)
  }

  /// The renderer that gets MIDI in a protocol; nil if the unit takes none.
  private func receiver(_ unitProtocol: MIDIProtocolID) -> UnitRenderer? {
    guard takesMIDI else { return nil }
    bridge?.watchRenders()
    adopt(unitProtocol)
    return renderer
  }

  /// The block that schedules bytes for a unit with a protocol.
  func scheduleBytes(in unitProtocol: MIDIProtocolID) -> AUScheduleMIDIEventBlock? {
    guard let renderer = receiver(unitProtocol) else { return nil }
    return { time, cable, length, bytes in
      renderer.events.pointee.pushEach(time, cable: cable, bytes, length)
    }
  }

  /// The block that schedules event lists for a unit with a protocol.
  func scheduleLists(in unitProtocol: MIDIProtocolID) -> AUMIDIEventListBlock? {
    guard let renderer = receiver(unitProtocol) else { return nil }
    return { time, cable, list in
      renderer.events.pointee.push(time, cable: cable, list)
        ? noErr : kAudioUnitErr_CannotDoInCurrentContext
    }
  }

  // MARK: To the host

  /// The host's block for lists, in the protocol that the host has chosen.
  func listReceiver(of host: HostValues) -> AUMIDIEventListBlock? {
    guard let block = host.midiListOutput else { return nil }
    let wanted = host.midiProtocol
    // The messages of a C unit are converted on their way to the block.
    guard bridge == nil, wanted == ._1_0 || wanted == ._2_0 else { return block }
    let converter = EventListConverter(to: wanted, block)
    return { time, cable, list in converter.send(list, at: time, cable: cable) }
  }

  /// Passes the protocol of the host on to a C unit.
  func tellProtocol(of host: HostValues) {
    try? bridge?.set(kAudioUnitProperty_HostMIDIProtocol, to: host.midiProtocol.rawValue)
    update(host)
  }

  /// From now on a C unit sends to the blocks of the host.
  func update(_ host: HostValues) {
    let wanted = host.midiProtocol == ._2_0 ? MIDIProtocolID._2_0 : ._1_0
    bridge?.setMIDIOutput(
      host.midiOutput, host.midiListOutput.map { EventListConverter(to: wanted, $0) })
  }
}
