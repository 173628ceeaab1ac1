// SPDX-License-Identifier: Apache-2.0
import CAudioCodecs
import MIDIMessages

/// Bends and controllers of single notes, of MIDI 2.0, for each key of each channel. They change the
/// generators of a note's voices. Plain memory. [render thread]
struct NoteExpressions: BitwiseCopyable {
  /// What changes the sound of a note.
  struct Values: BitwiseCopyable {
    /// -1 to 1.
    var bend: Float = 0
    /// Semitones above the key.
    var pitch: Float = 0
    /// Centibels of attenuation.
    var volume: Float = 0
    var expression: Float = 0
    /// -1 (left) to 1.
    var pan: Float = 0

    @_noLocks
    init() {}
  }

  /// What is set for the notes of a key, and the last of them, which may still fade.
  struct Key: BitwiseCopyable {
    var values = Values()
    /// The identifier of the note, 0 if there was none or it keeps what it has; its synthesizer.
    var note: UInt32 = 0
    var member = 0
    /// What its voices have: cents, centibels and thousandths.
    var cents: Float = 0
    var attenuation: Float = 0
    var pan: Float = 0

    @_noLocks
    init() {}
  }

  private let keys: UnsafeMutablePointer<Key>
  private let voices: UnsafeMutablePointer<OpaquePointer?>

  /// [control thread] Uses memory that its owner frees: that of the keys, and that for a list of voices.
  init(_ keys: UnsafeMutablePointer<Key>, _ voices: UnsafeMutablePointer<OpaquePointer?>) {
    (self.keys, self.voices) = (keys, voices)
  }

  /// Makes a voice quieter by centibels.
  @_noLocks
  static func attenuate(_ voice: OpaquePointer, by centibels: Float) {
    add(centibels, to: SYNTH_ATTENUATION, of: voice)
  }

  @_noLocks
  private static func add(_ change: Float, to generator: Int, of voice: OpaquePointer) {
    let generator = Int32(clamping: generator)
    synth_voice_set(voice, generator, synth_voice_generator(voice, generator) + change)
  }

  /// Begins a note, with what was set for its key before. `range`: the semitones of a bend.
  @_noLocks
  func begin(
    _ note: UInt32, _ channel: Int, _ key: Int, in member: Int, range: Float,
    _ rack: UnsafeMutablePointer<SynthRack>
  ) {
    let place = 128 * channel + key
    keys[place].note = note
    keys[place].member = member
    keys[place].cents = 0
    keys[place].attenuation = 0
    keys[place].pan = 0
    apply(place, range, rack)
  }

  /// Sets the bend or a controller of the notes of a key.
  @_noLocks
  func set(_ event: NoteEvent, range: Float, _ rack: UnsafeMutablePointer<SynthRack>) {
    let place = 128 * Int(event.channel & 15) + Int(event.first & 127)
    switch event.kind {
    case .noteBend: keys[place].values.bend = event.value
    case .notePitch: keys[place].values.pitch = event.value
    case .noteVolume: keys[place].values.volume = event.value
    case .noteExpression: keys[place].values.expression = event.value
    case .notePan: keys[place].values.pan = event.value
    case .noteManagement:
      // One bit detaches the notes so far, the other resets those to come.
      if event.second & 2 != 0 { keys[place].note = 0 }
      if event.second & 1 != 0 { keys[place].values = Values() }
    default: return
    }
    apply(place, range, rack)
  }

  /// Changes the notes of a channel after its range has changed.
  @_noLocks
  func apply(to channel: Int, range: Float, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 { apply(128 * channel + key, range, rack) }
  }

  /// Resets what was set for the notes of a channel.
  @_noLocks
  func reset(_ channel: Int, range: Float, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 { keys[128 * channel + key].values = Values() }
    apply(to: channel, range: range, rack)
  }

  /// Gives the voices of a key's note what is set for it.
  @_noLocks
  private func apply(_ place: Int, _ range: Float, _ rack: UnsafeMutablePointer<SynthRack>) {
    let key = keys[place]
    guard key.note != 0 else { return }
    let cents = 100 * (key.values.bend * range + key.values.pitch)
    let attenuation = key.values.volume + key.values.expression
    let pan = 500 * key.values.pan
    guard cents != key.cents || attenuation != key.attenuation || pan != key.pan else { return }
    keys[place].cents = cents
    keys[place].attenuation = attenuation
    keys[place].pan = pan
    guard rack.pointee.grids[key.member] >= 0 else { return }
    let capacity = 2 * SynthRack.memberVoices
    let synth = rack.pointee.members[key.member]
    synth_voices(synth, voices, Int32(clamping: capacity), Int32(bitPattern: key.note))
    for index in 0..<capacity {
      guard let voice = voices[index] else { break }
      if cents != key.cents { Self.add(cents - key.cents, to: SYNTH_FINE_TUNE, of: voice) }
      if attenuation != key.attenuation {
        Self.attenuate(voice, by: attenuation - key.attenuation)
      }
      if pan != key.pan { Self.add(pan - key.pan, to: SYNTH_PAN, of: voice) }
    }
    synth_pass_on(synth)
  }
}
