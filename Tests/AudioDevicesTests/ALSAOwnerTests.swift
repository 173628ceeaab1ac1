// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioSupport
import Foundation
import Synchronization
import Testing

@Suite("Owner of a kernel device")
struct ALSAOwnerTests {
  /// A folder like that of the kernel, in which process 4711 captures from one PCM of the card
  /// "PCH".
  private func withCards(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "asound-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (path, text) in [
      ("card0/pcm1c/sub0/status", "state: RUNNING\nowner_pid   : 4711\ntrigger_time: 1\n"),
      ("card0/pcm1p/sub0/status", "closed\n"), ("card0/pcm0p/sub0/status", "closed\n"),
    ] {
      let file = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/PCH", withDestinationPath: "card0")
    try body(folder)
  }

  @Test(
    "is found for every spelling of the name",
    arguments: ["hw:0,1", "hw:PCH,1", "hw:CARD=PCH,DEV=1"])
  func owner(name: String) throws {
    try withCards { #expect(ALSAOwner.process(of: name, in: $0) == 4_711) }
  }

  @Test(
    "is nil if nobody has opened the device, or the name is not a kernel device",
    arguments: ["hw:0,0", "hw:PCH", "hw:1,1", "default", "hw:", "hw:../card0,1", "pulse"])
  func nobody(name: String) throws {
    try withCards { #expect(ALSAOwner.process(of: name, in: $0) == nil) }
  }
}

@Suite("Reserved PCMs")
struct ALSAReservationTests {
  /// PCMs like those of the kernel: each direction can be opened once.
  private final class Kernel: Sendable {
    let open = Mutex<Set<String>>([])

    final class PCM: Sendable {
      private let kernel: Kernel
      private let word: String
      init(_ kernel: Kernel, _ word: String) { (self.kernel, self.word) = (kernel, word) }
      deinit { kernel.open.withLock { _ = $0.remove(word) } }
    }

    func pcm(_ name: String, _ direction: StreamDirection) -> PCM? {
      let word = "\(name) \(direction)"
      return open.withLock { $0.insert(word).inserted } ? PCM(self, word) : nil
    }

    var words: [String] { open.withLock { $0.sorted() } }
  }

  @Test("are open while nothing plays, close for a stream, and open again after it")
  func life() throws {
    let kernel = Kernel()
    let reservations = ALSAReservations { kernel.pcm($0, $1) }
    try reservations.reserve("hw:0", isOurs: false)
    #expect(kernel.words == ["hw:0 input", "hw:0 output"])
    #expect(reservations.contains("hw:0") && !reservations.contains("hw:1"))
    reservations.suspend(["hw:0"])
    #expect(kernel.words.isEmpty)
    var stream = kernel.pcm("hw:0", .output)
    reservations.resume()
    // The other direction stays reserved.
    #expect(kernel.words == ["hw:0 input", "hw:0 output"])
    #expect(stream != nil)
    stream = nil
    #expect(kernel.words == ["hw:0 input"])
    reservations.resume()
    #expect(kernel.words == ["hw:0 input", "hw:0 output"])
    reservations.release("hw:0")
    #expect(kernel.words.isEmpty && !reservations.contains("hw:0"))
    reservations.resume()
    #expect(kernel.words.isEmpty)
  }

  @Test("exclude PCMs of another process, but not those that this process plays to")
  func inUse() throws {
    let kernel = Kernel()
    let reservations = ALSAReservations { kernel.pcm($0, $1) }
    let others = [kernel.pcm("hw:0", .output), kernel.pcm("hw:0", .input)]
    #expect(throws: AudioError.self) { try reservations.reserve("hw:0", isOurs: false) }
    #expect(!reservations.contains("hw:0"))
    try reservations.reserve("hw:0", isOurs: true)
    #expect(reservations.contains("hw:0"))
    withExtendedLifetime(others) {}
  }
}
