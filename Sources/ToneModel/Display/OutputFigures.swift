// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The state of an output unit at one moment.
public struct OutputFigures: Equatable, Sendable {
  /// The device's frames per cycle; 0 if unknown.
  public var cycleFrames: Int
  /// The share of each cycle's time that rendering needs; 1 is all of it.
  public var load: Double
  /// Seconds from a cycle to the output connector.
  public var latency: Double
  /// Cycles that missed their deadline, as counted by the library.
  public var xruns: Int
  /// Xruns as counted by the server; nil if it does not report them.
  public var serverXruns: Int?
  /// Why it is silent now; nil while it plays.
  public var interruption: String?
}

extension ToneOutput {
  /// [any thread] The state of the output; nil once it has been torn down.
  public var figures: OutputFigures? {
    guard let unit else { return nil }
    let xruns = unit.value(kAUDiagnosticsProperty_Xruns, over: AUDiagnosticsXruns())
    let load = unit.value(kAudioUnitProperty_CPULoad, over: Float32(0))
    return OutputFigures(
      cycleFrames: Int(unit.value(kAudioDevicePropertyBufferFrameSize, over: UInt32(0)) ?? 0),
      load: Double(load ?? 0),
      latency: unit.value(kAudioUnitProperty_Latency, over: 0.0) ?? 0,
      xruns: Int(xruns?.mCount ?? 0),
      serverXruns: xruns.flatMap { $0.mServerReports == 1 ? Int($0.mServerCount) : nil },
      interruption: interruption)
  }

  /// [any thread] Why it is silent although it plays; nil if it is not.
  public var interruption: String? {
    unit?.text(kAUDiagnosticsProperty_Interruption)
  }
}
