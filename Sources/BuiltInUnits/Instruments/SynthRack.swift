// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
import Glibc
import SignalProcessing
import Synchronization

/// Synthesizers that play one bank, each in its own time grid.
///
/// FluidSynth can start notes only every 64 frames. A note in between uses an idle synthesizer,
/// whose grid then starts at the note's frame, or one whose grid includes that frame. There is a
/// synthesizer for each frame of a grid, so a note always finds one.
///
/// Plain pointers: the creator deallocates them.
struct SynthRack: BitwiseCopyable, @unchecked Sendable {
  static var memberCount: Int { @_noLocks get { 64 } }
  static var channelCount: Int { @_noLocks get { 16 } }
  static var percussionBank: Int { @_noLocks get { 128 } }
  /// The period of a synthesizer's grid in frames.
  static var grid: Int { @_noLocks get { 64 } }
  /// The voices of each synthesizer, how many of them may sound when a note starts, and the limit
  /// for all synthesizers together.
  static var memberVoices: Int { @_noLocks get { 32 } }
  static var fullVoices: Int { @_noLocks get { 24 } }
  static var maximumVoices: Int { @_noLocks get { 256 } }

  /// An instrument of the bank.
  struct Preset: BitwiseCopyable {
    let handle: OpaquePointer
    let bank: Int32
    let program: Int32
  }

  /// The number of racks so far.
  private static let count = Atomic<UInt64>(0)

  /// Differs from that of any other rack, whatever their addresses; above 0.
  let number: UInt64 = Self.count.add(1, ordering: .relaxed).newValue
  private let set: OpaquePointer
  private let memory: OwnedMemory
  let members: UnsafeMutablePointer<OpaquePointer>
  let presets: UnsafeMutablePointer<Preset>
  let presetCount: Int
  /// The instrument that plays on all channels, whatever they select; -1 if each has its own.
  let onlyPreset: Int
  /// The offset of each grid in the unit's frames, 0 to 63; -1 while the synthesizer is idle.
  let grids: UnsafeMutablePointer<Int>
  /// A bit for each channel that sounds in the synthesizer, and the last note it started.
  let sounding: UnsafeMutablePointer<UInt16>
  let lastNotes: UnsafeMutablePointer<UInt32>
  /// The version of each channel's state that each synthesizer has received.
  let versions: UnsafeMutablePointer<UInt32>

  /// [control thread] Makes the synthesizers and reads the bank, which takes a tenth of a second.
  /// `only` selects an instrument for all channels. It plays band-limited copies of its samples, unless
  /// it will play nothing (`isSilent`): then it is enough to read the bank.
  static func make(
    _ source: BankSource, sampleRate: Double, members count: Int = memberCount,
    isSilent: Bool = false,
    only: ((_ instruments: [BankInstrument]) throws(AudioError) -> Int)? = nil
  ) throws(AudioError) -> (rack: SynthRack, instruments: [BankInstrument]) {
    try BankFile.findLibrary()
    let set = try load(source, sampleRate, count)
    var instruments: [BankInstrument] = []
    do throws(AudioError) {
      instruments = Self.instruments(of: set)
      let index = try only?(instruments) ?? -1
      // If the copy cannot be made or loaded, the bank is played as it is.
      guard index >= 0, !isSilent, let bytes = try? copy(of: instruments[index], in: source),
        let copy = try? load(.samples(bytes: bytes, paths: []), sampleRate, count)
      else { return (SynthRack(set, count, instruments, only: index), instruments) }
      synth_set_free(set)
      return (SynthRack(copy, count, [instruments[index]], only: 0), instruments)
    } catch {
      synth_set_free(set)
      throw error
    }
  }

  /// Synthesizers with a bank.
  private static func load(
    _ source: BankSource, _ sampleRate: Double, _ count: Int
  ) throws(AudioError) -> OpaquePointer {
    if case .file(let path) = source, access(path, R_OK) != 0 {
      throw .invalidFile.because("\(path): cannot be opened: \(String(cString: strerror(errno)))")
    }
    var reason = [CChar](repeating: 0, count: 1024)
    guard
      let set = synth_set_make(
        Int32(clamping: count), Int32(clamping: memberVoices), sampleRate, &reason, reason.count)
    else { throw .failedInitialization.because(BankFile.text(reason)) }
    do throws(AudioError) {
      let isLoaded =
        switch source {
        case .system: synth_set_load(set, try BankFile.defaultPath(), &reason, reason.count)
        case .file(let path): synth_set_load(set, path, &reason, reason.count)
        case .samples(let bytes, _):
          bytes.withUnsafeBytes {
            synth_set_load_memory(set, $0.baseAddress, $0.count, &reason, reason.count)
          }
        }
      guard isLoaded else { throw .invalidFile.because(BankFile.text(reason)) }
      return set
    } catch {
      synth_set_free(set)
      throw error
    }
  }

  /// A bank with one instrument of a file whose high keys play copies; nil if there is no need.
  private static func copy(
    of instrument: BankInstrument, in source: BankSource
  ) throws(AudioError) -> [UInt8]? {
    let path: String
    switch source {
    case .system: path = try BankFile.defaultPath()
    case .file(let file): path = file
    case .samples: return nil
    }
    return BankInstrumentCopy(path, bank: instrument.bank, program: instrument.program)?.bytes
  }

  private static func instruments(of set: OpaquePointer) -> [BankInstrument] {
    var found: [BankInstrument] = []
    while let preset = synth_set_preset(set, Int32(clamping: found.count)) {
      found.append(
        BankInstrument(
          name: synth_preset_name(preset).map { String(cString: $0) } ?? "",
          bank: Int(synth_preset_bank(preset)), program: Int(synth_preset_program(preset))))
    }
    return found
  }

  private init(
    _ set: OpaquePointer, _ count: Int, _ instruments: [BankInstrument], only: Int
  ) {
    self.set = set
    memory = OwnedMemory()
    onlyPreset = only
    members = memory.array(Self.memberCount, of: set)
    for index in 0..<Self.memberCount {
      members[index] = synth_set_member(set, Int32(clamping: index % count)) ?? set
    }
    presetCount = instruments.count
    presets = memory.array(presetCount, of: Preset(handle: set, bank: 0, program: 0))
    for (index, instrument) in instruments.enumerated() {
      presets[index] = Preset(
        handle: synth_set_preset(set, Int32(clamping: index)) ?? set,
        bank: Int32(clamping: instrument.bank),
        program: Int32(clamping: instrument.program))
    }
    grids = memory.array(Self.memberCount, of: -1)
    sounding = memory.array(Self.memberCount, of: 0)
    lastNotes = memory.array(Self.memberCount, of: 0)
    versions = memory.array(Self.memberCount * Self.channelCount, of: 0)
    warm(count)
  }

  /// Runs each synthesizer once, so that a render causes no page faults.
  private func warm(_ count: Int) {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.grid)
    samples.initialize(repeating: 0, count: Self.grid)
    defer { samples.deallocate() }
    var outputs = [UnsafeMutablePointer<Float>?](repeating: samples, count: 2 * Self.channelCount)
    for index in 0..<count { synth_render(members[index], Int32(clamping: Self.grid), &outputs) }
  }

  /// [control thread] Frees the synthesizers; nothing may use them afterwards.
  func deallocate() {
    memory.deallocate()
    synth_set_free(set)
  }

  /// [render thread] The instrument for a General MIDI channel's bank and program; -1 if there is
  /// none.
  ///
  /// In General MIDI 2 a bank's first byte is 120 for drum kits and 121 for melodic instruments,
  /// and the second byte is the variation. Otherwise the first byte is the bank, as in GS, or 127
  /// for drum kits, as in XG. A program that is missing in its bank is taken from bank 0.
  @_noLocks
  func find(_ first: Int, _ second: Int, _ program: Int, isPercussion: Bool) -> Int {
    if onlyPreset >= 0 { return onlyPreset }
    if first == 120 || first == 127 || isPercussion && first != 121 {
      let kit = find(Self.percussionBank, program)
      return kit >= 0 ? kit : find(Self.percussionBank, 0)
    }
    let variation = find(first == 121 || first == 0 ? second : first, program)
    return variation >= 0 ? variation : find(0, program)
  }

  /// [any thread] The index of the instrument with a bank and program; -1 if there is none.
  @_noLocks
  func find(_ bank: Int, _ program: Int) -> Int {
    for index in 0..<presetCount
    where presets[index].bank == Int32(clamping: bank)
      && presets[index].program == Int32(clamping: program)
    {
      return index
    }
    return -1
  }

  /// [render thread] The frames from `frame` to the next point of the synthesizer's grid.
  @_noLocks
  func framesToGrid(_ member: Int, _ frame: Int) -> Int {
    let phase = (frame - grids[member]) & (Self.grid - 1)
    return phase == 0 ? 0 : Self.grid - phase
  }

  /// [render thread] The synthesizer for a note at `frame`. The note starts at that frame, unless
  /// all synthesizers sound and no grid includes it; then it starts as soon as possible. -1 if all
  /// are full: in FluidSynth an excess voice would sound for ever.
  @_noLocks
  func choose(at frame: Int) -> Int {
    let phase = frame & (Self.grid - 1)
    var idle = -1
    var soonest = -1
    for member in 0..<Self.memberCount {
      if grids[member] < 0 {
        if idle < 0 { idle = member }
      } else if Int(synth_voice_count(members[member])) < Self.fullVoices {
        if grids[member] == phase { return member }
        if soonest < 0 || framesToGrid(member, frame) < framesToGrid(soonest, frame) {
          soonest = member
        }
      }
    }
    guard idle >= 0 else { return soonest }
    grids[idle] = phase
    sounding[idle] = 0
    return idle
  }
}
