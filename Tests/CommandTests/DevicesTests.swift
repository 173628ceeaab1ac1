// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au devices and loopback")
struct DevicesTests {
  @Test("shows every back end, with its devices or the reason why it has none")
  func list() throws {
    let run = try Run("au", ["devices"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("UID"))
    for name in ["jack", "pipewire", "pulse", "alsa", "file", "null"] {
      #expect(run.output.contains(name))
    }
    #expect(run.output.contains("AUDIOTOOLBOX_DEVICE=file:OUT.wav"))
  }

  @Test("lists for programs, and marks what is chosen")
  func json() throws {
    let run = try Run(
      "au", ["devices", "--json"],
      environment: ["AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_RATE": "44100"])
    #expect(run.code == 0)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let backends = try #require(report["backends"] as? [[String: Any]])
    #expect(
      backends.map { $0["name"] as? String } == [
        "jack", "pipewire", "pulse", "alsa", "file", "null",
      ])
    for backend in backends {
      let devices = try #require(backend["devices"] as? [[String: Any]])
      #expect(!devices.isEmpty || backend["reason"] is String)
    }
    let null = try #require((backends.last?["devices"] as? [[String: Any]])?.first)
    #expect(null["uid"] as? String == "null")
    #expect(null["isChosen"] as? Bool == true)
    #expect(null["sampleRate"] as? Double == 44_100)
    #expect(null["outputChannels"] as? Int == 2)
  }

  @Test("a device that is not there is told with what there is")
  func absent() throws {
    let run = try Run("au", ["devices"], environment: ["AUDIOTOOLBOX_DEVICE": "theremin"])
    #expect(run.code == 0)
    #expect(run.output.contains("No device can be chosen"))
    #expect(run.output.contains("theremin"))
  }

  @Test("watches until it is interrupted, and ends as told")
  func watch() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Run.path("au"))
    process.arguments = ["devices", "--watch"]
    process.environment = Run.environment(["AUDIOTOOLBOX_DEVICE": "null"])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
    usleep(700_000)
    #expect(process.isRunning)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
  }

  @Test("without a way back the round trip is not measured, and that is told")
  func noLoop() throws {
    let run = try Run(
      "au", ["loopback", "--device", "null", "--rounds", "1"],
      environment: ["AUDIOTOOLBOX_CLOCK": "fast"])
    #expect(run.code == 1)
    #expect(run.output.contains("nothing came back"))
    #expect(run.errors.contains("connect the output to the input"))
  }

  @Test("a tone tells how its device fared")
  func figures() throws {
    let run = try Run(
      "au", ["tone", "--device", "null", "--seconds", "0.3", "--stats"],
      environment: ["AUDIOTOOLBOX_FRAMES": "256"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("256 frames, 5.3 ms"))
    for word in ["load", "latency", "xruns"] { #expect(run.output.contains(word)) }
  }
}
