// SPDX-License-Identifier: Apache-2.0
public import AudioSupport

/// A device without hardware, timed by the machine's clock, with silent input and dropped output.
public final class NullBackend: DeviceBackend {
  public static let name = "null"

  public init(in environment: DeviceEnvironment) {}

  public func devices(in environment: DeviceEnvironment) -> [Device] { [Self.device(environment)] }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    let name = request.uid.map { DeviceName($0) } ?? environment.device
    if let other = name?.device {
      throw .failedInitialization.because("there is no device \"null:\(other)\"; there is \"null\"")
    }
    return try ClockedStream(request, Self.device(environment), environment, handler) {
      NullTransport()
    }
  }

  private static func device(_ environment: DeviceEnvironment) -> Device {
    Device(
      clockedBy: environment, backend: name, uid: name, name: name,
      inputChannelCount: environment.channelCount)
  }
}

extension Device {
  /// A device as the environment describes it.
  init(
    clockedBy environment: DeviceEnvironment, backend: String, uid: String, name: String,
    inputChannelCount: Int
  ) {
    self.init(
      backend: backend, uid: uid, name: name, inputChannelCount: inputChannelCount,
      outputChannelCount: environment.channelCount, sampleRate: environment.sampleRate,
      sampleRates: environment.sampleRates, cycleFrames: environment.cycleFrames,
      cycleFramesRange: environment.cycleFramesRange, isDefaultInput: true, isDefaultOutput: true)
  }
}
