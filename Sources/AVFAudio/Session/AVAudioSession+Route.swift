// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// The current inputs and outputs.
extension AVAudioSession {
  /// The current outputs and inputs.
  public var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(session.route, of: session)
  }

  /// Whether any input exists, whatever the category.
  public var isInputAvailable: Bool { session.isInputAvailable }

  /// The available inputs, the current one first; nil in a category without input.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    session.availableInputs?.map { AVAudioSessionPortDescription($0, of: session) }
  }

  /// The chosen input, while it is present.
  public var preferredInput: AVAudioSessionPortDescription? {
    session.preferredInput.map { AVAudioSessionPortDescription($0, of: session) }
  }

  /// Captures from a port instead of the default one, from the next start of a unit on.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    try run { () throws(AudioError) in try session.prefer(inputUID: inPort?.uid) }
  }

  /// Plays to a built-in loudspeaker, where there is one, from the next start of a unit on.
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
    try run { () throws(AudioError) in try session.overrideOutput(portOverride == .speaker) }
  }

  // MARK: Data sources

  /// The input's data sources; nil when there is no choice.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.inputs.first?.dataSources
  }

  /// The input's selected data source.
  public var inputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.inputs.first?.selectedDataSource
  }

  /// Switches the input; nil leaves it as it is.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try currentRoute.inputs.first?.setPreferredDataSource(dataSource)
  }

  /// The output's data sources; nil when there is no choice.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? {
    currentRoute.outputs.first?.dataSources
  }

  /// The output's selected data source.
  public var outputDataSource: AVAudioSessionDataSourceDescription? {
    currentRoute.outputs.first?.selectedDataSource
  }

  /// Switches the output; nil leaves it as it is.
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try currentRoute.outputs.first?.setPreferredDataSource(dataSource)
  }
}
