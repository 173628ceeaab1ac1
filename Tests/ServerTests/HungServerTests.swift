// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import AudioToolbox
import AudioSupport
import CRealTime
import CServerEnvironment
import Foundation
import JACKClients
import Testing

extension Servers {
  /// A server that hangs must not affect the rest of the process.
  @Suite("Servers that hang", .serialized)
  struct HungServerTests {
    /// The seconds that `body` takes.
    private func seconds(_ body: () throws -> Void) rethrows -> Double {
      let begin = rt_host_time()
      try body()
      return Double(rt_host_time() - begin) * 1e-9
    }

    /// The number of threads that wait for JACK.
    private var jackThreads: Int {
      ServerResources.threadNames.count { $0.hasPrefix("audio jack") }
    }

    private func objects(
      _ selector: AudioObjectPropertySelector,
      of id: AudioObjectID = AudioObjectID(kAudioObjectSystemObject)
    ) -> [AudioObjectID] {
      var address = AudioObjectPropertyAddress(
        mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal,
        mElement: kAudioObjectPropertyElementMain)
      var list = [AudioObjectID](repeating: 0, count: 64)
      var size = UInt32(list.count * MemoryLayout<AudioObjectID>.size)
      guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &list) == noErr else {
        return []
      }
      return Array(list.prefix(Int(size) / MemoryLayout<AudioObjectID>.size))
    }

    @Test("JACK: one request waits at a time, and further requests fail immediately")
    func listing() throws {
      let server = try JACKFixture()
      JACKServer.shared.closeIfEnded()
      server.hang(true)
      let first = seconds { _ = try? JACKClient.open("first") }
      #expect(first < 20)
      let threads = jackThreads
      let rest = seconds {
        for _ in 0..<8 { #expect(throws: AudioError.self) { try JACKClient.open("again") } }
      }
      // Eight timeouts would take twenty-four seconds.
      #expect(rest < 10)
      #expect(jackThreads <= threads)
      server.hang(false)
      // It answers again, and the abandoned client is gone.
      #expect(wait { Backends.survey(of: "jack")?.devices.isEmpty == false })
      #expect(try wait { try !server.tool("jack_lsp").contains("first") })
    }

    @Test("JACK: a unit tries again and again, with the same threads")
    func unit() throws {
      let server = try JACKFixture(period: 512)
      let unit = try PlayingUnit("jack")
      try unit.start()
      #expect(unit.waits(forFrames: 4_800))
      server.hang(true)
      #expect(wait { unit.interruption != nil })
      usleep(3_500_000)  // until an attempt has failed
      let threads = jackThreads
      usleep(3_500_000)
      #expect(jackThreads <= threads)
      server.hang(false)
      #expect(unit.waits(forFrames: 12_000, seconds: 30))
      try unit.stop()
      #expect(unit.statistics.breaks == 0)
    }

    @Test("calls for another back end do not wait")
    func others() throws {
      let server = try JACKFixture()
      // No call has reached it before it hung.
      server.stop(by: SIGTERM)
      _ = Backends.survey(of: "jack")
      try server.start()
      server.hang(true)
      defer { server.hang(false) }
      let path = "\(server.folder)/hung.wav"
      try onDevice("file:\(path)") {
        let device = try #require(objects(kAudioHardwarePropertyDefaultOutputDevice).first)
        // A call to the server waits for three seconds. Others may take as long on a busy machine,
        // but not each time.
        let isQuick = (0..<5).contains { _ in
          usleep(300_000)  // until the cached devices have expired
          let time = seconds {
            #expect(!objects(kAudioDevicePropertyStreams, of: device).isEmpty)
          }
          return time < 2.5
        }
        #expect(isQuick)
      }
      // A request for all devices waits once.
      _ = objects(kAudioHardwarePropertyDevices)
      let again = seconds {
        for _ in 0..<4 {
          usleep(300_000)
          #expect(!objects(kAudioHardwarePropertyDevices).isEmpty)
        }
      }
      #expect(again < 8)
    }

    @Test("ALSA: a plug-in that waits for its server delays neither a stop nor a listing")
    func plugin() throws {
      let server = try PulseFixture()
      try "pcm.!default { type pulse device one }\n".write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      let unit = try PlayingUnit("alsa", frames: 1_024)
      try unit.start()
      #expect(unit.waits(forFrames: 12_000))
      server.hang(true)
      // Until its thread is inside a call that waits.
      #expect(wait { unit.interruption != nil })
      let stop = try seconds { try unit.stop() }
      #expect(stop < 20)
      let calls = unit.statistics.calls
      let listing = seconds {
        for _ in 0..<4 { _ = Backends.survey(of: "alsa") }
      }
      #expect(listing < 20)
      server.hang(false)
      #expect(wait { Backends.survey(of: "alsa")?.devices.isEmpty == false })
      #expect(unit.statistics.calls == calls)
      #expect(wait { (try? unit.start()) != nil })
      #expect(unit.waits(forFrames: 12_000))
      try unit.stop()
    }

    @Test("JACK: a unit of another device recovers while it hangs")
    func recovery() throws {
      let jack = try JACKFixture(period: 512)
      let pulse = try PulseFixture()
      let hung = try PlayingUnit("jack")
      let other = try PlayingUnit("pulse:one", frames: 1_024)
      try hung.start()
      try other.start()
      #expect(hung.waits(forFrames: 4_800) && other.waits(forFrames: 4_800))
      jack.hang(true)
      #expect(wait { hung.interruption != nil })
      pulse.stop()
      #expect(wait { other.interruption != nil })
      try pulse.start()
      #expect(other.waits(forFrames: 12_000))
      try other.stop()
      jack.hang(false)
      try hung.stop()
    }
  }
}
