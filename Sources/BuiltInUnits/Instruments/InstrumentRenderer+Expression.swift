// SPDX-License-Identifier: Apache-2.0
import CAudioCodecs
import MIDIMessages

// Bends and controllers of single notes, of MIDI 2.0. They change the generators of a note's voices.
extension InstrumentRenderer {
  /// FluidSynth takes so much of the attenuation of a voice.
  private static var attenuationScale: Float { @_noLocks get { 0.4 } }

  /// [render thread] Makes a voice quieter by centibels.
  @_noLocks
  func attenuate(_ voice: OpaquePointer, by centibels: Float) {
    add(centibels / Self.attenuationScale, to: SYNTH_ATTENUATION, of: voice)
  }

  @_noLocks
  private func add(_ change: Float, to generator: Int, of voice: OpaquePointer) {
    let generator = Int32(clamping: generator)
    synth_voice_set(voice, generator, synth_voice_generator(voice, generator) + change)
  }

  /// [render thread] Begins a note, with what was set for its key before.
  @_noLocks
  func beginExpression(
    _ note: UInt32, _ channel: Int, _ key: Int, in member: Int,
    _ rack: UnsafeMutablePointer<SynthRack>
  ) {
    let place = 128 * channel + key
    expressions[place].note = note
    expressions[place].member = member
    expressions[place].cents = 0
    expressions[place].attenuation = 0
    expressions[place].pan = 0
    express(channel, key, rack)
  }

  /// [render thread] Sets the bend or a controller of the notes of a key.
  @_noLocks
  func setExpression(_ event: NoteEvent, _ rack: UnsafeMutablePointer<SynthRack>) {
    let (channel, key) = (Int(event.channel & 15), Int(event.first))
    let place = 128 * channel + key
    switch event.kind {
    case .noteBend: expressions[place].values.bend = event.value
    case .notePitch: expressions[place].values.pitch = event.value
    case .noteVolume: expressions[place].values.volume = event.value
    case .noteExpression: expressions[place].values.expression = event.value
    case .notePan: expressions[place].values.pan = event.value
    case .noteManagement:
      // One bit detaches the notes so far, the other resets those to come.
      if event.second & 2 != 0 { expressions[place].note = 0 }
      if event.second & 1 != 0 { expressions[place].values = .init() }
    default: return
    }
    express(channel, key, rack)
  }

  /// [render thread] Changes the notes of a channel after its range has changed.
  @_noLocks
  func expressAll(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 { express(channel, key, rack) }
  }

  /// [render thread] Resets what was set for the notes of a channel.
  @_noLocks
  func resetExpressions(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 { expressions[128 * channel + key].values = .init() }
    expressAll(channel, rack)
  }

  /// Gives the voices of a key's note what was set for it.
  @_noLocks
  private func express(_ channel: Int, _ key: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let place = 128 * channel + key
    let note = expressions[place]
    guard note.note != 0 else { return }
    let values = note.values
    let cents = 100 * (values.bend * channels[channel].noteBendRange + values.pitch)
    let attenuation = values.volume + values.expression
    let pan = 500 * values.pan
    guard cents != note.cents || attenuation != note.attenuation || pan != note.pan else { return }
    expressions[place].cents = cents
    expressions[place].attenuation = attenuation
    expressions[place].pan = pan
    guard rack.pointee.grids[note.member] >= 0 else { return }
    let capacity = 2 * SynthRack.memberVoices
    synth_voices(
      rack.pointee.members[note.member], voices, Int32(clamping: capacity),
      Int32(bitPattern: note.note))
    for index in 0..<capacity {
      guard let voice = voices[index] else { break }
      if cents != note.cents { add(cents - note.cents, to: SYNTH_FINE_TUNE, of: voice) }
      if attenuation != note.attenuation {
        attenuate(voice, by: attenuation - note.attenuation)
      }
      if pan != note.pan { add(pan - note.pan, to: SYNTH_PAN, of: voice) }
    }
  }
}
