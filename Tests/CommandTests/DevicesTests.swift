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

  @Test("lists devices in JSON, and marks the default")
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
        "jack", "pipewire", "pulse", "alsa", "file", "null", "aggregate",
      ])
    for backend in backends {
      let devices = try #require(backend["devices"] as? [[String: Any]])
      #expect(
        !devices.isEmpty || backend["reason"] is String || backend["name"] as? String == "aggregate"
      )
    }
    let last = backends.first { $0["name"] as? String == "null" }
    let null = try #require((last?["devices"] as? [[String: Any]])?.first)
    #expect(null["uid"] as? String == "null")
    #expect(null["isChosen"] as? Bool == true)
    #expect(null["sampleRate"] as? Double == 44_100)
    #expect(null["outputChannels"] as? Int == 2)
    let output = try #require(null["output"] as? [String: Any])
    #expect(output["volume"] as? Double == 1)
    #expect((output["streams"] as? [[String: Any]])?.first?["channels"] as? Int == 2)
  }

  @Test("shows everything about one device, as text and as JSON")
  func singleDevice() throws {
    let environment = [
      "AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_RATE": "44100", "AUDIOTOOLBOX_FRAMES": "441",
    ]
    let run = try Run("au", ["devices", "null"], environment: environment)
    #expect(run.code == 0, "\(run.errors)")
    for text in [
      "default    output, input", "rate       44100 Hz (44100 Hz)", "441 frames, 10.0 ms",
      "2 channels: Front Left, Front Right", "100 %, 0.0 dB", "channels 1 to 2, Float32, 44100 Hz",
      "441 frames of the device + 0 of its safety offset + 0 of the stream: 10.0 ms",
    ] {
      let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let expected = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(expected), "\(run.output)")
    }
    let json = try Run("au", ["devices", "null", "--json"], environment: environment)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(report["uid"] as? String == "null")
    let input = try #require(report["input"] as? [String: Any])
    let latency = try #require(input["latency"] as? [String: Any])
    #expect(latency["device"] as? Int == 441 && latency["cycle"] as? Int == 441)
  }

  @Test(
    "refuses settings that no server would keep, and explains who decides",
    arguments: [
      ["--volume", "50%"], ["--mute", "on"], ["--rate", "44100"], ["--cycle", "128"],
    ])
  func unkept(words: [String]) throws {
    let run = try Run(
      "au", ["devices", "set", "null"] + words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 1)
    #expect(run.errors.contains("null: \(words[0]): no server manages"), "\(run.errors)")
  }

  @Test(
    "missing and superfluous arguments end with 2",
    arguments: [
      ["set"], ["set", "null"], ["null", "null"], ["--volume", "50%"], ["null", "--mute", "on"],
      ["set", "null", "--volume", "120%"], ["set", "null", "--volume", "3dB"], ["null", "--watch"],
    ])
  func wrongLines(words: [String]) throws {
    let run = try Run("au", ["devices"] + words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 2, "\(run.output)")
  }

  @Test("a missing device is reported, with a hint at the list of devices")
  func absent() throws {
    let run = try Run("au", ["devices"], environment: ["AUDIOTOOLBOX_DEVICE": "theremin"])
    #expect(run.code == 0)
    #expect(run.output.contains("No device can be chosen"))
    #expect(run.output.contains("theremin"))
  }

  @Test("watches until it is interrupted, and ends by the signal")
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

  @Test("without a loop the round trip is not measured, which is reported")
  func noLoop() throws {
    let run = try Run(
      "au", ["loopback", "--device", "null", "--rounds", "1"],
      environment: ["AUDIOTOOLBOX_CLOCK": "fast"])
    #expect(run.code == 1)
    #expect(run.output.contains("nothing came back"))
    #expect(run.errors.contains("connect the output to the input"))
  }

  @Test("a tone reports the state of its device")
  func figures() throws {
    let run = try Run(
      "au", ["tone", "--device", "null", "--seconds", "0.3", "--stats"],
      environment: ["AUDIOTOOLBOX_FRAMES": "256"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("256 frames, 5.3 ms"))
    for word in ["load", "latency", "xruns"] { #expect(run.output.contains(word)) }
  }
}
