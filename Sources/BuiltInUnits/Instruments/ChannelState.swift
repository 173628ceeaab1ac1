// SPDX-License-Identifier: Apache-2.0

/// The state of a MIDI channel. A synthesizer receives it when it starts a note on the channel.
struct ChannelState: BitwiseCopyable {
  /// Changes with every change of the state; never 0.
  var version: UInt32 = 1
  /// The requested instrument: a bank's two bytes and a program, in eight bits each.
  var instrument: UInt32 = 0
  /// The index of the instrument in the bank; -1 if there is none.
  var preset = -1
  var bend = 8192
  /// The steps above `bend`, of which MIDI 2.0 has parts.
  var fineBend: Float = 0
  var bendRange = 2
  /// The semitones of the bends of single notes.
  var noteBendRange = Self.defaultNoteBendRange
  /// What MIDI 2.0 adds to the controllers 7, 11 and 10: centibels of attenuation, and thousandths of
  /// the way to the right.
  var fineVolume: Float = 0
  var fineExpression: Float = 0
  var finePan: Float = 0
  var pressure = 0
  /// The reverberation send level, 0 to 127.
  var reverb = Self.defaultReverb
  /// The chorus send level, 0 to 127.
  var chorus = 0
  /// Tunings in cents, from registered parameters 1 and 2.
  var fineTuning: Float = 0
  var coarseTuning: Float = 0
  /// The bytes of the selected registered parameter, high byte first; 127 and 127 if none is
  /// selected.
  var parameter = (127, 127)
  var entry = (0, 0)
  /// One bit for each controller: whether it was set.
  var touched = SIMD2<UInt64>.zero

  /// The initial value in General MIDI 2.
  static var defaultReverb: Int { @_noLocks get { 40 } }

  /// That of MIDI 2.0, unless registered parameter 7 sets another.
  static var defaultNoteBendRange: Float { @_noLocks get { 48 } }

  @_noLocks
  init() {}

  /// Marks the state as changed.
  @_noLocks
  mutating func changed() { version = version == .max ? 1 : version + 1 }

  /// Whether a controller was set.
  @_noLocks
  func isTouched(_ controller: Int) -> Bool {
    touched[controller >> 6] >> UInt64(clamping: controller & 63) & 1 != 0
  }

  /// Records that a controller was set, or is in its initial state again.
  @_noLocks
  mutating func touch(_ controller: Int, _ isTouched: Bool = true) {
    let bit = UInt64(1) << UInt64(clamping: controller & 63)
    if isTouched { touched[controller >> 6] |= bit } else { touched[controller >> 6] &= ~bit }
  }
}
