// SPDX-License-Identifier: Apache-2.0
import Testing

/// Starts ToneGenerator in a terminal, without a stored state.
func startToneGenerator(
  device: String = "null", environment: [String: String] = [:], stopped: String = "stopped"
) throws -> TerminalSession {
  let session = try TerminalSession(
    environment: ["AUDIOTOOLBOX_DEVICE": device, "XDG_STATE_HOME": "/dev/null/nowhere"]
      .merging(environment) { $1 })
  try session.type("clear; \(Run.path("ToneGenerator"))")
  try session.expect(stopped)
  return session
}

/// Expects the shell on the normal screen, with echo.
func expectRestored(_ session: TerminalSession) throws {
  try session.expect("READY>")
  #expect(try session.ask("#{alternate_on}") == "0")
  #expect(try session.ask("#{cursor_flag}") == "1")
  #expect(try session.ask("#{wrap_flag}") == "1")
  try session.type("stty -a | grep -c -w -- '-icanon\\|-echo\\|-icrnl'; echo mode seen")
  let screen = try session.expect("\nmode seen")
  #expect(screen.contains("\n0\n"), "\(screen)")
}
