// SPDX-License-Identifier: Apache-2.0

/// The parsed contents of `AUDIOTOOLBOX_DEVICE`: a back end and, after a colon, which of its
/// devices.
///
/// "null", "file:OUT.wav", "pipewire", "pipewire:alsa_output.usb-1". The back end reads the part
/// after the first colon. A device's uid has the same form.
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
  /// The `name` of a back end.
  public var backend: String
  /// The text after the colon; nil for the back end's default.
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
