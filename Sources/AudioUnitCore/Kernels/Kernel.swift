// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The signal processing inside a unit: everything in which one unit differs from another.
///
/// A kernel knows no host: no scopes, flags, statuses or locks. It comes in four shapes; everything
/// else that a host may ask has a default here.
public protocol Kernel: ~Copyable {
  /// What a host can turn; `NoParameters` when there is nothing.
  associatedtype Parameter: ParameterKey = NoParameters
  /// The properties that it reads while it renders; `NoSettings` when there are none.
  associatedtype Setting: SettingKey = NoSettings
  /// What it sees of both.
  typealias Values = KernelValues<Parameter, Setting>

  /// How its component is found.
  static var identity: Identity { get }

  /// [control thread] Allocates whatever rendering will need.
  init(_ setup: KernelSetup)

  /// [any thread] About how many bytes `init` would take, as far as they grow with rate, channels and
  /// frames: a setup for which that is too much is refused. 0 where it is less than the buses.
  static func memory(_ setup: KernelSetup) -> Int

  /// [render thread] Forgets the past: the next frame is the first.
  mutating func reset()

  /// [any thread] Frames by which output lags input when nothing else delays it: the same from `init`
  /// on, as an effect's input is delayed by them when it is bypassed.
  var latencyFrames: Int { get }
  /// [any thread] The same for units whose latency follows their parameters, in frames of the output;
  /// `values` are the present ones. It may read what never changes after `init`, and nothing else of
  /// the kernel.
  func latencyFrames(_ values: Values) -> Double
  /// [any thread] Seconds for which the output may still sound, latency apart, after the input fell
  /// silent; nil: no tail. A kernel whose input is silent is not run beyond it, so that what is left
  /// by then should lie 100 dB below what was.
  var tailTime: Double? { get }
  /// [any thread] The same for units whose tail follows their parameters; `values` are the present
  /// ones. It may read what never changes after `init`, and nothing else of the kernel.
  func tailTime(_ values: Values) -> Double?
  /// Seconds for which what was heard shapes what comes, though the output is silent already: the
  /// release of a compressor. As long the kernel is run on silence; nil: no longer than the tail.
  var settlingTime: Double? { get }

  /// Numbers of input and output elements that a new unit has, and whether a host may change them.
  static var elements: ElementCounts { get }
  /// Which channel counts go together; nil: as many out as in.
  static var channels: [AUChannelInfo]? { get }
  /// Presets that come with it.
  static var factoryPresets: [FactoryPreset] { get }
  /// The default of `kAudioUnitProperty_MaximumFramesPerSlice`.
  static var maximumFramesPerSlice: Int { get }
  /// Whether it works differently by its setup's render quality: then hosts can choose that.
  static var hasRenderQuality: Bool { get }
  /// Its parameters and settings as hosts see them, in the order of the keys: those that the keys tell,
  /// unless units share their keys.
  static var parameters: [ParameterDefinition] { get }
  static var settings: [SettingSpec] { get }
  /// Meters that it has like other units.
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

/// A kernel that makes sound of nothing.
public protocol GeneratorKernel: Kernel, ~Copyable {
  /// [render thread] Fills one slice.
  mutating func render(_ output: Slice, _ values: Values)
}

extension GeneratorKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 0, outputs: 1) }
  public static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: -1)] }
}

/// A kernel that gives the sound that is due at a time.
public protocol TimedKernel: Kernel, ~Copyable {
  /// [render thread] Fills one slice, whose frames begin at `time`; true: all of it is silent.
  mutating func render(
    _ output: Slice, at time: UnsafePointer<AudioTimeStamp>, _ values: Values
  ) -> Bool
}

extension TimedKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 0, outputs: 1) }
  public static var channels: [AUChannelInfo]? { [.init(inChannels: 0, outChannels: -1)] }
}

/// A kernel that makes n frames of n frames, in place.
///
/// Where its `channels` allow for more out than in, the last channel of the input is in all that are
/// more. Bypass, silence and samples that are no numbers are dealt with around it (`KernelRenderer`).
public protocol EffectKernel: Kernel, ~Copyable {
  /// [render thread] Processes one slice in place.
  mutating func render(_ slice: Slice, _ values: Values)
}

extension EffectKernel where Self: ~Copyable {
  public static var elements: ElementCounts { .init(inputs: 1, outputs: 1) }
}

/// A kernel that makes k buses of m buses, all with the same number of frames.
public protocol MixerKernel: Kernel, ~Copyable {
  /// [render thread] Fills every output of one slice. An input that nothing feeds is silent.
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values)

  /// How many channels each bus may have, whatever the others have.
  static var inputChannels: ClosedRange<Int> { get }
  static var outputChannels: ClosedRange<Int> { get }
  /// How many channels a new input bus has.
  static var newInputChannels: Int { get }
  /// Why the channels of its buses do not go together; nil when they do.
  static func refusal(inputs: [Int], outputs: [Int]) -> String?
  /// A parameter of input elements: while it is 0 the input is not pulled, and silent.
  static var inputSwitch: Parameter? { get }
  /// Seconds that an input is still pulled for after its switch went to 0, so that it can fade.
  static var fadeTime: Double { get }
  /// A parameter of input elements: how many times as fast as it was recorded the input plays.
  static var playbackRate: Parameter? { get }
  /// Where inputs say how far away they are, of kernels with a playback rate: motion moves the pitch.
  static var dopplerShift: DopplerShift? { get }
  /// Whether past sound is in what comes, as of a room or a recursive filter: such a kernel begins anew
  /// when its output is not a number.
  static var remembersSound: Bool { get }
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
  public static var remembersSound: Bool { false }
}

/// A kernel that takes another number of frames than it gives, and keeps the rest.
///
/// For each slice it is asked how many input frames it needs, gets these by `take`, and renders. The input
/// is pulled in pieces of at most the maximum slice, and its time runs by its own frames. Silence, samples
/// that are no numbers and errors of the source are dealt with around it (`KernelRenderer`). It has one
/// input and one output and does not work in place.
public protocol ConverterKernel: Kernel, ~Copyable {
  /// [render thread] How many input frames the next `outputFrames` need beyond those that it holds.
  ///
  /// Asked again with what is left where a source fails.
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int

  /// [render thread] Takes a piece of what `inputFrames(for:)` asked for: called for each piece, then
  /// `render` once.
  mutating func take(_ input: Slice, _ values: Values)
  /// [render thread] Fills one slice. While `values.isBypassed` it gives its input as it is, as late as
  /// with the defaults of its parameters.
  mutating func render(_ output: Slice, _ values: Values)

  /// [render thread] How many frames may be rendered at once with these values, where what it can hold of
  /// its input limits that; at least 1.
  func longestSlice(_ values: Values) -> Int
  /// [render thread] Input frames that were taken and are yet to be heard, whole or in part.
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

/// How a component is found in the registry.
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

/// How many elements a unit has on each side.
public struct ElementCounts: Sendable, Equatable {
  public var inputs: Int
  public var outputs: Int
  /// Counts that a host may ask for; a range of one value cannot be changed.
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
}

/// What a kernel is made for: fixed until the unit is uninitialised.
public struct KernelSetup: Sendable {
  public var inputFormats: [StreamFormat]
  public var outputFormats: [StreamFormat]
  public var maximumFrames: Int
  /// 0 (fastest) to 127 (best): `kAudioUnitProperty_RenderQuality`, or the best while the host renders
  /// offline.
  public var renderQuality: Int
  /// What a unit of its own class shares with its kernel, for as long as that is there.
  public var shared: (any AnyObject & Sendable)?
  /// The global parameters as they stand: for what follows from one and cannot change later, such as
  /// a latency.
  public var parameters: [AudioUnitParameterID: Float]

  public init(
    inputFormats: [StreamFormat], outputFormats: [StreamFormat], maximumFrames: Int,
    renderQuality: Int = 127, parameters: [AudioUnitParameterID: Float] = [:],
    shared: (any AnyObject & Sendable)? = nil
  ) {
    self.inputFormats = inputFormats
    self.outputFormats = outputFormats
    self.maximumFrames = maximumFrames
    self.renderQuality = renderQuality
    self.parameters = parameters
    self.shared = shared
  }

  /// A global parameter as it stands, within its range.
  public func value<Key: ParameterKey>(_ key: Key) -> Float {
    parameters[key.rawValue] ?? key.spec.defaultValue
  }

  /// The rate and channel count of the first output.
  public var format: StreamFormat { outputFormats.first ?? .standard }
}
