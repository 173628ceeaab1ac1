// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport

extension Session {
  /// Activates the session; throws if a device that its category needs does not exist.
  package func activate() throws(AudioError) {
    let category = setup.category
    if category.usesOutput, device(isInput: false) == nil {
      throw .cannotStartPlaying.because(reason(isInput: false))
    }
    // A program of the category `playAndRecord` may do only one of the two.
    if category == .record, device(isInput: true) == nil {
      throw .cannotStartRecording.because(reason(isInput: true))
    }
    withState { $0.isActive = true }
    checkSoon()
  }

  private func reason(isInput: Bool) -> String {
    inEnvironment {
      do throws(AudioError) {
        let device = try DeviceList.device(nil, input: isInput, output: !isInput)
        return "device \(device.uid) has no \(isInput ? "input" : "output")"
      } catch { return error.explanation }
    }
  }

  /// Deactivates the session. While units run, this throws an error, but the session is inactive
  /// nevertheless, and the units continue to run.
  package func deactivate() throws(AudioError) {
    withState { $0.isActive = false }
    guard !hasStreams() else {
      throw .sessionIsBusy.because(
        "audio units run while the session is deactivated; stop them first")
    }
  }
}
