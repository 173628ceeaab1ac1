// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CommandSupport
import Foundation
import Testing

@testable import AudioUnitTool

@Suite("The screen of au view")
struct ViewPageTests {
  private func state() -> ViewPage.State {
    var state = ViewPage.State()
    state.title = "Maker: A unit with a long name, longer than most"
    state.source = "song.flac"
    state.presetCount = 3
    state.isBypassed = false
    state.rows =
      [.group("Filter")]
      + (0..<40).map {
        .parameter(.init(name: "parameter \($0)", value: "\($0) Hz", place: Double($0) / 40))
      }
      + [.parameter(.init(name: "peak", value: "-3 dB", place: .nan, isMeter: true))]
    // The group is a row, too.
    state.selected = 21
    state.plotName = "response"
    state.plot = { columns, rows in
      Array(repeating: Line(String(repeating: "x", count: columns)), count: rows)
    }
    return state
  }

  private func lines(_ state: ViewPage.State, _ columns: Int, _ rows: Int) -> [Line] {
    ViewPage(state: state, size: .init(columns: columns, rows: rows)).lines
  }

  @Test("fits any size", arguments: [1, 3, 8, 24, 60], [1, 20, 40, 80, 200])
  func size(rows: Int, columns: Int) {
    for isHelp in [false, true] {
      var state = state()
      state.isHelp = isHelp
      #expect(lines(state, columns, rows).count <= rows)
      #expect(columns < 80 || lines(state, columns, rows).allSatisfy { $0.width <= columns })
    }
  }

  @Test("shows the selected parameter, the settings, the plot and the keys")
  func contents() {
    let text = lines(state(), 80, 24).map(\.text).joined(separator: "\n")
    for expected in [" > parameter 20", "20 Hz", "bypass: off", "(of 3)", "xxxxx", "? keys"] {
      #expect(text.contains(expected), "\(text)")
    }
    #expect(!text.contains("parameter 1 "))
  }

  @Test("has no sliders for choices, and bars for meters")
  func bars() {
    var state = ViewPage.State()
    state.rows = [
      .parameter(.init(name: "mode", value: "warm", place: 0.5, isChoice: true)),
      .parameter(.init(name: "peak", value: "1", place: 1, isMeter: true)),
      .parameter(.init(name: "level", value: "0", place: 0)),
    ]
    let text = lines(state, 80, 10).map(\.text)
    #expect(!text[2].contains("■") && text[2].contains("warm"))
    #expect(text[3].contains("████"))
    #expect(text[4].contains("■─"))
  }
}

@Suite("au view", .enabled(if: TerminalSession.isPossible, "needs tmux"))
struct ViewTests {
  private func start(_ words: String, environment: [String: String] = [:]) throws -> TerminalSession
  {
    let session = try TerminalSession(
      environment: ["AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_PLUGINS": "none"]
        .merging(environment) { $1 })
    try session.type("clear; \(Run.path("au")) view \(words)")
    try session.expect("? keys")
    return session
  }

  @Test("shows parameters, and keys change them")
  func keys() throws {
    let session = try start("lowpass,cutoff=1000")
    #expect(try session.screen().contains("1000 Hz"))
    #expect(try session.screen().contains("response in dB"))
    try session.press("Enter", "2", "k", "Enter")
    try session.expect("2000 Hz")
    try session.press("Right")
    #expect(try !session.expect("> cutoff").contains(" 2000 Hz"))
    try session.press("Enter", "x", "Enter")
    try session.expect("expected a number from")
    try session.press("d")
    try session.expect("6900 Hz")
    try session.press("Down", "Enter", "6", "Enter")
    try session.expect(" 6 dB")
    try session.press("q")
    try session.expect("READY>")
    #expect(try session.ask("#{alternate_on}") == "0")
  }

  @Test("goes through presets, and compares two settings")
  func settings() throws {
    let session = try start("reverb2")
    try session.press("p")
    try session.expect("preset: ")
    #expect(try !session.screen().contains("(of "))
    try session.press("Enter", "2", "5", "Enter")
    try session.expect(" 25 crossfade")
    try session.press("a", "Enter", "7", "5", "Enter")
    try session.expect(" 75 crossfade")
    try session.press("a")
    try session.expect(" 25 crossfade")
    try session.press("c")
    try session.expect("A and B are the same now")
    try session.press("a")
    #expect(try session.screen().contains(" 25 crossfade"))
    try session.press("b")
    try session.expect("bypass: on")
    try session.press("q")
    try session.expect("READY>")
  }

  @Test("plays a file through the unit, again and again")
  func file() throws {
    try withFolder { folder in
      let made = try Run("au", ["tone", "440", "--seconds", "0.5", "-o", "\(folder)/tone.wav"])
      #expect(made.code == 0)
      let session = try start(
        "lowpass,cutoff=20000 \(folder)/tone.wav",
        environment: ["AUDIOTOOLBOX_DEVICE": "file:\(folder)/out.wav"])
      try session.expect("▶ tone.wav")
      try session.expect("dBFS")
      try session.press("v")
      try session.expect("spectrum of the output")
      sleep(1)
      try session.press("Space")
      try session.expect("■ tone.wav")
      try session.press("q")
      try session.expect("READY>")
      // It is longer than the file, and the tone goes on.
      let heard = try RecordedFile("\(folder)/out.wav").channels[0].samples
      let first = try #require(heard.firstIndex { $0 != 0 })
      #expect(heard.count > first + 40_000)
      let later = heard[(first + 30_000)..<(first + 40_000)]
      #expect(later.contains { abs($0) > 0.01 })
    }
  }

  @Test("needs a terminal, a unit, and one source")
  func mistakes() throws {
    let alone = try Run("au", ["view", "lowpass"])
    #expect(alone.code == 1 && alone.errors.contains("au info lowpass"))
    #expect(try Run("au", ["view", "lowpass", "a.wav", "--input"]).code == 2)
  }
}

@Suite("--out-of-process")
struct OutOfProcessTests {
  @Test(
    "is refused for units that have no process of their own",
    arguments: ["render", "play", "validate"])
  func refused(command: String) throws {
    let words =
      switch command {
      case "render": ["render", "lowpass", "a.wav", "b.wav", "--out-of-process"]
      case "play": ["play", "a.wav", "--effect", "lowpass", "--out-of-process"]
      default: ["validate", "lowpass", "--out-of-process"]
      }
    let run = try Run("au", words)
    #expect(run.code == 2)
    #expect(run.errors.contains("LADSPA"))
  }

  @Test("renders the same sound, to the bit, and leaves no process")
  func same() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/plug-ins", withIntermediateDirectories: true)
      let source = "\(folder)/drive.c"
      try Self.plugIn.write(toFile: source, atomically: true, encoding: .utf8)
      let built = try Run(
        path: "/usr/bin/gcc",
        ["-shared", "-fPIC", "-O2", source, "-o", "\(folder)/plug-ins/drive.so", "-lm"])
      try #require(built.code == 0, "\(built.errors)")
      let environment = [
        "AUDIOTOOLBOX_PLUGINS": "ladspa", "LADSPA_PATH": "\(folder)/plug-ins",
        "XDG_CACHE_HOME": folder,
      ]
      #expect(
        try Run("au", ["tone", "440", "--seconds", "1", "-o", "\(folder)/in.wav"]).code == 0)
      for (name, words) in [("one", []), ("two", ["--out-of-process"])] {
        let run = try Run(
          "au", ["render", "drive,drive=5", "\(folder)/in.wav", "\(folder)/\(name).wav"] + words,
          environment: environment)
        #expect(run.code == 0, "\(run.errors)")
      }
      let files = try ["one", "two"].map {
        try Data(contentsOf: URL(filePath: "\(folder)/\($0).wav"))
      }
      #expect(files[0] == files[1] && files[0].count > 40_000)
    }
  }

  /// A LADSPA plug-in with a control, written out so that it needs no header.
  private static let plugIn = """
    #include <math.h>
    #include <stdlib.h>
    typedef struct { int hint; float low, high; } Hint;
    typedef struct {
      unsigned long id; const char *label; int properties; const char *name, *maker, *copyright;
      unsigned long count; const int *ports; const char *const *names; const Hint *hints; void *data;
      void *(*make)(const void *, unsigned long); void (*connect)(void *, unsigned long, float *);
      void (*activate)(void *); void (*run)(void *, unsigned long); void *a, *b, *c; void (*end)(void *);
    } Type;
    static void *make(const void *type, unsigned long rate) { return calloc(3, sizeof(float *)); }
    static void connect(void *it, unsigned long port, float *at) { ((float **)it)[port] = at; }
    static void run(void *it, unsigned long count) {
      float **ports = it;
      for (unsigned long i = 0; i < count; i++) ports[1][i] = tanhf(ports[0][i] * *ports[2]);
    }
    static const int ports[] = {9, 10, 5};
    static const char *const names[] = {"In", "Out", "Drive"};
    static const Hint hints[] = {{0}, {0}, {1 | 2 | 0x240, 1, 20}};
    static const Type type = {
        1, "drive", 0, "Drive", "Maker", "", 3, ports, names, hints, 0, make, connect, 0, run, 0, 0, 0, free};
    const Type *ladspa_descriptor(unsigned long index) { return index ? 0 : &type; }
    """
}
