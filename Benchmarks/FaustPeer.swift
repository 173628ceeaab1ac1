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
      try Self.wrapper.write(to: wrapper, atomically: true, encoding: .utf8)
    } catch { return nil }
    guard
      Shell.output(
        "faust", vectorised ? "-vec" : "-scal", "-a", wrapper.path, "-o", code.path, source.path)
        != nil,
      Shell.output(
        "g++", "-O3", "-ffast-math", "-march=native", "-DCHANNELS=\(channelCount)", "-o",
        program.path, code.path) != nil
    else { return nil }
    return Shell.output(program.path).flatMap {
      Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// Prints the median of seven runs. Faust puts its own code between the double brackets.
  private static let wrapper = """
    #include <algorithm>
    #include <cmath>
    #include <cstdio>
    #include <cstdlib>
    #include <ctime>
    #include <map>
    #include <string>
    #define FAUSTFLOAT float
    struct Meta { void declare(const char *, const char *) {} };
    struct UI {
      void openVerticalBox(const char *) {}
      void openHorizontalBox(const char *) {}
      void closeBox() {}
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
      }
      std::sort(runs, runs + 7);
      printf("%f\\n", runs[3]);
    }
    """
}

/// Runs other programs.
enum Shell {
  /// What a program printed; nil when it is not there or fails.
  static func output(_ words: String...) -> String? {
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
