// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// An instrument that MIDI plays. [any thread]
///
/// Channels are 0 to 15, notes and values 0 to 127; a message with others is not sent. Notes sound
/// while the engine runs. Everything else may be sent before: the instrument gets it when the engine
/// starts.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  private let midi: MIDISender

  /// An instrument of any music device. Another type, or a component that does not exist, ends the
  /// program.
  public init(audioComponentDescription: AudioComponentDescription) {
    let unit = UnitRole.instrument.unit(
      audioComponentDescription, for: "AVAudioUnitMIDIInstrument")
    midi = MIDISender(unit)
    super.init(unit)
  }

  override init(_ unit: NodeUnit) {
    midi = MIDISender(unit)
    super.init(unit)
  }

  // MARK: MIDI

  /// Starts a note. A velocity of 0 ends it.
  open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
    midi.send(0x90, on: channel, note, velocity)
  }

  /// Ends a note.
  open func stopNote(_ note: UInt8, onChannel channel: UInt8) {
    midi.send(0x80, on: channel, note)
  }

  /// Sets a controller.
  open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    midi.send(0xb0, on: channel, controller, value)
  }

  /// Bends the pitch of a channel: from 0 to 16,383; 8,192 is the pitch of the notes.
  open func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
    guard pitchbend < 16_384 else { return }
    midi.send(0xe0, on: channel, UInt8(pitchbend & 0x7f), UInt8(pitchbend >> 7))
  }

  /// Sets the pressure of a channel.
  open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) {
    midi.send(0xd0, on: channel, pressure)
  }

  /// Sets the pressure of a key.
  open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
    midi.send(0xa0, on: channel, key, value)
  }

  /// Selects a program of the current bank.
  open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
    midi.send(0xc0, on: channel, program)
  }

  /// Selects a program of a bank.
  open func sendProgramChange(
    _ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8
  ) {
    guard max(program, bankMSB, bankLSB) < 128 else { return }
    midi.send(0xb0, on: channel, 0, bankMSB)
    midi.send(0xb0, on: channel, 32, bankLSB)
    midi.send(0xc0, on: channel, program)
  }

  /// Sends a message of two data bytes.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
    midi.send(midiStatus, data1, data2)
  }

  /// Sends a message of one data byte.
  open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) { midi.send(midiStatus, data1, 0) }

  /// Sends a system exclusive message, from its 0xF0 to its 0xF7.
  open func sendMIDISysExEvent(_ midiData: Data) { midi.send(exclusive: Array(midiData)) }

  /// Sends the messages of a list, of MIDI 1.0 or 2.0. Their times are frames from the start of the next
  /// render; a later time, such as a host time, counts as 0.
  open func send(_ eventList: UnsafePointer<MIDIEventList>) { midi.send(eventList) }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override func engineChanged(_ event: EngineEvent) {
    super.engineChanged(event)
    switch event {
    case .started, .connectionsChanged: midi.flush()
    default: break
    }
  }
}
