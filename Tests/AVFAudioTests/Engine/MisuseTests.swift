// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("Misuse of AVFAudio")
struct MisuseTests {
  @Test("ends the program with one sentence of call, rule and mend", arguments: Misuse.allCases)
  func sentence(misuse: Misuse) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse = misuse as Misuse] in try misuse.commit() }
    let said = said(result)
    let (call, rule, mend) = misuse.sentence
    let start = said.range(of: "Fatal error: \(call)")
    let wrong = said.range(of: rule, range: (start?.upperBound ?? said.endIndex)..<said.endIndex)
    let end = said.range(
      of: "; \(mend)", range: (wrong?.upperBound ?? said.endIndex)..<said.endIndex)
    #expect(start != nil && wrong != nil && end != nil, "\(said)")
    // The call once, without another before it.
    #expect(said.components(separatedBy: call).count == 2, "\(said)")
  }
}
