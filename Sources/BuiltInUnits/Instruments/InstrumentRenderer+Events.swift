// SPDX-License-Identifier: Apache-2.0
import CAudioCodecs
import MIDIMessages
import SignalProcessing

// Note events.
extension InstrumentRenderer {
  /// [render thread] Performs an event at this frame.
  @_noLocks
  mutating func perform(_ event: NoteEvent, _ rack: UnsafeMutablePointer<SynthRack>) {
    let channel = Int(event.channel & 15)
    switch event.kind {
    case .noteOn: begin(event, rack)
    case .noteOff: end(channel, Int(event.first), rack)
    case .stop: stop(event.note, channel, rack)
    case .keyPressure:
      for member in 0..<SynthRack.memberCount where isUpToDate(member, channel, rack) {
        synth_key_pressure(
          rack.pointee.members[member], Int32(clamping: channel), Int32(event.first),
          Int32(event.second))
      }
    case .controller: control(channel, Int(event.first), Int(event.second), fine: event.fine, rack)
    case .program:
      channels[channel].instrument = event.instrument
      chooseInstrument(channel, rack)
    case .pressure:
      setPressure(channel, Int(event.first), rack)
    case .bend:
      setBend(channel, Int(event.second) << 7 | Int(event.first), fine: event.fine, rack)
    case .noteBend, .notePitch, .noteVolume, .noteExpression, .notePan, .noteManagement:
      expressions.set(event, range: channels[channel].noteBendRange, rack)
    case .reset: resetSystem(rack)
    case .masterVolume: masterGain = event.value
    case .masterTuning:
      if event.first == 0 { masterFine = event.value } else { masterCoarse = event.value }
      tuneAll(rack)
    }
  }

  /// Whether a synthesizer sounds and has the current state of a channel.
  @_noLocks
  func isUpToDate(_ member: Int, _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) -> Bool {
    rack.pointee.grids[member] >= 0
      && rack.pointee.versions[member * SynthRack.channelCount + channel]
        == channels[channel].version
  }

  /// Looks up the instrument that was requested for a channel.
  @_noLocks
  func chooseInstrument(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    channels[channel].preset = find(channels[channel].instrument, channel, rack)
  }

  @_noLocks
  private func find(
    _ instrument: UInt32, _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>
  ) -> Int {
    rack.pointee.find(
      Int(instrument >> 16 & 0xff), Int(instrument >> 8 & 0xff), Int(instrument & 0xff),
      isPercussion: channel == 9)
  }

  // MARK: Notes

  @_noLocks
  private func begin(_ event: NoteEvent, _ rack: UnsafeMutablePointer<SynthRack>) {
    let (channel, key) = (Int(event.channel & 15), Int(event.first))
    let index =
      event.instrument == NoteEvent.noInstrument
      ? channels[channel].preset : find(event.instrument, channel, rack)
    // If the key already sounds, its note ends first.
    finish(channel, key, rack)
    guard index >= 0 else { return }
    makeRoom(for: event.note, rack)
    let member = rack.pointee.choose(at: position)
    guard member >= 0 else { return }
    let synth = rack.pointee.members[member]
    sendState(member, channel, rack)
    synth_key_pressure(synth, Int32(clamping: channel), Int32(clamping: key), 0)
    synth_start(
      synth, event.note, rack.pointee.presets[index].handle, Int32(clamping: channel),
      Int32(clamping: key),
      Int32(event.second))
    rack.pointee.sounding[member] |= 1 << UInt16(clamping: channel)
    rack.pointee.lastNotes[member] = event.note
    notes[128 * channel + key] = SoundingNote(note: event.note, member: member)
    let capacity = 2 * SynthRack.memberVoices
    synth_voices(synth, voices, Int32(clamping: capacity), Int32(bitPattern: event.note))
    var exclusive: Float = 0
    for place in 0..<capacity {
      guard let voice = voices[place] else { break }
      exclusive = max(
        exclusive, synth_voice_generator(voice, Int32(clamping: SYNTH_EXCLUSIVE_CLASS)))
      if event.value != 0 {
        let tune = synth_voice_generator(voice, Int32(clamping: SYNTH_FINE_TUNE))
        synth_voice_set(voice, Int32(clamping: SYNTH_FINE_TUNE), tune + 100 * event.value)
      }
      if event.fine != 0 { NoteExpressions.attenuate(voice, by: event.fine) }
    }
    if event.value != 0 || event.fine != 0 { synth_pass_on(synth) }
    expressions.begin(
      event.note, channel, key, in: member, range: channels[channel].noteBendRange, rack)
    if exclusive > 0 { choke(exclusive, channel, but: member, rack) }
  }

  /// Ends the notes of an exclusive class in the other synthesizers. FluidSynth does this only
  /// within one synthesizer.
  @_noLocks
  private func choke(
    _ exclusive: Float, _ channel: Int, but own: Int, _ rack: UnsafeMutablePointer<SynthRack>
  ) {
    for member in 0..<SynthRack.memberCount
    where member != own && rack.pointee.grids[member] >= 0 {
      let synth = rack.pointee.members[member]
      let capacity = 2 * SynthRack.memberVoices
      synth_voices(synth, voices, Int32(clamping: capacity), -1)
      for place in 0..<capacity {
        guard let voice = voices[place] else { break }
        if synth_voice_channel(voice) == Int32(clamping: channel),
          synth_voice_generator(voice, Int32(clamping: SYNTH_EXCLUSIVE_CLASS)) == exclusive
        {
          cut(voice, synth)
        }
      }
    }
  }

  /// Ends a voice within a few milliseconds.
  @_noLocks
  private func cut(_ voice: OpaquePointer, _ synth: OpaquePointer) {
    // The release time is in timecents: 1200 times the binary logarithm of seconds.
    synth_voice_set(voice, Int32(clamping: SYNTH_EXCLUSIVE_CLASS), 0)
    synth_voice_set(voice, Int32(clamping: SYNTH_VOLUME_RELEASE), -8000)
    synth_stop(synth, synth_voice_note(voice))
  }

  /// At the voice limit, ends the voices of the synthesizer whose last note is the oldest.
  @_noLocks
  private func makeRoom(for note: UInt32, _ rack: UnsafeMutablePointer<SynthRack>) {
    var count = 0
    var oldest = -1
    for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
      count += Int(synth_voice_count(rack.pointee.members[member]))
      if oldest < 0 || rack.pointee.lastNotes[member] < rack.pointee.lastNotes[oldest] {
        oldest = member
      }
    }
    guard count >= SynthRack.maximumVoices, oldest >= 0 else { return }
    let synth = rack.pointee.members[oldest]
    let capacity = 2 * SynthRack.memberVoices
    synth_voices(synth, voices, Int32(clamping: capacity), -1)
    for place in 0..<capacity {
      guard let voice = voices[place] else { break }
      cut(voice, synth)
    }
    // So that the next call selects another synthesizer.
    rack.pointee.lastNotes[oldest] = note
  }

  @_noLocks
  private func end(_ channel: Int, _ key: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    if notes[128 * channel + key].isHeld {
      notes[128 * channel + key].isReleased = true
    } else {
      finish(channel, key, rack)
    }
  }

  /// [render thread] The sostenuto pedal holds the notes that sound now, or releases those it holds.
  /// FluidSynth knows only the notes that it numbers itself.
  @_noLocks
  func hold(_ isDown: Bool, _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 where notes[128 * channel + key].note != 0 {
      let place = 128 * channel + key
      if isDown {
        notes[place].isHeld = true
      } else if notes[place].isReleased {
        finish(channel, key, rack)
      } else {
        notes[place].isHeld = false
      }
    }
  }

  @_noLocks
  private func finish(_ channel: Int, _ key: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let sounding = notes[128 * channel + key]
    guard sounding.note != 0 else { return }
    notes[128 * channel + key].note = 0
    synth_stop(rack.pointee.members[sounding.member], sounding.note)
  }

  @_noLocks
  private func stop(_ note: UInt32, _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    for key in 0..<128 where notes[128 * channel + key].note == note { end(channel, key, rack) }
  }
}
