// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A stereo effect that Faust compiles, measured inside a program of its own on the same loud noise.
enum FaustEffect {
  /// Nanoseconds per frame and channel; nil when Faust or the compiler is not there.
  static func nanosecondsPerSample(_ expression: String, frames: Int, in folder: URL) -> Double? {
    let name = "effect\(abs(expression.hashValue))"
    let source = folder.appendingPathComponent(name + ".dsp")
    let wrapper = folder.appendingPathComponent("effect.cpp")
    let code = folder.appendingPathComponent(name + ".cpp")
    let program = folder.appendingPathComponent(name)
    if !FileManager.default.isExecutableFile(atPath: program.path) {
      do {
        try "import(\"stdfaust.lib\"); process = \(expression);".write(
          to: source, atomically: true, encoding: .utf8)
        try Self.wrapper.write(to: wrapper, atomically: true, encoding: .utf8)
      } catch { return nil }
      guard
        Shell.output("faust", "-vec", "-a", wrapper.path, "-o", code.path, source.path) != nil,
        Shell.output("g++", "-O3", "-ffast-math", "-march=native", "-o", program.path, code.path)
          != nil
      else { return nil }
    }
    return Shell.output(program.path, "\(frames)").flatMap {
      Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// Prints the median of seven runs. Faust puts its own code between the double brackets.
  private static let wrapper = """
    #include <algorithm>
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
      static float noise[2][4096], left[4096], right[4096], samples[2][4096];
      unsigned state = 1;
      for (auto &channel : noise)
        for (auto &sample : channel) {
          state = state * 1664525u + 1013904223u;
          sample = 2 * (float)(int)state / 2147483648.0f;
        }
      float *inputs[] = {left, right}, *outputs[] = {samples[0], samples[1]};
      double runs[7];
      int count = 5000000 / frames;
      for (auto &run : runs) {
        double start = now();
        for (int i = 0; i < count; i++) {
          memcpy(left, noise[0], 4 * frames);
          memcpy(right, noise[1], 4 * frames);
          unit->compute(frames, inputs, outputs);
        }
        run = (now() - start) / (2.0 * count * frames);
      }
      std::sort(runs, runs + 7);
      printf("%f\\n", runs[3]);
    }
    """
}
