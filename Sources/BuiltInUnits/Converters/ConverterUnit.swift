// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Converts linear PCM of any format into any other: samples, channels, rate.
///
/// It pulls as many input frames in advance as its filter needs, so it adds no delay.
final class ConverterUnit: NativeUnit, @unchecked Sendable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter, "AUConverter")

  private let renderer: UnsafeMutablePointer<UnsafeMutablePointer<ConverterRenderer>?>
  private var channelMap: [Int32]?
  private var complexity = UInt32(kAudioUnitSampleRateConverterComplexity_Normal)
  private var startsAtZero = false

  init(component: Component) {
    renderer = .cell(nil)
    super.init(
      component: component, parameters: [], elements: .init(inputs: 1, outputs: 1),
      format: .standard, maximumFrames: 1156)
    renderQuality = 64
  }

  deinit {
    releaseResources()
    renderer.endCell()
  }

  override var properties: [UnitProperty] { Self.rows }
  override var channelCapabilities: [AUChannelInfo]? { [.init(inChannels: -1, outChannels: -2)] }
  override var canPassThrough: Bool { true }
  override var hasRenderQuality: Bool { true }

  override func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.sampleFormat.isSupported else {
      throw .formatNotSupported.because("\(element.title): \(format.text) cannot be converted")
    }
  }

  override func allocateResources() throws(AudioError) {
    var setup = FrameConversion.Setup(source: inputs[0].format, destination: outputs[0].format)
    setup.quality = quality
    if let channelMap { setup.mixing = .map(channelMap) }
    let converter: FrameConversion
    do throws(AudioError) { converter = try FrameConversion(setup) } catch {
      throw .formatNotSupported.because(error.explanation)
    }
    // A local copy: the compiler's thread sanitizer treats the whole of `self` as accessed otherwise.
    let side = side
    if channelMap == nil, inputs[0].format.isPlanarFloat, inputs[0].format == outputs[0].format {
      side.pointee.passThrough = .cell(
        PassThrough(
          side.pointee.pending, outputs[0].format, maximumFrames: maximumFrames,
          allocates: inputs[0].allocatesBuffer, startsAtZero: startsAtZero))
    } else {
      renderer.pointee = .cell(
        ConverterRenderer(
          converter, maximumFrames: maximumFrames, allocates: inputs[0].allocatesBuffer,
          startsAtZero: startsAtZero))
    }
  }

  private var quality: SampleRateConverter.Quality {
    switch complexity {
    case UInt32(kAudioUnitSampleRateConverterComplexity_Linear): .low
    case UInt32(kAudioUnitSampleRateConverterComplexity_Mastering): .mastering
    default: .init(renderQuality: currentQuality)
    }
  }

  override func releaseResources() {
    let side = side  // as in `allocateResources`
    renderer.pointee?.endCell()
    renderer.pointee = nil
    side.pointee.passThrough?.endCell()
    side.pointee.passThrough = nil
  }

  override func formatChanged(_ element: Element) {
    // A map has an entry for each output channel.
    if let channelMap, channelMap.count != outputs[0].format.channelCount { self.channelMap = nil }
  }

  /// [render thread]
  override func clearHistory() { renderer.pointee?.pointee.reset() }

  /// [render thread]
  @_noLocks
  override func produce(
    _ call: RenderCall, _ sources: SourceTable, into data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let renderer = renderer.pointee else { return kAudioUnitErr_Uninitialized }
    return renderer.pointee.render(call, sources, into: data)
  }

  private static let rows = PropertyRow<ConverterUnit>.rows([
    .value(
      kAudioUnitProperty_SampleRateConverterComplexity, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized), get: { unit, _ in unit.complexity },
      set: { (unit, _, complexity: UInt32) throws(AudioError) in
        let known = [
          kAudioUnitSampleRateConverterComplexity_Linear,
          kAudioUnitSampleRateConverterComplexity_Normal,
          kAudioUnitSampleRateConverterComplexity_Mastering,
        ]
        guard known.contains(where: { UInt32($0) == complexity }) else {
          throw .invalidPropertyValue.because(
            "'\(FourCharacterCode(complexity))' is not 'line', 'norm' or 'bats'")
        }
        unit.complexity = complexity
      }),
    .array(
      kAudioOutputUnitProperty_ChannelMap,
      in: [kAudioUnitScope_Output, kAudioUnitScope_Global, kAudioUnitScope_Input],
      writable: .uninitialized(.initialized), Int32.self,
      get: { unit, _ in
        unit.channelMap
          ?? ChannelRouting.natural(
            from: unit.inputs[0].format.channelCount, to: unit.outputs[0].format.channelCount)
      }, count: { unit, _ in unit.outputs[0].format.channelCount },
      set: { (unit, _, map) throws(AudioError) in
        let count = unit.inputs[0].format.channelCount
        guard map.allSatisfy({ (-1..<Int32(clamping: count)).contains($0) }) else {
          throw .invalidPropertyValue.because(
            "\(map): the input has channels 0 to \(count - 1); -1 is silence")
        }
        unit.channelMap = map
      }),
    .flag(
      kAudioOutputUnitProperty_StartTimestampsAtZero, in: [kAudioUnitScope_Global],
      writable: .uninitialized(.initialized),
      get: { unit, _ in unit.startsAtZero },
      set: { unit, _, isOn in unit.startsAtZero = isOn }),
  ])
}
