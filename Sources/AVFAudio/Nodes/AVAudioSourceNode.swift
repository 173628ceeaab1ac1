// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// A source whose frames a block supplies.
///
/// Its unit is a converter, which passes on what it need not convert, unchanged to the bit.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let blockFormat: AVAudioFormat?

  /// A source whose block supplies the format of the connection.
  @preconcurrency
  public init(
    renderBlock block:
      @escaping @Sendable (
        _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AVAudioFrameCount, _ outputData: UnsafeMutablePointer<AudioBufferList>
      ) -> OSStatus
  ) {
    blockFormat = nil
    super.init(Self.converter(), inputs: 0, outputs: 1, feed: SourceFeed(block))
  }

  /// A source whose block supplies linear PCM of a format, which is converted to that of the
  /// connection. Another format ends the program.
  @preconcurrency
  public init(
    format: AVAudioFormat,
    renderBlock block:
      @escaping @Sendable (
        _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>,
        _ frameCount: AVAudioFrameCount, _ outputData: UnsafeMutablePointer<AudioBufferList>
      ) -> OSStatus
  ) {
    let unit = Self.converter()
    orEnd {
      let call = "AVAudioSourceNode.init(format:renderBlock:)"
      guard format.sampleRate > 0, format.channelCount > 0 else {
        throw EngineError.refusal(
          call, "\(format) has no rate or no channels", mend: "name both",
          kAudioUnitErr_FormatNotSupported)
      }
      try EngineError.check(unit.setFormat(format, kAudioUnitScope_Input, 0), call)
    }
    blockFormat = format
    super.init(unit, inputs: 0, outputs: 1, feed: SourceFeed(block))
  }

  private static func converter() -> NodeUnit {
    NodeUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter)
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override var formatRule: FormatRule { .generates }

  /// The format of the block, if it can be a connection's.
  override func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? {
    blockFormat.map { .standard($0.sampleRate, $0.channelCount) }
  }

  /// The format in which the unit asks the block for frames.
  override func unitInputFormat(for output: AVAudioFormat) -> AVAudioFormat {
    blockFormat ?? output
  }
}

/// Calls the block of a source node.
private final class SourceFeed: NodeFeed, @unchecked Sendable {
  private let owned: SourceBlock
  private let block: Unmanaged<SourceBlock>
  private let isSilence = UnsafeMutablePointer<ObjCBool>.allocate(capacity: 1)

  init(_ block: @escaping AVAudioSourceNodeRenderBlock) {
    owned = SourceBlock(block)
    self.block = .passUnretained(owned)
  }

  deinit { isSilence.deallocate() }

  @_noLocks
  override func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    isSilence.pointee = false
    let status = callBlock(block, isSilence, time, frames, list)
    if status != noErr {
      list.silence(flags)
    } else if isSilence.pointee.boolValue {
      flags.claimSilence()
    }
    return noErr
  }
}
