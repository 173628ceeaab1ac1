// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MIDIPorts

@Suite("A port of JACK")
struct ReadinessTests {
  @Test("is ready two cycles after the server has confirmed its connection")
  func confirmed() {
    var readiness = JACKMIDIReadiness.requested
    readiness.update(isConnected: { false }, endedCycles: 5)
    readiness.update(isConnected: { true }, endedCycles: 7)
    readiness.update(isConnected: { true }, endedCycles: 8)
    #expect(!readiness.isReady)
    readiness.update(isConnected: { true }, endedCycles: 9)
    #expect(readiness.isReady)
  }

  @Test("is ready without that when the server has had its time")
  func unconfirmed() {
    var readiness = JACKMIDIReadiness.connecting(until: 1)
    readiness.update(isConnected: { false }, endedCycles: 0)
    #expect(readiness.isReady)
  }
}
