// SPDX-License-Identifier: Apache-2.0
import CAudioCodecs
import SignalProcessing

// Channel messages. Synthesizers that are up to date with the channel receive them immediately, the
// others when they start their next note on it.
extension InstrumentRenderer {
  /// [render thread] Sends the state of a channel to a synthesizer that is not up to date.
  @_noLocks
  func sendState(_ member: Int, _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let state = channels[channel]
    let place = member * SynthRack.channelCount + channel
    guard rack.pointee.versions[place] != state.version else { return }
    rack.pointee.versions[place] = state.version
    let synth = rack.pointee.members[member]
    let number = Int32(clamping: channel)
    // Resets everything except volume and pan.
    synth_controller(synth, number, 121, 0)
    synth_controller(synth, number, 7, 100)
    synth_controller(synth, number, 10, 64)
    for controller in 0..<120 where state.isTouched(controller) {
      synth_controller(
        synth, number, Int32(clamping: controller), Int32(controllers[128 * channel + controller]))
    }
    synth_bend_range(synth, number, Int32(clamping: state.bendRange))
    synth_pitch_bend(synth, number, Int32(clamping: state.bend))
    synth_channel_pressure(synth, number, Int32(clamping: state.pressure))
    synth_tune(synth, number, tuning(channel))
    synth_attenuate(synth, number, state.fineVolume + state.fineExpression)
    synth_pan(synth, number, state.finePan)
  }

  /// Records a change of a channel, and sends it to the synthesizers that were up to date.
  @_noLocks
  private func change(
    _ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>,
    _ send: (_ synth: OpaquePointer, _ channel: Int32) -> Void
  ) {
    let before = channels[channel].version
    channels[channel].changed()
    for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
      let place = member * SynthRack.channelCount + channel
      guard rack.pointee.versions[place] == before else { continue }
      rack.pointee.versions[place] = channels[channel].version
      send(rack.pointee.members[member], Int32(clamping: channel))
    }
  }

  /// [render thread] Sets the pressure of a channel, 0 to 127.
  @_noLocks
  func setPressure(_ channel: Int, _ value: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    channels[channel].pressure = value
    change(channel, rack) { synth_channel_pressure($0, $1, Int32(clamping: value)) }
  }

  /// [render thread] Sets the pitch bend of a channel, 0 to 16383; 8192 is none. Parts of a step are
  /// tuning.
  @_noLocks
  func setBend(
    _ channel: Int, _ value: Int, fine: Float, _ rack: UnsafeMutablePointer<SynthRack>
  ) {
    let retunes = channels[channel].fineBend != fine
    channels[channel].bend = value
    channels[channel].fineBend = fine
    let cents = tuning(channel)
    change(channel, rack) {
      synth_pitch_bend($0, $1, Int32(clamping: value))
      if retunes { synth_tune($0, $1, cents) }
    }
  }

  /// [render thread] Sets a MIDI controller of a channel to a value from 0 to 127, with what MIDI 2.0 adds.
  @_noLocks
  func control(
    _ channel: Int, _ number: Int, _ value: Int, fine: Float = 0,
    _ rack: UnsafeMutablePointer<SynthRack>
  ) {
    switch number {
    case 0, 32, 96, 97, 122: break
    case 6:
      channels[channel].entry = (value, 0)
      enter(channel, rack)
    case 38:
      channels[channel].entry.1 = value
      enter(channel, rack)
    // These synthesizers have no non-registered parameters.
    case 98, 99: channels[channel].parameter = (127, 127)
    case 100: channels[channel].parameter.1 = value
    case 101: channels[channel].parameter.0 = value
    case 120:
      for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
        synth_all_sounds_off(rack.pointee.members[member], Int32(clamping: channel))
      }
      clearNotes(channel)
    case 121: resetControllers(channel, rack)
    case 123...127:
      for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
        synth_all_notes_off(rack.pointee.members[member], Int32(clamping: channel))
      }
      clearNotes(channel)
    default:
      if number == 66 {
        // A pedal that moves on while it is down does not catch the notes since.
        let wasDown = channels[channel].isTouched(66) && controllers[128 * channel + 66] >= 64
        if wasDown != (value >= 64) { hold(value >= 64, channel, rack) }
      }
      if number == 91 { channels[channel].reverb = value }
      if number == 93 { channels[channel].chorus = value }
      controllers[128 * channel + number] = UInt8(clamping: value)
      channels[channel].touch(number)
      switch number {
      case 7: channels[channel].fineVolume = fine
      case 10: channels[channel].finePan = fine
      case 11: channels[channel].fineExpression = fine
      default: break
      }
      let attenuation = channels[channel].fineVolume + channels[channel].fineExpression
      change(channel, rack) {
        synth_controller($0, $1, Int32(clamping: number), Int32(clamping: value))
        if number == 10 { synth_pan($0, $1, fine) }
        if number == 7 || number == 11 { synth_attenuate($0, $1, attenuation) }
      }
    }
  }

  @_noLocks
  private func clearNotes(_ channel: Int) {
    for key in 0..<128 { notes[128 * channel + key].note = 0 }
  }

  /// Resets a channel as in the recommended practice RP-015: volume, pan, programs and tunings are
  /// kept.
  @_noLocks
  private func resetControllers(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    hold(false, channel, rack)
    channels[channel].touch(1, false)
    channels[channel].touch(11, false)
    for pedal in 64...67 { channels[channel].touch(pedal, false) }
    channels[channel].bend = 8192
    channels[channel].fineBend = 0
    channels[channel].fineExpression = 0
    channels[channel].pressure = 0
    channels[channel].parameter = (127, 127)
    resendState(channel, rack)
    expressions.reset(channel, range: channels[channel].noteBendRange, rack)
  }

  /// Sends the whole state of a channel again to the synthesizers that were up to date.
  @_noLocks
  private func resendState(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let before = channels[channel].version
    channels[channel].changed()
    for member in 0..<SynthRack.memberCount
    where rack.pointee.grids[member] >= 0
      && rack.pointee.versions[member * SynthRack.channelCount + channel] == before
    {
      sendState(member, channel, rack)
    }
  }

  /// Sets the selected registered parameter: bend range, fine or coarse tuning.
  @_noLocks
  private func enter(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let (high, low) = channels[channel].entry
    guard channels[channel].parameter.0 == 0 else { return }
    switch channels[channel].parameter.1 {
    case 0:
      channels[channel].bendRange = high
      change(channel, rack) { synth_bend_range($0, $1, Int32(clamping: high)) }
      if channels[channel].fineBend != 0 { tune(channel, rack) }
    case 1:
      channels[channel].fineTuning = Float((high << 7 | low) - 8192) / 8192 * 100
      tune(channel, rack)
    case 2:
      channels[channel].coarseTuning = Float(high - 64) * 100
      tune(channel, rack)
    case 7:
      channels[channel].noteBendRange = Float(high) + Float(low) / 128
      expressions.apply(to: channel, range: channels[channel].noteBendRange, rack)
    default: break
    }
  }

  // MARK: Tuning

  /// The total tuning of a channel in cents.
  @_noLocks
  private func tuning(_ channel: Int) -> Float {
    unitCents + masterFine + masterCoarse + channels[channel].fineTuning
      + channels[channel].coarseTuning
      + channels[channel].fineBend * Float(channels[channel].bendRange) * 100 / 8192
  }

  @_noLocks
  private func tune(_ channel: Int, _ rack: UnsafeMutablePointer<SynthRack>) {
    let cents = tuning(channel)
    change(channel, rack) { synth_tune($0, $1, cents) }
  }

  /// [render thread] Tunes all channels after the tuning of the unit or the system has changed.
  @_noLocks
  func tuneAll(_ rack: UnsafeMutablePointer<SynthRack>) {
    for channel in 0..<SynthRack.channelCount { tune(channel, rack) }
  }

  // MARK: The system

  /// [render thread] Resets everything to the initial state.
  @_noLocks
  mutating func resetSystem(_ rack: UnsafeMutablePointer<SynthRack>) {
    masterGain = 1
    (masterFine, masterCoarse) = (0, 0)
    for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
      synth_all_sounds_off(rack.pointee.members[member], -1)
    }
    for channel in 0..<SynthRack.channelCount {
      clearNotes(channel)
      expressions.reset(channel, range: ChannelState.defaultNoteBendRange, rack)
      var state = ChannelState()
      state.version = channels[channel].version
      state.changed()
      channels[channel] = state
      chooseInstrument(channel, rack)
    }
  }
}
