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
  package private(set) var layout: [UInt8]?
  /// Whether the unit allocates the memory for this bus.
  package var allocatesBuffer = true
  package let parameters: ParameterStore
  /// Input elements: the source of the samples.
  private(set) var source = InputSource()
  /// Retain the connected unit, and the delay of the connection.
  private(set) var sourceUnit: UnitInstance?
  private var sourceDelay: DelayLine?
  /// The crossfade from the source before.
  private(set) var sourceFade: SourceFade?

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

  // MARK: The source of an input

  /// [control thread, under the lock] Sets the source of an input of `consumer`: a callback, a
  /// connection to `unit` or nothing. With `fade`, pulls of at most `maximumFrames` frames crossfade
  /// from the current source. The consumer must publish it.
  func setSource(
    _ new: InputSource, _ unit: UnitInstance?, delay: DelayLine? = nil,
    fade timing: FadeTiming? = nil, maximumFrames: Int = 0, of consumer: UnitInstance
  ) {
    let fade = timing.flatMap {
      SourceFade(
        from: source, sourceUnit, sourceDelay, keepsSource: source.isSame(as: new), format: format,
        maximumFrames: maximumFrames, $0)
    }
    // Before it is removed, so that the old unit always knows that it has more than one reader.
    fade?.unit?.sourceChanged(for: consumer, isConnected: true)
    removeSource(of: consumer)
    (source, sourceUnit, sourceDelay) = (new, unit, delay)
    source.delay = delay.map { .passUnretained($0) }
    source.line = delay?.line
    set(fade)
    unit?.sourceChanged(for: consumer, isConnected: true)
  }

  private func set(_ fade: SourceFade?) {
    sourceFade = fade
    source.crossfade = fade.map { .passUnretained($0) }
    source.fade = fade?.state
  }

  /// [control thread, under the lock] Removes the source. The consumer must publish that.
  func removeSource(of consumer: UnitInstance) {
    sourceUnit?.sourceChanged(for: consumer, isConnected: false)
    sourceFade?.unit?.sourceChanged(for: consumer, isConnected: false)
    (source, sourceUnit, sourceDelay, sourceFade) = (InputSource(), nil, nil, nil)
  }

  /// [control thread, under the lock] Removes a unit, which has already removed the connection,
  /// from the source and from the crossfade.
  func drop(_ unit: UnitInstance) {
    if sourceFade?.unit === unit { set(nil) }
    guard sourceUnit === unit else { return }
    let fade = sourceFade
    (source, sourceUnit, sourceDelay) = (InputSource(), nil, nil)
    set(fade)
  }

  /// Whether a connected unit determines its format.
  public var isConnected: Bool { source.kind == .connection }
  /// Whether it has a source.
  public var hasSource: Bool { source.kind != .none }

  // MARK: Format and layout

  /// The format of `other`; its own if there is no other.
  func format(or other: Element?) -> StreamFormat { other?.format ?? format }

  /// [control thread, under the lock] Sets the format, and removes a layout with another number of
  /// channels.
  func setFormat(_ new: StreamFormat) {
    format = new
    if let layout, ChannelLayouts.channelCount(layout) != new.channelCount { self.layout = nil }
  }

  /// [control thread, under the lock] Sets the channel layout of a bus; nil removes it.
  func setLayout(_ new: UnsafeRawBufferPointer?) throws(AudioError) {
    guard let new else { return layout = nil }
    guard let count = ChannelLayouts.channelCount(new) else {
      throw .invalidPropertyValue.because("\(new.count) bytes are not an AudioChannelLayout")
    }
    guard count == format.channelCount else {
      throw .invalidPropertyValue.because(
        "\(title) has \(format.channelCount) channels, the layout \(count)")
    }
    layout = ChannelLayouts.bytes(new)
  }

  // MARK: Names

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
