// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What Faust compiles, measured inside a program of its own.
enum FaustPeer {
  /// The oscillator: nanoseconds per sample at 512 frames; nil when Faust or the compiler is not there.
  static func nanosecondsPerSample(in folder: URL) -> Double? {
    nanosecondsPerSample(
      of: "import(\"stdfaust.lib\"); process = os.osc(997);", name: "sine", channelCount: 1,
      vectorised: true, in: folder)
  }

  /// A program of so many channels, which get noise: nanoseconds per frame and channel.
  static func nanosecondsPerSample(
    of program: String, name: String, channelCount: Int, vectorised: Bool, in folder: URL
  ) -> Double? {
    let source = folder.appendingPathComponent("\(name).dsp")
    let wrapper = folder.appendingPathComponent("wrapper.cpp")
    let code = folder.appendingPathComponent("\(name).cpp")
    let text = program
    let program = folder.appendingPathComponent(name)
    do {
      try text.write(to: source, atomically: true, encoding: .utf8)
  /// Nanoseconds per sample of an oscillator at 512 frames; nil when Faust or the compiler is not
  /// there.
  static func nanosecondsPerSample(in folder: URL) -> Double? {
    measure("import(\"stdfaust.lib\"); process = os.osc(997);", ["-vec"], in: folder)?[512]
  }

  /// Nanoseconds per frame and channel of an effect, as scalar or as vector code: the faster.
  static func effect(_ source: String, in folder: URL) -> [(frames: Int, nanoseconds: Double?)] {
    let runs = [["-scal"], ["-vec"]].compactMap { measure(source, $0, in: folder) }
    return [512, 64].map { frames in (frames, runs.compactMap { $0[frames] }.min()) }
  }

  /// Compiles a program for this processor, and times it by numbers of frames.
  private static func measure(
    _ source: String, _ options: [String], in folder: URL
  ) -> [Int: Double]? {
    let file = folder.appendingPathComponent("faust.dsp")
    let wrapper = folder.appendingPathComponent("wrapper.cpp")
    let code = folder.appendingPathComponent("faust.cpp")
    let program = folder.appendingPathComponent("faust")
    do {
      try source.write(to: file, atomically: true, encoding: .utf8)
      try Self.wrapper.write(to: wrapper, atomically: true, encoding: .utf8)
    } catch { return nil }
    guard
      Shell.output(
        "faust", vectorised ? "-vec" : "-scal", "-a", wrapper.path, "-o", code.path, source.path)
        != nil,
      Shell.output(
        "g++", "-O3", "-ffast-math", "-march=native", "-DCHANNELS=\(channelCount)", "-o",
        program.path, code.path) != nil
        ["faust"] + options + ["-a", wrapper.path, "-o", code.path, file.path]) != nil,
      Shell.output(
        ["g++", "-O3", "-ffast-math", "-march=native", "-o", program.path, code.path]) != nil,
      let output = Shell.output([program.path])
    else { return nil }
    let lines = output.split(separator: "\n").map { $0.split(separator: " ") }
    let figures = lines.compactMap { words -> (Int, Double)? in
      guard words.count == 2, let frames = Int(words[0]), let time = Double(words[1]) else {
        return nil
      }
      return (frames, time)
    }
    return Dictionary(figures) { first, _ in first }
  }

  /// Prints, for two numbers of frames, the median of seven runs on noise. Faust puts its own code between the double brackets.
  private static let wrapper = """
    #include <algorithm>
    #include <cmath>
    #include <cstdio>
    #include <cstdlib>
    #include <ctime>
    #include <map>
    #include <string>
    #include <xmmintrin.h>
    #define FAUSTFLOAT float
    struct Meta { void declare(const char *, const char *) {} };
    struct UI {
      void openVerticalBox(const char *) {}
      void openHorizontalBox(const char *) {}
      void openTabBox(const char *) {}
      void closeBox() {}
      void addButton(const char *, float *) {}
      void addCheckButton(const char *, float *) {}
      void addVerticalSlider(const char *, float *, float, float, float, float) {}
      void addHorizontalSlider(const char *, float *, float, float, float, float) {}
      void addNumEntry(const char *, float *, float, float, float, float) {}
      void addVerticalBargraph(const char *, float *, float, float) {}
      void addHorizontalBargraph(const char *, float *, float, float) {}
      void declare(float *, const char *, const char *) {}
    };
    struct dsp { virtual ~dsp() {} };
    <<includeIntrinsic>>
    <<includeclass>>
    static double now() {
      timespec t;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return t.tv_sec * 1e9 + t.tv_nsec;
    }
    int main() {
      _mm_setcsr(_mm_getcsr() | 0x8040);
      auto *unit = new mydsp;
      unit->init(48000);
      static float noise[512], samples[CHANNELS][512];
      for (auto &sample : noise) sample = rand() / (float)RAND_MAX - 0.5f;
      float *inputs[CHANNELS], *outputs[CHANNELS];
      for (int i = 0; i < CHANNELS; i++) inputs[i] = noise, outputs[i] = samples[i];
      double runs[7];
      for (auto &run : runs) {
        double start = now();
        for (int i = 0; i < 5000; i++) unit->compute(512, inputs, outputs);
        run = (now() - start) / (5000.0 * 512 * CHANNELS);
      const int ins = unit->getNumInputs(), outs = unit->getNumOutputs();
      static float memory[32][512];
      float *inputs[16], *outputs[16];
      for (int i = 0; i < 16; i++) {
        inputs[i] = memory[i];
        outputs[i] = memory[16 + i];
        for (int k = 0; k < 512; k++) inputs[i][k] = rand() / (float)RAND_MAX - .5f;
      }
      for (int frames : {512, 64}) {
        const int rounds = (ins ? 4000 : 20000) * 512 / frames;
        double runs[7];
        for (auto &run : runs) {
          double start = now();
          for (int i = 0; i < rounds; i++) unit->compute(frames, inputs, outputs);
          run = (now() - start) / ((double)rounds * frames * outs);
        }
        std::sort(runs, runs + 7);
        printf("%d %f\\n", frames, runs[3]);
      }
    }
    """
}

/// Runs other programs.
enum Shell {
  /// What a program printed; nil when it is not there or fails.
  static func output(_ words: String...) -> String? { output(words) }

  /// The same for a list of words.
  static func output(_ words: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
