// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Testing

@testable import ProcessingGraph

@Suite("Turns of the threads that change a graph")
struct TurnsTests {
  @Test("refuse a change inside a change")
  func nested() throws {
    let turns = Turns()
    try turns.change { () throws(AudioError) in
      #expect(turns.isTaken)
      let error = #expect(throws: AudioError.self) {
        try turns.change { () throws(AudioError) in }
      }
      #expect(error?.status == AudioError.cannotDoInCurrentContext.status)
    }
    #expect(try !turns.control { () in turns.isTaken })
  }

  @Test("apply an edit at once, or at the end of the turn in which it was made")
  func edits() throws {
    let turns = Turns()
    var applied: [String] = []
    turns.applyEdits = { applied.append("later") }
    try turns.control { () in
      turns.countEdit()
      turns.applyEdit { applied.append("at once") }
    }
    #expect(applied == ["at once"])
    try turns.change { () throws(AudioError) in
      turns.countEdit()
      turns.applyEdit { applied.append("too early") }
      #expect(turns.hasNewEdits)
      #expect(applied.count == 1)
    }
    #expect(applied == ["at once", "later"])
    #expect(turns.editCount == 2)
  }

  @Test("accept the edits that an update has seen, and no later ones")
  func accepting() throws {
    let turns = Turns()
    var laterCount = 0
    turns.applyEdits = { laterCount += 1 }
    try turns.change { () throws(AudioError) in
      turns.countEdit()
      turns.applyEdit {}
      let seen = turns.editCount
      #expect(turns.acceptEdits(upTo: seen))
      turns.countEdit()
      #expect(!turns.acceptEdits(upTo: seen))
    }
    #expect(laterCount == 0)
  }
}
