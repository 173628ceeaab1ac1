// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au with plug-ins")
struct PlugInCommandTests {
  /// Runs `body` with a folder, in which the plug-ins are compiled, and the environment in which `au` finds them.
  private func withPlugIns(_ body: (String, [String: String]) throws -> Void) throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/plug-ins", withIntermediateDirectories: true)
      try Self.library.write(toFile: "\(folder)/plug-ins.c", atomically: true, encoding: .utf8)
      let built = try Run(
        path: "/usr/bin/gcc",
        ["-shared", "-fPIC", "-O2", "\(folder)/plug-ins.c", "-o", "\(folder)/plug-ins/some.so"])
      try #require(built.code == 0, "\(built.errors)")
      try body(
        folder,
        [
          "AUDIOTOOLBOX_PLUGINS": "ladspa", "LADSPA_PATH": "\(folder)/plug-ins",
          "XDG_CACHE_HOME": folder,
        ])
    }
  }

  @Test("au render fails, and writes nothing, if the process of a plug-in ends during the render")
  func processEnds() throws {
    try withPlugIns { folder, environment in
      let made = try Run("au", ["tone", "440", "--seconds", "2", "-o", "\(folder)/in.wav"])
      try #require(made.code == 0)
      for (name, code) in [("mortal", Int32(1)), ("forgetful", 0)] {
        let output = "\(folder)/\(name).wav"
        let run = try Run(
          "au", ["render", name, "\(folder)/in.wav", output, "--out-of-process"],
          environment: environment)
        #expect(run.code == code, "\(name): \(run.errors)")
        #expect(FileManager.default.fileExists(atPath: output) == (code == 0), "\(name)")
        guard name == "mortal" else { continue }
        #expect(
          run.errors.contains("mortal: the process of the plug-in has ended during the render"),
          "\(run.errors)")
      }
    }
  }

  @Test("au validate tests every plug-in of a format: those with any channels pass")
  func validate() throws {
    try withPlugIns { _, environment in
      let run = try Run(
        "au", ["validate", "--all", "--format", "ladspa"], environment: environment)
      #expect(run.code == 1)
      for name in ["Splitter", "Quad"] {
        #expect(run.output.contains(": \(name): "))
        #expect(run.output.contains(try Regex("PASS .*\(name)")), "\(run.output)")
      }
      // What differs, from which frame on, and by how much.
      let reason =
        "reset: after a reset, 8192 samples differ from those of a new unit by up to 0.5[0-9]*, "
        + "first frame 0 of channel 0, which is 0.[0-9]+ instead of .*; a second reset gives the same"
      #expect(run.output.contains(try Regex(reason)), "\(run.output)")
      #expect(run.output.contains("2 of 4 units passed"))
      #expect(run.output.contains(try Regex("reset +1 +Maker: Forgetful")))
      #expect(run.errors.contains("2 of 4 units failed"))
      let other = try Run(
        "au", ["validate", "--all", "--format", "clap"], environment: environment)
      #expect(other.code == 1 && other.errors.contains("no plug-in of the format clap"))
    }
  }

  /// LADSPA plug-ins, written out so that they need no header.
  private static let library = """
    #include <stdlib.h>
    #include <string.h>
    typedef struct { int hint; float low, high; } Hint;
    typedef struct {
      unsigned long id; const char *label; int properties; const char *name, *maker, *copyright;
      unsigned long count; const int *ports; const char *const *names; const Hint *hints; void *data;
      void *(*make)(const void *, unsigned long); void (*connect)(void *, unsigned long, float *);
      void (*activate)(void *); void (*run)(void *, unsigned long); void *a, *b, *c; void (*end)(void *);
    } Type;
    typedef struct { float *ports[8]; unsigned long frames; } Instance;
    static void *make(const void *type, unsigned long rate) { return calloc(1, sizeof(Instance)); }
    static void connect(void *it, unsigned long port, float *at) { ((Instance *)it)->ports[port] = at; }
    static void copy(Instance *it, int from, int to, unsigned long count) {
      memcpy(it->ports[to], it->ports[from], count * sizeof(float));
    }
    static void split(void *it, unsigned long count) { copy(it, 0, 1, count), copy(it, 0, 2, count); }
    static void quad(void *it, unsigned long count) {
      for (int i = 0; i < 4; i++) copy(it, i, 4 + i, count);
    }
    static void die(void *it, unsigned long count) {
      copy(it, 0, 1, count);
      if ((((Instance *)it)->frames += count) > 20000) abort();
    }
    // Adds a constant after its first 4096 frames, and never forgets that.
    static void remember(void *it, unsigned long count) {
      Instance *one = it;
      for (unsigned long i = 0; i < count; i++)
        one->ports[1][i] = one->ports[0][i] + (one->frames++ < 4096 || one->ports[0][i] == 0 ? 0 : 0.5f);
    }
    static const int ports[][8] = {{9, 10, 10}, {9, 9, 9, 9, 10, 10, 10, 10}, {9, 10}};
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    static const Hint hints[8];
    #define TYPE(id, label, name, count, which, run) \\
      {id, label, 0, name, "Maker", "", count, ports[which], names, hints, 0, make, connect, 0, run, 0, 0, 0, free}
    static const Type types[] = {
        TYPE(1, "splitter", "Splitter", 3, 0, split), TYPE(2, "quad", "Quad", 8, 1, quad),
        TYPE(3, "mortal", "Mortal", 2, 2, die), TYPE(4, "forgetful", "Forgetful", 2, 2, remember)};
    const Type *ladspa_descriptor(unsigned long index) { return index < 4 ? &types[index] : 0; }
    """
}
