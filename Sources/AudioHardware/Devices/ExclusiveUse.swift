// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import Glibc

/// Devices that one process can use exclusively: those of the kernel, which ALSA opens without a
/// server.
enum ExclusiveUse {
  /// The process id that means none.
  static let nobody: Int32 = -1

  /// [control thread] Gives this process exclusive use of a device, or with -1 releases it.
  ///
  /// - Throws: When another process has it, or when such a device is always shared.
  static func set(_ device: Device, to process: Int32) throws(AudioError) {
    guard process == nobody || process == getpid() else {
      throw refusal(
        device.uid, "hog mode for process \(process)", "\(getpid()), which is this one, or -1")
    }
    guard device.details.isExclusive else {
      // It is shared already.
      guard process != nobody else { return }
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "\(device.uid): \(device.backend) plays what several programs play; only hardware that "
          + "ALSA "
          + "opens (\"alsa:hw:…\") can be had alone")
    }
    if let owner = device.details.owner, owner != getpid() {
      throw AudioError(status: kAudioDevicePermissionsError).because(
        "\(device.uid): process \(owner) has exclusive use of it")
    }
    try device.change(.exclusive(process != nobody), "exclusive use")
  }
}
