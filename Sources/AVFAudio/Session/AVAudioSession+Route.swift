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

  /// The chosen input, if it is present.
  public var preferredInput: AVAudioSessionPortDescription? {
    session.preferredInput.map { AVAudioSessionPortDescription($0, of: session) }
  }

  /// Sets the port from which units capture from their next start; nil: the default one.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    try run { () throws(AudioError) in try session.prefer(inputUID: inPort?.uid) }
  }

  /// Sets whether units play to a built-in loudspeaker, if there is one, from their next start.
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

  /// Switches the input to a data source; nil leaves it unchanged.
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

  /// Switches the output to a data source; nil leaves it unchanged.
  public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    try currentRoute.outputs.first?.setPreferredDataSource(dataSource)
  }
}
