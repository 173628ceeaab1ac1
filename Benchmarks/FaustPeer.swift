// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Code that Faust compiles for this processor, scalar and vectorised, measured in separate
/// programs on the same loud noise.
struct FaustPeer {
  private let programs: [URL]

  /// Compiles `process`, an expression with `channelCount` channels; nil if Faust or the compiler
  /// is missing.
  init?(_ process: String, channelCount: Int, in folder: URL) {
    var programs: [URL] = []
    for form in ["-scal", "-vec"] {
      let program = folder.appendingPathComponent("faust\(UUID().uuidString)")
      let (source, wrapper, code) = (
        program.appendingPathExtension("dsp"), folder.appendingPathComponent("faust-wrapper.cpp"),
        program.appendingPathExtension("cpp")
      )
      do {
        try "import(\"stdfaust.lib\"); process = \(process);".write(
          to: source, atomically: true, encoding: .utf8)
        try Self.wrapper.write(to: wrapper, atomically: true, encoding: .utf8)
      } catch { return nil }
      guard
        Shell.output("faust", form, "-a", wrapper.path, "-o", code.path, source.path) != nil,
        Shell.output(
          "g++", "-O3", "-ffast-math", "-march=native", "-DCHANNELS=\(channelCount)", "-o",
          program.path, code.path) != nil
      else { return nil }
      programs.append(program)
    }
    self.programs = programs
  }

  /// Nanoseconds per frame and channel of the faster program; nil if neither runs.
  func nanosecondsPerSample(frames: Int) -> Double? {
    programs.compactMap { program in
      Shell.output(program.path, "\(frames)").flatMap {
        Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }.min()
  }

  /// Prints the median of seven runs. Faust replaces the double brackets by its code.
  private static let wrapper = """
    #include <algorithm>
    #include <cmath>
    #include <cstdio>
    #include <cstdlib>
    #include <cstring>
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
      void declare(float *, const char *, const char *) {}
      void addButton(const char *, float *) {}
      void addCheckButton(const char *, float *) {}
      void addVerticalSlider(const char *, float *, float, float, float, float) {}
      void addHorizontalSlider(const char *, float *, float, float, float, float) {}
      void addNumEntry(const char *, float *, float, float, float, float) {}
      void addHorizontalBargraph(const char *, float *, float, float) {}
      void addVerticalBargraph(const char *, float *, float, float) {}
    };
    struct dsp { virtual ~dsp() {} };
    <<includeIntrinsic>>
    <<includeclass>>
    static double now() {
      timespec t;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return t.tv_sec * 1e9 + t.tv_nsec;
    }
    int main(int, char **arguments) {
      int frames = atoi(arguments[1]);
      _mm_setcsr(_mm_getcsr() | 0x8040);
      auto *unit = new mydsp;
      unit->init(48000);
      static float noise[CHANNELS][4096], input[CHANNELS][4096], samples[CHANNELS][4096];
      unsigned state = 1;
      for (auto &channel : noise)
        for (auto &sample : channel) {
          state = state * 1664525u + 1013904223u;
          sample = 2 * (float)(int)state / 2147483648.0f;
        }
      float *inputs[CHANNELS], *outputs[CHANNELS];
      for (int i = 0; i < CHANNELS; i++) inputs[i] = input[i], outputs[i] = samples[i];
      double runs[7];
      int count = 5000000 / frames;
      for (auto &run : runs) {
        double start = now();
        for (int i = 0; i < count; i++) {
          for (int j = 0; j < CHANNELS; j++) memcpy(input[j], noise[j], 4 * frames);
          unit->compute(frames, inputs, outputs);
        }
        run = (now() - start) / ((double)CHANNELS * count * frames);
      }
      std::sort(runs, runs + 7);
      printf("%f\\n", runs[3]);
    }
    """
}

/// Runs other programs.
enum Shell {
  /// The output of a program; nil if it is missing or fails.
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
