// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("Scoped access to units and sequences")
struct ScopedAccessTests {
  private enum Refusal: Error { case stopped }

  @Test("passes the unit of a node, and what the closure returns or throws")
  func unit() throws {
    let delay = AVAudioUnitDelay()
    let name = delay.withAUAudioUnit { $0.componentName }
    #expect(name == delay.auAudioUnit.componentName)
    delay.withAUAudioUnit { unit in
      unit.parameterTree?.parameter(withAddress: AUParameterAddress(kDelayParam_Feedback))?.value =
        -20
    }
    #expect(delay.feedback == -20)
    let status = delay.withAudioUnit { unit in
      AudioUnitSetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, 0.5, 0)
    }
    #expect(status == noErr && delay.delayTime == 0.5)
    #expect(throws: Refusal.stopped) {
      try delay.withAUAudioUnit { _ throws(Refusal) in throw .stopped }
    }
  }

  @Test("a node exists until the closure returns")
  func lifetime() {
    weak var last: AVAudioUnitDelay?
    func node() -> AVAudioUnitDelay {
      let node = AVAudioUnitDelay()
      last = node
      return node
    }
    let isAlive = node().withAudioUnit { _ in last != nil }
    #expect(isAlive)
    #expect(last == nil)
  }

  @Test("passes the unit of the engine, and none without an engine")
  func inputAndOutput() throws {
    let offline = try Offline()
    let output = offline.engine.outputNode
    #expect(output.withAudioUnit { $0 == output.audioUnit && $0 != nil })
    let orphan = AVAudioEngine().outputNode
    #expect(orphan.withAudioUnit { $0 == nil })
  }

  @Test("passes the sequence of an engine")
  func sequence() throws {
    let engine = AVAudioEngine()
    #expect(engine.withMusicSequence { $0 == nil })
    var sequence: MusicSequence?
    try #require(NewMusicSequence(&sequence) == noErr)
    engine.musicSequence = sequence
    let count = engine.withMusicSequence { sequence in
      var count: UInt32 = 7
      if let sequence { MusicSequenceGetTrackCount(sequence, &count) }
      return count
    }
    #expect(count == 0)
    engine.musicSequence = nil
    if let sequence { DisposeMusicSequence(sequence) }
  }
}
