// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import Glibc

/// Exclusive use of devices by one process: kernel devices that ALSA opens without a server.
enum ExclusiveUse {
  /// The process id that means none.
  static let nobody: Int32 = -1

  /// [control thread] Gives this process exclusive use of a device, or releases it with -1.
  ///
  /// - Throws: An error if another process uses it exclusively, or if the device is always shared.
  static func set(_ device: Device, to process: Int32) throws(AudioError) {
    guard process == nobody || process == getpid() else {
      throw refusal(
        device.uid, "hog mode for process \(process)", "\(getpid()), which is this one, or -1")
    }
    guard device.details.isExclusive else {
      // The device is shared already.
      guard process != nobody else { return }
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "\(device.uid): \(device.backend) mixes several programs; only hardware that ALSA opens "
          + "(\"alsa:hw:…\") can be used exclusively")
    }
    if let owner = device.details.owner, owner != getpid() {
      throw AudioError(status: kAudioDevicePermissionsError).because(
        "\(device.uid): process \(owner) has exclusive use of it")
    }
    try device.change(.exclusive(process != nobody), "exclusive use")
  }
}
