// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Headers in C and C++")
struct CompilerTests {
  /// The paths of all public headers, as an include line spells them; without that of libdispatch,
  /// which only reports that libdispatch is missing.
  static let headers = [
    Repository.headers, Repository.vectors, Repository.installed, Repository.platform,
    Repository.system,
  ].flatMap(headers(in:)).filter { !["dispatch/dispatch.h", "SystemLog.h"].contains($0) }.sorted()

  private static func headers(in folder: URL) -> [String] {
    let files = FileManager.default.enumerator(atPath: folder.path)
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".h") }
  }

  @Test(
    "exist under the names that programs include",
    arguments: [
      "AudioToolbox/AudioToolbox.h", "AudioToolbox/AudioConverter.h", "AudioToolbox/AudioCodec.h",
      "AudioToolbox/AudioFormat.h", "AudioToolbox/AudioQueue.h", "AudioToolbox/AudioServices.h",
      "AudioToolbox/AudioSession.h", "AudioToolbox/AudioUnit.h", "AudioToolbox/MusicDevice.h",
      "AudioUnit/AudioUnit.h",
      "AudioUnit/MusicDevice.h", "CoreMIDI/CoreMIDI.h", "CoreMIDI/MIDIServices.h",
      "CoreMIDI/MIDIMessages.h", "CoreMIDI/MIDISetup.h", "CoreMIDI/MIDIThruConnection.h",
      "CoreAudio/CoreAudio.h", "CoreAudio/CoreAudioTypes.h",
      "CoreAudioTypes/CoreAudioTypes.h", "CoreFoundation/CoreFoundation.h",
      "CoreFoundation/CFBase.h", "CoreFoundation/CFString.h", "CoreFoundation/CFByteOrder.h",
      "CoreFoundation/CFURL.h", "CoreFoundation/CFRunLoop.h", "CoreFoundation/CFError.h",
      "CoreFoundation/CFArray.h", "CoreFoundation/CFDictionary.h", "CoreFoundation/CFNumber.h",
      "CoreFoundation/CFData.h", "CoreServices/CoreServices.h", "Carbon/Carbon.h",
      "ApplicationServices/ApplicationServices.h", "AvailabilityMacros.h", "Availability.h",
      "AvailabilityVersions.h", "AssertMacros.h", "TargetConditionals.h", "MacTypes.h",
      "IOKit/audio/IOAudioTypes.h",
      "mach/mach_time.h", "mach/mach.h", "mach/thread_policy.h", "libkern/OSAtomic.h",
      "os/lock.h", "os/log.h", "os/signpost.h", "sys/sysctl.h",
      "Accelerate/Accelerate.h", "vecLib/vecLib.h", "vecLib/vDSP.h", "vecLib/vForce.h",
    ])
  func names(header: String) {
    #expect(Self.headers.contains(header))
  }

  /// What depends on the order depends little on the compiler: gcc has each header first, the
  /// others have every sixth.
  @Test("compile as the first header, followed by all others", arguments: Compiler.all)
  func orders(compiler: Compiler) throws {
    let step = compiler.program == "gcc" ? 1 : 6
    let programs = stride(from: 0, to: Self.headers.count, by: step).map { index in
      let first = Self.headers[index]
      let order = [first] + Self.headers.filter { $0 != first }
      return (
        name: first.replacing("/", with: "-") + ".c",
        text: order.map { "#include <\($0)>\n" }.joined()
      )
    }
    #expect(try compiler.complaints(aboutEach: programs).isEmpty)
  }

  @Test("compile in every standard", arguments: Compiler.everyStandard)
  func standards(compiler: Compiler) throws {
    let all = Self.headers.map { "#include <\($0)>\n" }.joined()
    #expect(try compiler.complaints(about: all).isEmpty)
  }

  @Test("compile after macros of single letters, as those of complex.h", arguments: Compiler.all)
  func letters(compiler: Compiler) throws {
    let letters = ["A", "B", "C", "D", "E", "F", "L", "M", "N", "O", "P", "S", "X", "Y", "x", "y"]
    // <complex.h> of C++ has no I.
    let program =
      "#ifndef __cplusplus\n#include <complex.h>\n#endif\n"
      + letters.map { "#define \($0) 1\n" }.joined()
      + "#include <Accelerate/Accelerate.h>\nint main(void) { return N; }\n"
    #expect(try compiler.complaints(about: program).isEmpty)
  }

  @Test("include the headers of C", arguments: Compiler.everyStandard)
  func umbrella(compiler: Compiler) throws {
    let program = "#include \"\(Repository.tests.path)/umbrella.c\"\n"
    for header in ["CoreFoundation/CoreFoundation.h", "AudioToolbox/AudioToolbox.h"] {
      #expect(
        try compiler.complaints(
          about: "#include <\(header)>\n" + program, arguments: ["-Wall", "-Wextra", "-Werror"]
        ).isEmpty)
    }
  }

  @Test(
    "declare names that strict C hides, also after headers that hid them",
    arguments: Compiler.all, ["", "#include <stdio.h>\n#include <math.h>\n#include <unistd.h>\n"])
  func strict(compiler: Compiler, before: String) throws {
    let program = """
      \(before)#include <AudioToolbox/AudioToolbox.h>
      int main(void) {
        char path[PATH_MAX] = {0};
        usleep(1);
        return (int)(M_PI + path[0]);
      }

      """
    #expect(try compiler.complaints(about: program).isEmpty)
  }

  @Test(
    "give types and constants the layout and values of the tables",
    arguments: ["layout.c", "constants.c", "channels.c", "midi.c"], Compiler.all)
  func tables(file: String, compiler: Compiler) throws {
    // Static assertions are newer than C99. gcc supports them there, with a warning for -pedantic.
    let complaints = try compiler.complaints(
      about: "#include \"\(Repository.tests.path)/\(file)\"\n",
      arguments: ["-Wall", "-Wextra", "-Werror"])
    #expect(complaints.isEmpty)
  }

  @Test("print 64-bit numbers with the formats of Apple's types", arguments: Compiler.all)
  func wideNumbers(compiler: Compiler) throws {
    let program = """
      #include <AudioToolbox/AudioToolbox.h>
      #include <libkern/OSAtomic.h>
      #include <mach/mach_time.h>
      #include <stdio.h>
      int main(void) {
        SInt64 number = -1;
        UInt64 time = mach_absolute_time();
        int64_t other = 1;
        AudioStreamPacketDescription packet = {number, 0, 0};
        printf("%lld %llu %lld\\n", number, time, packet.mStartOffset);
        printf("%llu %llu\\n", AudioGetCurrentHostTime(), mach_absolute_time());
        return (int)(OSAtomicAdd64(1, &number) + OSAtomicAdd64(1, &other));
      }

      """
    #expect(try compiler.complaints(about: program).isEmpty)
  }

  @Test("have fixed-point samples only in programs that ask for them", arguments: Compiler.all)
  func fixedPoint(compiler: Compiler) throws {
    let program = """
      #include <AudioToolbox/AudioToolbox.h>
      #include "\(Repository.tests.path)/check.h"
      CHECK(sizeof(AudioSampleType) == 2 && (AudioSampleType)0.5 == 0);
      CHECK(sizeof(AudioUnitSampleType) == 4 && (AudioUnitSampleType)0.5 == 0);
      CHECK_VALUE(kAudioFormatFlagsCanonical, 0xC);
      CHECK_VALUE(kAudioFormatFlagsAudioUnitCanonical, 0xC2C);
      void writeSample(AudioUnitSampleType *out, double x);
      void writeSample(AudioUnitSampleType *out, double x) {
        *out = (SInt32)(x * (1 << kAudioUnitSampleFractionBits));
      }

      """
    let arguments = ["-Wall", "-Wextra", "-Werror"]
    #expect(
      try compiler.complaints(
        about: program, arguments: arguments + ["-DCA_PREFER_FIXED_POINT"]
      ).isEmpty)
    #expect(
      try compiler.complaints(
        about: "#define CA_PREFER_FIXED_POINT 1\n" + program, arguments: arguments
      ).isEmpty)
    let complaints = try compiler.complaints(about: program, arguments: arguments)
    #expect(complaints.contains("kAudioUnitSampleFractionBits"))
  }

  @Test("declare the permissions of the File Manager", arguments: Compiler.all)
  func permissions(compiler: Compiler) throws {
    for header in ["AudioToolbox/AudioToolbox.h", "CoreServices/CoreServices.h"] {
      let program = """
        #include <\(header)>
        #include <AudioToolbox/AudioFile.h>
        OSStatus openFile(CFURLRef url, AudioFileID *file);
        OSStatus openFile(CFURLRef url, AudioFileID *file) {
          if (fsCurPerm != 0 || fsRdPerm != 1 || fsWrPerm != 2 || fsRdWrPerm != 3) return 1;
          return AudioFileOpenURL(url, fsRdPerm, 0, file) + AudioFileOpenURL(url, 0x01, 0, file)
              + AudioFileOpenURL(url, kAudioFileReadPermission, 0, file);
        }

        """
      #expect(try compiler.complaints(about: program, arguments: ["-Wall", "-Werror"]).isEmpty)
    }
  }

  @Test("are at most 400 lines long, without the sentences between", arguments: headers)
  func length(header: String) throws {
    let folders = [
      Repository.headers, Repository.vectors, Repository.installed, Repository.platform,
      Repository.system,
    ]
    let files = folders.map { $0.appending(path: header) }
    let file = try #require(files.first { FileManager.default.fileExists(atPath: $0.path) })
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { !$0.drop { $0 == " " }.hasPrefix("///") }.count <= 401)
  }

  @Test("are in the module of their framework, which contains its whole folder")
  func modules() throws {
    let folders = Self.headers(in: Repository.headers).compactMap { $0.split(separator: "/").first }
    let frameworks = Set(folders)
    let map = try String(
      contentsOf: Repository.headers.appending(path: "module.modulemap"), encoding: .utf8)
    for framework in frameworks {
      #expect(map.contains("extern module C\(framework) \"\(framework)/module.modulemap\""))
      let module = try String(
        contentsOf: Repository.headers.appending(path: "\(framework)/module.modulemap"),
        encoding: .utf8)
      #expect(module.contains("module C\(framework) [system] {\n  umbrella \".\"\n"))
    }
  }
}
