// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("ToneGenerator", .enabled(if: TerminalSession.isPossible, "needs tmux"))
struct TerminalTests {
  @Test("without a terminal it plays an A for three seconds and prints the device")
  func withoutTerminal() throws {
    try withFolder { folder in
      let device = "file:\(folder)/tone.wav"
      let run = try Run("ToneGenerator", [], environment: ["AUDIOTOOLBOX_DEVICE": device])
      #expect(run.code == 0)
      #expect(run.output.contains("no display with a window, and no terminal"))
      #expect(run.output.contains("A4 (440 Hz"))
      #expect(run.output.contains(device))
      let file = try RecordedFile("\(folder)/tone.wav")
      let end = file.channels[0].samples.lastIndex { $0 != 0 } ?? 0
      #expect(abs(end - 3 * 48_000) < 64)
      let fit = file.channels[0][4_800..<139_200].tone(near: 440)
      #expect(abs(fit.frequency - 440) < 1e-5)
      #expect(fit.distortionAndNoise < -145)
    }
  }

  @Test("keys change the tone, and the output matches the display")
  func keys() throws {
    try withFolder { folder in
      let session = try startToneGenerator(device: "file:\(folder)/tone.wav")
      try session.press("Space")
      try session.expect("playing")
      try session.expect("file:\(folder)".prefix(30).description)
      try session.press("Right")
      try session.expect("A♯4  +0.00 cents")
      try session.press("1", "0", "0", "0", "Enter")
      try session.expect("B5  +21.31 cents")
      try session.press("-", "-")
      try session.expect("−22.0 dBFS")
      // Half a second of it is measured.
      usleep(2_000_000)
      try session.press("Space")
      try session.expect("stopped")
      try session.press("q")
      try expectRestored(session)

      let tone = try RecordedFile("\(folder)/tone.wav").channels[0]
      let end = tone.samples.lastIndex { $0 != 0 } ?? 0
      let last = tone[(end - 24_000)..<(end - 3_000)]
      let fit = last.tone(near: 1_000)
      #expect(abs(fit.frequency - 1_000) < 0.001)
      #expect(abs(fit.amplitude - pow(10, -22.0 / 20)) < 1e-6)
      #expect(tone.largestBend(frequency: 1_000, amplitude: 0.1) < 1.01)
    }
  }

  @Test("steps, waveforms and typed numbers are shown")
  func steps() throws {
    let session = try startToneGenerator()
    try session.press("Up", "Up", "S-Up")
    try session.expect("A4  +8.24 cents")
    try session.press("NPage")
    try session.expect("A3  +8.24 cents")
    try session.press("w")
    try session.press("9", "9", "9", "9", "9", "9", "Enter")
    try session.expect("999999 Hz is outside 0.01 to 384000 Hz.")
    try session.press("Escape")
    try session.expect("A3  +8.24 cents")
  }

  @Test("the letters A to G open the frequency entry")
  func notes() throws {
    let session = try startToneGenerator()
    try session.press("C", "#", "5", "Enter")
    try session.expect("C♯5  +0.00 cents")
    try session.press("b", "b", "3", "Enter")
    try session.expect("A♯3  +0.00 cents")
    try session.press("g", "x", "4", "Enter")
    try session.expect("G4  +0.00 cents")
    try session.press("D", "Escape")
    try session.expect("391.995")
  }

  @Test("refused input stays to be corrected, and other keys do not change it")
  func correcting() throws {
    let session = try startToneGenerator()
    try session.press("3", "0", "0", "0", "k", "Enter")
    try session.expect("3000000 Hz is outside 0.01 to 384000 Hz.")
    try session.press("x", "BSpace", "y", "Enter")
    try session.expect("F♯7  +23.26 cents")
  }

  @Test("the letters play after k, until Escape, and the arrows keep their meanings")
  func letters() throws {
    let session = try startToneGenerator()
    try session.press("k")
    try session.expect("white keys from C4")
    try session.press("a")
    try session.expect("C4  +0.00 cents")
    try session.expect("playing")
    try session.press("x", "d")
    try session.expect("white keys from C5")
    try session.expect("E5  +0.00 cents")
    try session.press("Up", "w")
    try session.expect("C♯5  +0.00 cents")
    try session.press("Escape")
    try session.expect("stopped")
    try session.press("w")
    try session.expect("Triangle")
    try session.press("q")
    try expectRestored(session)
  }

  @Test("without a device, a line of the library does not disturb the screen")
  func withoutDevice() throws {
    // No server can be reached. On a machine with a sound card there is a device, and no line.
    let session = try startToneGenerator(
      device: "",
      environment: [
        "XDG_RUNTIME_DIR": "/nowhere", "PULSE_SERVER": "unix:/nowhere/pulse",
        "JACK_DEFAULT_SERVER": "nowhere", "JACK_NO_START_SERVER": "1",
      ])
    try session.press("Space")
    let screen = try session.expect("playing")
    #expect(!screen.contains("AudioToolbox: no sound device"))
    if try session.expect("Device").contains("null, ") { try session.expect("No sound device: ") }
    try session.press("q")
    try expectRestored(session)
  }

  @Test("the banner is there at once without a device, goes with the first and comes again")
  func banner() throws {
    try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio"))
    try withFolder { folder in
      let environment = [
        "XDG_RUNTIME_DIR": folder, "PULSE_SERVER": "unix:\(folder)/server",
        "JACK_DEFAULT_SERVER": "nowhere", "JACK_NO_START_SERVER": "1",
      ]
      // A sound card is a device without a server.
      let devices = try Run("au", ["devices", "--json"], environment: environment).output
      guard !devices.contains("\"hw:") else { return }
      let session = try startToneGenerator(device: "", environment: environment)
      try session.expect("No sound device: ")
      #expect(try session.screen().contains("stopped"))
      func server(_ body: () throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pulseaudio")
        process.arguments = [
          "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error",
          "-L", "module-native-protocol-unix socket=\(folder)/server auth-anonymous=1",
          "-L", "module-null-sink sink_name=alpha",
        ]
        process.environment = Run.environment(["HOME": folder, "XDG_RUNTIME_DIR": folder])
        try process.run()
        defer { process.terminate() }
        try body()
      }
      func waitUntil(_ isShown: Bool) throws {
        for _ in 1...600 {
          if try session.screen().contains("No sound device: ") == isShown { return }
          usleep(50_000)
        }
        Issue.record("\(try session.screen())")
      }
      try server { try waitUntil(false) }
      try waitUntil(true)
      #expect(try session.screen().contains("stopped"), "all of it without playing")
      try session.press("q")
      try expectRestored(session)
    }
  }

  @Test("Ctrl-L draws what something else has overwritten")
  func redraw() throws {
    let session = try startToneGenerator()
    // Another program writes to the same terminal.
    let other = try session.ask("#{pane_tty}")
    _ = try Run(path: "/bin/sh", ["-c", "printf '\\033[2J' > '\(other)'"])
    for _ in 1...100 where try session.screen().contains("stopped") { usleep(50_000) }
    #expect(try !session.screen().contains("stopped"))
    try session.press("C-l")
    try session.expect("stopped")
    try session.press("4", "C-l", "0", "Enter")
    try session.expect("D♯1  +48.68 cents")
  }

  @Test("? and :help show all keys, and any other key hides them")
  func help() throws {
    let session = try startToneGenerator()
    try session.press("?")
    try session.expect("any other key goes back")
    try session.press("NPage", "NPage")
    try session.expect("delete NAME")
    try session.press("Escape")
    try session.expect("A4  +0.00 cents")
    try session.press(":")
    try session.type("help")
    try session.expect("any other key goes back")
  }

  @Test("shows how to play and quit in a terminal of 40 by 12")
  func small() throws {
    let session = try startToneGenerator()
    try session.resize(columns: 40, rows: 12)
    let screen = try session.expect("q quit")
    #expect(screen.contains("space play, stop"))
  }

  @Test("draws with ASCII if the locale has no other characters")
  func ascii() throws {
    let session = try startToneGenerator(environment: ["LC_ALL": "C"])
    try session.press("Space")
    try session.expect("> playing")
    usleep(300_000)
    #expect(try session.screen().utf8.allSatisfy { $0 < 0x80 })
    try session.press("q")
    try expectRestored(session)
  }

  @Test("draws the wave while it plays, and the spectrum")
  func pictures() throws {
    let session = try startToneGenerator()
    try session.press("v", "v", "v", "Space")
    try session.expect("playing")
    let showsWave = try (1...600).contains { _ in
      usleep(50_000)
      return try session.screen().unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) }
    }
    #expect(showsWave)
    try session.press("v")
    try session.expect("\n\(String(repeating: " ", count: 35))██\n")
    try session.press("q")
    try expectRestored(session)
  }

  @Test("has tones, sides, sweeps and presets, and confirms loud levels")
  func panel() throws {
    let session = try startToneGenerator()
    try session.press("n")
    try session.expect("2 of 2")
    try session.press("Tab")
    try session.expect("1 of 2")
    try session.press("c", "p", "i", "s")
    try session.expect("left side  right 15°  right inverted  sweep 20 to 20000 Hz")
    try session.press("o", "o")
    try session.expect("Preset: Reference, 1 kHz")
    try session.press("C-Up")
    try session.expect("B5  +21.33 cents")
    for _ in 1...15 { try session.press("+") }
    try session.expect("can hurt")
    try session.press("y")
    try session.expect("−5.0 dBFS")
  }

  @Test("long renders show their progress on a terminal, and nothing in a pipe")
  func progress() throws {
    try withFolder { folder in
      let session = try TerminalSession()
      try session.type("\(Run.path("au")) tone --seconds 100000 -o \(folder)/long.wav")
      try session.expect(" %")
      try session.press("C-c")
      let leavesNothing = try (1...600).contains { _ in
        usleep(50_000)
        return try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty
      }
      #expect(leavesNothing)
      let run = try Run("au", ["tone", "--seconds", "300", "-o", "\(folder)/tone.wav"])
      #expect(run.code == 0 && run.output.isEmpty && run.errors.isEmpty)
    }
  }

  @Test("the progress of a long file is cleared before its name is printed")
  func progressThenName() throws {
    try Jobs.run { jobs in
      let session = try TerminalSession()
      try jobs.must("$AU convert in.wav -o long.wav --tempo 0.03125")
      try session.type("cd \(jobs.folder); clear")
      try session.type(
        "\(Run.path("au")) convert long.wav -o out.wav --tempo 0.0625 --loudness -16")
      try session.expect(" %")
      let screen = try session.expect("out.wav\nREADY>")
      #expect(screen.split(separator: "\n").contains("out.wav"), "\(screen)")
    }
  }

  @Test("changes the device on command")
  func device() throws {
    try withFolder { folder in
      let session = try startToneGenerator(device: "file:\(folder)/tone.wav")
      try session.press("Space")
      try session.expect("tone.wav")
      try session.press(":")
      try session.type("device null")
      try session.expect("Playing to ")
      try session.expect(" Device   null")
      try session.press(":")
      try session.type("cycle 256")
      try session.expect("cycle: 256")
      try session.press(":")
      try session.type("rate 44.1k")
      try session.expect("44100 Hz, channels: 2")
      try session.press("q")
      try expectRestored(session)
    }
  }

  @Test(
    "is translated to Japanese and Chinese, with aligned columns",
    arguments: [("ja", "停止", "再生中", "正弦波"), ("zh_CN", "已停止", "播放中", "正弦")])
  func languages(language: String, stopped: String, playing: String, sine: String) throws {
    let session = try startToneGenerator(
      environment: ["LANGUAGE": language, "LC_ALL": "C.UTF-8"], stopped: "■ \(stopped)")
    try session.press("Space")
    let screen = try session.expect("▶ \(playing)")
    #expect(screen.contains(sine))
    // The status ends in the last column but one; wide characters take two columns.
    let title = try #require(screen.split(separator: "\n").first)
    #expect(title.count == 79 - playing.count)
    try session.press("q")
    try expectRestored(session)
  }

  @Test("follows the size of the terminal")
  func resize() throws {
    let session = try startToneGenerator()
    try session.press("Space")
    try session.resize(columns: 50, rows: 12)
    try session.expect("440.000 Hz")
    #expect(try session.screen().split(separator: "\n").allSatisfy { $0.count <= 50 })
    try session.resize(columns: 120, rows: 40)
    try session.expect("██  ██ ██  ██ ██  ██")
  }

  @Test(
    "restores the terminal, however it ends",
    arguments: ["INT", "TERM", "HUP", "QUIT", "SEGV", "ABRT"])
  func signals(name: String) throws {
    let session = try startToneGenerator()
    try session.press("Space")
    try session.expect("playing")
    let process = try session.ask("#{pane_pid}")
    #expect(try Run(path: "/usr/bin/pkill", ["-\(name)", "-P", process]).code == 0)
    try expectRestored(session)
  }

  @Test("stops as a job, and continues")
  func job() throws {
    let session = try startToneGenerator()
    try session.press("Space")
    try session.expect("playing")
    try session.press("C-z")
    try session.expect("READY>")
    #expect(try session.ask("#{alternate_on}") == "0")
    try session.type("fg")
    try session.expect("playing")
    try session.press("q")
    try expectRestored(session)
  }
}
