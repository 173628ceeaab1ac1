// SPDX-License-Identifier: Apache-2.0

extension InstrumentRenderer {
  /// The values that a kernel derives from its parameters.
  struct Controls {
    var cents: Float = 0
    var gain: Float = 1
    /// -1 (left) to 1.
    var pan: Float = 0
    /// The gain of the reverberation; 0 switches it off.
    var reverbGain: Float = 1

    @_noLocks
    init() {}
  }

  /// A note that has not ended yet.
  struct SoundingNote: BitwiseCopyable {
    /// The identifier of the note; 0 if none sounds.
    var note: UInt32
    var member: Int
    /// Whether the sostenuto pedal holds it, and whether its key was released meanwhile.
    var isHeld = false
    var isReleased = false

    @_noLocks
    init(note: UInt32 = 0, member: Int = 0) {
      self.note = note
      self.member = member
    }
  }
}
