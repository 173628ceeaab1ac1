// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// Where sound goes and comes from.
extension AVAudioSession {
  /// What is played to and captured from now.
  public var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(session.route, of: session)
  }

  /// Whether there is anything to capture from, whatever the category.
  public var isInputAvailable: Bool { session.isInputAvailable }

  /// What could be captured from, the present one first; nil in a category that captures nothing.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    session.availableInputs?.map { AVAudioSessionPortDescription($0, of: session) }
  }

  /// The input that was chosen, while it is there.
  public var preferredInput: AVAudioSessionPortDescription? {
    session.preferredInput.map { AVAudioSessionPortDescription($0, of: session) }
  }

  /// Captures from a port in the place of the default one, from the next start of a unit on.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    try run { () throws(AudioError) in try session.prefer(inputUID: inPort?.uid) }
  }

  /// Plays to a built-in loudspeaker, where there is one, from the next start of a unit on.
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    try run { () throws(AudioError) in try session.overrideOutput(portOverride == .speaker) }
  }

  // MARK: Data sources

  /// What the input can be switched to; nil where there is no choice to be seen.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.inputs.first?.dataSources
  }

  /// What the input is switched to.
  public var inputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.inputs.first?.selectedDataSource
  }

  /// Switches the input; nil leaves it as it is.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try currentRoute.inputs.first?.setPreferredDataSource(dataSource)
  }

  /// What the output can be switched to; nil where there is no choice to be seen.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.outputs.first?.dataSources
  }

  /// What the output is switched to.
  public var outputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.outputs.first?.selectedDataSource
  }

  /// Switches the output; nil leaves it as it is.
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try currentRoute.outputs.first?.setPreferredDataSource(dataSource)
  }
}
