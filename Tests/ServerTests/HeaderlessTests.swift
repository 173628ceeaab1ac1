// SPDX-License-Identifier: Apache-2.0
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  @Suite("Build without headers")
  struct HeaderlessTests {
    @Test("the PipeWire code compiles without PipeWire's headers and reports the missing package")
    func pipeWire() throws {
      let folder = String(cString: server_folder())
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources").path
      let program = "\(folder)/headerless"
      try """
      #include "PipeWire.h"
      #include <stdio.h>
      int main(void) {
        char reason[200] = "";
        PipeWireConnection *c = pipewire_connect((PipeWireObserver){0}, reason, sizeof reason);
        PipeWireSetup setup = {0};
        char other[200] = "";
        PipeWireStream *s = pipewire_stream_open(&setup, other, sizeof other);
        printf("%d %d %s", c == 0, s == 0, reason);
      }
      """.write(toFile: program + ".c", atomically: true, encoding: .utf8)
      // Without the folders that Package.swift adds, no compiler finds the headers.
      let compiler = try ServerProcess(
        [
          "cc", "-Wall", "-Wextra", "-Werror", "-I", "\(sources)/CAudioBackends/include",
          "-I", "\(sources)/CLibraryLoader/include", "-o", program,
        ]
          + [
            "CAudioBackends/PipeWireConnection.c", "CAudioBackends/PipeWireStream.c",
            "CAudioBackends/PipeWireCycles.c", "CAudioBackends/PipeWireProfile.c",
            "CLibraryLoader/Loader.c",
          ].map { "\(sources)/\($0)" } + ["\(program).c", "-ldl", "-lpthread"], folder: folder)
      let messages = compiler.result()
      #expect(compiler.code == 0, "\(messages)")
      let printed = try ServerProcess([program], folder: folder).result()
      #expect(printed.hasPrefix("1 1 "))
      #expect(printed.contains("without PipeWire's headers (package libpipewire-0.3-dev)"))
    }
  }
}
