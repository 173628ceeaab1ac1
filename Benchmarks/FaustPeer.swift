// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An oscillator that Faust compiles, measured inside a program of its own.
enum FaustPeer {
  /// Nanoseconds per sample at 512 frames; nil when Faust or the compiler is not there.
  static func nanosecondsPerSample(in folder: URL) -> Double? {
    let source = folder.appendingPathComponent("sine.dsp")
    let wrapper = folder.appendingPathComponent("wrapper.cpp")
    let code = folder.appendingPathComponent("sine.cpp")
    let program = folder.appendingPathComponent("sine")
    do {
      try "import(\"stdfaust.lib\"); process = os.osc(997);".write(
        to: source, atomically: true, encoding: .utf8)
      try Self.wrapper.write(to: wrapper, atomically: true, encoding: .utf8)
    } catch { return nil }
    guard
      Shell.output("faust", "-vec", "-a", wrapper.path, "-o", code.path, source.path) != nil,
      Shell.output("g++", "-O3", "-ffast-math", "-march=native", "-o", program.path, code.path)
        != nil
    else { return nil }
    return Shell.output(program.path).flatMap {
      Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// Prints the median of seven runs. Faust puts its own code between the double brackets.
  private static let wrapper = """
    #include <algorithm>
    #include <cstdio>
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
      static float samples[512];
      float *outputs[] = {samples};
      double runs[7];
      for (auto &run : runs) {
        double start = now();
        for (int i = 0; i < 20000; i++) unit->compute(512, nullptr, outputs);
        run = (now() - start) / (20000.0 * 512);
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
