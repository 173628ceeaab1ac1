// SPDX-License-Identifier: Apache-2.0

/// The state of a MIDI channel: a synthesizer gets it when it starts a note there.
struct ChannelState: BitwiseCopyable {
  /// Another number after each change; never 0.
  var edition: UInt32 = 1
  /// Which instrument was requested: a bank's two bytes and a program, in eight bits each.
  var instrument: UInt32 = 0
  /// Its index in the bank; -1: none.
  var preset = -1
  var bend = 8192
  var bendRange = 2
  var pressure = 0
  /// The part in the reverberation, 0 to 127.
  var reverb = Self.usualReverb
  /// Cents, of registered parameters 1 and 2.
  var fineTuning: Float = 0
  var coarseTuning: Float = 0
  /// The bytes of a registered parameter as received; 127 and 127: none is selected.
  var parameter = (127, 127)
  var entry = (0, 0)
  /// Which controllers were set, a bit for each.
  var touched = SIMD2<UInt64>.zero

  /// The initial state of General MIDI 2.
  static var usualReverb: Int { @_noLocks get { 40 } }

  @_noLocks
  init() {}

  /// Marks the state as changed.
  @_noLocks
  mutating func changed() { edition = edition == .max ? 1 : edition + 1 }

  /// Whether a controller was set.
  @_noLocks
  func isTouched(_ controller: Int) -> Bool {
    touched[controller >> 6] >> UInt64(controller & 63) & 1 != 0
  }

  /// Records that a controller was set, or is in its initial state.
  @_noLocks
  mutating func touch(_ controller: Int, _ isTouched: Bool = true) {
    let bit = UInt64(1) << UInt64(controller & 63)
    if isTouched { touched[controller >> 6] |= bit } else { touched[controller >> 6] &= ~bit }
  }
}
