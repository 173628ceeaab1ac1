// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioCodecs
import MIDIMessages
import SignalProcessing

/// Renders an instrument unit: splits a slice at the frames of its events, renders the synthesizers
/// between them, and mixes their channels with the reverberation.
struct InstrumentRenderer: ~Copyable {
  /// A gain that leaves headroom when several channels play loudly.
  private static var level: Float { @_noLocks get { 0.5 } }
  private static var reverbLevel: Float { @_noLocks get { 0.5 } }

  let player: UnsafeMutablePointer<InstrumentPlayer.Memory>?
  var rack: UnsafeMutablePointer<SynthRack>?
  /// That of `rack`; 0 without one. A new rack may be at the address of one that was freed.
  private var rackNumber: UInt64 = 0
  let channels: UnsafeMutablePointer<ChannelState>
  /// The controllers of each channel.
  let controllers: UnsafeMutablePointer<UInt8>
  /// The sounding note of each key of each channel.
  let notes: UnsafeMutablePointer<SoundingNote>
  /// What MIDI 2.0 sets for single notes, for each key of each channel.
  let expressions: NoteExpressions
  let voices: UnsafeMutablePointer<OpaquePointer?>
  var events: EventList
  /// How many of the first events had their notes dropped.
  private var dropped = 0
  /// The frame since the start at which the current piece and the current render begin.
  var position = 0
  private var start = 0
  /// Cents and gain of the whole system.
  var masterFine: Float = 0
  var masterCoarse: Float = 0
  var masterGain: Float = 1
  /// Cents of the unit, from its parameters.
  var unitCents: Float = 0
  private let memory = OwnedMemory()
  private let maximumFrames: Int
  /// Frames at this rate for each frame of the events' sender.
  private let frameRatio: Double
  /// Left and right buffers of each channel, and pointers to where a synthesizer adds its sound.
  private let buses: UnsafeMutablePointer<Float>
  private let synthOutputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let sends: UnsafeMutablePointer<Float>
  private let returns: UnsafeMutablePointer<Float>
  private var reverb: LateReverberation
  private let room: LateReverberation.Settings
  private var chorus: InstrumentChorus
  private let chorusSends: UnsafeMutablePointer<Float>
  /// Frames since the chorus last had input.
  private var chorusQuietFrames = Int.max
  private let tailFrames: Int
  /// Frames since the reverberation last had input.
  private var quietFrames = Int.max
  private var left = Fade(1)
  private var right = Fade(1)
  private var wet = Fade(1)
  private var isFresh = true
  private let fadeFrames: Int
  /// The bus of each channel.
  private let routes: GroupRoutes
  /// The channels that sounded in the last slice.
  private var sounding: UInt16 = 0

  init(
    _ player: InstrumentPlayer?, sampleRate: Double, maximumFrames: Int, frameRatio: Double,
    busCount: Int = 1
  ) {
    self.player = player?.memory
    self.frameRatio = frameRatio
    self.maximumFrames = maximumFrames
    let count = SynthRack.channelCount
    channels = memory.array(count, of: ChannelState())
    controllers = memory.array(128 * count, of: 0)
    notes = memory.array(128 * count, of: SoundingNote())
    voices = memory.array(2 * SynthRack.memberVoices, of: nil)
    expressions = NoteExpressions(memory.array(128 * count, of: .init()), voices)
    events = EventList(memory.array(EventList.capacity, of: NoteEvent(.reset, at: 0)))
    buses = memory.array(2 * count * maximumFrames, of: 0)
    synthOutputs = memory.array(2 * count, of: nil)
    sends = memory.array(2 * maximumFrames, of: 0)
    returns = memory.array(2 * maximumFrames, of: 0)
    chorusSends = memory.array(2 * maximumFrames, of: 0)
    chorus = InstrumentChorus(sampleRate: sampleRate)
    var room = LateReverberation.Settings()
    room.shortest = 0.012
    room.longest = 0.055
    room.lowDecay = 1.6
    room.highDecay = 0.6
    self.room = room
    reverb = LateReverberation(longest: 0.055, sampleRate: sampleRate)
    tailFrames = Int(LateReverberation.tailTime(room) * sampleRate)
    fadeFrames = Int(sampleRate * 0.01)
    routes = GroupRoutes(busCount: busCount, fadeFrames: fadeFrames, in: memory)
    if let player = self.player {
      for channel in 0..<count { restore(channel, from: player) }
      routes.update(player.pointee.groups, sounding: 0)
    }
    reset()
  }

  /// [control thread] Frees its memory.
  func deallocate() {
    reverb.deallocate()
    chorus.deallocate()
    memory.deallocate()
  }

  /// [control thread] Gives a channel what was selected and set before.
  private func restore(
    _ channel: Int, from player: UnsafeMutablePointer<InstrumentPlayer.Memory>
  ) {
    let groups = player.pointee.groups
    channels[channel].instrument = player.pointee.programs[channel].load(ordering: .relaxed)
    for number in 0..<GroupValues.controllerCount
    where groups[channel, number] != GroupValues.initial(number) {
      controllers[128 * channel + number] = UInt8(clamping: groups[channel, number])
      channels[channel].touch(number)
    }
    channels[channel].reverb = groups[channel, 91]
    channels[channel].chorus = groups[channel, 93]
    channels[channel].pressure = groups[channel, GroupValues.pressure]
    channels[channel].bend = groups[channel, GroupValues.bend]
  }

  /// The tail of the reverberation in seconds.
  var tailTime: Double { LateReverberation.tailTime(room) }

  /// [render thread] Ends all notes; programs and controllers are kept.
  @_noLocks
  mutating func reset() {
    // The previous synthesizers may have been freed.
    if let player { updateRack(player) }
    if let rack { silence(rack) }
    for index in 0..<128 * SynthRack.channelCount { notes[index].note = 0 }
    events.rewind(by: position)
    events.removeNotes()
    reverb.reset()
    reverb.set(room)
    quietFrames = .max
    chorus.reset()
    chorusQuietFrames = .max
    position = 0
    start = 0
    isFresh = true
  }

  /// [render thread] Silences every synthesizer and makes it idle.
  @_noLocks
  private func silence(_ rack: UnsafeMutablePointer<SynthRack>) {
    // Discards the remaining sound.
    for place in 0..<2 * SynthRack.channelCount { synthOutputs[place] = nil }
    for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
      let synth = rack.pointee.members[member]
      synth_all_sounds_off(synth, -1)
      let left = rack.pointee.framesToGrid(member, position)
      synth_render(synth, Int32(clamping: left + SynthRack.grid), synthOutputs)
      rack.pointee.grids[member] = -1
    }
  }

  // MARK: Rendering

  /// [render thread] Fills one slice of each bus, the first of a render or a further one; returns a bit
  /// for each bus that is silent.
  @_noLocks
  mutating func render(
    _ outputs: UnsafePointer<Slice>, isFirst: Bool, _ controls: Controls
  ) -> UInt16 {
    let count = outputs[0].frameCount
    guard let player else { return clear(outputs) }
    updateRack(player)
    if isFirst {
      readEvents(player)
      routes.update(player.pointee.groups, sounding: sounding)
    }
    guard let rack else { return clear(outputs) }
    if unitCents != controls.cents {
      unitCents = controls.cents
      tuneAll(rack)
    }
    var used: UInt16 = 0
    var done = 0
    while done < count {
      while events.nextFrame <= position {
        let event = events.removeFirst()
        perform(event, rack)
        player.pointee.groups.record(event)
      }
      let run = min(count - done, events.nextFrame - position)
      used = play(rack, at: done, run, of: count, used)
      position += run
      done += run
    }
    player.pointee.unperformed.store(events.count, ordering: .relaxed)
    sounding = used
    return mix(outputs, used, controls)
  }

  @_noLocks
  private mutating func clear(_ outputs: UnsafePointer<Slice>) -> UInt16 {
    for bus in 0..<routes.busCount { outputs[bus].clear() }
    position += outputs[0].frameCount
    sounding = 0
    return .max
  }

  /// Switches to new synthesizers if they were replaced; notes of the previous ones have ended.
  @_noLocks
  private mutating func updateRack(_ player: UnsafeMutablePointer<InstrumentPlayer.Memory>) {
    let current = player.pointee.currentRack()
    let number = current?.pointee.number ?? 0
    guard number != rackNumber else { return }
    (rack, rackNumber) = (current, number)
    for index in 0..<128 * SynthRack.channelCount { notes[index].note = 0 }
    guard let rack else { return }
    for channel in 0..<SynthRack.channelCount { chooseInstrument(channel, rack) }
  }

  /// Moves the events that arrived since the last render from the queue to `events`.
  @_noLocks
  private mutating func readEvents(_ player: UnsafeMutablePointer<InstrumentPlayer.Memory>) {
    start = position
    let limit = player.pointee.dropped.load(ordering: .sequentiallyConsistent)
    if limit != dropped { events.removeNotes(before: limit) }
    dropped = limit
    while !events.isFull {
      let order = player.pointee.events.removedCount()
      guard var event = player.pointee.events.pop() else { break }
      if event.isOfNote, order < limit { continue }
      event.order = order
      event.frame = start + (frameRatio == 1 ? event.frame : Int(Double(event.frame) * frameRatio))
      events.insert(event)
    }
    player.pointee.unperformed.store(events.count, ordering: .relaxed)
  }

  /// Lets the synthesizers add `count` frames from `offset` on, in a slice of `sliceFrames` frames;
  /// returns the channels in use.
  @_noLocks
  private func play(
    _ rack: UnsafeMutablePointer<SynthRack>, at offset: Int, _ count: Int, of sliceFrames: Int,
    _ used: UInt16
  ) -> UInt16 {
    var used = used
    for member in 0..<SynthRack.memberCount where rack.pointee.grids[member] >= 0 {
      let sounding = rack.pointee.sounding[member]
      for channel in 0..<SynthRack.channelCount
      where (sounding & ~used) >> UInt16(clamping: channel) & 1 != 0 {
        Samples.clear(bus(channel, 0), count: sliceFrames)
        Samples.clear(bus(channel, 1), count: sliceFrames)
      }
      used |= sounding
      let synth = rack.pointee.members[member]
      var done = 0
      while done < count {
        let left = rack.pointee.framesToGrid(member, position + done)
        let run = min(left == 0 ? SynthRack.grid : left, count - done)
        for channel in 0..<SynthRack.channelCount {
          let isUsed = sounding >> UInt16(clamping: channel) & 1 != 0
          synthOutputs[2 * channel] = isUsed ? bus(channel, 0) + offset + done : nil
          synthOutputs[2 * channel + 1] = isUsed ? bus(channel, 1) + offset + done : nil
        }
        synth_render(synth, Int32(clamping: run), synthOutputs)
        done += run
        guard rack.pointee.framesToGrid(member, position + done) == 0, synth_voice_count(synth) == 0
        else { continue }
        rack.pointee.grids[member] = -1
        break
      }
    }
    return used
  }

  @_noLocks
  private func bus(_ channel: Int, _ side: Int) -> UnsafeMutablePointer<Float> {
    buses + (2 * channel + side) * maximumFrames
  }

  /// Adds up the channels on their buses, and the reverberation and the chorus of all on the first;
  /// returns a bit for each bus that is silent.
  @_noLocks
  private mutating func mix(
    _ outputs: UnsafePointer<Slice>, _ used: UInt16, _ controls: Controls
  ) -> UInt16 {
    let output = outputs[0]
    let count = output.frameCount
    move(controls)
    for bus in 0..<routes.busCount { outputs[bus].clear() }
    let second = sends + maximumFrames
    Samples.clear(sends, count: count)
    Samples.clear(second, count: count)
    var filled: UInt16 = 0
    for channel in 0..<SynthRack.channelCount where used >> UInt16(clamping: channel) & 1 != 0 {
      let send = Float(channels[channel].reverb) / 127
      filled |= routes.add(channel, bus(channel, 0), bus(channel, 1), to: outputs, count)
      Self.add(bus(channel, 0), to: sends, send, count)
      Self.add(bus(channel, 1), to: second, send, count)
    }
    let isChorusing = addChorus(to: output, used)
    let isWet = wet.target > 0 || wet.framesRemaining > 0
    if used != 0, isWet { quietFrames = 0 }
    let isReverberant = quietFrames < tailFrames && isWet
    if isReverberant {
      let other = returns + maximumFrames
      reverb.render(sends, second, into: returns, other, count: count)
      for frame in 0..<count {
        let gain = wet.value(at: frame)
        output[0][frame] += returns[frame] * gain
        output[1][frame] += other[frame] * gain
      }
    }
    if used == 0 { quietFrames = quietFrames > tailFrames ? .max : quietFrames + count }
    if isReverberant || isChorusing { filled |= 1 }
    for bus in 0..<routes.busCount where filled >> UInt16(clamping: bus) & 1 != 0 {
      for frame in 0..<count {
        outputs[bus][0][frame] *= left.value(at: frame)
        outputs[bus][1][frame] *= right.value(at: frame)
      }
    }
    left.advance(by: count)
    right.advance(by: count)
    wet.advance(by: count)
    return ~filled
  }

  /// Adds the chorus of the channels that send to it; returns whether it sounds.
  @_noLocks
  private mutating func addChorus(to output: Slice, _ used: UInt16) -> Bool {
    let count = output.frameCount
    // A local copy: the compiler's thread sanitizer treats the whole of `self` as accessed otherwise.
    let first = chorusSends
    let second = first + maximumFrames
    var hasInput = false
    for channel in 0..<SynthRack.channelCount
    where used >> UInt16(clamping: channel) & 1 != 0 && channels[channel].chorus > 0 {
      if !hasInput { clearChorusSends(count) }
      hasInput = true
      let send = Float(channels[channel].chorus) / 127
      let (left, right) = (bus(channel, 0), bus(channel, 1))
      for frame in 0..<count {
        first[frame] += left[frame] * send
        second[frame] += right[frame] * send
      }
    }
    if hasInput { chorusQuietFrames = 0 }
    guard chorusQuietFrames < chorus.tailFrames else { return false }
    if !hasInput {
      clearChorusSends(count)
      chorusQuietFrames += count
      // What is below -120 dB must not sound later.
      if chorusQuietFrames >= chorus.tailFrames {
        chorus.reset()
        return true
      }
    }
    chorus.add(first, second, to: (output[0], output[1]), at: position - count, count: count)
    return true
  }

  @_noLocks
  private func clearChorusSends(_ count: Int) {
    Samples.clear(chorusSends, count: count)
    Samples.clear(chorusSends + maximumFrames, count: count)
  }

  @_noLocks
  private static func add(
    _ samples: UnsafePointer<Float>, to sends: UnsafeMutablePointer<Float>, _ send: Float,
    _ count: Int
  ) {
    for frame in 0..<count { sends[frame] += samples[frame] * send }
  }

  /// Moves the gains to their targets within 10 ms, or immediately at the start.
  @_noLocks
  private mutating func move(_ controls: Controls) {
    let gain = Self.level * controls.gain * masterGain
    let within = isFresh ? 0 : fadeFrames
    isFresh = false
    Self.move(&left, to: gain * min(1, 1 - controls.pan), within)
    Self.move(&right, to: gain * min(1, 1 + controls.pan), within)
    Self.move(&wet, to: Self.reverbLevel * controls.reverbGain, within)
  }

  @_noLocks
  private static func move(_ fade: inout Fade, to value: Float, _ frames: Int) {
    if fade.target != value || frames == 0 { fade.move(to: value, within: frames) }
  }
}
