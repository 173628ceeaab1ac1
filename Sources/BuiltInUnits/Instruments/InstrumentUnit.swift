// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime
import MIDIMessages
import Synchronization

/// A unit that plays a bank of instruments. `MIDIInstrumentUnit` adds notes and MIDI.
class InstrumentUnit: KernelUnit, @unchecked Sendable {
  final let player = InstrumentPlayer()
  /// [under the lock] The source of its sounds, and the instruments in it after it was read.
  private(set) final var source = BankSource.system
  private final var cachedInstruments: [BankInstrument]?
  private final var isEnded = false

  deinit {
    releaseResources()
    // The superclass's deinitialiser calls `releaseResources` again.
    isEnded = true
  }

  final override var shared: (any AnyObject & Sendable)? { player }
  override var properties: [UnitProperty] {
    super.properties + Self.instrumentProperties + Self.groupProperties
  }

  /// Whether MIDI program changes select the instruments of channels.
  var acceptsProgramChanges: Bool { true }

  /// [under the lock] The index in the bank of the instrument that plays on all channels; -1 if
  /// each channel has its own.
  func onlyInstrument(of instruments: [BankInstrument]) throws(AudioError) -> Int { -1 }

  /// [any thread] Called for each program change; returns whether the program is selected now.
  func willSelect(_ program: UInt32, on channel: Int) throws(AudioError) -> Bool { true }

  /// Rates outside this range could require all the memory.
  private static let sampleRates = 1_000.0...3_072_000

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    try super.check(format, at: element)
    guard Self.sampleRates.contains(format.sampleRate) else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.sampleRate.plainText) Hz; instruments play at 1000 to "
          + "3072000 Hz")
    }
  }

  // MARK: Life

  override func allocateResources() throws(AudioError) {
    for output in outputs.dropFirst() where output.format.sampleRate != outputs[0].format.sampleRate
    {
      throw .formatNotSupported.because(
        "\(output.title) runs at \(output.format.sampleRate.plainText) Hz, \(outputs[0].title) at "
          + "\(outputs[0].format.sampleRate.plainText) Hz; they must be equal")
    }
    // What was sent to the previous kernel: the ends of its notes were refused since.
    player.dropEvents()
    replaceRack(try makeRack(source))
    do throws(AudioError) { try super.allocateResources() } catch {
      replaceRack(nil)
      throw error
    }
  }

  override func releaseResources() {
    guard !isEnded else { return }
    super.releaseResources()
    player.dropEvents()
    replaceRack(nil)
  }

  /// [while nothing renders] Replaces the synthesizers.
  private func replaceRack(_ rack: SynthRack?) {
    player.publish(rack, in: { renderRound })
    player.freeReplaced { _ in true }
  }

  override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    player.dropNotes()
    try super.reset(scope, element)
  }

  private func makeRack(_ source: BankSource) throws(AudioError) -> SynthRack {
    let made = try SynthRack.make(
      source, sampleRate: InstrumentOutput.rate(for: outputs[0].format.sampleRate)
    ) { [unowned self] (instruments) throws(AudioError) in try onlyInstrument(of: instruments) }
    cachedInstruments = made.instruments
    return made.rack
  }

  // MARK: The bank

  /// [under the lock] Loads another bank; if it cannot be read, nothing changes.
  ///
  /// If the unit is initialised, the next render switches to the bank and ends the sounding notes.
  final func setSource(_ new: BankSource) throws(AudioError) {
    guard rt_current().pointee.depth == 0 else {
      throw .cannotDoInCurrentContext.because("a bank cannot be loaded inside a render")
    }
    guard isInitialized else {
      cachedInstruments = try read(new)
      source = new
      return
    }
    let rack = try makeRack(new)
    source = new
    player.publish(rack, in: { renderRound })
    // A running render may be in a callback that waits for a thread that needs the lock.
    AfterLocks.perform { [self] in
      waitForRender()
      player.freeReplaced { isPast($0) }
    }
  }

  /// Reads the list of instruments of a bank.
  private func read(_ source: BankSource) throws(AudioError) -> [BankInstrument] {
    let made = try SynthRack.make(source, sampleRate: 44_100, members: 1, isSilent: true) {
      [unowned self] (instruments) throws(AudioError) in try onlyInstrument(of: instruments)
    }
    made.rack.deallocate()
    return made.instruments
  }

  /// [under the lock] The instruments of its bank.
  final func instruments() throws(AudioError) -> [BankInstrument] {
    if let cachedInstruments { return cachedInstruments }
    let found = try read(source)
    cachedInstruments = found
    return found
  }

  /// The file of its bank.
  private func bankPath() throws(AudioError) -> String {
    switch source {
    case .system: return try BankFile.defaultPath()
    case .file(let path): return path
    case .samples: throw .propertyNotInUse.because("its instrument is made of sound files")
    }
  }

  private func instrument(_ id: MusicDeviceInstrumentID) throws(AudioError) -> BankInstrument {
    guard let found = try instruments().first(where: { $0.id == id }) else {
      throw AudioError(status: kAudioUnitErr_IllegalInstrument).because(
        "the bank has no instrument \(id) (bank \(id >> 16), program \(id & 0x7f)); "
          + "kMusicDeviceProperty_InstrumentNumber lists those it has")
    }
    return found
  }

  override func prepareInstrument(_ id: MusicDeviceInstrumentID) throws(AudioError) {
    try control { () throws(AudioError) in _ = try instrument(id) }
  }

  override func releaseInstrument(_ id: MusicDeviceInstrumentID) throws(AudioError) {
    try control { () throws(AudioError) in _ = try instrument(id) }
  }

  // MARK: State

  override var ownState: [String: PropertyList] {
    var state: [String: PropertyList] = [
      Self.programKey: .array(
        (0..<SynthRack.channelCount).map {
          .integer(Int(player.memory.pointee.programs[$0].load(ordering: .relaxed)))
        }),
      GroupState.key: GroupState(player).list,
    ]
    if case .file(let path) = source { state[Self.bankKey] = .string(path) }
    return state
  }

  override func restoreOwnState(_ state: PropertyList) throws(AudioError) {
    let saved: BankSource = state[Self.bankKey]?.string.map { .file($0) } ?? restoredSource(state)
    if saved != source || alwaysReloadsBank { try setSource(saved) }
    GroupState(player).restore(state, sends: isInitialized)
    guard case .array(let programs)? = state[Self.programKey] else { return }
    for (channel, program) in programs.prefix(SynthRack.channelCount).enumerated() {
      guard let word = program.integer, let word = UInt32(exactly: word) else { continue }
      player.memory.pointee.programs[channel].store(word & 0xff_ffff, ordering: .relaxed)
      var event = NoteEvent(.program, channel: UInt8(clamping: channel), at: 0)
      event.instrument = word & 0xff_ffff
      if isInitialized { _ = player.send(event) }
    }
  }

  /// The bank for a state that names no file, and whether to load a bank again even if it is the
  /// same.
  func restoredSource(_ state: PropertyList) -> BankSource { .system }
  var alwaysReloadsBank: Bool { false }

  private static let bankKey = "sound-bank"
  static let programKey = "programs"

  // MARK: Properties

  private static let instrumentProperties = PropertyRow<InstrumentUnit>.rows([
    .object(
      kMusicDeviceProperty_SoundBankURL, in: [kAudioUnitScope_Global], type: "CFURL",
      get: { (unit, _) throws(AudioError) in .file(try unit.bankPath()) },
      write: { (unit, _, data) throws(AudioError) in
        guard let path = Bridge.current.path(try data.object("CFURL")) else {
          throw .invalidPropertyValue.because("expected a CFURL of a file")
        }
        try unit.setSource(.file(path))
      }),
    .string(
      kMusicDeviceProperty_BankName, in: [kAudioUnitScope_Global],
      get: { (unit, _) throws(AudioError) in
        if case .samples(_, let paths) = unit.source {
          return paths.first.map(InstrumentUnit.fileName)
        }
        return InstrumentUnit.fileName(try unit.bankPath())
      }),
    .value(
      kMusicDeviceProperty_InstrumentCount, in: [kAudioUnitScope_Global], UInt32.self,
      get: { (unit, _) throws(AudioError) in UInt32(clamping: try unit.instruments().count) }),
    .value(
      kMusicDeviceProperty_InstrumentNumber, in: [kAudioUnitScope_Global], by: .owner,
      UInt32.self,
      get: { (unit, address) throws(AudioError) in
        let all = try unit.instruments()
        guard all.indices.contains(Int(address.element)) else {
          throw .invalidElement.because(
            "instrument \(address.element) of \(all.count); numbers start at 0")
        }
        return all[Int(address.element)].id
      }),
    .bytes(
      kMusicDeviceProperty_InstrumentName, in: [kAudioUnitScope_Global], by: .owner,
      type: "char[]",
      get: { (unit, address) throws(AudioError) in
        Array(try unit.instrument(address.element).name.utf8) + [0]
      }),
    .value(
      kMusicDeviceProperty_SupportsStartStopNote, in: [kAudioUnitScope_Global],
      reading: { _ in 1 as UInt32 }),
  ])

  /// The name of a file without its extension.
  static func fileName(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }
}

extension UnitDefinition {
  /// A unit that plays a bank of instruments.
  static func instrument<K: InstrumentKernel & ~Copyable & SendableMetatype>(
    _ type: K.Type,
    _ makeUnit: @escaping @Sendable (Component, UnitDefinition) -> InstrumentUnit
  ) -> Self { .buses(type) { makeUnit($0, $1) } }
}
