// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioUnitCore

/// How an output unit fares, at one moment.
public struct OutputFigures: Equatable, Sendable {
  /// Frames of a cycle of the device; 0 when it is not known.
  public var cycleFrames: Int
  /// Share of the time between cycles that rendering takes, 0 to 1 and above.
  public var load: Double
  /// Seconds from a cycle to the world.
  public var latency: Double
  /// Cycles that came too late, as the library counts them.
  public var xruns: Int
  /// Gaps as the server counts them; nil when it does not report them.
  public var serverXruns: Int?
  /// Why nothing is heard at present; nil while it plays.
  public var interruption: String?
}

extension ToneOutput {
  /// [any thread] How the output fares; nil once it has been torn down.
  public var figures: OutputFigures? {
    guard let unit else { return nil }
    let global = kAudioUnitScope_Global
    let xruns = property(unit, kAUDiagnosticsProperty_Xruns, global, AUDiagnosticsXruns())
    let load = property(unit, kAudioUnitProperty_CPULoad, global, Float32(0))
    return OutputFigures(
      cycleFrames: Int(property(unit, kAudioDevicePropertyBufferFrameSize, global, UInt32(0)) ?? 0),
      load: Double(load ?? 0),
      latency: property(unit, kAudioUnitProperty_Latency, global, 0.0) ?? 0,
      xruns: Int(xruns?.mCount ?? 0),
      serverXruns: xruns.flatMap { $0.mServerReports == 1 ? Int($0.mServerCount) : nil },
      interruption: interruption)
  }

  /// [any thread] Why nothing is heard although it plays; nil while nothing is wrong.
  public var interruption: String? {
    guard let unit else { return nil }
    return UnitInstance.use(unit) { $0.text(kAUDiagnosticsProperty_Interruption) }
  }
}
