// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport

extension Session {
  /// Makes it active, when there are the devices that its category needs.
  package func activate() throws(AudioError) {
    let category = setup.category
    if category.usesOutput, device(isInput: false) == nil {
      throw .cannotStartPlaying.because(reason(isInput: false))
    }
    // Who plays and records may do the one without the other.
    if category == .record, device(isInput: true) == nil {
      throw .cannotStartRecording.because(reason(isInput: true))
    }
    withState { $0.isActive = true }
    checkSoon()
  }

  private func reason(isInput: Bool) -> String {
    inPlace {
      do throws(AudioError) {
        let device = try DeviceList.device(nil, input: isInput, output: !isInput)
        return "device \(device.uid) has no \(isInput ? "input" : "output")"
      } catch { return error.explanation }
    }
  }

  /// Makes it inactive. While units run that is told as a mistake, but done all the same; the units
  /// continue.
  package func deactivate() throws(AudioError) {
    withState { $0.isActive = false }
    guard !hasStreams() else {
      throw .sessionIsBusy.because(
        "audio units run while the session is deactivated; stop them first")
    }
  }
}
