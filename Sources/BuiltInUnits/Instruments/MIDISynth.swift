// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Synchronization

/// A synthesizer with sixteen General MIDI channels, for programs that declare in advance which
/// instruments they need.
struct MIDISynth: InstrumentKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth, "AUMIDISynth")

  private(set) var output: InstrumentOutput

  init(output: consuming InstrumentOutput) { self.output = output }

  mutating func reset() { output.reset() }

  @_noLocks
  mutating func render(_ outputs: BusSlices, _ values: Values) {
    output.render(outputs, InstrumentRenderer.Controls())
  }
}

/// The unit of `MIDISynth`: while preloading is enabled, program changes load instruments;
/// otherwise they select loaded ones.
final class MIDISynthUnit: MIDIInstrumentUnit, @unchecked Sendable {
  private let isPreloading = Atomic(false)
  /// One bit for each program of each bank: whether it is loaded.
  private let loaded: UnsafeMutablePointer<Atomic<UInt64>>
  private static let wordCount = 129 * 2

  override init(component: Component, definition: UnitDefinition) {
    loaded = .allocate(capacity: Self.wordCount)
    for word in 0..<Self.wordCount { (loaded + word).initialize(to: Atomic(0)) }
    super.init(component: component, definition: definition)
    // The initial instruments of the channels.
    load(0, on: 0)
    load(0, on: 9)
  }

  deinit { loaded.deinitialize(count: Self.wordCount).deallocate() }

  override var properties: [UnitProperty] { super.properties + Self.ownProperties }

  /// The word and the bit of a program in `loaded`.
  private func place(_ program: UInt32, on channel: Int) -> (word: Int, bit: UInt64) {
    let (first, second) = (Int(program >> 16 & 0x7f), Int(program >> 8 & 0x7f))
    let isPercussion = first == 120 || first == 127 || channel == 9 && first != 121
    let bank =
      isPercussion ? SynthRack.percussionBank : first == 121 || first == 0 ? second : first
    let index = 128 * bank + Int(program & 0x7f)
    return (index / 64, 1 << UInt64(clamping: index % 64))
  }

  private func load(_ program: UInt32, on channel: Int) {
    let (word, bit) = place(program, on: channel)
    _ = loaded[word].bitwiseOr(bit, ordering: .relaxed)
  }

  override func willSelect(_ program: UInt32, on channel: Int) throws(AudioError) -> Bool {
    if isPreloading.load(ordering: .relaxed) {
      load(program, on: channel)
      return false
    }
    let (word, bit) = place(program, on: channel)
    guard loaded[word].load(ordering: .relaxed) & bit != 0 else {
      throw AudioError(status: kAudioUnitErr_IllegalInstrument).because(
        "program \(program & 0x7f) is not loaded; send the program change once while "
          + "kAUMIDISynthProperty_EnablePreload is 1")
    }
    return true
  }

  override func restoreOwnState(_ state: PropertyList) throws(AudioError) {
    try super.restoreOwnState(state)
    for channel in 0..<SynthRack.channelCount {
      load(player.memory.pointee.programs[channel].load(ordering: .relaxed), on: channel)
    }
  }

  private static let ownProperties = PropertyRow<MIDISynthUnit>.rows([
    .flag(
      kAUMIDISynthProperty_EnablePreload, in: [kAudioUnitScope_Global],
      get: { unit, _ in unit.isPreloading.load(ordering: .relaxed) },
      set: { unit, _, isOn in unit.isPreloading.store(isOn, ordering: .relaxed) })
  ])
}
