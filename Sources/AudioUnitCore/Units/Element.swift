// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// A numbered part of a scope of a unit; on the input and output scopes also called a bus.
public final class Element: @unchecked Sendable {
  public let scope: AudioUnitScope
  public let index: Int
  public var format: StreamFormat
  var name: String?
  /// The bytes of the `AudioChannelLayout` that the host has set.
  var layout: [UInt8]?
  /// Whether the unit allocates the memory for this bus.
  package var allocatesBuffer = true
  package let parameters: ParameterStore
  /// Input elements: the source of the samples.
  var source = InputSource()
  /// Retain the connected unit, and the delay of the connection.
  var sourceUnit: UnitInstance?
  var sourceDelay: DelayLine?

  init(
    _ scope: AudioUnitScope, _ index: Int, _ format: StreamFormat,
    _ parameters: [ParameterDefinition], _ pending: PendingWork
  ) {
    self.scope = scope
    self.index = index
    self.format = format
    self.parameters = .allocate(parameters, scope: scope, pending)
  }

  deinit { parameters.deallocate() }

  /// Whether a connected unit determines its format.
  public var isConnected: Bool { source.kind == .connection }
  /// Whether it has a source.
  public var hasSource: Bool { source.kind != .none }

  /// Its name in explanations: "element 1 of the input scope".
  public var title: String { Self.title(scope, UInt32(index)) }

  static func title(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> String {
    scope == kAudioUnitScope_Global
      ? "the global scope" : "element \(element) of the \(scopeName(scope)) scope"
  }

  /// The name of a scope in explanations.
  public static func scopeName(_ scope: AudioUnitScope) -> String {
    switch scope {
    case kAudioUnitScope_Global: "global"
    case kAudioUnitScope_Input: "input"
    case kAudioUnitScope_Output: "output"
    case kAudioUnitScope_Group: "group"
    case kAudioUnitScope_Part: "part"
    case kAudioUnitScope_Note: "note"
    case kAudioUnitScope_Layer: "layer"
    case kAudioUnitScope_LayerItem: "layer item"
    default: "\(scope)th"
    }
  }
}
