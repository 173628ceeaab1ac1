// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@testable import PlugInDiscovery

@Suite("Folders in which plug-ins are searched")
struct SearchFoldersTests {
  private func folders(_ format: AUPlugInFormats, _ variables: [String: String]) -> [String] {
    SearchFolders.of(format) { variables[$0] }
  }

  @Test("are the user's first, then the system's")
  func usual() {
    for (format, own) in [
      (AUPlugInFormats.audioUnit, ".local/lib/audio-units"), (.LV2, ".lv2"), (.LADSPA, ".ladspa"),
      (.CLAP, ".clap"),
    ] {
      let found = folders(format, ["HOME": "/home/me"])
      #expect(found.first == "/home/me/\(own)")
      #expect(found.contains { $0.hasPrefix("/usr/local/lib/") })
      #expect(folders(format, [:]) == Array(found.dropFirst()))
    }
  }

  @Test(
    "are replaced by LV2_PATH and LADSPA_PATH, and follow those of CLAP_PATH and AUDIO_UNIT_PATH")
  func named() {
    #expect(folders(.LV2, ["LV2_PATH": "/a:/b", "HOME": "/h"]) == ["/a", "/b"])
    #expect(folders(.LADSPA, ["LADSPA_PATH": "/a::/b"]) == ["/a", "/b"])
    #expect(folders(.CLAP, ["CLAP_PATH": "/a", "HOME": "/h"]).prefix(2) == ["/a", "/h/.clap"])
    #expect(folders(.audioUnit, ["AUDIO_UNIT_PATH": "/a"]).first == "/a")
    #expect(folders([], [:]) == [])
  }

  @Test("may be missing")
  func missing() { #expect(SearchFolders.names(in: "/no/such/folder") == []) }
}
