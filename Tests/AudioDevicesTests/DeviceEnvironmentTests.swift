// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioSupport
import Testing

@Suite("Device environment")
struct DeviceEnvironmentTests {
  private func read(_ variables: [String: String]) throws -> DeviceEnvironment {
    try DeviceEnvironment { variables[$0] }
  }

  @Test("is 48,000 Hz, 512 frames and 2 channels, paced, if nothing is set")
  func defaults() throws {
    let environment = try read(["AUDIOTOOLBOX_RATE": ""])
    #expect(environment == DeviceEnvironment())
    #expect(environment.device == nil)
    #expect(environment.sampleRate == 48_000)
    #expect(environment.cycleFrames == 512)
    #expect(environment.channelCount == 2)
    #expect(environment.clock == .paced)
    #expect(environment.inputEnd == .silence)
  }

  @Test("reads each variable")
  func variables() throws {
    let environment = try read([
      "AUDIOTOOLBOX_DEVICE": "file:/tmp/a:b.wav,c.wav", "AUDIOTOOLBOX_RATE": "44100",
      "AUDIOTOOLBOX_FRAMES": "256", "AUDIOTOOLBOX_CHANNELS": "6", "AUDIOTOOLBOX_CLOCK": "fast",
      "AUDIOTOOLBOX_INPUT": "loop",
    ])
    #expect(environment.device == DeviceName(backend: "file", device: "/tmp/a:b.wav,c.wav"))
    #expect(environment.sampleRate == 44_100)
    #expect(environment.sampleRates == 44_100...44_100)
    #expect(environment.cycleFrames == 256)
    #expect(environment.cycleFramesRange == 256...256)
    #expect(environment.channelCount == 6)
    #expect(environment.clock == .fast)
    #expect(environment.inputEnd == .loop)
  }

  @Test(
    "refuses a value with an error that names the variable and the expected values",
    arguments: [
      ("AUDIOTOOLBOX_RATE", "fast", "a whole number of frames per second from 1000 to 768000"),
      ("AUDIOTOOLBOX_RATE", "44100.5", "a whole number"),
      ("AUDIOTOOLBOX_RATE", "+44100", "a whole number"),
      ("AUDIOTOOLBOX_RATE", " 44100", "a whole number"),
      ("AUDIOTOOLBOX_RATE", "999", "a whole number"),
      ("AUDIOTOOLBOX_FRAMES", "0", "a whole number of frames per cycle from 1 to 65536"),
      ("AUDIOTOOLBOX_FRAMES", "99999999999999999999", "a whole number"),
      ("AUDIOTOOLBOX_CHANNELS", "257", "a whole number of channels from 1 to 256"),
      ("AUDIOTOOLBOX_CLOCK", "FAST", "paced or fast"),
      ("AUDIOTOOLBOX_INPUT", "once", "silence or loop"),
    ])
  func refusals(name: String, value: String, expected: String) {
    let text = explanation { _ = try read([name: value]) }
    #expect(text.contains("\(name) is \"\(value)\": expected \(expected)"))
  }

  @Test(
    "splits the name of a device at its first colon",
    arguments: [
      ("null", "null", nil), ("pipewire:", "pipewire", nil), ("alsa:hw:0,0", "alsa", "hw:0,0"),
      ("pipewire:alsa_output.usb-1", "pipewire", "alsa_output.usb-1"), (":x", "", "x"),
    ] as [(String, String, String?)])
  func names(text: String, backend: String, device: String?) {
    #expect(DeviceName(text) == DeviceName(backend: backend, device: device))
  }
}

@Suite("Choice of a back end")
struct BackendsTests {
  @Test(
    "lists the devices if an unknown one is requested",
    arguments: ["nul", "NULL", "", ":x"])
  func unknown(name: String) {
    let text = explanation { _ = try open(fast(name)) }
    #expect(text.contains("there are \"") && text.contains(", \"file\", \"null\""))
  }

  @Test("refuses a named device of null")
  func nullDevice() {
    #expect(explanation { _ = try open(fast("null:5")) }.contains("no device \"null:5\""))
  }

  @Test("creates each back end once, and selects one if none is named")
  func once() throws {
    try DeviceEnvironment().use {
      let first = try Backends.current()
      #expect(try first === Backends.current())
      #expect(try Backends.named("null") === Backends.named("null"))
    }
  }

  @Test("lists every back end, with its devices or the reason why it has none")
  func survey() {
    // Other tests of the process may have added back ends.
    let survey = DeviceEnvironment().use { Backends.survey() }
      .filter { !["aggregate", "switched"].contains($0.backend) }
    #expect(survey.map(\.backend).suffix(2) == ["file", "null"])
    let (file, null) = (survey[survey.count - 2], survey[survey.count - 1])
    #expect(file.devices.isEmpty)
    #expect(file.reason?.contains("AUDIOTOOLBOX_DEVICE=file:OUT.wav") == true)
    #expect(null.devices.map(\.uid) == ["null"])
    #expect(null.reason == nil)
    // A server has devices or gives a reason why not.
    for server in survey.dropLast(2) {
      #expect(server.devices.isEmpty || server.reason == nil)
      #expect(!server.devices.isEmpty || server.reason?.isEmpty != true)
    }
  }

  @Test("lists the file device when it is named")
  func surveyOfFile() throws {
    let environment = fast("file:/tmp/out.wav") { $0.channelCount = 4 }
    let survey = environment.use { Backends.survey() }
    let file = try #require(survey.first { $0.backend == "file" })
    let device = try #require(file.devices.first)
    #expect(device.uid == "file:/tmp/out.wav")
    #expect(device.name == "out.wav")
    #expect(device.outputChannelCount == 4)
  }

  @Test("opens the device that a request names, whatever the environment names")
  func uid() throws {
    let folder = Folder()
    let request = StreamRequest(uid: "file:\(folder("out.wav"))")
    let stream = try fast("null").use {
      try Backends.named("file").open(request, Probe())
    }
    #expect(stream.device.uid == request.uid)
  }
}
