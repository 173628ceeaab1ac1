// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts
import MusicPlayers

/// Sends what players of sequences play to the destinations of the process.
struct PlayerEndpoints: EndpointSender {
  func send(_ bytes: [UInt8], to endpoint: MIDIEndpointRef, at hostTime: UInt64) -> Bool {
    do throws(AudioError) { try Setup.shared.send(bytes, to: endpoint, at: hostTime) } catch {
      if error.status == kMIDIMessageSendErr, Setup.shared.isOnline(endpoint) { return false }
      Explanations.log("a player sends to endpoint \(endpoint): \(error.reason)")
    }
    return true
  }
}
