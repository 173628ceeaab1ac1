// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// The two endpoints (input and output) of a device, and the devices behind them.
extension Device {
  /// The channel count of each stream of an endpoint.
  package func streams(isInput: Bool) -> [Int] {
    let listed = isInput ? details.inputStreams : details.outputStreams
    let count = isInput ? inputChannelCount : outputChannelCount
    return listed.isEmpty ? (count > 0 ? [count] : []) : listed
  }

  /// The frames of the longest call for its cycles. Cycles may become longer after it was opened;
  /// then they are split.
  var callFrames: Int {
    min(max(cycleFrames, 64), DeviceEnvironment.cycleFramesLimits.upperBound)
  }

  /// The device of one endpoint: one of the two devices of a pair, otherwise the device itself.
  func endpoint(isInput: Bool) -> Device {
    guard uid != outputUID else { return self }
    var endpointUID = outputUID
    if isInput { endpointUID = "\(backend):\(uid.dropFirst(outputUID.count + 1))" }
    return DeviceCache.devices(of: backend).first { $0.uid == endpointUID } ?? self
  }

  /// Has the server change a setting. `what` names it in errors.
  func change(_ change: DeviceChange, _ what: String) throws(AudioError) {
    guard try Backends.named(backend).change(self, change) else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "\(backend) cannot change \(what) of \(uid)")
    }
    DeviceCache.invalidate()
  }
}
