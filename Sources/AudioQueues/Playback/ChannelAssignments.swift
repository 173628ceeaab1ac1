// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioDevices
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Like `AudioQueueChannelAssignment`, with the string as an address.
struct ChannelAssignment: BitwiseCopyable {
  var deviceUID: UInt
  var channelNumber: UInt32
  private var padding: UInt32
}

/// Which channel of a device each channel of a format goes to.
enum ChannelAssignments {
  /// [control thread] The device, and the format's channel for each of its channels, from an
  /// assignment of each of the format's channels.
  static func parse(_ assignments: [ChannelAssignment], channelCount: Int) throws(AudioError) -> (
    uid: String, map: [Int32]
  ) {
    guard assignments.count == channelCount else {
      throw .queuePropertySize.because(
        "\(assignments.count) assignments; the format has \(channelCount) channels")
    }
    var uids: Set<String> = []
    for assignment in assignments {
      guard let object = UnsafeRawPointer(bitPattern: assignment.deviceUID),
        let uid = Bridge.current.string(object)
      else { throw .queuePropertyValue.because("mDeviceUID is not a CFString") }
      uids.insert(uid)
    }
    guard let uid = uids.first, uids.count == 1 else {
      throw .queuePropertyValue.because("all channels must go to one device")
    }
    let device = try DeviceLink.device(uid, isInput: false)
    var map = [Int32](repeating: -1, count: device.outputChannelCount)
    for (channel, assignment) in assignments.enumerated() {
      let number = Int(assignment.channelNumber)
      guard number > 0, number <= map.count else {
        throw .queuePropertyValue.because(
          "channel \(number) of \(uid), which has channels 1 to \(map.count)")
      }
      map[number - 1] = Int32(clamping: channel)
    }
    return (uid, map)
  }

  /// The format's channel for each channel of a device, from what the program assigned (`map`) or
  /// labeled (`layout`); nil: channels in order.
  static func map(_ map: [Int32]?, _ layout: [UInt8]?, channelCount: Int, to deviceCount: Int)
    -> [Int32]?
  {
    if let map { return map.count == deviceCount ? map : nil }
    guard let layout, let from = layout.withUnsafeBytes({ ChannelLayout($0) }),
      from.labels.count == channelCount
    else { return nil }
    let to = ChannelLayout.standard(channelCount: deviceCount)
    guard to.labels.count == deviceCount else { return nil }
    let matched = LayoutMixing.map(from: from, to: to)
    // A channel without a counterpart on the device would be lost.
    let found = Set(matched.filter { $0 >= 0 })
    return found.count == channelCount ? matched : nil
  }
}
