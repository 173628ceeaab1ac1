// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// A tone and a duplex unit on both servers side by side, in cycles of 256 frames: two seconds, or
  /// as many minutes as `make soak` says. What the servers count goes to the report.
  @Suite("Sound servers, for long")
  struct ServerSoak {
    @Test("keeps the time of a tone and of a duplex unit on both servers")
    func long() throws {
      let pipeWire = try PipeWireFixture(quantum: 256)
      let jack = try JACKFixture(period: 256)
      defer { withExtendedLifetime((pipeWire, jack)) {} }
      let units = [
        ("PipeWire, tone", try PlayingUnit("pipewire", frames: 256)),
        ("PipeWire, duplex", try PlayingUnit("pipewire:null1+null1.monitor", .loop, frames: 256)),
        ("JACK, tone", try PlayingUnit("jack", frames: 256)),
        ("JACK, duplex", try PlayingUnit("jack", .passThrough, frames: 256)),
      ]
      for (_, unit) in units { try unit.start() }
      let seconds = minutes.map { $0 * 60 } ?? 2
      sleep(UInt32(seconds))
      for (name, unit) in units {
        let xruns = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
        let server = xruns.mServerTells == 1 ? "\(xruns.mServerCount)" : "not told"
        try unit.stop()
        let books = unit.books
        print(
          "\(name): \(books.frames) frames in \(books.calls) calls; late or left out "
            + "\(xruns.mCount), xruns of the server \(server)")
        #expect(books.frames > 0 && books.breaks == 0 && books.failures == 0)
        #expect(books.heapOperations == 0)
      }
    }
  }
}
