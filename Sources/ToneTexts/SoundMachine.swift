// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a machine has to start a sound server with.
public struct SoundMachine {
  /// The servers that are installed.
  var servers: Set<Server>
  /// Whether systemd runs, which starts servers of users.
  var hasSystemd: Bool
  /// Whether this is a container, which has no devices of its own.
  var isContainer: Bool

  /// A sound server, by the name of its program.
  enum Server: String, CaseIterable {
    case pipewire, pulseaudio, jackd
  }

  /// This machine.
  public static var current: SoundMachine {
    let files = FileManager.default
    return SoundMachine(
      servers: Set(
        Server.allCases.filter { files.isExecutableFile(atPath: "/usr/bin/\($0.rawValue)") }),
      hasSystemd: files.fileExists(atPath: "/run/systemd/system"),
      isContainer: ["/.dockerenv", "/run/.containerenv"].contains(where: files.fileExists))
  }

  /// The command that starts a server; nil if none is installed.
  var startCommand: String? {
    switch Server.allCases.first(where: servers.contains) {
    case .pipewire:
      hasSystemd
        ? "systemctl --user start pipewire wireplumber"
        : "pipewire & wireplumber & pipewire-pulse &"
    case .pulseaudio: hasSystemd ? "systemctl --user start pulseaudio" : "pulseaudio --start"
    case .jackd: "jackd -d alsa"
    case nil: nil
    }
  }
}
