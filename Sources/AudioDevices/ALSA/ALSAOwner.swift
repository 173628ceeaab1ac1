// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Finds the process that has exclusive use of a kernel device, in /proc.
enum ALSAOwner {
  /// [control thread] The process that has a PCM such as "hw:CARD=PCH,DEV=0" open in either
  /// direction. Nil if none has, or if the name is not a kernel device.
  static func process(of name: String, in folder: String = "/proc/asound") -> Int32? {
    guard let (card, device) = cardAndDevice(name) else { return nil }
    let cards = [card, "card\(card)"]
    for card in cards {
      for direction in ["p", "c"] {
        let path = "\(folder)/\(card)/pcm\(device)\(direction)/sub0/status"
        if let owner = owner(path) { return owner }
      }
    }
    return nil
  }

  /// The card and the device number in a name: "hw:0,1", "hw:PCH", "hw:CARD=PCH,DEV=1".
  private static func cardAndDevice(_ name: String) -> (card: String, device: Int)? {
    guard name.hasPrefix("hw:") else { return nil }
    var (card, device) = ("", 0)
    for (index, part) in name.dropFirst(3).split(separator: ",").enumerated() {
      let value = String(part.split(separator: "=").last ?? part)
      if part.hasPrefix("CARD=") || index == 0 && !part.contains("=") {
        card = value
      } else if part.hasPrefix("DEV=") || index == 1 && !part.contains("=") {
        device = Int(value) ?? 0
      }
    }
    return card.isEmpty || card.contains("/") ? nil : (card, device)
  }

  /// The process id after "owner_pid" in a status file.
  private static func owner(_ path: String) -> Int32? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(clamping: line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let words = text.split { $0 == ":" || $0.isWhitespace }
      if words.first == "owner_pid", let number = words.dropFirst().first { return Int32(number) }
    }
    return nil
  }
}
