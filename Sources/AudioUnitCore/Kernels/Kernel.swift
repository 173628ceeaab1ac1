// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The signal processing inside a unit: everything that distinguishes one unit from another.
///
/// A kernel is independent of the host: it has no scopes, flags, statuses or locks. There are four
/// shapes of kernels; everything else that a host may query has a default here.
public protocol Kernel: ~Copyable {
  /// The parameters that a host can set; `NoParameters` if there are none.
  associatedtype Parameter: ParameterKey = NoParameters
  /// The properties that it reads while it renders; `NoSettings` if there are none.
  associatedtype Setting: SettingKey = NoSettings
  /// The values of both, as the kernel reads them.
  typealias Values = KernelValues<Parameter, Setting>

  /// The codes and the name of its component.
  static var identity: Identity { get }

  /// [control thread] Allocates everything that rendering needs.
  init(_ setup: KernelSetup)

  /// [any thread] The approximate number of bytes that `init` would allocate, as far as it depends
  /// on rate, channels and frames: a setup that needs too much is refused. 0 if it is less than the
  /// memory of the buses.
  static func memory(_ setup: KernelSetup) -> Int

  /// [render thread] Clears all signal history: the next frame is treated as the first.
  mutating func reset()

  /// [any thread] Frames by which output lags input when nothing else delays it: constant from
  /// `init` on, because the bypassed input of an effect is delayed by the same number.
  var latencyFrames: Int { get }
  /// [any thread] The latency in output frames of units where it depends on parameters; `values`
  /// are the current ones. It may read only those members of the kernel that never change after
  /// `init`.
  func latencyFrames(_ values: Values) -> Double
  /// [any thread] Seconds, without the latency, for which the output may still sound after the
  /// input became silent; nil: no tail. With silent input the kernel is not run after its tail, so
  /// the remaining sound should then be at -100 dB.
  var tailTime: Double? { get }
  /// [any thread] The tail of units where it depends on parameters; `values` are the current ones.
  /// It may read only those members of the kernel that never change after `init`.
  func tailTime(_ values: Values) -> Double?
  /// Seconds for which past input affects later output although the output is already silent, as in
  /// the release of a compressor. The kernel is run on silence for that time; nil: for its tail.
  var settlingTime: Double? { get }

  /// Numbers of input and output elements that a new unit has, and whether a host may change them.
  static var elements: ElementCounts { get }
  /// Allowed combinations of channel counts; nil: equal input and output counts.
  static var channels: [AUChannelInfo]? { get }
  /// Its factory presets.
  static var factoryPresets: [FactoryPreset] { get }
  /// The default of `kAudioUnitProperty_MaximumFramesPerSlice`.
  static var maximumFramesPerSlice: Int { get }
  /// Whether the render quality of the setup has an effect, so that hosts can set it.
  static var hasRenderQuality: Bool { get }
  /// Its parameters and settings for hosts, in the order of the keys. The default derives them from
  /// the keys; units that share their keys implement them.
  static var parameters: [ParameterDefinition] { get }
  static var settings: [SettingSpec] { get }
  /// Meters that it shares with other units.
  static var meters: MeterSet { get }
}

extension Kernel where Self: ~Copyable {
  public static func memory(_ setup: KernelSetup) -> Int { 0 }
  public var latencyFrames: Int { 0 }
  public func latencyFrames(_ values: Values) -> Double { Double(latencyFrames) }
  public var tailTime: Double? { nil }
  public func tailTime(_ values: Values) -> Double? { tailTime }
  public var settlingTime: Double? { nil }
  public static var channels: [AUChannelInfo]? { nil }
  public static var factoryPresets: [FactoryPreset] { [] }
  public static var maximumFramesPerSlice: Int { 1156 }
  public static var hasRenderQuality: Bool { false }
  public static var parameters: [ParameterDefinition] {
    Parameter.allCases.map { .init(id: $0.rawValue, spec: $0.spec) }
  }
  public static var settings: [SettingSpec] { Setting.allCases.map(\.spec) }
  public static var meters: MeterSet { .none }
}

/// A kernel that makes sound without an input.
public protocol GeneratorKernel: Kernel, ~Copyable {
  /// [render thread] Fills one slice.
  mutating func render(_ output: Slice, _ values: Values)
}

extension GeneratorKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 0, outputs: 1) }
  public static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: -1)] }
}

/// A generator kernel whose output depends on the time of the render.
public protocol TimedKernel: Kernel, ~Copyable {
  /// [render thread] Fills one slice that begins at `time`; returns whether all of it is silent.
  mutating func render(
    _ output: Slice, at time: UnsafePointer<AudioTimeStamp>, _ values: Values
  ) -> Bool
}

extension TimedKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 0, outputs: 1) }
  public static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: -1)] }
}

/// A generator kernel with several output buses, such as an instrument.
public protocol BusGeneratorKernel: Kernel, ~Copyable {
  /// [render thread] Fills one slice of every output, and sets of each whether it is silent
  /// (`BusSlices.setSilent`).
  mutating func render(_ outputs: BusSlices, _ values: Values)
}

/// A kernel that processes n input frames into n output frames, in place.
///
/// If its `channels` allow more outputs than inputs, the extra channels contain the input's last
/// channel. `KernelRenderer` handles bypass, silence and NaN samples around it.
public protocol EffectKernel: Kernel, ~Copyable {
  /// [render thread] Processes one slice in place.
  mutating func render(_ slice: Slice, _ values: Values)

  /// Whether its output is always finite, so that nobody has to look at it.
  static var isAlwaysFinite: Bool { get }
}

extension EffectKernel where Self: ~Copyable {
  public static var isAlwaysFinite: Bool { false }
  public static var elements: ElementCounts { .init(inputs: 1, outputs: 1) }
}

/// A kernel that mixes m input buses to k output buses, all with the same number of frames.
public protocol MixerKernel: Kernel, ~Copyable {
  /// [render thread] Fills every output of one slice. An input without a source is silent.
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values)

  /// How many channels each bus may have, independently of the others.
  static var inputChannels: ClosedRange<Int> { get }
  static var outputChannels: ClosedRange<Int> { get }
  /// How many channels a new input bus has.
  static var newInputChannels: Int { get }
  /// The reason why the channel counts of its buses cannot be combined; nil if they can.
  static func refusal(inputs: [Int], outputs: [Int]) -> String?
  /// A parameter of input elements: while it is 0, the input is silent and not pulled.
  static var inputSwitch: Parameter? { get }
  /// Seconds for which an input is still pulled after it is switched off, so that it can fade out.
  static var fadeTime: Double { get }
  /// A parameter of input elements: the playback speed of the input.
  static var playbackRate: Parameter? { get }
  /// For kernels with a playback rate: the distance of an input, whose change shifts the pitch.
  static var dopplerShift: DopplerShift? { get }
  /// Whether past sound affects the output, as in a room or a recursive filter: such a kernel is
  /// reset when its output is not finite.
  static var hasSignalHistory: Bool { get }
}

extension MixerKernel where Self: ~Copyable {
  public static var inputChannels: ClosedRange<Int> { 1...1024 }
  public static var outputChannels: ClosedRange<Int> { 1...1024 }
  public static var newInputChannels: Int { 2 }
  public static func refusal(inputs: [Int], outputs: [Int]) -> String? { nil }
  public static var inputSwitch: Parameter? { nil }
  public static var fadeTime: Double { 0 }
  public static var playbackRate: Parameter? { nil }
  public static var dopplerShift: DopplerShift? { nil }
  public static var hasSignalHistory: Bool { false }
}

/// A kernel with different numbers of input and output frames; it stores the remaining input.
///
/// For each slice it returns how many input frames it needs, receives these through `consume`, and
/// renders. The input is pulled in pieces of at most the maximum slice, and its time counts its own
/// frames. `KernelRenderer` handles silence, NaN samples and errors of the source. The kernel has
/// one input and one output and does not process in place.
public protocol ConverterKernel: Kernel, ~Copyable {
  /// [render thread] How many input frames the next `outputFrames` frames need in addition to the
  /// stored ones.
  ///
  /// Called again for the remaining frames if a source fails.
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int

  /// [render thread] Receives a piece of the frames that `inputFrames(for:)` requested: called for
  /// each piece, then `render` once.
  mutating func consume(_ input: Slice, _ values: Values)
  /// [render thread] Fills one slice. While `values.isBypassed` is true, it passes its input
  /// through, with the latency of its default parameters.
  mutating func render(_ output: Slice, _ values: Values)

  /// [render thread] The maximum number of frames per slice with these values, as limited by the
  /// memory for its input; at least 1.
  func longestSlice(_ values: Values) -> Int
  /// [render thread] Input frames that were consumed and are not yet completely in the output.
  func pendingInputFrames(_ values: Values) -> Double

  /// Whether hosts can bypass it.
  static var canBypass: Bool { get }
  /// Whether input and output may have different sample rates.
  static var convertsRate: Bool { get }
}

extension ConverterKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 1, outputs: 1) }
  public func longestSlice(_ values: Values) -> Int { .max }
  public func pendingInputFrames(_ values: Values) -> Double { Double(latencyFrames) }
  public static var canBypass: Bool { false }
  public static var convertsRate: Bool { false }
}

/// The codes by which the registry finds a component, and its name.
public struct Identity: Sendable, Equatable {
  public var type: OSType
  public var subType: OSType
  public var manufacturer: OSType
  /// The name without its manufacturer, such as "AULowpass".
  public var name: String

  public init(
    _ type: OSType, _ subType: OSType, _ name: String,
    manufacturer: OSType = kAudioUnitManufacturer_Apple
  ) {
    self.type = type
    self.subType = subType
    self.manufacturer = manufacturer
    self.name = name
  }
}

/// How many elements a unit has in each scope.
public struct ElementCounts: Sendable, Equatable {
  public var inputs: Int
  public var outputs: Int
  /// Counts that a host may set; a range of one value cannot be changed.
  public var inputRange: ClosedRange<Int>
  public var outputRange: ClosedRange<Int>

  public init(
    inputs: Int, outputs: Int, inputRange: ClosedRange<Int>? = nil,
    outputRange: ClosedRange<Int>? = nil
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.inputRange = inputRange ?? inputs...inputs
    self.outputRange = outputRange ?? outputs...outputs
  }

  /// How many elements a scope may have.
  func range(of scope: AudioUnitScope) -> ClosedRange<Int> {
    switch scope {
    case kAudioUnitScope_Input: inputRange
    case kAudioUnitScope_Output: outputRange
    default: 1...1
    }
  }
}

/// The formats and settings for which a kernel is made: fixed until the unit is uninitialised.
public struct KernelSetup: Sendable {
  public var inputFormats: [StreamFormat]
  public var outputFormats: [StreamFormat]
  public var maximumFrames: Int
  /// 0 (fastest) to 127 (best): `kAudioUnitProperty_RenderQuality`, or the best while the host renders
  /// offline.
  public var renderQuality: Int
  /// Whether no device waits for the sound, so that memory may come with its first use; otherwise all of it
  /// must be there before the first render.
  public var isOffline: Bool
  /// An object that a unit of its own class shares with its kernel, for the kernel's lifetime.
  public var shared: (any AnyObject & Sendable)?
  /// The current global parameters, for things that depend on them and cannot change later, such as
  /// the latency.
  public var parameters: [AudioUnitParameterID: Float]

  public init(
    inputFormats: [StreamFormat], outputFormats: [StreamFormat], maximumFrames: Int,
    renderQuality: Int = 127, isOffline: Bool = false,
    parameters: [AudioUnitParameterID: Float] = [:],
    shared: (any AnyObject & Sendable)? = nil
  ) {
    self.inputFormats = inputFormats
    self.outputFormats = outputFormats
    self.maximumFrames = maximumFrames
    self.renderQuality = renderQuality
    self.isOffline = isOffline
    self.parameters = parameters
    self.shared = shared
  }

  /// The current value of a global parameter, within its range.
  public func value<Key: ParameterKey>(_ key: Key) -> Float {
    parameters[key.rawValue] ?? key.spec.defaultValue
  }

  /// The rate and channel count of the first output.
  public var format: StreamFormat { outputFormats.first ?? .standard }
}
