// SPDX-License-Identifier: Apache-2.0

/// The parsed value of `AUDIOTOOLBOX_DEVICE`: a back end and, after a colon, one of its devices.
///
/// Examples: "null", "file:OUT.wav", "pipewire", "pipewire:alsa_output.usb-1". The back end parses
/// the part after the first colon. The uid of a device has the same form.
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
  /// The `name` of a back end.
  public var backend: String
  /// The text after the colon. Nil for the back end's default device.
  public var device: String?

  public init(backend: String, device: String? = nil) {
    self.backend = backend
    self.device = device
  }

  /// Splits a text at its first colon.
  public init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    backend = String(parts[0])
    device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
  }

  public var description: String { device.map { "\(backend):\($0)" } ?? backend }
}
