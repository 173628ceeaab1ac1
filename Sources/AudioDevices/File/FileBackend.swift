// SPDX-License-Identifier: Apache-2.0
import AudioFiles
public import AudioSupport

/// A device that records its output to a WAV file, plays a WAV file as its input, or both.
///
/// A direction without a file works as in `null`: silent input, dropped output.
public final class FileBackend: DeviceBackend {
  public static let name = "file"

  /// It writes files, so the user has to name it.
  public static let isChosenByDefault = false

  public init(in environment: DeviceEnvironment) {}

  public func devices(in environment: DeviceEnvironment) throws(AudioError) -> [Device] {
    var environment = environment
    guard let name = environment.device, name.backend == Self.name else {
      throw .failedInitialization.because(
        "is used only if named: AUDIOTOOLBOX_DEVICE=file:OUT.wav")
    }
    let paths = try Self.paths(name)
    let input = try Self.openInput(paths, &environment)
    return [Self.device(name, paths, input.format, environment)]
  }

  public func open(
    _ request: StreamRequest, _ handler: CycleHandler, in environment: DeviceEnvironment
  ) throws(AudioError) -> any DeviceStream {
    var environment = environment
    let name =
      request.uid.map { DeviceName($0) } ?? environment.device ?? DeviceName(backend: Self.name)
    let paths = try Self.paths(name)
    let format = try Self.openInput(paths, &environment).format
    let device = Self.device(name, paths, format, environment)
    let granted = environment
    return try ClockedStream(request, device, granted, handler) { () throws(AudioError) in
      var environment = granted
      let input = request.usesInput ? try Self.openInput(paths, &environment) : nil
      return try FileTransport(Self.record(request, paths, environment), input, environment)
    }
  }

  private static func paths(_ name: DeviceName) throws(AudioError) -> FilePaths {
    try FilePaths(name.device ?? "")
  }

  private static func record(
    _ request: StreamRequest, _ paths: FilePaths, _ environment: DeviceEnvironment
  ) throws(AudioError) -> Recording? {
    guard request.usesOutput, let output = paths.output else { return nil }
    if let input = paths.input, let file = FileIdentity(path: input),
      let other = FileIdentity(path: output), file.isSameFile(as: other)
    {
      throw .failedInitialization.because("\(output): cannot be both input and output")
    }
    let format = SoundFileFormat(
      sampleRate: environment.sampleRate, channelCount: environment.channelCount)
    return try RecordedFiles.open(output, format, owner: request.owner)
  }

  /// Opens the input. Its rate overrules a program's preference for another one.
  private static func openInput(
    _ paths: FilePaths, _ environment: inout DeviceEnvironment
  ) throws(AudioError) -> SoundFileReader? {
    guard let path = paths.input else { return nil }
    let reader = try SoundFileReader(path: path)
    let (rate, deviceRate) = (reader.format.sampleRate, environment.sampleRate)
    guard
      rate == deviceRate
        || environment.prefersSampleRate && environment.sampleRates.contains(rate)
    else {
      throw .formatNotSupported.because(
        "\(path): has \(rate) Hz and the device \(deviceRate) Hz; "
          + "AUDIOTOOLBOX_RATE=\(rate.plainText) fits it")
    }
    environment.sampleRate = rate
    environment.sampleRates = rate...rate
    return reader
  }

  private static func device(
    _ name: DeviceName, _ paths: FilePaths, _ input: SoundFileFormat?,
    _ environment: DeviceEnvironment
  ) -> Device {
    let path = paths.output ?? paths.input ?? ""
    return Device(
      clockedBy: environment, backend: Self.name, uid: name.description,
      name: path.split(separator: "/").last.map(String.init) ?? path,
      inputChannelCount: input?.channelCount ?? environment.channelCount)
  }
}

// Optional chaining consumes a noncopyable value.
extension SoundFileReader? {
  /// The format of the file. Nil if there is no file.
  var format: SoundFileFormat? {
    switch self {
    case .some(let reader): reader.format
    case .none: nil
    }
  }
}
